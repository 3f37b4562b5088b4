import Bulk
import Forge
import Foundation
import TestSupport
import Testing

/// The shell as a person has it: on a terminal, driven key by key.
@Suite(.serialized, .waiting) struct ShellTerminalTests {
  private let demo: Demo
  private let state = TemporaryFolder("state")

  init() throws {
    demo = try Demo()
  }

  private func open(
    _ options: [String] = [], columns: Int = 80, rows: Int = 24, environment: [String: String] = [:]
  ) throws -> TerminalSession {
    let session = try TerminalSession(
      [demo.path] + options, columns: columns, rows: rows,
      environment: ["XDG_STATE_HOME": state.path].merging(environment) { $1 })
    if environment["TERM"] == nil { try session.waitForPrompt() }
    return session
  }

  /// On a slow machine the prompt doesn't wait for the count.
  private func steady(_ screen: String) -> String {
    screen.replacingOccurrences(of: "… pending", with: "25 pending")
  }

  private let endless =
    "WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c) SELECT MAX(x) FROM c;"

  // MARK: - Screens

  @Test(arguments: [(80, 24), (200, 60)]) func looksRight(columns: Int, rows: Int) throws {
    let session = try open(["--no-pager"], columns: columns, rows: rows)
    for line in [
      "rows Person", "show 2", "show 1", "back", "rows Trip --limit 2", "history --limit 3", "show 9",
      "SELECT uri, title FROM Trip;", "SELECT 1 AS one;", "show 1", ".timer on", "timing off", "pendign",
      "!ls", "limit", "help rows",
    ] { try session.run(line) }
    try session.quit()
    try expectSnapshot(
      steady(session.screen.wholeText).replacingOccurrences(
        of: "\\(\\d+ ms\\)", with: "(0 ms)", options: .regularExpression),
      named: "shell-\(columns)x\(rows).txt",
      filePath: URL(filePath: #filePath).deletingLastPathComponent().path)
    #expect(session.screen.wholeText.split(separator: "\n").allSatisfy { $0.count <= columns })
  }

  /// Of several candidates none could be chosen but by typing its address.
  @Test func candidatesHaveNumbers() throws {
    let session = try open(["--no-pager"], columns: 100)
    try session.run("trace lisb", shows: "2  City/p1 \"Lisbon\"")
    try session.run("show 2")
    #expect(session.screen.wholeText.contains("City/p1 \"Lisbon\": "), "\(session.screen.text)")
    try session.run("next")
    #expect(session.screen.wholeText.contains("Trip/p1 \"Spring in Lisbon\": "), "\(session.screen.text)")
  }

  @Test func anotherWindowSizeCounts() throws {
    let session = try open(["--no-pager"], columns: 160, rows: 40)
    try session.run("records --limit 1")
    #expect(!session.screen.text.contains("Not shown"))
    session.resize(columns: 60, rows: 24)
    try session.run("records --limit 1", shows: "Not shown")
    // A line longer than the window goes on in the next one, where readline knows how wide it is.
    session.type("SELECT 'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa' AS long;\r")
    try session.wait(for: "long\u{1B}")
    #expect(session.screen.text.contains("aaa' AS long;\n"))
  }

  @Test func noColorMeansNone() throws {
    let plain = try open(environment: ["NO_COLOR": "1"])
    try plain.run("rows Person")
    #expect(plain.transcript.contains("Ada Lindqvist"))
    #expect(plain.transcript.range(of: "\u{1B}\\[[0-9;]*m", options: .regularExpression) == nil)
    let coloured = try open()
    #expect(coloured.transcript.range(of: "\u{1B}\\[[0-9;]*m", options: .regularExpression) != nil)
  }

  @Test func aDumbTerminalGetsNoEscapes() throws {
    let session = try open(environment: ["TERM": "dumb"])
    try session.wait(for: "> ")
    session.type("rows Person\n")
    try session.wait(for: "Mei Tanaka")
    session.type(endless + "\n")
    session.take(for: 0.5)
    session.type("\u{3}")
    try session.wait(for: "(interrupted)")
    try session.quit()
    #expect(!session.transcript.contains("\u{1B}"))
  }

  @Test(arguments: ["C", "de_DE.ISO-8859-1"]) func aTerminalWithoutUTF8GetsASCII(locale: String) throws {
    let session = try open(["--no-color"], columns: 100, environment: ["LC_ALL": locale])
    try session.run("rows Person")
    try session.run("SELECT 'Belém…' AS place;")
    #expect(
      session.transcript.unicodeScalars.allSatisfy { $0.isASCII || "Belém…".unicodeScalars.contains($0) })
    #expect(
      session.screen.text.contains("Journeys.store 25 pending> ")
        || session.screen.text.contains("? pending> "))
    #expect(session.screen.text.contains("Bel\\u{e9}m~") && session.screen.text.contains("---------"))
  }

  @Test func tallResultsArePaged() throws {
    let session = try open(rows: 10, environment: ["PAGER": "sed s/^/paged:/"])
    try session.run("rows Person")
    #expect(!session.transcript.contains("paged:"))
    try session.run("history")
    #expect(session.transcript.contains("paged:"))
    // The shell's own text goes the same way.
    session.forget()
    try session.run("help")
    #expect(session.transcript.contains("paged:Leave out STORE"))
    try session.run("pager off")
    let before = session.transcript.components(separatedBy: "paged:").count
    try session.run("history")
    #expect(session.transcript.components(separatedBy: "paged:").count == before)
  }

  // MARK: - Keys

  @Test func controlCStopsAQueryAndStays() throws {
    let session = try open()
    for _ in 0..<2 {
      let prompts = session.promptCount
      session.type(endless + "\r")
      session.take(for: 0.7)
      #expect(session.promptCount == prompts)
      let start = Date()
      session.type("\u{3}")
      try session.wait("the prompt") { session.promptCount > prompts }
      // A tenth of a second on a machine that does nothing else; tests run many at once.
      #expect(Date().timeIntervalSince(start) < 2)
      #expect(session.screen.text.contains("(interrupted)"))
    }
    try session.run("SELECT 6 * 7 AS answer;", shows: "42")
  }

  @Test func controlCStopsEveryLongCommand() throws {
    let folder = TemporaryFolder()
    let forge = try StoreForge(path: folder.path("Giant.sqlite"), model: FixtureModels.library)
    try BulkForge.fill(forge) { bulk in
      let books = try bulk.insert("Book", count: 300_000, ["title": "'Book ' || i"])
      try bulk.record(BulkForge.Changes(.update, of: "Book", keys: books, count: 300_000, perTransaction: 10))
    }
    try forge.close()
    let session = try TerminalSession(["shell", forge.path, "--private", "--no-pager", "--quiet"], rows: 40)
    try session.waitForPrompt()
    for line in [
      "rows Book --json", "rows Book --where \"title LIKE '%9'\" --format csv", "history --json",
      "history --by day", "doctor", "query changed-properties --json", "watch rows Book",
    ] {
      let prompts = session.promptCount
      session.type(line + "\r")
      session.take(for: 0.3)
      let start = Date()
      session.type("\u{3}")
      try session.wait("the prompt after \(line)") { session.promptCount > prompts }
      #expect(Date().timeIntervalSince(start) < 3, "\(line)")
    }
    try session.run("SELECT COUNT(*) FROM Book;", shows: "300000")
  }

  @Test func controlCAtThePromptDropsTheLine() throws {
    let session = try open()
    let prompts = session.promptCount
    session.type("nonsense")
    session.type("\u{3}")
    try session.wait("another prompt") { session.promptCount > prompts }
    session.type("SELECT 1,\r")
    try session.wait(for: "...> ")
    session.type("\u{3}")
    session.take(for: 0.5)
    try session.run("SELECT 5 AS five;", shows: "five")
    #expect(
      !session.transcript.contains("There is no command") && !session.transcript.contains("can't be run"))
  }

  /// The next prompt overwrote the second line of a statement that Up had brought back.
  @Test func controlCLeavesAllLines() throws {
    let session = try open()
    session.type("SELECT 'one',\r'two',\r")
    try session.run("'three';")
    session.forget()
    session.type("\u{1B}[A")
    try session.wait(for: "'three';")
    try session.typeUntilPrompt("\u{3}")
    let lines = session.screen.text.split(separator: "\n").suffix(4).map { $0.prefix { $0 != "^" } }
    #expect(lines[0].hasSuffix("> SELECT 'one',") && lines[1...2] == ["'two',", "'three';"], "\(lines)")
    #expect(lines[3].contains("pending>"))
  }

  @Test func aPasteOfTwoLinesRunsBoth() throws {
    let session = try open()
    session.type("\u{1B}[200~SELECT 'first'\nAS a;\nrows Person --format csv\u{1B}[201~")
    session.take(for: 0.3)
    #expect(session.promptCount == 1)
    try session.run("")
    let text = session.screen.wholeText
    #expect(text.contains("first\n") && text.contains("Person,"), "\(text)")
  }

  @Test func tabCompletesFromTheStore() throws {
    let session = try open()
    try session.run("entit\tTri\t")
    #expect(session.screen.wholeText.contains("> entities Trip\n"))
    session.type("SELECT title\r")
    try session.wait(for: "...> ")
    try session.run("FROM Tri\t;", shows: "A weekend in Porto")
    session.type("format m\t")
    try session.wait("the word") { session.screen.text.hasSuffix("> format markdown\n") }
    session.type("\u{3}")
    session.take(for: 0.3)
    // No names of files where nothing is known.
    session.type("rows nothing-like-this\t\t")
    session.take(for: 0.5)
    #expect(session.screen.text.hasSuffix("> rows nothing-like-this\n"))
  }

  /// Readline added another quote behind the one that the candidate had, and Enter failed.
  @Test("A word in quotes that Tab completes is closed once, whatever opened it")
  func tabClosesQuotesOnce() throws {
    try demo.folder.pack(
      [
        ("my docs/App one.store", try demo.folder.read(DemoStore.fileName)),
        ("my docs/Zebra.store", try demo.folder.read(DemoStore.fileName)),
      ], as: "packed files.zip")
    let session = try open()
    let container = demo.folder.path("packed")
    for typed in [
      "open '\(container) files.zip!/my docs/A\t", "open '\(container)\tmy\tA\t",
      "open \"\(container) files.zip!/my docs/A\t",
    ] {
      session.type(typed)
      session.take(for: 1)
      try session.run("")
      let screen = session.screen.wholeText
      #expect(!screen.contains("isn't closed") && !screen.contains("can't open"), "\(typed): \(screen)")
      #expect(session.screen.text.contains("packed files.zip"), "\(typed): \(screen)")
    }
    session.type("show \"Entry/p1\t\u{15}show 'Tri\t")
    session.take(for: 0.5)
    #expect(
      !session.screen.text.contains("''") && !session.screen.text.contains("\"\""), "\(session.screen.text)")
  }

  // MARK: - History

  @Test func whatWasTypedComesBack() throws {
    let first = try open()
    try first.run("SELECT 'a' AS one;")
    try first.run(" SELECT 'secret';")
    // Two prompts: that for the rest of the statement, too.
    let prompts = first.promptCount
    first.type("SELECT\n2 AS two;\r")
    try first.wait("the end of the statement") { first.promptCount > prompts + 1 }
    try first.quit()
    let file = state.path("storescope/history")
    #expect(try String(contentsOfFile: file, encoding: .utf8) == "SELECT 'a' AS one;\nSELECT\\n2 AS two;\n")
    let mode = try FileManager.default.attributesOfItem(atPath: file)[.posixPermissions] as? Int
    #expect(mode == 0o600)
    let second = try open()
    try second.run("\u{1B}[A\u{1B}[A", shows: "one\n")
    try second.run(".history", shows: "SELECT\\n2 AS two;\n")
    let hidden = try open(["--private"])
    try hidden.run("SELECT 3 AS three;")
    #expect(try !String(contentsOfFile: file, encoding: .utf8).contains("three"))
  }

  // MARK: - Manners

  @Test func theSummaryComesFirst() throws {
    let session = try open()
    #expect(session.screen.wholeText.contains("Journeys.store · Core Data"))
    #expect(session.screen.wholeText.contains("Landmark"))
    let quiet = try open(["--quiet"])
    #expect(!quiet.screen.wholeText.contains("Landmark"))
  }

  @Test func resultsGoThroughPipesAndToFiles() throws {
    let session = try open(["--no-color"])
    try session.run("rows Person | grep Ada | tr a-z A-Z")
    #expect(session.screen.text.contains("ADA LINDQVIST") && !session.screen.text.contains("JONAS"))
    try session.run(
      "SELECT name || '!' AS n FROM Person; | grep -i sofia | head -n 1", shows: "Sofia Duarte!")
    // SIGPIPE must reach what we start: else this never ends.
    try session.run("rows Person | yes | head -n 1")
    try session.run("rows Person | nonsense-program", shows: "nonsense-program")
    try session.run("rows Tag --format csv > \(demo.folder.path("out"))")
    #expect(try demo.folder.text("out").hasPrefix("uri,"))
    // Whoever wrote a script isn't the one who types.
    try demo.folder.write(Array("version | cat\n".utf8), to: "script")
    try session.run("read \(demo.folder.path("script"))", shows: "typed lines only")
  }

  @Test func numbersAreThoseOfTheLastResult() throws {
    let session = try open(["--no-pager"], rows: 50)
    try session.run("rows Person")
    try session.run("show 3", shows: "Person/p3 \"Sofia Duarte\"")
    try session.run("next", shows: "Person/p4 \"Mei Tanaka\"")
    session.forget()
    try session.run("back", shows: "4  Person/p4")
    try session.run("SELECT 1 AS one;")
    try session.run("show 1", shows: "There is no number 1: the last result shows no objects.")
    try session.run("back")
    try session.run("show 2", shows: "Person/p2 \"Jonas Weber\"")
  }

  @Test func aStatementIsEdited() throws {
    let editor = ["EDITOR": "sed -i.old s/title/mood/", "TMPDIR": state.path]
    let session = try open(environment: editor)
    try session.run("SELECT title FROM Trip ORDER BY pk LIMIT 1;")
    try session.run("\\e", shows: "SELECT mood FROM Trip", "grateful")
    try session.run("\\e", shows: "(unchanged, so nothing was run)")
    // What was edited is what Up brings back.
    try session.run("\u{1B}[A\u{1B}[A")
    let left = try state.names().filter { $0.hasSuffix(".sql") }
    #expect(left.isEmpty)
  }

  @Test func tablesCanBeVertical() throws {
    let session = try open()
    try session.run("SELECT pk, name FROM Person LIMIT 1\\G")
    #expect(!session.screen.text.contains("pk  name"))
    try session.run("SELECT pk, name FROM Person LIMIT 1;", shows: "pk  name")
    try session.run("\\x", shows: "vertical on")
    try session.run("\\timing", shows: "timing on")
  }

  /// What people type by habit in a statement that goes on was taken for a part of it, without a word.
  @Test func aStatementThatGoesOnIsExplained() throws {
    let session = try open(["--no-pager"])
    try session.run("SELECT 1 AS one")
    for word in ["quit", "help"] {
      try session.run(word, shows: "';' ends it, Ctrl-C drops it; '\(word)' works after that")
    }
    try session.run("\\x", shows: "(vertical on; 'vertical off' undoes it)")
    try session.run(";", shows: "one  1")
    try session.run("SELECT 2 AS two \\gx", shows: "two  2")
    try session.run(".mode csv", shows: "(format csv; 'format table' undoes it)")
    try session.run("rows Person")
    try session.run("3", shows: "objects are numbered in tables, and the format is csv")
  }

  @Test func psqlsWatchRunsAStatementAgain() throws {
    let session = try open(["--no-pager"])
    session.forget()
    session.type("SELECT 41 + 1 AS sum \\watch 1\r")
    try session.wait(for: "Ctrl-C ends it")
    try session.typeUntilPrompt("\u{3}")
    #expect(session.screen.text.contains("42"))
  }

  @Test func messagesSpeakTheShellsLanguage() throws {
    let session = try open(["--no-color", "--no-pager"], columns: 100, rows: 60)
    session.forget()
    for line in [
      "rows Pesron", "rows", "rows Person --frmat csv", "query nonsense", "show Trip/p99", "resync --pull",
      "pending", "explain 134419", "help rows", "help query", "help options", "help sql", "repair", "doctor",
      "rules --limit 3",
    ] {
      try session.run(line)
      #expect(!session.screen.wholeText.contains("storescope "), "\(line): \(session.screen.wholeText)")
      session.forget()
    }
  }

  @Test func thePromptSaysWhatCanNotBeChanged() throws {
    let session = try open()
    #expect(!session.screen.text.contains("read-only"))
    try session.run("open \(demo.path) --as-of-commit 1")
    #expect(
      session.screen.text.hasSuffix("Journeys.store 1 commit ago, read-only>\n"), "\(session.screen.text)")
    try session.run("resync --pull", shows: "can't change an earlier state")
  }

  // MARK: - Stores

  @Test func anOperationIsAppliedWithConsentOnly() throws {
    let session = try open(["--no-pager"], columns: 120, rows: 60)
    let before = try FolderSnapshot(demo.folder.path)
    let flagged =
      "SELECT COUNT(*) || ' flagged' AS zones FROM main.ANSCKRECORDZONEMETADATA WHERE ZNEEDSIMPORT = 1;"
    try session.run(flagged, shows: "\n0 flagged\n")
    for (answer, says) in [("\u{3}", "(interrupted: nothing was changed"), ("yes\r", "nothing was changed")] {
      let prompts = session.promptCount
      session.forget()
      session.type("resync --pull --apply\r")
      try session.wait(for: "(risk: low): ")
      session.type(answer)
      try session.wait("the prompt after consent was refused") { session.promptCount > prompts }
      #expect(session.screen.text.contains(says), "\(session.screen.text)")
      #expect(try FolderSnapshot(demo.folder.path) == before)
    }
    let prompts = session.promptCount
    session.forget()
    session.type("resync --pull --apply\r")
    try session.wait(for: "(risk: low): ")
    session.type("Journeys.store\r")
    try session.wait("the prompt after consent") { session.promptCount > prompts }
    #expect(session.transcript.contains("backup"), "\(session.screen.text)")
    try session.run(flagged)
    #expect(!session.screen.text.hasSuffix("0 flagged\n") && session.screen.text.contains(" flagged\n"))
    try session.quit()
  }

  @Test(.enabled(if: LiveWriter.isAvailable, "sqlite3 is absent"))
  func aLiveStoreIsSeenFresh() throws {
    let writer = try LiveWriter(demo.path)
    try writer.run("SELECT 1 FROM ZPERSON")
    let session = try open()
    for name in ["Ann", "Bo", "Cy"] {
      try writer.run("UPDATE ZPERSON SET ZNAME = '\(name) Fresh' WHERE Z_PK = 1")
      try session.run("rows Person", shows: "\(name) Fresh")
    }
  }

  @Test func aStoreThatIsNoneOpensNoShell() throws {
    let session = try TerminalSession([demo.folder.path("nothing.store")])
    #expect(try session.end() == 2)
    #expect(session.screen.text.replacingOccurrences(of: "\n", with: " ").contains("no such file"))
  }

  @Test func aQuestionWithOneAnswerOpensNoShell() throws {
    for words in [[demo.path, "--json"], [demo.path, "--commits"], ["summary", demo.path]] {
      let session = try TerminalSession(words + ["--no-pager"])
      #expect(try session.end() == 0, "\(words)")
      #expect(session.promptCount == 0)
    }
  }
}
