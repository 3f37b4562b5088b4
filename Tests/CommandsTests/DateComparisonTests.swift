import Forge
import Lens
import SQLite
import StoreModel
import TestSupport
import Testing
import Values

@testable import Commands

/// What SQL computes from dates compares as their times do, whatever it is compared with is spelled like.
struct DateComparisonTests {
  private static let forms = [
    "at", "+at", "(at)", "((at))", "MAX(at, at)", "COALESCE(NULL, at)", "IFNULL(at, ended)", "likely(at)",
    "CASE WHEN e.pk > 0 THEN at END", "IIF(e.pk > 0, at, ended)", "NULLIF(at, 'now')", "d", "x.last",
    "(SELECT MAX(o.at) FROM Event o WHERE o.pk = e.pk)", "(SELECT b FROM y WHERE a = e.pk)",
  ]

  private static let model = ManagedObjectModel(entities: [
    EntityDescription(
      name: "Event",
      attributes: [
        AttributeDescription(name: "at", type: .date), AttributeDescription(name: "ended", type: .date),
      ])
  ])

  @Test func computedDatesCompareAsTheirTimes() throws {
    let folder = try TemporaryFolder("dates")
    let forge = try StoreForge(path: folder.path("Dates.store"), model: Self.model)
    var random = SeededGenerator(seed: 11)
    let moments = (0..<500).map { _ in DateSpelling.moment(&random) }
    try forge.save { save in
      for moment in moments {
        let seconds = Double(moment - DateSpelling.epoch) / 1_000_000
        _ = try save.insert("Event", ["at": .date(CoreDataDate(seconds: seconds))])
      }
    }
    try forge.close()
    let open = try OpenStore(at: forge.path)
    let store = try open.lens()
    store.connection.allowOnlyReading()
    for form in Self.forms {
      let sql = """
        WITH x AS (SELECT pk, MAX(at) AS last FROM Event WHERE pk = ?2 GROUP BY pk),
          y(a, b) AS (SELECT pk, at FROM Event WHERE pk = ?2)
        SELECT \(form) < ?1, \(form) = ?1, ?1 < \(form), \(form) BETWEEN ?1 AND ?1, \(form) IN (?1, NULL) IS TRUE
        FROM (SELECT *, NULL AS d FROM Event WHERE 0 UNION ALL SELECT *, at FROM Event WHERE pk = ?2) e
        JOIN x ON x.pk = e.pk
        """
      let statement = try UserSQL.compiled(sql, in: store) { try store.connection.prepare($0) }
      var wrong: [String] = []
      for index in 0..<1000 {
        let row = index % moments.count
        let other =
          Bool.random(using: &random)
          ? DateSpelling.moment(&random) : DateSpelling.near(moments[row], &random)
        let (text, time) = DateSpelling.spell(other, &random)
        try statement.bind([.text(text), .integer(Int64(row + 1))])
        let isRow = try statement.step()
        let isEqual = moments[row] == time
        let expected: [Bool] = [moments[row] < time, isEqual, moments[row] > time, isEqual, isEqual]
        if !isRow || (0..<5).map({ statement.integer($0) == 1 }) != expected {
          wrong.append("\(moments[row]) and '\(text)'")
        }
      }
      #expect(wrong.isEmpty, "\(form): \(wrong.count), such as \(wrong.prefix(3))")
    }
    withExtendedLifetime((folder, open)) {}
  }
}
