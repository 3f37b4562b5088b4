import Testing

/// Without these, a mistake in the finder would pass every text.
struct HabitFinderTests {
  @Test(
    arguments: [
      ("One row a record.", "one row a record"), ("It writes a file an entity.", "a file an entity"),
      ("The token tells how far.", "tells"), ("The file can't tell.", "file can't tell"),
      ("The header says so.", "says"), ("a list of what waits", "what waits"),
      ("See what to do.", "see what to do"),
      ("Mend it.", "mend"), ("Puts the store back.", "puts the store back"),
      ("It was put right.", "put right"),
      ("Where nothing is given, all are shown.", "where nothing is"),
      ("NULL where it isn't set", "where it isn't"),
      ("It shall stop.", "shall"), ("The copy is to be kept.", "copy is to be"),
      ("'rows' has no use for it", "has no use"),
      ("a file beside the store", "beside"), ("written past Core Data", "past core data"),
      ("takes room", "room"),
      ("nothing lists them", "nothing lists"), ("recorded by half", "by half"),
      ("stays for ever", "for ever"),
      ("Time stamps fall.", "time stamps"), ("It waits to be uploaded.", "waits to be"),
      ("not analyzed yet", "analyzed"),
      ("This is no store.", "this is no store"), ("The row lies in a table.", "lies in"),
      ("once more", "once more"),
      ("Of other objects the copies aren't searched.", "of other"),
      ("They exclude each other.", "exclude each other"),
      ("It needs something else than a repair.", "something else than"),
      ("It happened 1 times.", "1 times"), ("0 days ago", "0 days"), ("2 row(s)", "( s )"),
      ("\0 rows were read", "… rows"),
      ("Verdict: notMirrored", "verdict : notMirrored"), ("the colour", "colour"),
      ("It is recognised.", "recognised"),
      ("a re-initialised row", "re-initialised"), ("the the row", "the the"), ("the\n  row. Row", nil),
      ("two  two", nil),
      ("one row per record", nil), ("Can't tell the format from the name.", nil),
      ("What's kept is listed.", nil),
      ("Choose what to do with the copies.", nil), ("Where is it?", nil), ("There is no store.", nil),
      ("A precise promise otherwise revised.", nil), ("key-wise", nil), ("WHERE SHALL", nil),
      ("`colour`", nil),
      ("more than \0 rows", nil), ("It is no longer there.", nil), ("isNoise", nil), ("mend.swift", "mend"),
    ] as [(String, String?)])
  func habitsAreFound(_ text: String, _ found: String?) {
    var finder = HabitFinder()
    let words = finder.findings(in: Passage("x", text: text)).map(\.words)
    #expect(found.map { words.contains($0) } ?? words.isEmpty, "\(words)")
  }

  @Test func sourcesAreReadInParts() {
    let source = ##"""
      // A colour
      //   again

      let one = "first \(value ?? "inner (text)") last" // behind
      let two = """
        more \
        lines
        and more
        """, three = #"raw " \(not) \#(one)"#, four = #/"colour/#
      """##
    let passages = SwiftTexts("x", Array(source.utf8)).passages
    var read: [String: String] = [:]
    for passage in passages {
      let words = passage.words.map(\.text).filter { $0 != Passage.beginning }
      read[words.joined(separator: " ")] = "\(passage.kind) \(passage.words[0].line)"
    }
    #expect(
      read == [
        "a colour again": "comment 1", "inner ( text )": "text 4", "first … last": "text 4",
        "behind": "comment 4", "more lines and more": "text 5", #"raw " \ ( not ) …"#: "text 9",
      ])
    var finder = HabitFinder()
    #expect(passages.flatMap { finder.findings(in: $0) }.map(\.line) == [1])
  }

  @Test func repetitionsAndLongLinesAreFound() {
    let long = String(repeating: "x", count: 81)
    let page = HelpPage(
      name: "x",
      text: """
        Rows come by primary key, oldest
        first. Another one. Rows come by primary key, oldest first.

          --one    this is what it does
          --other  this is what it does
          --third  this is what it does
                   at length
        \(long)
        """)
    #expect(page.repetitions == ["Rows come by primary key, oldest first", "this is what it does"])
    #expect(page.longLines == [long])
  }
}
