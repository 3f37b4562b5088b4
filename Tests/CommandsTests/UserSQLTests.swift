import Base
import Forge
import Lens
import SQLite
import StoreModel
import TestSupport
import Testing

@testable import Commands

/// What is typed is what runs.
struct UserSQLTests {
  private let folder = TemporaryFolder("order")

  private static let model = ManagedObjectModel(entities: [
    EntityDescription(
      name: "Event",
      attributes: [
        AttributeDescription(name: "at", type: .date), AttributeDescription(name: "ended", type: .date),
        AttributeDescription(name: "place", type: .integer64),
      ])
  ])

  /// What SQL makes of a date; `E` stands for a row's table.
  private static let forms = [
    "E.at", "MAX(E.at, E.ended)", "COALESCE(NULL, E.at)", "CASE WHEN E.pk > 0 THEN E.at END",
    "IIF(E.pk > 0, E.at, E.ended)", "(SELECT MAX(o.at) FROM Event o WHERE o.pk = E.pk)",
    "(SELECT j.at FROM Event j JOIN Event k ON k.pk = j.pk WHERE k.pk = E.pk)",
  ]

  /// The order of dates in SQL is that of time, whatever SQL makes of them: 100,000 pairs, many of them close or equal.
  @Test func orderIsTime() throws {
    let forge = try StoreForge(path: folder.path("Order.store"), model: Self.model)
    var random = SeededGenerator(seed: 11)
    let far = (0..<500).map { _ in DateSpelling.moment(&random) }
    let moments = far + far.map { DateSpelling.near($0, &random) }
    let places = Dictionary(
      uniqueKeysWithValues: Set(moments).sorted().enumerated().map { ($0.element, Int64($0.offset)) })
    try forge.save { save in
      for moment in moments {
        let date = CoreDataDate(seconds: Double(moment - DateSpelling.epoch) / 1_000_000)
        let before = CoreDataDate(seconds: date.seconds - 1)
        _ = try save.insert(
          "Event", ["at": .date(date), "ended": .date(before), "place": .integer(places[moment] ?? 0)])
      }
    }
    try forge.close()
    let open = try OpenStore(at: forge.path)
    let store = try open.lens()
    store.connection.allowOnlyReading()
    var pairs: Int64 = 0
    for (index, form) in Self.forms.enumerated() {
      let (one, other) = (
        form.replacing("E.", with: "a."),
        Self.forms[(index + 3) % Self.forms.count].replacing("E.", with: "b.")
      )
      // Near ones are 500 apart.
      let sql = """
        SELECT COUNT(*), SUM((x < y) IS NOT (p < q)), SUM((x = y) IS NOT (p = q)), SUM((x BETWEEN y AND y) IS NOT (p = q))
        FROM (SELECT \(one) AS x, \(other) AS y, a.place AS p, b.place AS q FROM Event a
          JOIN (SELECT column1 AS step FROM (VALUES (500), (1), (7), (31), (63), (127), (255), (311), (400), (409),
            (421), (433), (443), (457), (463), (475)))
          JOIN Event b ON b.pk = (a.pk + step) % 1000 + 1)
        """
      let row = try UserSQL.compiled(sql, in: store) { sql, _ in
        try store.connection.first(sql) { ($0.integer(0), [$0.integer(1), $0.integer(2), $0.integer(3)]) }
      }
      pairs += row?.0 ?? 0
      #expect(row?.1 == [0, 0, 0], "\(one) and \(other)")
    }
    #expect(pairs >= 100_000)
    withExtendedLifetime((folder, open)) {}
  }

  /// SQLite compiles what was typed, byte for byte.
  @Test(arguments: [
    "SELECT title FROM Trip WHERE title = NULL", "SELECT 'a' || 'b' = 'ab'  -- remark",
    "SELECT t.title FROM Trip t WHERE t.startDate > '2026' AND \"title\" LIKE 'S%'",
    "SELECT trip, COUNT(*) FROM Entry WHERE trip = 'Spring in Lisbon' GROUP BY 1",
    "SELECT pk FROM Trip WHERE isArchived = 'true' OR identifier = '0b6e8a523c1d4b7f8e256a4d9f01c3e7'",
    "SELECT 1 AS yes, 0 AS today", "WITH t(n) AS (SELECT MAX(startDate) FROM Trip) SELECT n FROM t;",
    "SELECT e.title FROM Entry e JOIN Trip t ON e.trip = t.uri",
    "SELECT unixepoch(startDate) - 5 AS startDate FROM Trip ORDER BY startDate + 1",
    "SELECT MAX(date) > datetime('now', '-1 day'), COUNT(*) - 1 FROM Entry",
  ]) func sqlRunsAsItIsTyped(_ typed: String) throws {
    let open = try OpenStore(at: try DemoStore.copy(in: folder.path("demo")))
    let store = try open.lens()
    store.connection.allowOnlyReading()
    func program(_ sql: String) throws -> [[SQLiteValue]] {
      try store.connection.rows("EXPLAIN \(sql)") { $0.values }
    }
    let compiled = try UserSQL.compiled(typed, in: store) { sql, paths in
      #expect(sql == typed && paths == nil)
      _ = try store.connection.prepare(sql)
      return sql
    }
    #expect(try program(compiled) == program(typed))
    withExtendedLifetime((folder, open)) {}
  }

  /// A date is a text, and SQLite would calculate with its year.
  @Test(arguments: [
    "SELECT endDate - startDate FROM Trip", "SELECT t.startDate + 86400 FROM Trip t",
    "SELECT MAX(endDate) - MIN(startDate) FROM Trip", "SELECT (startDate) * 2 FROM Trip",
    "SELECT pk FROM Trip WHERE startDate > 796435200", "SELECT pk FROM Trip WHERE 5 < startDate",
    "SELECT pk FROM Trip WHERE startDate NOT BETWEEN 1 AND 2",
    "SELECT pk FROM Trip WHERE startDate IN (1, 2)",
    "SELECT pk FROM Trip WHERE startDate > 2026-03-20", "SELECT pk FROM Trip ORDER BY -startDate",
    "SELECT title FROM Entry WHERE trip.startDate - 5 > 0", "SELECT ended-started FROM events",
  ]) func datesAreNoNumbers(_ sql: String) throws {
    let open = try OpenStore(at: try DemoStore.copy(in: folder.path("demo")))
    let store = try open.lens()
    store.connection.allowOnlyReading()
    let error = #expect(throws: SQLiteError.self) {
      _ = try UserSQL.compiled(sql, in: store) { sql, _ in try store.connection.prepare(sql) }
    }
    #expect(error?.message.contains(" is a date, which is a text here") == true, "\(error?.message ?? "")")
    #expect(error?.offset != nil)
    withExtendedLifetime((folder, open)) {}
  }
}
