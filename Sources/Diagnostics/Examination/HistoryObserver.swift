package import CloudKitMirror
package import StoreModel
package import Values

/// One change of history as it goes by.
package struct ObservedChange {
  package var primaryKey: Int64
  /// Nil where the column is NULL.
  package var transaction: Int64?
  package var entity: Int64?
  package var objectKey: Int64?
  /// Nil for a number that no framework writes.
  package var kind: HistoryReader.ChangeKind?
  /// Whether any bit of the changed-property mask is set; nil where there is no mask.
  package var namesProperties: Bool?
}

/// A transaction with what it did, once all its changes went by.
package struct ObservedTransaction {
  package var number: Int64
  package var author: String?
  package var context: String?
  package var timestamp: CoreDataDate?
  package var origin: TransactionOrigin
  package var inserts = 0
  package var updates = 0
  package var deletes = 0

  package var changes: Int { inserts + updates + deletes }
}

/// Watches history go by, oldest first, and says in the end what it found.
package protocol HistoryObserver: AnyObject {
  /// Called for every change, whatever it refers to. `transaction` is its transaction, without the counts of what it
  /// did; nil where that is gone.
  func visit(_ change: ObservedChange, in transaction: ObservedTransaction?) throws
  /// Called for every transaction that exists, after its changes.
  func visit(_ transaction: ObservedTransaction) throws
  func finish(_ findings: inout FindingCollector) throws
}
