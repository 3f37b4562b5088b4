import SQLite
package import StoreModel

extension CoreDataStore {
  /// The number below which transactions were purged; nil if all that were ever saved are there, or none is kept.
  /// Numbers begin at 1 and are never given twice, which Z_PRIMARYKEY remembers if all of them are gone.
  package func historyPurgedBelow(_ transactions: TransactionReader?) throws -> Int64? {
    guard let transactions else { return nil }
    if let first = try transactions.numbers()?.lowerBound { return first > 1 ? first : nil }
    let last = primaryKeys.framework.first { $0.name == FrameworkTable.transactions.entity }?.lastKey ?? 0
    return last > 0 && last < .max ? last + 1 : nil
  }
}
