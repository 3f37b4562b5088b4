import Forge
import Foundation
import TestSupport
import Testing

/// Wrong words, and what the program does about them.
struct UsageTests {
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
      "INSERT INTO Tag(name) VALUES ('x')",
      "DROP TABLE ZTRIP",
      "CREATE TABLE x(y)", "CREATE TEMP TABLE x(y)", "ALTER TABLE ZTRIP RENAME TO x", "VACUUM ",
      "VACUUM INTO '/tmp/x'",
      "REINDEX ZENTRY", "ANALYZE ZTRIP", "ATTACH 'other.db' AS other", "DETACH temp", "BEGIN IMMEDIATE",
      "ROLLBACK ;",
      "PRAGMA writable_schema = 1", "PRAGMA journal_mode = DELETE", "PRAGMA user_version = 7",
      "PRAGMA wal_checkpoint(TRUNCATE)",
      "SELECT load_extension('x')", "SELECT writefile('x', 'y')", "SELECT edit('x')",
      "SELECT readfile('/etc/passwd')",
      "SELECT fts3_tokenizer('simple', x'00')", "WITH a AS (SELECT 1) DELETE FROM ZTRIP",
      "SELECT 1; DELETE FROM ZTRIP",
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
    let demo = try Demo()
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
    let demo = try Demo()
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
    let demo = try Demo()
    let before = try FolderSnapshot(demo.folder.path)
    let words = mistake.words.map { $0 == "STORE" ? demo.path : $0 }
    let result = try Tool.run(words, in: demo.folder.path)
    result.expectRefused(status: status, mistake.says, comment: mistake.testDescription)
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
    let demo = try Demo()
    for options in [[], ["--json"], ["--commits"]] {
      let summary = try Tool.run(["summary", demo.path] + options)
      let alone = try Tool.run([demo.path] + options)
      alone.expectDone()
      #expect(alone.output == summary.output)
    }
    let relative = try Tool.run([DemoStore.fileName], in: demo.folder.path)
    #expect(relative.status == 0 && relative.output.contains("9 entities"))
  }

  @Test func whatIsNamedByItsParentIsShownUnderItsOwnName() throws {
    let demo = try Demo()
    for command in ["show", "trace"] {
      let result = try Tool.run([command, demo.path, "Place/p1"])
      result.expectDone()
      #expect(result.output.hasPrefix("City/p1 \"Lisbon\": "))
    }
  }

  @Test func aDeletedObjectHasItsStory() throws {
    let demo = try Demo()
    let result = try Tool.run(["trace", demo.path, "Trip/p4"])
    result.expectDone()
    #expect(result.output.contains("Inserted by") && result.output.contains("Deleted by"))
  }

  @Test func helpAndVersion() throws {
    for words in [["--help"], ["-h"], ["help"], []] {
      let result = try Tool.run(words)
      result.expectDone()
      #expect(result.output.contains("Usage:") && result.output.contains("summary"))
    }
    let version = try Tool.run(["--version"])
    #expect(version.status == 0 && version.output.hasPrefix("storescope "))
    for command in ["summary", "entities", "rows", "show", "history", "query", "demo", "explain"] {
      for words in [[command, "--help"], ["help", command]] {
        let help = try Tool.run(words)
        help.expectDone("\(words)")
        #expect(help.output.contains("storescope \(command)"))
      }
    }
  }

  @Test(arguments: [
    (["tables"], ["entities"]), (["describe", "Trip"], ["entities", "Trip"]), (["log"], ["history"]),
    (["check"], ["doctor", "--fail-on", "never"]), (["sql", "SELECT 1"], ["query", "SELECT 1"]),
  ]) func otherToolsWordsAreUnderstood(_ typed: [String], _ meant: [String]) throws {
    let demo = try Demo()
    let options = meant.suffix(2).first == "--fail-on" ? ["--fail-on", "never"] : []
    let result = try Tool.run([typed[0], demo.path] + typed.dropFirst() + options)
    #expect(result.status == 0 && result.errors.hasPrefix("storescope: '\(typed[0])' is '\(meant[0])"))
    #expect(result.output == (try Tool.run([meant[0], demo.path] + meant.dropFirst())).output)
  }

  @Test func colorFollowsOptionsThenTheEnvironment() throws {
    let demo = try Demo()
    func hasColor(_ options: [String], _ environment: [String: String] = [:]) throws -> Bool {
      try Tool.run(["rows", demo.path, "Person"] + options, environment: environment).output.contains(
        "\u{1B}[")
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
    let demo = try Demo()
    let result = try Tool.run(["export", demo.path, "--to", demo.folder.path("out"), "--quiet"])
    #expect(result.status == 0 && result.output.isEmpty && result.errors.isEmpty)
  }

  @Test func demoIsMadeOnce() throws {
    let folder = try TemporaryFolder()
    let first = try Tool.run(["demo", folder.path("new/deep")])
    #expect(first.status == 0 && first.output.contains("9 entities"), "\(first.errors)")
    let before = try FolderSnapshot(folder.path("new/deep"))
    let again = try Tool.run(["demo", folder.path("new/deep"), "--json"])
    #expect(again.status == 0 && again.errors.contains("Journeys.store"))
    #expect(try again.json()["schema"] as? String == "storescope/summary/1")
    #expect(try FolderSnapshot(folder.path("new/deep")) == before)
    try folder.write([1], to: "file")
    try Tool.run(["demo", folder.path("file/x")]).expectRefused(folder.path("file/x"))
  }
}
