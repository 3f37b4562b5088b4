package import Values

/// Transactions of the mirror's own that follow each other closely: a wipe, or a large import.
package struct HistoryBurst: Sendable, Equatable {
  package var firstTransaction: Int64
  package var lastTransaction: Int64
  package var from: CoreDataDate?
  package var until: CoreDataDate?
  package var transactions: Int
  package var inserts: Int
  package var deletes: Int
  package var changes: Int

  package var value: DataValue {
    [
      "from": .optional(from), "until": .optional(until), "firstTransaction": .integer(firstTransaction),
      "lastTransaction": .integer(lastTransaction), "transactions": .count(transactions),
      "inserts": .count(inserts), "deletes": .count(deletes), "changes": .count(changes),
    ]
  }
}
