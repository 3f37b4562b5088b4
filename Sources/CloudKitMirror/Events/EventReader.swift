import Explanations
import SQLite
package import StoreModel
import Values

/// Reads the log of the mirror's runs. The framework cuts it to the newest ten thousand now and then, as app authors
/// report, so that the absence of old events proves nothing.
package struct EventReader {
  private let store: CoreDataStore
  private let tables: MirrorTables

  package init(_ store: CoreDataStore, _ tables: MirrorTables) {
    self.store = store
    self.tables = tables
  }

  package init(_ mirror: Mirror) { self.init(mirror.store, mirror.tables) }

  package func count() throws -> Int {
    guard tables.has(.events) else { return 0 }
    return try store.connection.first("SELECT COUNT(*) FROM main.ANSCKEVENT") { Int($0.integer(0)) } ?? 0
  }

  /// Calls `body` for each event, in the order in which they were written, until it returns false.
  package func forEach(reversed: Bool = false, _ body: (MirrorEvent) throws -> Bool) throws {
    guard tables.has(.events) else { return }
    func column(_ name: String) -> String { tables.sql(.events, name, "e") }
    func number(_ name: String) -> String { tables.number(.events, name, "e") }
    let statement = try store.connection.prepare(
      """
      SELECT e.Z_PK, \(column("ZEVENTIDENTIFIER")), \(number("ZCLOUDKITEVENTTYPE")), \(number("ZSTARTEDAT")),
        \(number("ZENDEDAT")), \(tables.flag(.events, "ZSUCCEEDED", "e")), \(column("ZERRORDOMAIN")),
        \(number("ZERRORCODE")), \(number("ZCOUNTAFFECTEDOBJECTS")), \(number("ZCOUNTFINISHEDOBJECTS"))
      FROM main.ANSCKEVENT e ORDER BY e.Z_PK \(reversed ? "DESC" : "ASC")
      """)
    while try statement.step() {
      guard try body(event(statement)) else { return }
    }
  }

  private func event(_ row: Statement) -> MirrorEvent {
    let domain = row.optionalText(6)
    // The columns of a success may hold a default of 0.
    var code = row.optionalInteger(7)
    if domain == nil, code == 0 { code = nil }
    let explanation = domain.flatMap { domain in
      code.flatMap { Int(exactly: $0) }.flatMap { ExplanationCatalog.explanation(domain: domain, code: $0) }
    }
    return MirrorEvent(
      primaryKey: row.integer(0), id: row.isNull(1) ? nil : row.withBytes(1, Hexadecimal.uuid),
      kind: row.optionalInteger(2).flatMap(MirrorEvent.Kind.init(rawValue:)), rawKind: row.optionalInteger(2),
      started: row.optionalReal(3).map(CoreDataDate.init(seconds:)),
      ended: row.optionalReal(4).map(CoreDataDate.init(seconds:)), succeeded: row.integer(5) == 1,
      errorDomain: domain, errorCode: code, explanation: explanation, affected: row.optionalInteger(8),
      finished: row.optionalInteger(9))
  }
}
