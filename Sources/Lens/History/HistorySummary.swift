package import SQLite
import StoreModel
package import Values

/// How much history there is, without reading it all.
package struct HistorySummary: Sendable, Equatable {
  package var transactions: Int
  package var changes: Int
  package var first: CoreDataDate?
  package var last: CoreDataDate?

  /// Nil where the store keeps no history.
  package init?(_ connection: Connection) throws {
    guard let tables = try HistoryTables(connection) else { return nil }
    transactions = try connection.first("SELECT COUNT(*) FROM ATRANSACTION") { Int($0.integer(0)) } ?? 0
    changes = try connection.first("SELECT COUNT(*) FROM ACHANGE") { Int($0.integer(0)) } ?? 0
    guard tables.transactionColumns.contains("ZTIMESTAMP") else { return }
    // Two statements: SQLite takes the index for one MIN or one MAX, not for both at once
    // (https://www.sqlite.org/optoverview.html#the_min_max_optimization).
    first = try connection.first("SELECT MIN(ZTIMESTAMP) FROM ATRANSACTION") { $0.optionalReal(0) }?
      .map(CoreDataDate.init(seconds:))
    last = try connection.first("SELECT MAX(ZTIMESTAMP) FROM ATRANSACTION") { $0.optionalReal(0) }?
      .map(CoreDataDate.init(seconds:))
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
