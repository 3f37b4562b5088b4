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

  /// Nil for a store without history.
  package static let fields: [Field<Self?>] = [
    Field("present", "whether the store keeps a history") { $0 != nil },
    Field("transactions", "saves in it") { $0?.transactions ?? 0 },
    Field("changes", "changes of objects") { $0?.changes ?? 0 },
    Field("first", "the oldest") { $0?.first }, Field("last", "the newest") { $0?.last },
  ]

  package static let shape = Shape.named("history", fields.keys())
}
