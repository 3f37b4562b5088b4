import SQLite
import StoreModel
package import Values

/// The oldest pending change, as far as history dates it.
package struct OldestWaiting: Sendable, Equatable {
  /// The transaction since which it waits.
  package var transaction: Int64
  package var since: CoreDataDate

  /// Looks at what history holds above the last-history token, and at flagged records, each of which names the
  /// transaction up to which history was processed when it was flagged. Flags without such a number, and those of links
  /// and shares, have no date.
  ///
  /// Nil where nothing with a date waits, and where something waits since before `moment`. Reads all records once, and
  /// history above the token.
  package init?(_ mirror: Mirror, after moment: CoreDataDate) throws {
    guard let transactions = try mirror.transactions else { return nil }
    func date(_ number: Int64?) throws -> Self? { try number.flatMap { try Self(transactions, from: $0) } }
    // An app's transaction from before that moment was due already: no need to read all that follows it.
    let first = try date(try transactions.firstAppTransaction(after: mirror.token.analysedUpTo)?.number)
    if let first, first.since <= moment { return nil }
    let dated = try [Self.flagged(mirror), Self.unanalyzed(mirror)].compactMap(date)
    guard let oldest = dated.min(by: { $0.since < $1.since }), oldest.since > moment else { return nil }
    self = oldest
  }

  /// The first transaction from that number on that still exists and has a timestamp.
  private init?(_ transactions: TransactionReader, from number: Int64) throws {
    var found: Self?
    try transactions.forEach(from: number) { transaction in
      found = transaction.timestamp.map { Self(transaction: transaction.number, since: $0) }
      return found == nil
    }
    guard let found else { return nil }
    self = found
  }

  private init(transaction: Int64, since: CoreDataDate) {
    self.transaction = transaction
    self.since = since
  }

  private static func flagged(_ mirror: Mirror) throws -> Int64? {
    guard let records = mirror.views.records else { return nil }
    return try mirror.store.connection.first(
      """
      SELECT MIN(pendingExport) FROM (\(records.select(["pendingKind", "pendingExport"])))
      WHERE pendingKind IS NOT NULL AND pendingExport > 0
      """
    ) { $0.optionalInteger(0) } ?? nil
  }

  private static func unanalyzed(_ mirror: Mirror) throws -> Int64? {
    let objects = try mirror.unanalyzed()
    guard !objects.isEmpty else { return nil }
    let entities = try mirror.mirroredEntities()
    let record =
      mirror.views.findsRecordsByObject
      ? try mirror.views.records.map {
        try mirror.store.connection.prepare(
          $0.select(["entityNumber", "pk"], "WHERE entityNumber = ? AND pk = ? LIMIT 1"))
      } : nil
    func hasRecord(_ key: ObjectKey) throws -> Bool {
      guard let record else { return false }
      try record.bind([.integer(key.entity), .integer(key.primaryKey)])
      defer { record.reset() }
      return try record.step()
    }
    var oldest: Int64?
    try objects.entries.forEach { key, entry in
      guard entry.outcome != .nothing, entry.since < oldest ?? .max, entities.countsChanges(of: key.entity)
      else {
        return true
      }
      // What never had a record needn't be deleted on the server.
      if entry.outcome == .deleted, try !hasRecord(key) { return true }
      oldest = entry.since
      return true
    }
    return oldest
  }
}
