import Base
import Rendering
import Testing

struct RendererTests {
  @Test func jsonIsOneObject() throws {
    let long = String(repeating: "long ", count: 30)
    #expect(
      try rendered(peopleDocument(), .json) == """
        {"schema":"storescope/rows/1",
        "store":{"path":"A.store","uuid":"U","frameworkVersion":1522},
        "rows":[
        {"pk":1,"name":"Ann","note":"x"},
        {"pk":2,"name":"Bo\\u001b[2J","note":null},
        {"pk":30,"name":"","note":"\(long)"}
        ]}

        """)
  }

  /// Objects with lists that are made while they are printed.
  @Test func objectsHoldLists() throws {
    func list(_ numbers: [DataValue]) -> RowStream {
      RowStream(columns: [.init("n")], rows: numbers.map { [$0] })
    }
    let document = Document(
      command: "x",
      fields: [
        .init(
          "things",
          objects: [
            [.init("name", "a"), .init("bare", list: list([1, 2, 3])), .init("rows", rows: list([4, 5]))],
            [.init("name", "b"), .init("bare", list: list([])), .init("rows", rows: list([]))],
          ], flat: list([6, 7]))
      ], payload: "things")
    #expect(
      try rendered(document, .ndjson, limit: 2) == """
        {"name":"a","bare":[1,2],"rows":[{"n":4},{"n":5}]}
        {"name":"b","bare":[],"rows":[]}

        """)
    #expect(
      try rendered(document, .json) == """
        {"schema":"storescope/x/1",
        "things":[
        {"name":"a","bare":[
        1,
        2,
        3
        ],"rows":[
        {"n":4},
        {"n":5}
        ]},
        {"name":"b","bare":[],"rows":[]}
        ]}

        """)
    #expect(try rendered(document, .csv) == "n\n6\n7\n")
  }

  @Test func ndjsonIsThePayload() throws {
    #expect(
      try rendered(peopleDocument(), .ndjson, limit: 2) == """
        {"pk":1,"name":"Ann","note":"x"}
        {"pk":2,"name":"Bo\\u001b[2J","note":null}

        """)
  }

  @Test func csvTellsNullFromEmptyAndKeepsBytesInFiles() throws {
    #expect(
      try rendered(peopleDocument(), .csv).hasPrefix("pk,name,note\n1,Ann,x\n2,Bo\u{1B}[2J,\n30,\"\",long "))
    #expect(try rendered(peopleDocument(), .csv, isTerminal: true).contains("Bo\\u{1b}[2J"))
  }

  @Test func csvQuotesWhatNeedsIt() throws {
    let rows = RowStream(columns: [.init("a")], rows: [["x,y"], ["say \"hi\""], ["two\nlines"], [[1, 2]]])
    let document = Document(command: "x", fields: [.init("rows", rows: rows)], payload: "rows")
    #expect(
      try rendered(document, .csv)
        == "a\n\"x,y\"\n\"say \"\"hi\"\"\"\n\"two\nlines\"\n\"[1,2]\"\n")
  }

  @Test func tablesAlignNumbersAndFitTheWidth() throws {
    #expect(
      try rendered(peopleDocument(), .table, width: 40) == """
        Person
        rows  3
        pk  name         note
        ──  ───────────  ───────────────────────
         1  Ann          x
         2  Bo\\u{1b}[2J
        30               long long long long lo…

        """)
  }

  /// A list stays a list, however narrow the terminal is.
  @Test func columnsAreLeftOutByRank() throws {
    let columns = [
      RowStream.Column("name"), .init("table", rank: 2), .init("number", isNumber: true, rank: 3),
      .init("rows", isNumber: true),
    ]
    let rows = RowStream(
      columns: columns,
      rows: [
        ["AdditionalAssetAttributes", "ZADDITIONALASSETATTRIBUTES", 1, 16], ["Asset", "ZASSET", 2, 19929],
      ]
    ).counting("entity", "entities")
    let document = Document(command: "x", blocks: [.table(rows)])
    #expect(
      try rendered(document, .table, width: 40) == """
        name                        rows
        ─────────────────────────  ─────
        AdditionalAssetAttributes     16
        Asset                      19929
        (2 entities)
        Not shown: table, number. A wider
        terminal, --columns or --format vertical
        shows them.

        """)
    #expect(try rendered(document, .table, width: 80).contains("ZADDITIONALASSETATTRIBUTES"))
  }

  /// A name without a value says nothing.
  @Test func recordsLeaveOutWhatIsMissing() throws {
    let rows = RowStream(columns: [.init("a"), .init("b")], rows: [[nil, "x"], ["y", "z"]])
    let document = Document(
      command: "x", fields: [.init("rows", rows: rows)], payload: "rows", blocks: [.table(rows)])
    #expect(try rendered(document, .vertical) == "── 1\nb  x\n── 2\na  y\nb  z\n")
  }

  @Test func nullIsNoEmptyText() throws {
    let rows = RowStream(columns: [.init("a"), .init("b")], rows: [[nil, "x"], ["", "y"]]).showingNull()
    let document = Document(
      command: "x", fields: [.init("rows", rows: rows)], payload: "rows", blocks: [.table(rows)])
    #expect(try rendered(document, .table) == "a     b\n────  ─\nNULL  x\n      y\n")
    #expect(try rendered(document, .vertical) == "── 1\na  NULL\nb  x\n── 2\na\nb  y\n")
    #expect(try rendered(document, .markdown).contains("| NULL | x |"))
    #expect(try rendered(document, .csv) == "a,b\n,x\n\"\",y\n")
  }

  @Test func datesAtMidnightAreDays() throws {
    let day = DataValue.date(CoreDataDate(seconds: 794_188_800))
    let columns = [RowStream.Column("day"), .init("moment")]
    let moment = DataValue.date(CoreDataDate(seconds: 794_188_830.5))
    let rows = RowStream(columns: columns, rows: [[day, day], [day, moment]])
    #expect(
      try rendered(Document(command: "x", blocks: [.table(rows)]), .table) == """
        day         moment
        ──────────  ──────────────────────
        2026-03-03  2026-03-03 00:00:00Z
        2026-03-03  2026-03-03 00:00:30.5Z

        """)
  }

  @Test func namesAreCutInTheMiddle() throws {
    let uri = "x-coredata://7D3B51C4-0F2E-4C55-9A61-5E2C8D40B7A9/Trip/p1"
    let rows = RowStream(columns: [.init("uri"), .init("title")], rows: [[.text(uri), "Spring in Lisbon"]])
    let text = try rendered(Document(command: "x", blocks: [.table(rows)]), .table, width: 44)
    #expect(text.contains("x-coredata:/…") && text.contains("/Trip/p1  Spring in Lisbon"))
  }

  // MARK: - Columns that are asked for

  @Test func chosenColumnsHaveTheOrderAskedFor() throws {
    let chosen = ["note", "pk"]
    func text(_ format: Format) throws -> String {
      try rendered(peopleDocument(), format, limit: 2, columns: chosen)
    }
    #expect(try text(.csv) == "note,pk\nx,1\n,2\n")
    #expect(try text(.ndjson) == "{\"note\":\"x\",\"pk\":1}\n{\"note\":null,\"pk\":2}\n")
    #expect(try text(.table).hasPrefix("note  pk\n────  ──\nx      1\n       2\n"))
  }

  @Test func aColumnThatIsntThereIsNamed() throws {
    let error = #expect(throws: StoreScopeError.self) {
      try rendered(peopleDocument(), .table, columns: ["nmae"])
    }
    let text = error?.description ?? ""
    #expect(
      text.contains("no column 'nmae'") && error?.unknown?.known.contains("name") == true
        && text.contains("pk, name, note"))
    #expect(throws: StoreScopeError.self) {
      try rendered(Document(command: "x", blocks: [.text("a")]), .json, columns: ["a"])
    }
  }

  @Test func objectsCanBeChosenByTheirShortName() throws {
    let rows = RowStream(
      columns: [.init("uri"), .init("title")], rows: [["x-coredata://A/Trip/p1", "Spring"]])
    let document = Document(command: "x", fields: [.init("rows", rows: rows)], payload: "rows")
    #expect(
      try rendered(document, .table, columns: ["title", "object"])
        == "title   object\n──────  ───────\nSpring  Trip/p1\n")
    #expect(
      try rendered(document, .ndjson, columns: ["object"]) == "{\"object\":\"x-coredata://A/Trip/p1\"}\n")
  }

  @Test func sentencesAreNotCut() throws {
    let rows = RowStream(
      columns: [.init("n", isNumber: true), .init("text")],
      rows: [[1, "One sentence that is longer than the terminal."], [2, "Short."]]
    ).withSentences()
    #expect(
      try rendered(Document(command: "x", blocks: [.table(rows)]), .table, width: 40) == """
        n  text
        ─  ─────────────────────────────────────
        1  One sentence that is longer than the
           terminal.
        2  Short.

        """)
  }

  /// Every column of a SELECT was asked for: four of its five were shown, and a UUID took half of the line.
  @Test func equalColumnsBecomeNarrowBeforeOneIsLeftOut() throws {
    let uuid = "423285F9-8042-6FF1-AC9E-E64F2E0DF532"
    let rows = RowStream(
      columns: ["recordName", "zone", "entity", "state", "uri"].map { .init($0) },
      rows: [String](repeating: uuid, count: 2).map {
        [
          .text($0), "com.apple.coredata.cloudkit.zone", "City", "pendingUpload",
          .text("x-coredata://\(uuid)/City/p1"),
        ]
      })
    let text = try rendered(Document(command: "x", blocks: [.table(rows)]), .table, width: 80)
    #expect(!text.contains("Not shown") && text.contains("City/p1") && text.contains("pendingUpload"))
    // A ranking is somebody's choice of what may go.
    let ranked = try rendered(
      Document(command: "x", blocks: [.table(rows.leavingOut("zone"))]), .table, width: 80)
    #expect(ranked.contains("Not shown: zone") && ranked.contains(uuid))
  }

  /// Half a threshold, such as `updates=30, window=6…`, is a wrong one.
  @Test func someColumnsAreShownWholeOrNotAtAll() throws {
    let rows = RowStream(
      columns: ["rule", "thresholds", "title"].map { .init($0) },
      rows: [
        ["history-update-loop", "updates=30, window=60", "Objects updated again and again"], ["a", "b", "c"],
      ]
    ).neverCutting("thresholds").leavingOut("thresholds").withSentences()
    let document = Document(command: "x", blocks: [.table(rows)])
    #expect(try rendered(document, .table, width: 60).contains("Not shown: thresholds"))
    #expect(try rendered(document, .table, width: 75).contains("updates=30, window=60"))
  }

  @Test func bulletsIndentTheirSecondLine() throws {
    let document = Document(command: "x", blocks: [.text("• one two three four five six\n• seven")])
    #expect(
      try rendered(document, .table, width: 24) == "• one two three four\n  five six\n• seven\n")
  }

  @Test func listsShowDatesToTheMinute() throws {
    let rows = RowStream(columns: [.init("at")], rows: [[.date(CoreDataDate(seconds: 90))]]).toTheMinute()
    let document = Document(command: "x", blocks: [.table(rows)])
    #expect(try rendered(document, .table).hasSuffix("2001-01-01 00:01\n"))
    #expect(try rendered(document, .markdown).contains("| 2001-01-01 00:01 |"))
  }

  /// In the shell, a number leads to an object of the open store, which an object of the other store isn't.
  @Test func groupsHaveLinesBelowTheirItems() throws {
    let item = Document.Group.Item(
      "Trip/p1", title: "Spring", lines: ["budget: 1 → 2\u{1B}", "title differs"])
    let groups = [Document.Group(count: 5, title: "Trip changed", items: [item])]
    let document = Document(command: "x", blocks: [.groups { groups }])
    let text = """
        5  Trip changed
           Trip/p1 Spring
             budget: 1 → 2\\u{1b}
             title differs
           … and 4 more

      """
    #expect(try rendered(document, .table) == text)
    let markdown = try rendered(document, .markdown)
    #expect(markdown.contains("  - Trip/p1, Spring\n    - budget: 1 → 2"))
    // It was said in text only that there are more.
    #expect(markdown.hasSuffix("\n  - … and 4 more\n"), "\(markdown)")
  }

  /// It became a record, and several rows like it stayed a table.
  @Test func aSingleRowTooWideForATableLosesColumnsAsManyDo() throws {
    let columns = (1...9).map { RowStream.Column("column\($0)") }
    let rows = RowStream(columns: columns, rows: [(1...9).map { DataValue.text("value number \($0)") }])
    let document = Document(command: "x", blocks: [.table(rows)])
    let text = try rendered(document, .table, width: 60)
    #expect(text.hasPrefix("column1         column2         column3\n"), "\(text)")
    #expect(text.contains("Not shown: column4, column5,"), "\(text)")
  }

  @Test(arguments: [50, 60, 80])
  func numbersAndDatesAreNeverCut(_ width: Int) throws {
    let moment = CoreDataDate(seconds: 794_192_523.123)
    let date = DataValue.date(moment)
    let whole = DateText().second(moment)
    let wide = DataValue.text(String(repeating: "properties, ", count: 9))
    let columns = ["transaction", "timestamp", "author", "properties"].map { RowStream.Column($0) }
    var rows: [[DataValue]] = (1...499).map { [.integer($0), date, "app", wide] }
    // After the widths were fixed.
    rows += [[1, date, "app", wide], [.integer(.max), date, wide, "x"]]
    let document = Document(command: "x", blocks: [.table(RowStream(columns: columns, rows: rows))])
    let text = try rendered(document, .table, limit: 600, width: width)
    #expect(text.contains(String(Int64.max)))
    #expect(text.ranges(of: whole).count == rows.count)
    #expect(text.contains("…"), "texts are")
  }

  @Test(arguments: [Format.table, .markdown])
  func tablesSayWhatTheyLeaveOut(_ format: Format) throws {
    let rows = RowStream(columns: [.init("n", isNumber: true)], rows: (1...250).map { [.integer($0)] })
    let text = try rendered(Document(command: "x", blocks: [.table(rows)]), format)
    #expect(text.contains("and 150 more of 250"))
    #expect(!text.contains("101"))
  }

  @Test func markdownKeepsDataFromBecomingMarkup() throws {
    let rows = RowStream(columns: [.init("a|b")], rows: [["<b>*x*"]])
    let text = try rendered(Document(command: "x", blocks: [.table(rows)]), .markdown)
    #expect(text == "| a\\|b |\n| --- |\n| \\<b\\>\\*x\\* |\n")
  }

  @Test func wideCharactersTakeTwoColumns() throws {
    let rows = RowStream(columns: [.init("a"), .init("b")], rows: [["日本", "x"], ["ab", "y"]])
    #expect(
      try rendered(Document(command: "x", blocks: [.table(rows)]), .table)
        == "a     b\n────  ─\n日本  x\nab    y\n")
  }

  /// Columns moved by one for each emoji of several parts, flag or mark.
  @Test(
    arguments: [
      ("", 0), ("abc", 3), ("é", 1), ("e\u{301}", 1), ("日本", 4), ("한국", 4), ("\u{1112}\u{1161}\u{11AB}", 2),
      ("👍", 2), ("👩‍👩‍👧", 2), ("❤️", 2), ("❤", 1), ("🇩🇪", 2), ("🫠", 2), ("✅", 2), ("שלום", 4), ("हि", 2), ("ﾊ", 1),
      ("Ａ", 2), ("…", 1),
    ] as [(String, Int)]) func textHasTheWidthOfATerminal(_ text: String, _ width: Int)
  {
    #expect(TerminalText.width(text) == width)
  }

  @Test func aReaderThatLeavesEndsTheWork() throws {
    var made = 0
    let rows = RowStream(columns: [.init("n")], emptyText: "") { sink in
      for number in 0..<10_000_000 {
        made += 1
        sink.beginRow()
        sink.integer(Int64(number))
        if try !sink.endRow() { return }
      }
    }
    let output = OutputBuffer(capacity: 4096) { _ in false }
    let document = Document(command: "x", fields: [.init("rows", rows: rows)], payload: "rows")
    try Renderer(output: output, options: .init(format: .ndjson)).render(document)
    #expect(made < 100_000)
  }

  private struct Damage: Error {}

  /// A page that can't be read ends the rows: those before it are printed, by several threads as by one, none after it.
  @Test(arguments: [Format.csv, .ndjson])
  func rowsBeforeAnErrorArePrinted(_ format: Format) throws {
    func produce(_ numbers: Range<Int64>, into sink: any RowSink) throws {
      for number in numbers {
        if number == 2500 { throw Damage() }
        sink.beginRow()
        sink.integer(number)
        guard try sink.endRow() else { return }
      }
    }
    var rows = RowStream(columns: [.init("n")]) { try produce(0..<9000, into: $0) }
    rows.parts = {
      let maker: RowParts.Maker = { part, sink in
        try produce(Int64(part) * 1000..<Int64(part + 1) * 1000, into: sink)
      }
      return RowParts(count: 9, makers: [maker, maker])
    }
    let document = Document(command: "x", fields: [.init("rows", rows: rows)], payload: "rows")
    let texts = [nil, 1_000_000].map { limit in
      var bytes: [UInt8] = []
      let output = OutputBuffer { piece in
        bytes += piece
        return true
      }
      #expect(throws: Damage.self) {
        try Renderer(output: output, options: .init(format: format, limit: limit)).render(document)
      }
      return String(decoding: bytes, as: UTF8.self)
    }
    #expect(texts[0].contains("2499") && !texts[0].contains("2500") && !texts[0].contains("3000"))
    // The last line isn't ended by one thread.
    #expect(texts[0].split(separator: "\n") == texts[1].split(separator: "\n"))
  }
}
