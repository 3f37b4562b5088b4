import SQLite
import StoreModel

/// Rows of mirrored entities that had a record and have none anymore: somebody deleted record metadata. The server still
/// has their records, and an upload gives each a new name.
///
/// That they had one is seen in history: an export gives everything that it processes a record, and an import brings its
/// own. Where all records are gone and exports succeeded, every row counts that isn't in later history: what was saved
/// before may have been purged.
package struct LostRecords {
  /// Rows with a record.
  package private(set) var registered = 0
  /// Rows without one, whatever the reason.
  package private(set) var unregistered = 0
  private var lost: Set<ObjectKey> = []

  init(_ mirror: Mirror) throws {
    guard mirror.tables.has(.records, "ZENTITYID"), mirror.tables.has(.records, "ZENTITYPK") else { return }
    let rows = try UnregisteredRows(mirror.store, mirror.mirroredEntities())
    var all = rows.reading()
    while try all.next() != nil { registered += 1 }
    var without = ObjectMap(empty: false)
    var reading = rows.reading(withoutRecord: true)
    var keys: [ObjectKey] = []
    while let key = try reading.next() {
      unregistered += 1
      try without.set(key, true)
      keys.append(key)
    }
    registered -= unregistered
    // Objects of a shared database get a record with their share only.
    guard unregistered > 0, try mirror.scope != .shared else { return }
    let isProcessed = try Self.isProcessed(mirror)
    var seenLater = ObjectMap(empty: false)
    // Of millions of changes few are of such rows: no other one's transaction is looked up.
    try mirror.history?.forEachChangeAsWritten { change in
      guard let key = change.objectOfApp, without[key], let number = change.transaction,
        let transaction = try mirror.transactions?.transaction(number),
        [.app, .importing].contains(transaction.origin)
      else { return }
      if isProcessed(transaction) { lost.insert(key) } else { try seenLater.set(key, true) }
    }
    guard registered == 0, try mirror.recordCount() == 0, try mirror.events[.export].lastSuccess != nil else {
      return
    }
    lost.formUnion(keys.filter { !seenLater[$0] })
  }

  package var count: Int { lost.count }
  package var isEmpty: Bool { lost.isEmpty }
  package func contains(_ key: ObjectKey) -> Bool { lost.contains(key) }

  /// Without a token for this store, the last successful export shows how far history was processed.
  private static func isProcessed(_ mirror: Mirror) throws -> (HistoryTransaction) -> Bool {
    let token = try mirror.token
    // One that is newer than all of history shows nothing.
    if token.state != .ahead, let number = token.transaction { return { $0.number <= number } }
    let exported = try mirror.events[.export].lastSuccess?.started
    return { transaction in
      guard let exported, let saved = transaction.timestamp else { return false }
      return saved <= exported
    }
  }
}
