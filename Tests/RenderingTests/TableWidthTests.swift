import Base
import Rendering
import Testing

/// Whatever a table holds: no line is wider than the terminal, and nothing is cut without a mark.
struct TableWidthTests {
  private struct Random: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
      // https://prng.di.unimi.it/splitmix64.c
      state &+= 0x9E37_79B9_7F4A_7C15
      var z = state
      z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
      z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
      return z ^ (z >> 31)
    }
  }

  private static func cell(_ random: inout Random) -> DataValue {
    switch Int.random(in: 0..<9, using: &random) {
    case 0: nil
    case 1: .integer(.random(in: .min ... .max, using: &random))
    case 2: .integer(.random(in: 0..<1000, using: &random))
    case 3: .real(.random(in: -1e9...1e9, using: &random))
    case 4: .date(CoreDataDate(seconds: .random(in: 0...1e9, using: &random)))
    case 5: ""
    case 6: .text(String(repeating: "word ", count: .random(in: 1...40, using: &random)))
    case 7: .text(String(repeating: "日本é", count: .random(in: 1...30, using: &random)))
    default: .text(String(repeating: "x-coredata:/", count: .random(in: 1...12, using: &random)))
    }
  }

  /// Of a short one the table lost columns, of one that came after the widths were chosen the end.
  @Test(arguments: [1, 2, 501]) func whatPeopleCopyIsWholeAndCostsNothing(_ count: Int) throws {
    let address = "./" + String(repeating: "long/", count: 20) + "App.store"
    let rows: [[DataValue]] = (1...count).map { number in
      [
        "com.example.Journeys", "463 kB", .text(String(repeating: "x", count: 20)),
        .text(count > 2 && number == count ? address : count > 2 ? "./a" : "./a/folder/App.store"),
      ]
    }
    let names = ["app", "size", "sync", "store"]
    let stream = RowStream(columns: names.map { RowStream.Column($0) }, rows: rows).withCopiedTexts()
    let document = Document(
      command: "x", fields: [.init("rows", rows: stream)], payload: "rows", blocks: [.table(stream)])
    let text = try rendered(document, .table, limit: 1000, width: count > 2 ? 80 : 60)
    #expect(!text.contains("Not shown") && text.hasPrefix("app  "), "\(text)")
    #expect(text.contains(count > 2 ? "\n  \(address)\n" : "\n  ./a/folder/App.store\n"), "\(text)")
  }

  /// A column with something in one row of four was kept, and one with a name in each was left out; an empty one made others
  /// narrower.
  @Test func emptyAndSparseColumnsGoFirst() throws {
    let name = String(repeating: "n", count: 20)
    let rows: [[DataValue]] = (1...4).map { number in
      [.text("object\(number)"), .text(name), "", .text(number == 4 ? name : "")]
    }
    let stream = RowStream(
      columns: ["object", "name", "empty", "sparse"].map { RowStream.Column($0) }, rows: rows)
    func heading(_ width: Int) throws -> Substring? {
      let document = Document(
        command: "x", fields: [.init("rows", rows: stream)], payload: "rows", blocks: [.table(stream)])
      return try rendered(document, .table, width: width).split(separator: "\n").first
    }
    #expect(try heading(80)?.contains("empty") == true)
    let narrow = try heading(52)
    #expect(narrow?.contains("sparse") == true && narrow?.contains("empty") == false, "\(narrow ?? "")")
    let narrowest = try heading(26)
    #expect(
      narrowest?.contains("name") == true && narrowest?.contains("sparse") == false, "\(narrowest ?? "")")
  }

  /// What was done to which property was left out, as long as who did it was shown whole.
  @Test func aLongNameGivesWay() throws {
    let author = "(none, photolibraryd)"
    let row: [DataValue] = [
      "2025-11-04 13:01", .text(author), "Album/p5", "A long title",
      .text(String(repeating: "parentFolder ", count: 8)),
    ]
    let stream = RowStream(
      columns: ["timestamp", "author", "object", "title", "properties"].map { RowStream.Column($0) },
      rows: Array(repeating: row, count: 3)
    ).leavingOut("title").narrowing("author", to: 12).narrowing("properties", to: 8)
    let text = try rendered(
      Document(
        command: "x", fields: [.init("rows", rows: stream)], payload: "rows", blocks: [.table(stream)]),
      .table, limit: 10, width: 64)
    #expect(text.contains(/\(none, pho.*…  Album\/p5  parent/), "\(text)")
    #expect(text.contains("Not shown: title."), "\(text)")
  }

  /// One row turned to records where two rows had columns.
  @Test func oneRowLooksLikeMany() throws {
    let names = ["object", "title", "notes", "place"]
    let row = names.map { DataValue.text($0 + String(repeating: " text", count: 8)) }
    func text(_ count: Int) throws -> [Substring] {
      let stream = RowStream(
        columns: names.map { RowStream.Column($0) }, rows: Array(repeating: row, count: count)
      ).leavingOut("notes")
      return try rendered(
        Document(
          command: "x", fields: [.init("rows", rows: stream)], payload: "rows", blocks: [.table(stream)]),
        .table, limit: 10, width: 60
      ).split(separator: "\n")
    }
    let (one, two) = (try text(1), try text(2))
    #expect(one[...2] == two[...2] && one[3...] == two[4...])
  }

  /// Names that begin or end alike were cut until they were the same.
  @Test(arguments: [
    ["com.example.journeys.background.import.first", "com.example.journeys.background.import.second"],
    ["a.com.example.journeys.background.import", "b.com.example.journeys.background.import"],
    ["Import of the photos in the background, first", "Import of the photos in the background, second"],
    ["com.example.journeys.background.import.app.main", "com.example.journeys.background.import.wid.main"],
    ["一二三四五六七八九十一二三四五六七八九十甲", "一二三四五六七八九十一二三四五六七八九十乙"],
  ]) func shortNamesTellRowsApart(_ names: [String]) throws {
    let stream = RowStream(
      columns: [.init("author"), .init("changes", isNumber: true)], rows: names.map { [.text($0), 1] })
    let document = Document(
      command: "x", fields: [.init("rows", rows: stream)], payload: "rows", blocks: [.table(stream)])
    let lines = try rendered(document, .table, limit: 10, width: 34).split(separator: "\n")[2...]
    #expect(Set(lines).count == names.count && lines.allSatisfy { $0.contains("…") }, "\(lines)")
  }

  /// An app that nothing shows had a column, and each store two lines on the widest terminal.
  @Test func aTableHasNoEmptyColumnsAndOneLineIfItFits() throws {
    let names = ["app", "size", "wal", "store"]
    let rows: [[DataValue]] = [[nil, "463 kB", "", "./a/App.store"], [nil, "5 kB", "", "./b.store"]]
    let stream = RowStream(columns: names.map { RowStream.Column($0) }, rows: rows).withCopiedTexts()
      .leavingOutEmptyColumns()
    let document = Document(
      command: "x", fields: [.init("rows", rows: stream)], payload: "rows", blocks: [.table(stream)])
    for width in [200, 24] {
      let text = try rendered(document, .table, limit: 1000, width: width)
      #expect(!text.contains("Not shown") && text.hasPrefix("size    store\n"), "\(text)")
      #expect(text.contains("\n463 kB  ./a/App.store\n5 kB    ./b.store\n"), "\(text)")
    }
    // All have lines of their own if one needs it.
    let narrow = try rendered(document, .table, limit: 1000, width: 16)
    #expect(narrow.hasSuffix("463 kB\n  ./a/App.store\n5 kB\n  ./b.store\n"), "\(narrow)")
  }

  /// Long names were cut until they were the same.
  @Test func recordsHaveWholeNames() throws {
    let names = ["averageSleepingHeartRateLowest", "averageSleepingHeartRateHighest", "title"]
    let stream = RowStream(
      columns: names.map { RowStream.Column($0) }, rows: [["48", "61", "Night"], ["50", nil, "Day"]])
    let document = Document(
      command: "x", fields: [.init("rows", rows: stream)], payload: "rows", blocks: [.table(stream)])
    let text = try rendered(document, .vertical, limit: 10, width: 50)
    #expect(
      text.hasPrefix(
        """
        ── 1
        averageSleepingHeartRateLowest
               48
        averageSleepingHeartRateHighest
               61
        title  Night
        ── 2

        """), "\(text)")
  }

  @Test(arguments: 0..<16) func noLineIsWiderThanTheTerminal(_ seed: Int) throws {
    var random = Random(state: UInt64(seed))
    let count = Int.random(in: 1...30, using: &random)
    let columns = (0..<count).map { index in
      RowStream.Column(
        String(repeating: "column", count: .random(in: 1...4, using: &random)) + String(index),
        rank: .random(in: 0...3, using: &random))
    }
    // More than are measured, so that wider ones come after the widths were fixed.
    let rows = (0..<(seed % 4 == 0 ? 520 : Int.random(in: 1...30, using: &random))).map { _ in
      (0..<count).map { _ in Self.cell(&random) }
    }
    var stream = RowStream(columns: columns, rows: rows).counting("row").showingNull()
    if Bool.random(using: &random) { stream = stream.withSentences() }
    let document = Document(
      command: "x", fields: [.init("rows", rows: stream)], payload: "rows", blocks: [.table(stream)])
    let chosen = Bool.random(using: &random) ? [columns[0].name, columns[count - 1].name] : nil
    for width in [40, 57, 80, 132, 200] {
      for format in [Format.table, .vertical] {
        let text = try rendered(
          document, format, limit: 1000, width: width, columns: chosen.map { Array(Set($0)) })
        for line in text.split(separator: "\n") {
          #expect(TerminalText.width(String(line)) <= width, "\(width): \(line)")
        }
        // What isn't shown is said.
        let left = columns.filter { !text.contains($0.name.prefix(8)) }
        #expect(chosen != nil || left.isEmpty || text.contains("Not shown: "))
      }
    }
  }

  @Test(arguments: [40, 80]) func whatIsCutIsMarked(_ width: Int) throws {
    var random = Random(state: 7)
    for _ in 0..<200 {
      let text = String((0..<60).map { _ in "abcxyz".randomElement(using: &random) ?? "a" })
      let cut = text.prefix(.random(in: 1...60, using: &random))
      let rows = RowStream(
        columns: [.init("one"), .init("two")], rows: [["name", .text(String(cut))], ["b", "c"]])
      let shown = try rendered(Document(command: "x", blocks: [.table(rows)]), .table, width: width)
      #expect(shown.contains(cut) || shown.contains("…"))
    }
  }
}
