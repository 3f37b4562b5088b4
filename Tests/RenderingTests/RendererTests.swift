import Rendering
import Testing
import Values

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

  @Test func rowsTooWideForATableBecomeRecords() throws {
    let columns = (1...9).map { RowStream.Column("column\($0)") }
    let rows = RowStream(columns: columns, rows: [(1...9).map { DataValue.text("value number \($0)") }])
    let document = Document(command: "x", blocks: [.table(rows)])
    let text = try rendered(document, .table, width: 60)
    #expect(text.hasPrefix("── 1\ncolumn1  value number 1\ncolumn2  value number 2\n"))
  }

  @Test(arguments: [40, 60, 80])
  func numbersAndDatesAreNeverCut(_ width: Int) throws {
    let moment = CoreDataDate(seconds: 794_188_800.123)
    let date = DataValue.date(moment)
    let whole = try #require(moment.shortISO8601)
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
}
