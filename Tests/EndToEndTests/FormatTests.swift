import Forge
import Foundation
import SQLite
import StoreModel
import TestSupport
import Testing

/// The formats other than JSON, and how many rows they show.
struct FormatTests {
  private let folder = TemporaryFolder()

  private static let readings: [[String]] = [
    ["summary"], ["entities"], ["rows", "Trip"], ["rows", "Place", "--expand"], ["show", "Trip/p1"],
    ["history"],
    ["history", "--by", "author"], ["query"], ["query", "changes-by-day"],
    ["query", "SELECT title, text FROM Entry"],
  ]

  @Test(arguments: readings) func ndjsonIsThePayload(reading: [String]) throws {
    let demo = try Demo()
    let arguments = Readings.arguments(reading, demo.path)
    let json = try Tool.run(arguments + ["--json"]).json()
    let payload = try #require(
      ["rows", "entities", "changes", "groups", "queries"].compactMap { json[$0] as? [NSObject] }.first
        ?? (json["object"] as? NSObject).map { [$0] })
    let result = try Tool.run(arguments + ["--format", "ndjson"]).expectDone()
    let lines = try result.output.split(separator: "\n").map {
      try JSONSerialization.jsonObject(with: Data($0.utf8)) as? NSObject
    }
    // `show` has its changes next to the object.
    #expect(lines == (reading[0] == "show" ? [json["object"] as? NSObject] : payload))
  }

  @Test(arguments: readings) func csvHasAsManyFieldsInEveryLine(reading: [String]) throws {
    let demo = try Demo()
    let result = try demo.run(reading + ["--format", "csv"]).expectDone()
    let lines = CSVText.lines(result.output)
    let width = try #require(lines.first?.count)
    #expect(width > 1 && lines.count > 1 && lines.allSatisfy { $0.count == width })
  }

  @Test func csvKeepsWhatStandsInTheWay() throws {
    let forge = try StoreForge(path: folder.path("a.store"), model: FixtureModels.library)
    let names = ["a,b", "say \"x\"", "two\nlines", "", " blank ", "\r", "Ünï🍉", "'", "=1+1"]
    try forge.save { save in for name in names { _ = try save.insert("Author", ["name": .text(name)]) } }
    try forge.save { _ = try $0.insert("Author") }
    try forge.close()
    let output = try Tool.run(["rows", forge.path, "Author", "--format", "csv"]).output
    #expect(CSVText.lines(output).dropFirst().map { $0.last } == names + [""])
    #expect(output.contains(",\"\"\n") && output.hasSuffix(",Author,\n"), "empty text is not NULL: \(output)")
  }

  @Test(arguments: readings) func tablesAndMarkdownAreThere(reading: [String]) throws {
    let demo = try Demo()
    let arguments = Readings.arguments(reading, demo.path)
    let table = try Tool.run(arguments).expectDone()
    #expect(!table.output.isEmpty && !table.output.contains("\u{1B}"))
    let markdown = try Tool.run(arguments + ["--format", "markdown"]).expectDone()
    #expect(markdown.output.contains("| ---") || markdown.output.contains("- **"))
  }

  @Test func aHundredRowsUnlessAsked() throws {
    let path = try folder.forge(FixtureModels.library, named: "a.store", author: nil) { save in
      for number in 1...123 { _ = try save.insert("Book", ["year": .integer(Int64(number))]) }
    }
    func lines(_ reading: String...) throws -> [String] {
      let result = try Tool.run(Readings.arguments(reading, path)).expectDone()
      return result.output.split(separator: "\n").map(String.init)
    }
    for (reading, count) in [(["rows", "Book"], 104), (["history", "--reverse"], 105)] {
      let table = try lines(reading[0], reading[1])
      #expect(
        table.count == count && table.last == "… and 23 more of 123: --limit 123 shows them all",
        "\(table.suffix(2))")
    }
    #expect(try lines("query", "SELECT pk FROM Book").last?.contains("more") == true)
    #expect(try lines("rows", "Book", "--limit", "7").count == 4 + 7)
    #expect(try lines("rows", "Book", "--limit", "123").count == 4 + 123)
    #expect(try lines("rows", "Book", "--format", "markdown").last?.contains("23 more of 123") == true)
    #expect(try lines("rows", "Book", "--format", "csv").count == 124)
    #expect(try lines("rows", "Book", "--format", "ndjson").count == 123)
    #expect(try lines("rows", "Book", "--format", "ndjson", "-n", "5").count == 5)
    #expect(try lines("rows", "Book", "--json").count == 2 + 1 + 123 + 1)
    #expect(try lines("query", "SELECT pk FROM Book", "--format", "csv", "-n", "5").count == 6)
  }

  @Test func propertiesThatBearAReservedName() throws {
    let names = ["pk", "uri", "entity"]
    let model = ManagedObjectModel(entities: [
      EntityDescription(
        name: "Odd", attributes: names.map { AttributeDescription(name: $0, type: .integer64) })
    ])
    let forge = try StoreForge(path: folder.path("a.store"), model: model)
    let large: [Int64] = [9_007_199_254_740_993, .max, .min]
    try forge.save { _ = try $0.insert("Odd", Dictionary(zip(names, large.map { .integer($0) })) { $1 }) }
    try forge.close()
    let result = try Tool.run([
      "rows", forge.path, "Odd", "--json", "--where", "\"property.pk\" > 5 AND pk = 1",
    ]).expectDone().expectOutput(
      "\"uri\":\"x-coredata://\(forge.options.uuid)/Odd/p1\",\"pk\":1,\"entity\":\"Odd\"")
    for (name, number) in zip(names, large) {
      #expect(result.output.contains("\"property.\(name)\":\(number)"), "\(result.output)")
    }
    let query = try Tool.run(["query", forge.path, "SELECT \"property.uri\" FROM Odd", "--format", "csv"])
    #expect(query.output == "property.uri\n\(Int64.max)\n")
  }
}

/// CSV as RFC 4180 has it, with line feeds.
enum CSVText {
  static func lines(_ text: String) -> [[String]] {
    var lines: [[String]] = []
    var line: [String] = []
    var field = String.UnicodeScalarView()
    var isQuoted = false
    var scalars = Array(text.unicodeScalars)[...]
    while let scalar = scalars.popFirst() {
      switch scalar {
      case "\"" where isQuoted && scalars.first == "\"": field.append(scalars.removeFirst())
      case "\"": isQuoted.toggle()
      case "," where !isQuoted:
        line.append(String(field))
        field = .init()
      case "\n" where !isQuoted:
        lines.append(line + [String(field)])
        line = []
        field = .init()
      default: field.append(scalar)
      }
    }
    return lines
  }
}

/// What people see of the demo store on terminals of two widths.
@Suite(.serialized, .waiting) final class ScreenTests: DemoSuite {
  /// Short dates leave out the year that it is.
  private static let clock = ["SOURCE_DATE_EPOCH": "1795000000"]

  @Test(arguments: [80, 200]) func screensFit(columns: Int) throws {
    let session = try TerminalSession(
      [demo.path, "--no-pager"], columns: columns, rows: 50, environment: Self.clock)
    try session.waitForPrompt()
    for line in [
      "summary", "pending", "pending --all -n 5", "entities", "entities Trip", "rows Trip",
      "rows Trip --columns title,object,budget --sort -budget", "rows Trip -n 1 --format vertical",
      "history -n 12", "history --by author", "events", "size --chart", "diff --as-of-commit 3", "mirror",
      "rules -n 12", "query \"SELECT recordName, zone, entity, state, uri FROM records LIMIT 2\"",
      "rows Trip --expand", "rows Trip --expand --columns title,participants", "query \"SELECT * FROM Trip\"",
      "search warm", "pending --entity Trip", "records -n 3", "records --object Trip/p1 --decode",
      "rows Trip --columns titel",
    ] { try session.run(line) }
    try session.quit()
    try expectSnapshot(
      session.screen.wholeText.replacingOccurrences(of: "… pending", with: "25 pending"),
      named: "screens-\(columns).txt", filePath: URL(filePath: #filePath).path)
    #expect(session.screen.wholeText.split(separator: "\n").allSatisfy { $0.count <= columns })
  }

  private func run(_ words: String...) throws -> Tool.Result {
    try Tool.run(words.map { $0 == "STORE" ? demo.path : $0 }, environment: Self.clock)
  }

  /// The prompt, the summary, the report and 'pending' disagreed about how much is pending.
  @Test func oneNumberIsPendingEverywhere() throws {
    try run("summary", "STORE").expectOutput("25 changes pending since Mar 29 ('pending').")
    try run("pending", "STORE").expectOutput("25 pending: 13 uploads")
    let mirror = try run("summary", "STORE", "--json").json().object("mirror")
    #expect(mirror["pending"] as? Int == 25)
  }

  /// A store that was copied without its -wal lacks the newest commits, and nothing said so.
  @Test func aMissingWALIsNamed() throws {
    let sentence =
      "No -wal file next to the store, which is normal if the app closed it; if one was left behind, newer commits are missing."
    let folder = TemporaryFolder("no-wal")
    try FileManager.default.copyItem(atPath: demo.path, toPath: folder.path("copy.store"))
    for command in ["summary", "pending"] {
      #expect(try !run(command, "STORE").output.contains(sentence))
      #expect(try run(command, folder.path("copy.store")).output.contains(sentence))
    }
  }

  @Test func rowsAreSortedByValue() throws {
    func titles(_ words: String...) throws -> [String] {
      let result = try demo.run(["rows", "Trip", "--format", "csv", "--columns", "title"] + words)
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
    try run("rows", "STORE", "Trip", "--sort", "titel").expectErrors(status: 2, "Did you mean 'title'?")
    // Sub-entities keep theirs in columns of their own.
    #expect(try run("rows", "STORE", "Place", "--sort", "country,builtYear").status == 0)
  }

  @Test func timesAreLocalOnDemand() throws {
    var environment = Self.clock
    environment["TZ"] = "UTC-05:30"
    let utc = try demo.run("pending", environment: environment).output
    let local = try demo.run("pending", "--local", environment: environment).output
    #expect(utc.contains("Last success: Mar 29 02:59 UTC.") && local.contains("Last success: Mar 29 08:29."))
    let json = ["pending", demo.path, "--json"]
    #expect(
      try Tool.run(json, environment: environment).output
        == Tool.run(json + ["--local"], environment: environment).output)
  }

  /// A pipe into `less` had lines of any length, even if COLUMNS was exported.
  @Test func pipesKeepToCOLUMNS() throws {
    func longest(_ columns: [String: String]) throws -> Int {
      let result = try demo.run("events", environment: columns.merging(["LC_ALL": "C.UTF-8"]) { $1 })
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
    // The last words of a sentence that doesn't fit the width.
    try demo.execute("DELETE FROM ANSCKEVENT WHERE ZSUCCEEDED = 1 AND ZCLOUDKITEVENTTYPE = 2")
    try session.wait(for: "has succeeded.")
    let text = session.screen.text
    #expect(text.contains("- Since Apr 15") && text.contains("+ Since Mar 19"), "\(text)")
    session.type("\u{3}")
    try session.waitForPrompt()
    try session.quit()
  }

  @Test func whatIsWatchedFitsTheTerminal() throws {
    let session = try TerminalSession(
      [demo.path, "--no-pager"], columns: 60, rows: 24, environment: Self.clock)
    try session.waitForPrompt()
    try session.run("watch records --times 1")
    #expect(session.screen.text.split(separator: "\n").allSatisfy { $0.count <= 60 })
    // A line that is too long would be on two.
    #expect(session.screen.text.contains("uploaded"))
    try session.quit()
  }
}
