import Forge
import Lens
import StoreModel
import TestSupport
import Testing
import Values

/// Dates in SQL and `--where` as people type them, on the command line.
struct DateTests {
  struct Case: Sendable, CustomTestStringConvertible {
    var sql: String
    var expected: String
    var testDescription: String { sql }
    init(_ sql: String, _ expected: String) { (self.sql, self.expected) = (sql, expected) }
  }

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
    let folder = try TemporaryFolder("dates")
    defer { withExtendedLifetime(folder) {} }
    let path = folder.path + "/Dates.store"
    let forge = try StoreForge(path: path, model: Self.model)
    try forge.save { save in
      _ = try save.insert(
        "Run",
        [
          "title": "early", "at": .date(CoreDataDate(seconds: 795_884_399.5)),
          "ended": .date(CoreDataDate(seconds: 795_884_400.5)), "text": "2026-03-22 14:59:59.5",
        ])
      _ = try save.insert(
        "Run",
        [
          "title": "late", "at": .date(CoreDataDate(seconds: 795_884_400.5)), "text": "2026-03-22",
        ])
    }
    try forge.close()
    return try Tool.run([words[0], path] + words.dropFirst())
  }

  /// `--where` is SQL like any other.
  @Test(arguments: [
    Case("at > '2026-03-22T15:00:00Z' AND at < '2026-03-23'", "late"),
    Case("at > '2026-03-22 15:00'", "late"),
    Case("COALESCE(at, ended) > '2026-03-22 15:00' -- a remark", "late"),
    Case("core_data_date(at) > 795884400", "late"),
  ]) func conditionsFollowTime(_ test: Case) throws {
    let rows = try run(["rows", "Run", "--where", test.sql, "--json"]).json()["rows"] as? [[String: Any]]
    #expect(
      rows?.map { $0["title"] as? String ?? "" } == test.expected.split(separator: " ").map(String.init))
  }

  /// The three that gave wrong answers, or all rows, without a word.
  @Test func theDemosDates() throws {
    let demo = try Demo()
    let entries =
      try Tool.run([
        "rows", demo.path, "Entry", "--where", "date > '2026-03-22T15:00:00Z' and date < '2026-03-23'",
        "--json",
      ]).json()["rows"] as? [[String: Any]]
    #expect(entries?.compactMap { $0["date"] as? String } == ["2026-03-22T15:00:00.500000Z"])
    let trips = "SELECT title FROM Trip WHERE startDate > "
    let noon = try Tool.run(["query", demo.path, trips + "datetime('2026-03-20 12:00')", "--format", "csv"])
    #expect(!noon.output.contains("Spring in Lisbon"), "\(noon.errors)")
    let unix = try Tool.run(["query", demo.path, trips + "1774000000"])
    #expect(unix.status == 2 && unix.errors.contains("unixepoch(startDate)"))
  }

  /// One format per column for machines, fewer digits for people, and no guess for what is no date.
  @Test func datesOfEachFormat() throws {
    let folder = try TemporaryFolder("dates")
    let path = folder.path + "/Dates.store"
    let forge = try StoreForge(path: path, model: Self.model)
    try forge.save {
      _ = try $0.insert(
        "Run", ["at": .date(CoreDataDate(seconds: 1e15)), "ended": .date(CoreDataDate(seconds: 0))])
    }
    try forge.close()
    func output(_ words: String...) throws -> String {
      try Tool.run([words[0], path] + words.dropFirst()).output
    }
    let ndjson = try output("rows", "Run", "--format", "ndjson")
    #expect(
      ndjson.contains(
        #""at":null,"at.raw":1000000000000000.0,"ended":"2001-01-01T00:00:00.000000Z""#))
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
    withExtendedLifetime(folder) {}
  }
}
