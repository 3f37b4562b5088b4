package import Base
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
  package private(set) var count = 0
  private let traces = ObjectMap(empty: Trace.none)

  /// What history has of a row without a record.
  private enum Trace: UInt8, BitwiseCopyable {
    case none, later, processed
  }

  init(_ mirror: Mirror) throws {
    guard mirror.tables.has(.records, "ZENTITYID"), mirror.tables.has(.records, "ZENTITYPK") else { return }
    let rows = try mirror.pass(tracesCauses: false).rows()
    registered = rows.withRecord
    unregistered = rows.withoutRecord
    // Objects of a shared database get a record with their share only.
    guard let keys = rows.keys, try mirror.scope != .shared, try mirror.mayHaveDeletedRecords() else {
      return
    }
    let isProcessed = try Self.isProcessed(mirror)
    // Of millions of changes few are of such rows: no other one's transaction is looked up.
    try mirror.history?.forEachChangeAsWritten(of: keys) { change in
      guard let key = change.objectOfApp, try rows.unexplained[key] != .notNeeded,
        try traces[key] != .processed,
        let number = change.transaction, let transaction = try mirror.transactions?.transaction(number),
        [.app, .importing].contains(transaction.origin)
      else { return true }
      let isLost = isProcessed(number, transaction.timestamp)
      try traces.set(key, isLost ? .processed : .later)
      if isLost { count += 1 }
      return count < unregistered
    }
    guard registered == 0, try mirror.recordCount() == 0, try mirror.events[.export].lastSuccess != nil else {
      return
    }
    try rows.unexplained.forEach { key, explanation in
      guard explanation != .notNeeded, try traces[key] == .none else { return }
      try traces.set(key, .processed)
      count += 1
    }
  }

  package var isEmpty: Bool { count == 0 }
  package func contains(_ key: ObjectKey) throws -> Bool { try traces[key] == .processed }

  /// Whether the exporter has processed the transaction with that number and time. Without a token for this store, the
  /// last successful export shows how far it got.
  package static func isProcessed(_ mirror: Mirror) throws -> (Int64, CoreDataDate?) -> Bool {
    let token = try mirror.token
    // One that is newer than all of history shows nothing.
    if token.state != .ahead, let last = token.transaction { return { number, _ in number <= last } }
    let exported = try mirror.events[.export].lastSuccess?.started
    return { _, saved in
      guard let exported, let saved else { return false }
      return saved <= exported
    }
  }
}

extension Mirror {
  /// Whether a key of a record is gone. Core Data gives none twice, so where there are as many records as keys were
  /// handed out, none was deleted.
  fileprivate func mayHaveDeletedRecords() throws -> Bool {
    let count = try recordCount()
    guard count > 0, let handedOut = primaryKey(of: .records)?.lastKey else { return true }
    let newest = try store.connection.first("SELECT MAX(Z_PK) FROM main.ANSCKRECORDMETADATA") {
      $0.integer(0)
    }
    return max(handedOut, newest ?? 0) > count
  }
}
