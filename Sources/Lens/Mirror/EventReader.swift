import SQLite
import StoreModel
import Values

/// Reads the log of the mirror's runs. The framework cuts it to the newest ten thousand now and then, as app authors
/// report, so that the absence of old events proves nothing.
package struct EventReader {
  private let connection: Connection
  /// Nil where the store keeps no events.
  private let view: View?

  package init(_ mirror: Mirror) {
    connection = mirror.store.connection
    view = mirror.views.events
  }

  package func count() throws -> Int {
    try view.flatMap { try connection.first($0.count()) { Int($0.integer(0)) } } ?? 0
  }

  /// Calls `body` for each event, in the order in which they were written, until it returns false.
  package func forEach(reversed: Bool = false, _ body: (MirrorEvent) throws -> Bool) throws {
    let next = try events(reversed: reversed)
    while let event = try next() {
      guard try body(event) else { return }
    }
  }

  /// The same one by one, for two logs side by side: a function that returns nil at the end.
  package func events(reversed: Bool = false) throws -> () throws -> MirrorEvent? {
    guard let view else { return { nil } }
    let statement = try connection.prepare(
      view.select(Column.names, "ORDER BY \"row\" \(reversed ? "DESC" : "ASC")"))
    return { try statement.step() ? event(statement) : nil }
  }

  private enum Column: Int, ReadColumn {
    case row, id, kind, started, ended, succeeded, errorDomain, errorCode, affected, finished
  }

  private func event(_ row: Statement) -> MirrorEvent {
    MirrorEvent(
      primaryKey: row.integer(Column.row),
      id: row.isNull(Column.id) ? nil : row.withBytes(Column.id.rawValue, Hexadecimal.uuid),
      rawKind: row.optionalInteger(Column.kind), started: row.date(Column.started),
      ended: row.date(Column.ended), succeeded: row.flag(Column.succeeded),
      errorDomain: row.optionalName(Column.errorDomain), errorCode: row.optionalInteger(Column.errorCode),
      affected: row.optionalInteger(Column.affected), finished: row.optionalInteger(Column.finished))
  }
}
