import Forge
import Foundation
import TestSupport
import Testing

/// Wrong words, and what the program does about them.
struct UsageTests {
  /// SQL was looked for as a store, and where an option goes wasn't said.
  @Test(arguments: [
    (["query", "SELECT 1", "--json"], "query STORE \"SELECT 1\" --json"),
    (["SELECT t.pk FROM Trip t"], "query STORE \"SELECT t.pk FROM Trip t\""),
    (["--json", "rows", "x.store", "Trip"], "rows --json x.store Trip"),
    (["-n", "3", "rules"], "rules -n 3"), (["--format=csv", "rules"], "rules \"--format=csv\""),
  ]) func theRightOrderIsListed(_ words: [String], _ line: String) throws {
    let result = try Tool.run(words)
    #expect(result.status == 64 && result.errors.hasSuffix(":\n  storescope \(line)\n"), "\(result.errors)")
  }

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
      // Each was answered without the way on.
      Mistake("redact", "STORE", "--to", "x", says: " -o x'?"),
      Mistake("resync", "STORE", "push", says: "Did you mean '--push'?"),
      Mistake("resync", "STORE", "pull", says: "Did you mean '--pull'?"),
      Mistake("pending", "STORE", "limit", says: "Did you mean '--limit N'?"),
      Mistake("report", "STORE", "page.html", says: "Did you mean '-o page.html'?"),
      Mistake("redact", "STORE", "Copy.store", says: "Did you mean '-o Copy.store'?"),
      Mistake("repair", "STORE", "register", says: "Did you mean 'register-missing'?"),
      Mistake("history", "STORE", "--since", "2026-02-30", says: "the last of Feb 2026 is the 28th"),
      Mistake("trace", "STORE", says: "such as "),
      Mistake("history", "STORE", "--since", "3/4/2026", says: "may be 2026-03-04 or 2026-04-03"),
      Mistake("rows", "STORE", "Trip", "--limt", "3", says: "Did you mean '--limit'?"),
      Mistake("rows", "STORE", "Trip", "--limit", "many", says: "whole number"),
      Mistake("rows", "STORE", "Trip", "--limit", says: "needs a value"),
      Mistake("rows", "STORE", "Trip", "--limit=-1", says: "whole number"),
      Mistake("rows", "STORE", "Trip", "--exact=yes", says: "no value"),
      Mistake("rows", "STORE", "Trip", "--format", "jsn", says: "Did you mean 'json'?"),
      Mistake("rows", "STORE", "Trip", "--format", "csv", "--json", says: "can't be combined"),
      Mistake("query", "STORE", "SELECT", "title", "FROM", "Trip", says: "\"SELECT title FROM Trip\"'?"),
      Mistake("query", "STORE", "trip", says: " Trip'?"),
      Mistake("rows", "STORE", "Trip", "Entry", says: "Unexpected argument 'Entry'"),
      Mistake("rows", "STORE", says: "'rows' needs ENTITY, one of Attachment, Entry, "),
      Mistake("STORE", "explain", "134419", says: "takes no store: 'storescope explain 134419'"),
      Mistake("STORE", "pendign", says: "Did you mean 'pending'?"),
      Mistake("history", "STORE", "entry", says: "Did you mean '--entity Entry'?"),
      Mistake("rows", "STORE", "Trip/p1", says: "'storescope show "),
      Mistake("show", "STORE", says: "'show' needs OBJECT, such as Attachment/p1 or a title"),
      // What was suggested for these was refused, too.
      Mistake("rows", "STORE", "Person", "p1", says: " Person/p1'?"),
      Mistake("rows", "STORE", "Person", "Trip", says: " Trip'?"),
      Mistake(
        "query", "STORE", "changes-by-author", "since=2026-04-01",
        says: "Did you mean '--param since=2026-04-01'?"),
      Mistake("demo", "STORE", says: "is a file, and 'demo' takes a folder"),
      Mistake("rows", says: "'rows' needs a store, such as one that 'storescope find' lists"),
      Mistake("summary", "STORE", "more", says: "Unexpected argument"),
      Mistake("history", "STORE", "--by", "autor", says: "Did you mean 'author'?"),
      Mistake("history", "STORE", "--since", "someday", says: "2026-03-01"),
      // What is deleted isn't guessed.
      Mistake("repair", "STORE", "prune-history", "--before", "Apr 18", says: "has no year"),
      // An empty answer, as nothing lies between them.
      Mistake("history", "STORE", "--since", "2026-04-02", "--until", "2026-04-01", says: "later than"),
      Mistake("events", "STORE", "--since", "2026-04-02", "--until", "2026-04-01", says: "later than"),
      Mistake("history", "STORE", "--at", "2026-04-02", "--since", "2026-04-01", says: "can't be combined"),
      Mistake("history", "STORE", "--transaction", "9..3", says: "range"),
      Mistake("history", "STORE", "--author", "a", "--no-author", says: "can't be combined"),
      Mistake("query", "STORE", "churn", "--param", "least", says: "NAME=VALUE"),
      Mistake("export", "STORE", "--to", "x", "--jobs", "0", says: "from 1 up"),
      Mistake(
        "resync", "STORE", "--pull", "--apply", "--confirm", "Journeys.store", "--format", "csv",
        says: "not 'csv'"),
      // Who asked for a change was not told that there was none.
      Mistake(
        "resync", "STORE", "--pul", "--apply", says: "See 'storescope resync --help'. Nothing was changed."),
      Mistake(
        "resync", "STORE", "--pull", "--push", "--apply", says: "can't be combined. Nothing was changed."),
      Mistake("resync", "unknown", "STORE", says: "Unexpected argument 'unknown'."),
      Mistake("reset", "STORE", "--format", "csv", says: "not 'csv'"),
      Mistake("man", "--limit", "3", says: "no option"),
      Mistake("watch", "STORE", says: "a shell command"),
      Mistake("dump", "STORE", says: "export"),
      Mistake("rows", "STORE", "Trip", "--color", "blue", says: "always"),
      Mistake("q", "STORE", says: "There is no command 'q', and no such file. See"),
      Mistake("help", "nonsense", says: "no help for"),
      Mistake("query", "STORE", "churn", "--param", "least=few", says: "takes a number"),
      Mistake("query", "STORE", "failed-exports", "--param", "since=soon", says: "2026-03-01"),
      Mistake("query", "STORE", "object-history", says: "--param uri=VALUE"),
      Mistake("query", "STORE", "SELECT :a", says: "--param a=VALUE"),
      Mistake(
        "query", "STORE", "object-history", says: "object-history --param uri=Attachment/p1'"),
      // Which command has it, or what its own is called, was left to the reader.
      Mistake("records", "STORE", "--where", "x", says: "SELECT * FROM records WHERE …"),
      Mistake("history", "STORE", "--sort", "x", says: "SELECT * FROM changes ORDER BY …"),
      Mistake("query", "STORE", "SELECT 1", "--where", "x", says: "a part of the statement: WHERE"),
      Mistake("summary", "STORE", "--where", "x", says: "'rows' has '--where'"),
      Mistake("rows", "STORE", "Trip", "--filter", "x", says: "Did you mean '--where'?"),
      Mistake("rows", "STORE", "Trip", "--order-by", "x", says: "Did you mean '--sort'?"),
      Mistake("rows", "STORE", "Trip", "-o", "json", says: "Did you mean '--format'?"),
      Mistake("rows", "STORE", "Trip", "--output", "a.csv", says: "Trip --format csv > a.csv'?"),
      Mistake("rows", "STORE", "Trip", "--format", "jsonl", says: "Did you mean 'ndjson'?"),
      // The folder that was given was left out of what was suggested.
      Mistake("export", "STORE", "--to", "out", "foo", says: "Unexpected argument 'foo'. See"),
      // The whole command, where a folder or an entity stands alone.
      Mistake("export", "STORE", "dump", says: "Journeys.store --to dump'?"),
      Mistake(
        "export", "STORE", "tag", "--format", "csv",
        says: "Journeys.store --to DIRECTORY --entity Tag --format csv'?"),
      Mistake("search", "STORE", "x", "-i", says: "'search' ignores case anyway; leave it out."),
      Mistake("rows", "STORE", "Trip", "--vertical", says: "Did you mean '--format vertical'?"),
      Mistake("history", "STORE", "--from", "x", says: "Did you mean '--since'?"),
      // What people try who ask what the next launch does, or who deleted an object.
      Mistake("preflight", "STORE", "--assume-cloudkit", says: "Did you mean '--cloudkit'?"),
      Mistake("history", "STORE", "--change", "remove", says: "Did you mean 'delete'?"),
      Mistake("doctor", "STORE", "--cloudkit", says: "Did you mean '--assume-cloudkit'?"),
      Mistake("preflight", "STORE", "--diff", "New.momd", says: "Did you mean '--model'?"),
      Mistake("history", "STORE", "deleted", says: "--change delete"),
      // Other tools' words, a part of a repair's name, and what a finding is called.
      Mistake("resync", "STORE", "--pull", "--dry-run", says: "Did you mean '--rehearse'?"),
      Mistake("resync", "STORE", "--pull", "--apply", "--yes", says: "Did you mean '--confirm'?"),
      Mistake("repair", "STORE", "orphan", says: "Did you mean 'remove-orphan-records'?"),
      Mistake("repair", "STORE", "object-id-above-max", says: "'raise-max' fixes what that rule reports."),
      Mistake("undelete", "STORE", says: "'restore' brings back a backup"),
      Mistake("query", "STORE", "churn", "--show", "--views", says: "can't be combined"),
      Mistake("query", "STORE", "--show", says: "needs NAME"),
      Mistake("history", "STORE", "--change", "updat", says: "Did you mean 'update'?"),
      Mistake("--jsno", "STORE", says: "no option"), Mistake("-x", says: "no option"),
    ]

    static let unknown: [Mistake] = [
      Mistake("rows", "STORE", "Tripp", "--limit", "2", says: " Trip --limit 2'?"),
      Mistake(
        "rows", "Journeys.store", "Tripp", says: "'storescope entities Journeys.store' lists them all."),
      Mistake("entities", "STORE", "Pesron", says: "Did you mean 'Person'?"),
      Mistake("rows", "STORE", "Trip", "--where", "titel = 1", says: "Did you mean 'title'?"),
      Mistake(
        "rows", "STORE", "Entry", "--where", "wether = 1", says: "no such column: wether. "),
      Mistake("query", "STORE", "SELECT nam FROM Person", says: "Did you mean 'name'?"),
      Mistake("query", "STORE", "SELECT p.nam FROM Person p", says: "Did you mean 'name'?"),
      Mistake("query", "STORE", "SELECT \"titel\" FROM Trip", says: "Did you mean 'title'?"),
      Mistake("rows", "STORE", "Trip", "--where", "1)) OR ((1", says: "syntax error"),
      Mistake("rows", "STORE", "Trip", "--where", "1; DELETE FROM ZTRIP", says: "syntax error"),
      Mistake("show", "STORE", "Tripp/p1", says: "Did you mean 'Trip'?"),
      Mistake("show", "STORE", "Trip/p99", says: "no object Trip/p99"),
      Mistake("show", "STORE", "City/p5", says: "Landmark/p5"),
      Mistake("trace", "STORE", "Trip/p99", says: "no object Trip/p99, and neither history nor the mirror"),
      Mistake("trace", "STORE", "City/p5", says: "Landmark/p5"),
      Mistake("show", "STORE", "Trip/px", says: "no object, record or value 'Trip/px'"),
      Mistake("show", "STORE", "x-coredata:///Trip/t4711", says: "temporary"),
      Mistake(
        "show", "STORE", "x-coredata://11111111-2222-3333-4444-555555555555/Trip/p1",
        says: "is an object of"),
      Mistake("history", "STORE", "--entity", "Tirp", says: "Did you mean 'Trip'?"),
      Mistake("history", "STORE", "--object", "Tirp/p1", says: "Did you mean 'Trip'?"),
      Mistake("query", "STORE", "chrun", says: "Did you mean 'churn'?"),
      Mistake("show", "STORE", "p3", says: "Entity/pN"),
      Mistake("STORE", "selekt 1", says: "Did you mean SELECT?"),
      Mistake("query", "STORE", "SELECT * FROM Tripp", says: "Did you mean 'Trip'?"),
      Mistake("query", "STORE", "SELECT * FROM", says: "incomplete input"),
      Mistake("query", "STORE", "SELECT blob_jsn(cover) FROM Trip", says: "Did you mean 'blob_json'?"),
      Mistake(
        "query", "STORE", "SELECT json_extract(mapStyle, '$.zoom') FROM Trip", says: "blob_json(COLUMN)"),
      Mistake("query", "STORE", "churn", "--param", "lest=3", says: "Did you mean 'least'?"),
      Mistake("query", "STORE", "chrun", "--show", says: "Did you mean 'churn'?"),
      Mistake("query", "STORE", "--views", "recrods", says: "Did you mean 'records'?"),
      // A wrong value was an empty answer.
      Mistake("query", "STORE", "object-history", "-p", "uri=Trip/p99", says: "no object Trip/p99"),
      Mistake("query", "STORE", "object-history", "-p", "uri=Tirp/p1", says: "Did you mean 'Trip'?"),
      Mistake("query", "STORE", "object-history", "-p", "uri=City/p5", says: "Landmark/p5"),
      Mistake("query", "STORE", "deleted-objects", "-p", "entity=Tirp", says: "Did you mean 'Trip'?"),
      Mistake("history", "STORE", "--author", "widgit", says: "Did you mean 'widget'?"),
      Mistake(
        "history", "STORE", "--object", "Trip/p99", says: "no object Trip/p99, and neither has its history"),
      Mistake(
        "history", "STORE", "--transaction", "999",
        says: "no transaction 999; its history has transactions 1 to 20"),
      Mistake("history", "STORE", "--transaction", "30..40", says: "no transactions 30..40"),
      Mistake("rows", "STORE", "Entry", "--where", "trip = pk('Trp/p1')", says: "Did you mean 'Trip'?"),
      Mistake("history", "STORE", "--process", "Jorneys", says: "Did you mean 'Journeys'?"),
      Mistake(
        "history", "STORE", "--bundle", "com.example.Jorneys", says: "Did you mean 'com.example.Journeys'?"),
      Mistake("history", "STORE", "--property", "titel", says: "Did you mean 'title'?"),
      Mistake("history", "STORE", "--entity", "Trip", "--property", "rating", says: "Trip in "),
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

  /// What people type first, and what it means.
  @Test(arguments: [
    (["STORE", "pending"], ["pending", "STORE"]),
    (["STORE", "--json", "rows", "Trip"], ["rows", "STORE", "Trip", "--json"]),
    // Options that 'query' and 'shell' don't have made a summary of them, which has none of them either.
    (["STORE", "pending", "--kind", "upload"], ["pending", "STORE", "--kind", "upload"]),
    (["STORE", "resync", "--pull"], ["resync", "STORE", "--pull"]),
    (["STORE", "resync", "--pull", "--rehearse"], ["resync", "STORE", "--pull", "--rehearse"]),
    (["STORE", "Trip", "--where", "budget > 1"], ["rows", "STORE", "Trip", "--where", "budget > 1"]),
    (["STORE", "log", "--by", "author", "-q"], ["history", "STORE", "--by", "author"]),
    (["STORE", "tables", "-q"], ["entities", "STORE"]),
    (["STORE", "Trip/p1"], ["show", "STORE", "Trip/p1"]),
    (["STORE", "Trip 1"], ["show", "STORE", "Trip/p1"]),
    (["show", "STORE", "Spring", "in", "Lisbon"], ["show", "STORE", "Trip/p1"]),
    (["trace", "STORE", "Spring", "in", "Lisbon"], ["trace", "STORE", "Trip/p1"]),
    (["history", "STORE", "Entry/p9"], ["history", "STORE", "--object", "Entry/p9"]),
    (["history", "STORE", "Entry", "9"], ["history", "STORE", "--object", "Entry/p9"]),
    (["records", "STORE", "Trip/p1", "--decode"], ["records", "STORE", "--object", "Trip/p1", "--decode"]),
  ]) func otherOrdersAreUnderstood(typed: [String], meant: [String]) throws {
    let demo = try Demo()
    func run(_ words: [String]) throws -> Tool.Result {
      try Tool.run(words.map { $0 == "STORE" ? demo.path : $0 })
    }
    let (one, other) = (try run(typed), try run(meant))
    #expect(one.status == 0 && one.output == other.output, "\(one.errors)")
  }

  /// What was suggested for some of these failed as well. On a line of its own a command is never broken.
  @Test(arguments: [
    (["rows", "Trip", "STORE"], ["rows", "STORE", "Trip"]),
    (["resync", "pull", "STORE", "--rehearse"], ["resync", "STORE", "--pull", "--rehearse"]),
    (["resync", "pull", "FOLDER"], ["resync", "FOLDER", "--pull"]),
    (["history", "Entry", "STORE"], ["history", "STORE", "--entity", "Entry"]),
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

  /// An operation in the shell's order is the same operation.
  @Test func operationsRunInEitherOrder() throws {
    let demo = try Demo()
    let done = try Tool.run(
      [demo.path, "resync", "--pull", "--apply", "--confirm", DemoStore.fileName], in: demo.folder.path)
    done.expectDone()
    #expect(done.output.contains("Done\n") && done.output.contains("resync-pull.backup"))
  }

  private func run(_ mistake: Mistake, status: Int32) throws {
    let demo = try Demo()
    let before = try FolderSnapshot(demo.folder.path)
    let words = mistake.words.map { $0 == "STORE" ? demo.path : $0 }
    let result = try Tool.run(words, in: demo.folder.path)
    result.expectRefused(status: status, mistake.says, comment: mistake.testDescription)
    #expect(result.output.isEmpty)
    let line = result.errors.split(separator: "\n").last ?? ""
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

  /// The shell had made two words of it, and the second was an unexpected argument.
  @Test(arguments: [
    ["rows", "PATH", "Trip"], ["summary", "PATH"], ["PATH"], ["doctor", "PATH", "--verbose"],
  ])
  func aPathWithSpacesNeedsQuotes(_ words: [String]) throws {
    let demo = try Demo()
    try FileManager.default.copyItem(atPath: demo.path, toPath: demo.folder.path("My App.store"))
    let typed = words.flatMap { $0 == "PATH" ? ["My", "App.store"] : [$0] }
    let meant = words.map { $0 == "PATH" ? "\"My App.store\"" : $0 }.joined(separator: " ")
    let result = try Tool.run(typed, in: demo.folder.path)
    #expect(result.status == 64 && result.output.isEmpty)
    #expect(result.errors.hasSuffix("has to be in quotes:\n  storescope \(meant)\n"), "\(result.errors)")
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

  /// An entity behind the store was no command; in the shell it lists its objects.
  @Test(arguments: [
    (["Trip", "--json"], ["rows", "STORE", "Trip", "--json"]), (["trip"], ["rows", "STORE", "Trip"]),
    (["-n", "1", "Trip"], ["rows", "STORE", "Trip", "-n", "1"]),
    (["Trip/p1"], ["show", "STORE", "Trip/p1"]), (["Trip", "1"], ["show", "STORE", "Trip/p1"]),
    (["why", "Trip/p1"], ["trace", "STORE", "Trip/p1"]), (["why"], ["pending", "STORE"]),
  ]) func entitiesAndObjectsStandForThemselves(_ words: [String], _ meant: [String]) throws {
    let demo = try Demo()
    let expected = try Tool.run(meant.map { $0 == "STORE" ? demo.path : $0 })
    expected.expectDone("\(meant)")
    #expect(try Tool.run([demo.path] + words).output == expected.output)
  }
}
