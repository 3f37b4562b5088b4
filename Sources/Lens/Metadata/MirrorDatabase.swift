import SQLite
package import Values

/// One CloudKit database that the store is mirrored to.
package struct MirrorDatabase: Sendable, Equatable {
  package var primaryKey: Int64
  package var name: String?
  package var rawScope: Int64?
  package var hasSubscription: Bool
  package var changeToken: ChangeTokenState
  package var lastFetch: CoreDataDate?

  package var scope: DatabaseScope? { rawScope.flatMap(DatabaseScope.init(rawValue:)) }

  /// A store has one; the limit is for made-up ones.
  private static let limit = 1_000

  static func read(_ connection: Connection, _ views: MirrorViews) throws -> [MirrorDatabase] {
    guard let view = views.databases else { return [] }
    let columns = ["row", "name", "scopeNumber", "hasSubscription", "tokenArchive", "lastFetch"]
    return try connection.rows(view.select(columns, "ORDER BY \"row\" LIMIT \(limit)")) { row in
      MirrorDatabase(
        primaryKey: row.integer(0), name: row.optionalName(1), rawScope: row.optionalInteger(2),
        hasSubscription: row.integer(3) == 1, changeToken: ChangeTokenState(row.optionalBytes(4)),
        lastFetch: row.optionalReal(5).map(CoreDataDate.init(seconds:)))
    }
  }
}
