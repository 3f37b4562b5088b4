import Base
import Forge
import Foundation
import Lens
import SQLite
import StoreModel
import TestSupport
import Testing

/// Dates of views compared with dates as people write them. As texts they compared wrongly, and nobody noticed:
/// '15:00:00.500Z' was before '15:00:00Z', and every date greater than every number.
struct DateOrderTests {
  private let folder = TemporaryFolder("dates")
  private static let model = ManagedObjectModel(entities: [
    EntityDescription(name: "Event", attributes: [AttributeDescription(name: "at", type: .date)])
  ])

  private func withStore<R>(
    _ dates: [Double], _ body: (Connection) throws -> R
  ) throws -> R {
    let path = folder.path + "/Dates.store"
    let forge = try StoreForge(path: path, model: Self.model)
    try forge.save { save in
      for date in dates { _ = try save.insert("Event", ["at": .date(CoreDataDate(seconds: date))]) }
    }
    try forge.close()
    let open = try OpenStore(at: path)
    defer { withExtendedLifetime(open) {} }
    return try body(try open.lens().connection)
  }

  /// 2026-03-22T15:00:00.500Z and the second before it.
  private static let dates = [795_884_400.5, 795_884_399.5]

  @Test(arguments: [
    ("at > '2026-03-22T15:00:00Z'", 1), ("at > '2026-03-22 15:00'", 1),
    ("at < '2026-03-22T15:00:00Z'", 1),
    ("at = '2026-03-22 16:00:00.5+01:00'", 1), ("'2026-03-22 15:00' < at", 1),
    ("at BETWEEN '2026-03-22' AND '2026-03-22 15:00'", 1),
    ("at IN ('2026-03-22T15:00:00.5Z', '2026')", 1),
    ("at > datetime('2026-03-22 15:00')", 1), ("at < datetime('now')", 2),
    ("core_data_date(at) > 795884400", 1), ("at = iso_date(795884400.5)", 1),
    ("at > '2026'", 2), ("at < '2026-04'", 2),
    ("at > '2026-04'", 0), ("at > datetime(1774191600, 'unixepoch')", 1),
    ("substr(at, 1, 7) = '2026-03'", 2), ("at LIKE '2026-03-22%'", 2),
    ("strftime('%w', at) = '0'", 2),
    ("unixepoch(at) = 1774191600", 1), ("length(at) = 27", 2),
    ("at = (SELECT MAX(at) FROM Event) AND at > '2026-03-22 15:00'", 1),
    ("EXISTS (SELECT 1 FROM Event o WHERE o.at < Event.at)", 1),
    (
      "pk IN (SELECT pk FROM (SELECT pk, at AS d FROM Event UNION SELECT NULL, NULL) WHERE d > '2026-03-22 15:00')",
      1
    ),
    ("at > 'soon' COLLATE BINARY", 0),
  ]) func comparisonsFollowTime(_ condition: String, _ rows: Int64) throws {
    let count = try withStore(Self.dates) {
      try $0.first("SELECT COUNT(*) FROM Event WHERE \(condition)") { $0.integer(0) }
    }
    #expect(count == rows)
  }

  @Test(arguments: [
    ("at > 'last week'", "can't be compared with 'last week'"), ("at = ''", "can't be compared with ''"),
    ("at < 1774191600", "use core_data_date("), ("at < 'now'", "datetime('now', '-1 day')"),
    ("at < '2026-02-30'", "'2026-02-30'"),
    ("at IN ('2026-03-22', 'x')", "'x'"),
  ]) func whatIsNoDateIsRefused(_ condition: String, _ sentence: String) throws {
    try withStore(Self.dates) { connection in
      let error = #expect(throws: SQLiteError.self) {
        try connection.rows("SELECT * FROM Event WHERE \(condition)") { $0.values }
      }
      #expect(error?.message.contains(sentence) == true)
      // The failure is that statement's alone.
      let count = try connection.first("SELECT COUNT(*) FROM Event WHERE at > '2026'") { $0.integer(0) }
      #expect(count == 2)
    }
  }

  @Test func orderFollowsTime() throws {
    let dates = try withStore([0.5, -1, 0, 0.25, 1e12]) {
      try $0.rows("SELECT at FROM Event ORDER BY at DESC") { $0.value(0) }
    }
    #expect(
      dates == [
        "2001-01-01 00:00:00.500000Z", "2001-01-01 00:00:00.250000Z", "2001-01-01 00:00:00.000000Z",
        "2000-12-31 23:59:59.000000Z", .null,
      ])
  }

  /// Every date that a view shows, of history, the mirror and the model too, has the order of time.
  @Test func allViewsHaveTheOrder() throws {
    let forged = try DemoStore.mirror(in: folder.path)
    try forged.forge.close()
    let open = try OpenStore(at: forged.forge.path)
    let columns = try open.rows("SELECT name, \"column\", type FROM views WHERE type IN ('date', 'text')")
    var views: Set<String> = []
    for row in columns {
      guard case .text(let view) = row[0], case .text(let column) = row[1] else { continue }
      let (from, name) = ("FROM \(quotedIdentifier(view))", quotedIdentifier(column))
      let values = try open.rows("SELECT DISTINCT \(name) \(from) WHERE \(name) IS NOT NULL LIMIT 5")
        .compactMap { row in
          guard case .text(let text) = row[0] else { return nil as String? }
          return ISO8601.parse(text) == nil ? nil : text
        }
      guard row[2] == "date" else {
        #expect(values.isEmpty, "\(view).\(column) is a date, and isn't called one")
        continue
      }
      for value in values {
        views.insert(view)
        let spelled = value.dropLast().replacing(" ", with: "T")
        #expect(
          try open.rows("SELECT COUNT(*) \(from) WHERE \(name) = '\(spelled)'")
            == open.rows("SELECT COUNT(*) \(from) WHERE +\(name) = '\(value)' COLLATE BINARY"))
      }
    }
    #expect(
      views.isSuperset(of: ["Trip", "transactions", "changes", "records", "events", "pending", "zones"]),
      "\(views)")
  }

  /// Random moments, most of them close to each other, in every spelling, against the calendar of Foundation.
  @Test func spellingsCompareAsTheirTimes() throws {
    var random = SeededGenerator(seed: 7)
    let pairs = 100_000
    let moments = (0..<1000).map { _ in DateSpelling.moment(&random) }
    try withStore(moments.map { Double($0 - DateSpelling.epoch) / 1_000_000 }) { connection in
      let statement = try connection.prepare("SELECT at < ?1, at = ?1, at > ?1 FROM Event WHERE pk = ?2")
      var wrong: [String] = []
      for index in 0..<pairs {
        let row = index % moments.count
        let other =
          Bool.random(using: &random)
          ? DateSpelling.moment(&random) : DateSpelling.near(moments[row], &random)
        let (text, time) = DateSpelling.spell(other, &random)
        try statement.bind([.text(text), .integer(Int64(row + 1))])
        let isRow = try statement.step()
        let expected: [Bool] = [moments[row] < time, moments[row] == time, moments[row] > time]
        if !isRow || (0..<3).map({ statement.integer($0) == 1 }) != expected {
          wrong.append("\(moments[row]) and '\(text)'")
        }
      }
      #expect(wrong.isEmpty, "\(wrong.count) of \(pairs), such as \(wrong.prefix(3))")
    }
  }
}
