import Forge
import Foundation
import TestSupport
import Testing

/// Wrong words, and what the program does about them.
final class UsageTests: DemoSuite {
  struct Mistake: Sendable, CustomTestStringConvertible {
    var words: [String]
    var says: String
    var testDescription: String { words.joined(separator: " ") }

    init(_ words: String..., says: String) {
      self.words = words
      self.says = says
    }

    /// `STORE` stands for the demo's path.
    static let usage: [Mistake] = [
      Mistake("sumary", "STORE", says: "Did you mean 'summary'?"),
      Mistake("STORE", "pendign", says: "Did you mean 'pending'?"),
      Mistake("STORE", "Spring", says: "looks for it in all values"),
      Mistake("watch", "STORE", says: "a shell command"), Mistake("dump", "STORE", says: "export"),
      Mistake("undelete", "STORE", says: "'restore' brings back a backup"),
      Mistake("q", "STORE", says: "There is no command 'q', and no such file. See"),
      Mistake("SELECT 1", says: "There is no command 'SELECT 1', and no such file."),
      Mistake("help", "nonsense", says: "no help for"),
      Mistake("--jsno", "STORE", says: "no option"), Mistake("-x", says: "no option"),
      Mistake("--json", "rows", "STORE", "Trip", says: "Options follow the command."),
      // Who asked for a change was not told that there was none.
      Mistake(
        "resync", "STORE", "--pul", "--apply", says: "See 'storescope resync --help'. Nothing was changed."),
      Mistake(
        "resync", "STORE", "--pull", "--push", "--apply", says: "can't be combined. Nothing was changed."),
    ]

    static let unknown: [Mistake] = [
      Mistake("rows", "Journeys.store", "Tripp", says: "Did you mean 'Trip'? Entities: "),
      Mistake("summary", "Journey.store", says: "Did you mean 'Journeys.store'?"),
      Mistake("explain", "recrod", says: "Did you mean 'record'?"),
    ]

    static let refused: [Mistake] = [
      "DELETE FROM ZTRIP", "INSERT INTO ZTRIP DEFAULT VALUES", "UPDATE ZTRIP SET ZTITLE = 1",
      "UPDATE Trip SET title = 'x'", "DELETE FROM Entry", "WITH a AS (SELECT 1) DELETE FROM Entry",
      "INSERT INTO Tag(name) VALUES ('x')", "DROP TABLE ZTRIP", "CREATE TABLE x(y)", "CREATE TEMP TABLE x(y)",
      "ALTER TABLE ZTRIP RENAME TO x", "VACUUM ", "VACUUM INTO '/tmp/x'", "REINDEX ZENTRY", "ANALYZE ZTRIP",
      "ATTACH 'other.db' AS other", "DETACH temp", "BEGIN IMMEDIATE", "ROLLBACK ;",
      "PRAGMA writable_schema = 1", "PRAGMA journal_mode = DELETE", "PRAGMA user_version = 7",
      "PRAGMA wal_checkpoint(TRUNCATE)", "SELECT load_extension('x')", "SELECT writefile('x', 'y')",
      "SELECT edit('x')", "SELECT readfile('/etc/passwd')", "SELECT fts3_tokenizer('simple', x'00')",
      "WITH a AS (SELECT 1) DELETE FROM ZTRIP", "SELECT 1; DELETE FROM ZTRIP",
      "EXPLAIN DELETE FROM ZTRIP; DELETE FROM ZTRIP", "CREATE VIRTUAL TABLE temp.v USING fts5(x)",
    ].map { sql in
      let isUnknown = ["writefile", "readfile", "edit("].contains { sql.contains($0) }
      return Mistake("query", "STORE", sql, says: isUnknown ? "no such function" : "is refused")
    }
  }

  @Test(arguments: [
    (["show", "STORE", "Spring", "in", "Lisbon"], ["show", "STORE", "Trip/p1"]),
    (["trace", "STORE", "Spring", "in", "Lisbon"], ["trace", "STORE", "Trip/p1"]),
  ]) func titlesAreFound(typed: [String], meant: [String]) throws {
    func run(_ words: [String]) throws -> Tool.Result {
      try Tool.run(words.map { $0 == "STORE" ? demo.path : $0 })
    }
    let (one, other) = (try run(typed), try run(meant))
    #expect(one.status == 0 && one.output == other.output, "\(one.errors)")
  }

  /// On a line of its own a command is never broken.
  @Test(arguments: [
    (["STORE", "pending", "--kind", "upload"], ["pending", "STORE", "--kind", "upload"]),
    (["STORE", "--json", "entities"], ["entities", "STORE", "--json"]),
    (["STORE", "--pull", "resync"], ["resync", "STORE", "--pull"]),
    (["STORE", "restore", "--rehearse"], ["restore", "STORE", "--rehearse"]),
  ]) func suggestedOrdersAreComplete(typed: [String], meant: [String]) throws {
    func words(_ words: [String]) -> [String] {
      words.map { $0 == "STORE" ? demo.path : $0 == "FOLDER" ? demo.folder.path : $0 }
    }
    let result = try Tool.run(words(typed))
    #expect(result.status == 64 && result.output.isEmpty)
    let line = "  storescope " + words(meant).joined(separator: " ")
    #expect(result.errors.split(separator: "\n").last.map(String.init) == line, "\(result.errors)")
    // No backup is there yet.
    if meant[0] != "restore" { #expect(try Tool.run(words(meant)).status == 0) }
  }

  private func run(_ mistake: Mistake, status: Int32) throws {
    let before = try FolderSnapshot(demo.folder.path)
    let words = mistake.words.map { $0 == "STORE" ? demo.path : $0 }
    let result = try demo.folder.run(words).expectRefused(
      status: status, mistake.says, comment: mistake.testDescription)
    #expect(result.output.isEmpty)
    let line = result.errors.split(separator: "\n").first ?? ""
    #expect(line.hasSuffix(".") || line.hasSuffix("?"), "\(line)")
    for twice in ["..", "?.", ".'.", ". ."] {
      #expect(!line.contains(twice + " ") && !line.hasSuffix(twice), "\(line)")
    }
    #expect(try FolderSnapshot(demo.folder.path) == before)
  }

  @Test(arguments: Mistake.usage) func wrongUsage(mistake: Mistake) throws { try run(mistake, status: 64) }
  @Test(arguments: Mistake.unknown) func unknownName(mistake: Mistake) throws { try run(mistake, status: 2) }
  @Test(arguments: Mistake.refused) func refusedSQL(mistake: Mistake) throws { try run(mistake, status: 2) }

  @Test func aStoreAloneIsItsSummary() throws {
    for options in [[], ["--json"], ["--commits"]] {
      let summary = try demo.run(["summary"] + options)
      let alone = try Tool.run([demo.path] + options).expectDone()
      #expect(alone.output == summary.output)
    }
    try demo.folder.run(DemoStore.fileName).expectOutput(status: 0, "9 entities")
  }

  @Test func whatIsNamedByItsParentIsShownUnderItsOwnName() throws {
    for command in ["show", "trace"] {
      try demo.run(command, "Place/p1").expectDone().expectOutput(begins: "City/p1 \"Lisbon\": ")
    }
  }

  @Test func aDeletedObjectHasItsStory() throws {
    try demo.run("trace", "Trip/p4").expectDone().expectOutput("Inserted by", "Deleted by")
  }

  @Test func helpAndVersion() throws {
    for words in [["--help"], ["-h"], ["help"], []] {
      try Tool.run(words).expectDone().expectOutput("Usage:", "summary")
    }
    try Tool.run(["--version"]).expectOutput(status: 0, begins: "storescope ")
    for command in ["summary", "entities", "rows", "show", "history", "query", "demo", "explain"] {
      for words in [[command, "--help"], ["help", command]] {
        try Tool.run(words).expectDone("\(words)").expectOutput("storescope \(command)")
      }
    }
  }

  @Test(arguments: [
    (["tables"], ["entities"]), (["describe", "Trip"], ["entities", "Trip"]), (["log"], ["history"]),
    (["check"], ["doctor", "--fail-on", "never"]), (["sql", "SELECT 1"], ["query", "SELECT 1"]),
  ]) func otherToolsWordsAreUnderstood(_ typed: [String], _ meant: [String]) throws {
    let options = meant.suffix(2).first == "--fail-on" ? ["--fail-on", "never"] : []
    let result = try demo.run(typed + options)
    #expect(result.status == 0 && result.errors.hasPrefix("storescope: '\(typed[0])' is '\(meant[0])"))
    #expect(result.output == (try demo.run(meant)).output)
  }

  @Test func colorFollowsOptionsThenTheEnvironment() throws {
    func hasColor(_ options: [String], _ environment: [String: String] = [:]) throws -> Bool {
      try demo.run(["rows", "Person"] + options, environment: environment).output.contains("\u{1B}[")
    }
    #expect(try !hasColor([]) && hasColor(["--color", "always"]) && !hasColor(["--color=auto"]))
    for name in ["FORCE_COLOR", "CLICOLOR_FORCE"] {
      #expect(try hasColor([], [name: "1"]) && !hasColor([], [name: "0"]) && !hasColor([], [name: ""]))
      #expect(try !hasColor(["--no-color"], [name: "1"]) && !hasColor([], [name: "1", "NO_COLOR": "1"]))
    }
    #expect(try hasColor(["--color", "always"], ["NO_COLOR": "1"]))
    #expect(try !hasColor(["--color", "always", "--json"]))
  }

  @Test func exportPrintsNothingWhenQuiet() throws {
    let result = try demo.run("export", "--to", demo.folder.path("out"), "--quiet")
    #expect(result.status == 0 && result.output.isEmpty && result.errors.isEmpty)
  }

  @Test func demoIsMadeOnce() throws {
    let folder = TemporaryFolder()
    try Tool.run(["demo", folder.path("new/deep")]).expectOutput(status: 0, "9 entities")
    let before = try FolderSnapshot(folder.path("new/deep"))
    let again = try Tool.run(["demo", folder.path("new/deep"), "--json"]).expectErrors(
      status: 0, "Journeys.store")
    #expect(try again.json()["schema"] as? String == "storescope/summary/1")
    #expect(try FolderSnapshot(folder.path("new/deep")) == before)
    try folder.write([1], to: "file")
    try Tool.run(["demo", folder.path("file/x")]).expectRefused(folder.path("file/x"))
  }
}

/// What people are told who don't know the next word yet: these answers were refusals or lists of facts.
final class NextStepTests: DemoSuite {
  /// "exactly one of --pull, --push and --rescan" left it to the reader what these are.
  @Test func resyncSaysWhatItsWaysAre() throws {
    let result = try demo.run("resync").expectStatus(64)
    let lines = result.errors.split(separator: "\n").map(String.init)
    #expect(lines.first?.contains("'storescope preflight \(demo.path)'") == true, "\(result.errors)")
    #expect(lines.dropFirst().map { $0.split(separator: " ")[0] } == ["--pull", "--push", "--rescan"])
  }

  /// "No finding calls for a repair" next to an error reads as if all were well.
  @Test func repairMentionsErrorsThatItDoesNotFix() throws {
    try demo.run("repair").expectDone().expectOutput("iCloud storage is full. 'storescope doctor")
  }

  /// A store is what people have in mind, and its backups lie next to it under long names.
  @Test func restoreOfAStoreListsItsBackups() throws {
    try demo.run("restore").expectOutput("No backup is next to 'Journeys.store'.")
    #expect(try demo.run("resync", "--rescan", "--apply", "--confirm", "Journeys.store").status == 0)
    let result = try demo.run("restore")
    // Help says that it lists them, and it was an error.
    result.expectDone()
    let lines = result.output.split(separator: "\n").map(String.init)
    #expect(lines.count == 2, "\(result.output)")
    let command = try #require(lines.last).split(separator: " ").map(String.init)
    #expect(command.prefix(2) == ["storescope", "restore"])
    try Tool.run(command.dropFirst() + ["--rehearse"]).expectDone("the command that was printed")
    // A script that wants one restored must not take the list for success.
    try demo.run("restore", "--confirm", "Journeys.store").expectErrors(
      status: 64, "needs the folder of a backup")
  }

  /// Shares of parts were there, but not the sentence that people want.
  @Test func sizeBeginsWithWhatUsesMost() throws {
    let result = try demo.run("size").expectDone()
    let second = result.output.split(separator: "\n")[1]
    #expect(second.hasPrefix("The mirror uses the most: 3") && second.contains("Sync needs it"))
  }

  /// A line per property was two screens long.
  @Test(arguments: [(["--verbose"], true), ([], false)])
  func redactHasALinePerTable(_ options: [String], _ hasProperties: Bool) throws {
    let result = try demo.run(["redact", "-o", demo.folder.path("Copy.store")] + options).expectStatus()
    let lines = result.output.split(separator: "\n").filter { $0.hasPrefix("Entry ") }
    #expect((lines.count > 1) == hasProperties, "\(result.output)")
  }

  /// Who writes a report wants to know what it says.
  @Test func reportSaysItsHeadline() throws {
    try demo.run("report", "-o", demo.folder.path("report.html")).expectErrors(
      status: 0, "Blocked: iCloud storage is full")
  }

  /// "Who changed it at 10:31?" took two options with the same value.
  @Test(arguments: [
    ("history", "Apr 18 08:02", "transaction", 3), ("history", "2026-04-16", "transaction", 5),
    ("history", "Apr 18 08:03", "transaction", 0), ("events", "Apr 16", "started", 2),
  ]) func aMinuteOrADayIsOneOption(_ command: String, _ when: String, _ key: String, _ count: Int) throws {
    let at = try demo.run(command, "--at", when, "--json", environment: ["TZ": "UTC"])
    let both = try demo.run(command, "--since", when, "--until", when, "--json")
    at.expectDone()
    #expect(at.output == both.output)
    let rows = try at.json().list(command == "history" ? "changes" : "events")
    #expect(rows.count == count && rows.allSatisfy { $0[key] != nil })
  }
}
