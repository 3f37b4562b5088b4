import Base
import Forge
import Foundation
import Lens
import SQLite
import StoreModel
import TestSupport
import Testing

/// `--offset`: pages put together are the whole.
final class OffsetTests: DemoSuite {
  /// Their words, and the member of the answer that has the rows.
  private static let listings = [
    (["rows", "STORE", "Place"], "rows"),
    (["rows", "STORE", "Entry", "--sort", "-rating,title"], "rows"),
    (["rows", "STORE", "Entry", "--where", "rating > 1", "--reverse"], "rows"),
    (["query", "STORE", "SELECT * FROM changes"], "rows"),
    (["query", "STORE", "changes-by-author"], "rows"),
    (["history", "STORE"], "changes"),
    (["history", "STORE", "--reverse", "--author", "app"], "changes"),
    (["history", "STORE", "--by", "day"], "groups"),
    (["records", "STORE"], "records"),
    (["events", "STORE"], "events"),
    (["events", "STORE", "--failed"], "events"),
  ]

  private func run(_ words: [String], on demo: Demo) throws -> Tool.Result {
    let result = try Tool.run(words.map { $0 == "STORE" ? demo.path : $0 }).expectDone("\(words)")
    return result
  }

  @Test(arguments: listings, [1, 7, 1000]) func pagesAreTheWhole(_ listing: ([String], String), _ size: Int)
    throws
  {
    func lines(_ options: String...) throws -> [Substring] {
      try run(listing.0 + ["--format", "ndjson"] + options, on: demo).output.split(separator: "\n")
    }
    let whole = try lines()
    // One by one, the last ones are enough.
    let begin = size == 1 ? max(0, whole.count - 3) : 0
    var pages: [Substring] = []
    for offset in stride(from: begin, to: whole.count, by: size) {
      pages += try lines("--offset", String(offset), "-n", String(size))
    }
    #expect(pages == Array(whole[begin...]) && whole.count > 1)
  }

  @Test(arguments: listings) func nothingIsBehindTheEnd(_ words: [String], _ rows: String) throws {
    for offset in ["100000", "9223372036854775807"] {
      let json = try run(words + ["--json", "--offset", offset], on: demo).json()
      #expect((json[rows] as? [Any])?.isEmpty == true)
      try run(words + ["--offset", offset], on: demo).expectOutput("(no more rows")
    }
  }

  @Test func theEndIsTold() throws {
    try run(["history", "STORE", "--offset", "98"], on: demo).expectOutput("(no more rows: there are 98)")
  }

  /// When and who is said once per transaction: a page that began within one said it nowhere.
  @Test func aPageBeginsWithItsDate() throws {
    try run(["history", "STORE", "--limit", "98"], on: demo).expectOutput(#/\n +City/p1 /#)
    for option in [[], ["--format", "markdown"]] {
      let text = try run(["history", "STORE", "--offset", "96"] + option, on: demo).output
      let first = text.split(separator: "\n").first { $0.contains("City/p2") }
      expectText(first, /2026-03-02 08:15|Mar  2 08:15/, "import", comment: "\(text)")
    }
  }

  /// A note that older changes are missing belongs to the end of the list, whichever page shows it.
  @Test func purgedHistoryIsTold() throws {
    let demo = try Demo {
      try $0.connection.execute(
        "DELETE FROM ACHANGE WHERE ZTRANSACTIONID < 15; DELETE FROM ATRANSACTION WHERE Z_PK < 15")
    }
    for words in [["-n", "2"], ["-n", "2", "--offset", "3"], ["--reverse"], ["--format", "markdown"]] {
      try run(["history", "STORE"] + words, on: demo).expectOutput("Older history was purged.")
    }
    // What is asked for lies behind the purge.
    for words in [["--transaction", "16"], ["--since", "2026-04-16"]] {
      try run(["history", "STORE"] + words, on: demo).expectOutput(lacks: "purged")
    }
    try run(["history", "STORE", "--until", "2026-03-01"], on: demo).expectOutput(
      /\(no changes until .*; older history was purged\)/)
  }

  /// Dates that no calendar has are in the order of their numbers, between the others' and those that are missing.
  @Test func datesBeyondTheCalendarAreSorted() throws {
    let folder = TemporaryFolder("offset-dates")
    let model = ManagedObjectModel(entities: [
      EntityDescription(
        name: "Run",
        attributes: [
          AttributeDescription(name: "title", type: .string), AttributeDescription(name: "at", type: .date),
        ])
    ])
    let seconds: [(String, Double?)] = [
      ("far", 1e15), ("none", nil), ("past", -1e15), ("early", 0), ("late", 1e9), ("further", 1e16),
    ]
    let path = try folder.forge(model, named: "Dates.store", author: nil) { save in
      for (title, at) in seconds {
        _ = try save.insert(
          "Run", ["title": .text(title), "at": at.map { .date(CoreDataDate(seconds: $0)) } ?? .null])
      }
    }
    func titles(_ words: String...) throws -> [String] {
      let rows = try Tool.json(["rows", path, "Run"] + words)["rows"] as? [[String: Any]]
      return (rows ?? []).compactMap { $0["title"] as? String }
    }
    let sorted = ["past", "early", "late", "far", "further"]
    #expect(try titles("--sort", "at") == sorted + ["none"])
    #expect(try titles("--sort", "-at") == sorted.reversed() + ["none"])
    #expect(try titles("--sort", "at", "--offset", "3", "-n", "2") == ["far", "further"])
  }
}

/// Dates in SQL and `--where` as people type them, on the command line.
struct DateTests {
  private let folder = TemporaryFolder("dates")

  private static let model = ManagedObjectModel(entities: [
    EntityDescription(
      name: "Run",
      attributes: [
        AttributeDescription(name: "title", type: .string), AttributeDescription(name: "at", type: .date),
        AttributeDescription(name: "ended", type: .date), AttributeDescription(name: "text", type: .string),
      ])
  ])

  /// `early` is at 2026-03-22 14:59:59.5, `late` at 15:00:00.5; `early` has ended then, `late` hasn't.
  private func run(_ words: [String]) throws -> Tool.Result {
    let path = try folder.forge(Self.model, named: "Dates.store", author: nil) { save in
      _ = try save.insert(
        "Run",
        [
          "title": "early", "at": .date(CoreDataDate(seconds: 795_884_399.5)),
          "ended": .date(CoreDataDate(seconds: 795_884_400.5)), "text": "2026-03-22 14:59:59.5",
        ])
      _ = try save.insert(
        "Run", ["title": "late", "at": .date(CoreDataDate(seconds: 795_884_400.5)), "text": "2026-03-22"])
    }
    return try Tool.run([words[0], path] + words.dropFirst())
  }

  /// `--where` is SQL like any other.
  @Test(arguments: [
    ("at > '2026-03-22T15:00:00Z' AND at < '2026-03-23'", "late"),
    ("at > '2026-03-22 15:00'", "late"),
    ("COALESCE(at, ended) > '2026-03-22 15:00' -- a remark", "late"),
    ("core_data_date(at) > 795884400", "late"),
  ]) func conditionsFollowTime(_ sql: String, _ expected: String) throws {
    let rows = try run(["rows", "Run", "--where", sql, "--json"]).json()["rows"] as? [[String: Any]]
    #expect(rows?.map { $0["title"] as? String } == [expected])
  }

  /// The three that gave wrong answers, or all rows, without a word.
  @Test func theDemosDates() throws {
    let demo = try Demo()
    let entries =
      try demo.json("rows", "Entry", "--where", "date > '2026-03-22T15:00:00Z' and date < '2026-03-23'")[
        "rows"] as? [[String: Any]]
    #expect(entries?.compactMap { $0["date"] as? String } == ["2026-03-22T15:00:00.500000Z"])
    let trips = "SELECT title FROM Trip WHERE startDate > "
    try demo.run("query", trips + "datetime('2026-03-20 12:00')", "--format", "csv").expectOutput(
      lacks: "Spring in Lisbon")
    try demo.run("query", trips + "1774000000").expectErrors(status: 2, "unixepoch(startDate)")
  }

  /// One format per column for machines, fewer digits for people, and no guess for what is no date.
  @Test func datesOfEachFormat() throws {
    let path = try folder.forge(Self.model, named: "Dates.store", author: nil) {
      _ = try $0.insert(
        "Run", ["at": .date(CoreDataDate(seconds: 1e15)), "ended": .date(CoreDataDate(seconds: 0))])
    }
    func output(_ words: String...) throws -> String {
      try Tool.run([words[0], path] + words.dropFirst()).output
    }
    let ndjson = try output("rows", "Run", "--format", "ndjson")
    expectText(ndjson, #""at":null,"at.raw":1000000000000000.0,"ended":"2001-01-01T00:00:00.000000Z""#)
    // CSV lost the number.
    let csv = try output("rows", "Run", "--format", "csv").split(separator: "\n")
    #expect(
      csv[0].contains(",at,at.raw,ended,")
        && csv[1].contains(",,1000000000000000.0,2001-01-01T00:00:00.000000Z,"))
    #expect(
      try output("rows", "Run", "--columns", "ended,at", "--format", "csv").hasPrefix("ended,at,at.raw\n2001")
    )
    #expect(try !output("rows", "Run", "--columns", "ended", "--format", "csv").contains("raw"))
    // A column of days shows days only.
    let table = try output("rows", "Run", "--format", "table")
    #expect(table.contains("2001-01-01") && !table.contains(".000000"))
    #expect(
      try output("query", "SELECT at, ended FROM Run", "--format", "csv").hasSuffix(
        "\n,2001-01-01 00:00:00.000000Z\n"))
  }
}
