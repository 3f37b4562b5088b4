import Lens
import SQLite
import StoreModel

/// Conditions that end with a day, which is its midnight: `date <= '2026-03-20'` leaves that day out, and
/// `date > '2026-03-20'` has it.
struct DayEnds {
  /// Nil if no object has a date on such a day.
  private(set) var note: String?

  init(_ predicate: String, _ entity: SchemaEntity, in store: CoreDataStore) {
    guard predicate.utf8.count < SQLHabits.longest else { return }
    let tokens = StatementTokens(predicate)
    let dates = Set(
      View.entityColumns(of: entity).filter { entity.attribute(named: $0.key)?.description.type == .date }
        .values.map { $0.lowercased() })
    let view = ViewNames.view(for: entity.name, among: store.schema.entities.map(\.name))
    for index in tokens.all.indices {
      guard ["<=", ">", "between"].contains(tokens.text(index)),
        let comparison = tokens.comparison(at: index),
        comparison.left.count == 1, dates.contains(tokens.all[comparison.left.lowerBound].text),
        let end = comparison.others.last, end.count == 1, tokens.kind(end.lowerBound) == .string,
        tokens.all[end.lowerBound].text.wholeMatch(of: /\d{4}-\d\d-\d\d/) != nil
      else { continue }
      let (column, day) = (tokens.source(comparison.left), tokens.source(end))
      // A note isn't worth a failure.
      let isAffected = try? store.connection.onlyReading {
        try store.connection.first(
          "SELECT 1 FROM temp.\(quotedIdentifier(view)) WHERE date(\(column)) = \(day) AND time(\(column)) > '00:00:00' LIMIT 1"
        ) { _ in true }
      }
      guard isAffected == true else { continue }
      switch tokens.text(index) {
      case "<=":
        note =
          "\(column) <= \(day) ends when that day begins, so its objects are left out; write date(\(column)) <= \(day) to include them."
      case ">":
        note =
          "\(column) > \(day) begins when that day begins, so its objects are included; write date(\(column)) > \(day) to leave them out."
      default:
        let start = comparison.others.first.map { String(tokens.source($0)) } ?? ""
        note =
          "BETWEEN ends when \(day) begins, so that day's objects are left out; write date(\(column)) BETWEEN \(start) AND \(day) to include them."
      }
      return
    }
  }
}
