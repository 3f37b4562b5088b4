import SQLite
package import StoreModel
package import Values

/// How much history there is, without reading it all.
package struct HistorySummary: Sendable, Equatable {
  package var transactions: Int
  package var changes: Int
  package var first: CoreDataDate?
  package var last: CoreDataDate?

  /// Nil where the store keeps no history.
  package init?(_ store: CoreDataStore, _ tables: FrameworkTables) throws {
    guard let reader = try HistoryReader(store, tables) else { return nil }
    transactions = try reader.transactions.count()
    changes = try reader.count()
    first = try reader.transactions.oldestTime()
    last = try reader.transactions.newestTime()
  }

  /// The members that `summary` prints; for nil those of a store without history.
  package static func value(_ summary: HistorySummary?) -> DataValue {
    [
      "present": .bool(summary != nil), "transactions": .count(summary?.transactions ?? 0),
      "changes": .count(summary?.changes ?? 0), "first": .optional(summary?.first),
      "last": .optional(summary?.last),
    ]
  }
}
