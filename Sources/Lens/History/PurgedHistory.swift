import SQLite
package import StoreModel

extension CoreDataStore {
  /// The number below which transactions were purged; nil if all that were ever saved are there, or none is kept.
  /// Numbers begin at 1 and are never given twice.
  package func historyPurgedBelow(_ transactions: TransactionReader?) throws -> Int64? {
    guard let transactions else { return nil }
    if let first = try transactions.numbers()?.lowerBound { return first > 1 ? first : nil }
    let last = lastTransactionKey
    return last > 0 && last < .max ? last + 1 : nil
  }
}
