import Foundation
import SQLite
import TestSupport
import Testing

/// What people see of the demo store on terminals of two widths.
@Suite(.serialized, .waiting) struct ScreenTests {
  private let demo: Demo

  init() throws { demo = try Demo() }

  /// Short dates leave out the year that it is.
  private static let clock = ["SOURCE_DATE_EPOCH": "1795000000"]

  @Test(arguments: [80, 200]) func screensFit(columns: Int) throws {
    let session = try TerminalSession(
      [demo.path, "--no-pager"], columns: columns, rows: 50, environment: Self.clock)
    try session.waitForPrompt()
    for line in [
      "summary", "pending", "pending --all -n 5", "entities", "entities Trip", "rows Trip",
      "rows Trip --columns title,object,budget --sort -budget", "rows Trip -n 1 --format vertical",
      "history -n 12", "history --by author", "events", "size --chart", "diff --as-of-commit 3",
      "mirror", "rules -n 12", "query \"SELECT recordName, zone, entity, state, uri FROM records LIMIT 2\"",
      "rows Trip --expand", "rows Trip --expand --columns title,participants", "query \"SELECT * FROM Trip\"",
      "search warm", "pending --entity Trip",
      "records -n 3", "records --object Trip/p1 --decode", "rows Trip --columns titel",
    ] { try session.run(line) }
    session.type("\u{4}")
    #expect(try session.end() == 0)
    try expectSnapshot(
      session.screen.wholeText.replacingOccurrences(of: "… pending", with: "25 pending"),
      named: "screens-\(columns).txt",
      filePath: URL(filePath: #filePath).path)
    #expect(session.screen.wholeText.split(separator: "\n").allSatisfy { $0.count <= columns })
  }

  private func run(_ words: String...) throws -> Tool.Result {
    try Tool.run(words.map { $0 == "STORE" ? demo.path : $0 }, environment: Self.clock)
  }

  /// The prompt, the summary, the report and 'pending' disagreed about how much is pending.
  @Test func oneNumberIsPendingEverywhere() throws {
    #expect(try run("summary", "STORE").output.contains("25 changes pending since Mar 29 ('pending')."))
    #expect(try run("pending", "STORE").output.contains("25 pending: 13 uploads"))
    let mirror = try #require(try run("summary", "STORE", "--json").json()["mirror"] as? [String: Any])
    #expect(mirror["pending"] as? Int == 25)
  }

  /// A store that was copied without its -wal lacks the newest commits, and nothing said so.
  @Test func aMissingWALIsNamed() throws {
    let sentence =
      "No -wal file next to the store, which is normal if the app closed it; if one was left behind, newer commits are missing."
    let folder = try TemporaryFolder("no-wal")
    try FileManager.default.copyItem(atPath: demo.path, toPath: folder.path("copy.store"))
    for command in ["summary", "pending"] {
      #expect(try !run(command, "STORE").output.contains(sentence))
      #expect(try run(command, folder.path("copy.store")).output.contains(sentence))
    }
  }

  @Test func rowsAreSortedByValue() throws {
    func titles(_ words: String...) throws -> [String] {
      let result = try Tool.run(["rows", demo.path, "Trip", "--format", "csv", "--columns", "title"] + words)
      return result.output.split(separator: "\n").dropFirst().map(String.init)
    }
    let (lisbon, kyoto, porto) = ("Spring in Lisbon", "Temples of Kyoto", "A weekend in Porto")
    #expect(try titles("--sort", "budget") == [porto, lisbon, kyoto])
    #expect(try titles("--sort", "-startDate") == [kyoto, porto, lisbon])
    #expect(try titles("--sort", "startDate", "--reverse") == [kyoto, porto, lisbon])
    #expect(try titles("--sort", "isArchived,title") == [porto, kyoto, lisbon])
    let people = try run(
      "rows", "STORE", "Person", "--sort", "-birthday", "--format", "csv", "--columns", "name")
    #expect(people.output.hasSuffix("Jonas Weber\n"), "no value comes last")
    let wrong = try run("rows", "STORE", "Trip", "--sort", "titel")
    #expect(wrong.status == 2 && wrong.errors.contains("Did you mean 'title'?"))
    // Sub-entities keep theirs in columns of their own.
    #expect(try run("rows", "STORE", "Place", "--sort", "country,builtYear").status == 0)
  }

  @Test func timesAreLocalOnDemand() throws {
    var environment = Self.clock
    environment["TZ"] = "UTC-05:30"
    let utc = try Tool.run(["pending", demo.path], environment: environment).output
    let local = try Tool.run(["pending", demo.path, "--local"], environment: environment).output
    #expect(utc.contains("Last success: Mar 29 02:59 UTC.") && local.contains("Last success: Mar 29 08:29."))
    let json = ["pending", demo.path, "--json"]
    #expect(
      try Tool.run(json, environment: environment).output
        == Tool.run(json + ["--local"], environment: environment).output)
  }

  /// A pipe into `less` had lines of any length, even if COLUMNS was exported.
  @Test func pipesKeepToCOLUMNS() throws {
    func longest(_ columns: [String: String]) throws -> Int {
      let result = try Tool.run(
        ["events", demo.path], environment: columns.merging(["LC_ALL": "C.UTF-8"]) { $1 })
      return result.output.split(separator: "\n").map(\.count).max() ?? 0
    }
    #expect(try longest(["COLUMNS": "60"]) <= 60)
    #expect(try longest([:]) > 100)
  }

  /// Of a sentence that was wrapped, only the half that had changed was shown.
  @Test func whatIsWatchedChangesByWholeSentences() throws {
    let session = try TerminalSession(
      [demo.path, "--no-pager"], columns: 60, rows: 40, environment: Self.clock)
    try session.waitForPrompt()
    session.type("watch pending --every 200ms\r")
    try session.wait(for: "(watching")
    let connection = try Connection(
      path: demo.path, options: OpenOptions(.readWrite(create: false), trustsSchema: true))
    // The last words of a sentence that doesn't fit the width.
    try connection.execute("DELETE FROM ANSCKEVENT WHERE ZSUCCEEDED = 1 AND ZCLOUDKITEVENTTYPE = 2")
    connection.close()
    try session.wait(for: "has succeeded.")
    let text = session.screen.text
    #expect(text.contains("- Since Apr 15") && text.contains("+ Since Mar 19"), "\(text)")
    session.type("\u{3}")
    try session.waitForPrompt()
    session.type("\u{4}")
    #expect(try session.end() == 0)
  }

  @Test func whatIsWatchedFitsTheTerminal() throws {
    let session = try TerminalSession(
      [demo.path, "--no-pager"], columns: 60, rows: 24, environment: Self.clock)
    try session.waitForPrompt()
    try session.run("watch records --times 1")
    #expect(session.screen.text.split(separator: "\n").allSatisfy { $0.count <= 60 })
    // A line that is too long would be on two.
    #expect(session.screen.text.contains("uploaded"))
    session.type("\u{4}")
    #expect(try session.end() == 0)
  }
}
