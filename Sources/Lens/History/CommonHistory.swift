import SQLite
package import StoreModel

/// How far two states of one store have the same history.
///
/// Transactions have ascending numbers that are never given twice. Up to the last number that both states knew they have
/// one history; behind it each has its own.
package struct CommonHistory {
  /// The last transaction of the common history, which may be dropped from either since.
  package let base: Int64
  /// The last number that each has given.
  package let last: (store: Int64, other: Int64)
  /// Transactions of the common history that the other one has dropped.
  package let purged: Int

  /// Whether each went on by itself, so that neither continues the other.
  package var isDiverged: Bool { base < last.store && base < last.other }

  /// - Parameter progress: called again and again.
  /// - Throws: `StoreScopeError` that names the store that can't be read.
  package init(_ store: CoreDataStore, _ other: CoreDataStore, progress: () -> Void = {}) throws {
    last = (try Self.lastNumber(store), try Self.lastNumber(other))
    var base = Int64.max
    var onlyOurs = 0
    var ours = try Transactions(store)
    var theirs = try Transactions(other)
    try ours?.next()
    try theirs?.next()
    while let number = ours?.number, let otherNumber = theirs?.number {
      progress()
      if number == otherNumber {
        guard ours?.hasSameTime(as: theirs) == true else {
          base = number &- 1
          break
        }
        try ours?.next()
        try theirs?.next()
      } else if number < otherNumber {
        onlyOurs += 1
        try ours?.next()
      } else {
        try theirs?.next()
      }
    }
    if base == .max {
      base = min(last.store, last.other)
      while let number = ours?.number, number <= base {
        onlyOurs += 1
        try ours?.next()
      }
    }
    self.base = base
    purged = onlyOurs
  }

  /// The highest number that was ever given, as Z_PRIMARYKEY keeps it even if all transactions are dropped.
  private static func lastNumber(_ store: CoreDataStore) throws -> Int64 {
    let highest = try naming(store) { try TransactionReader(store)?.newestTransaction() }
    return highest ?? store.lastTransactionKey
  }

  /// Of two stores an error must say which it is about.
  private static func naming<R>(_ store: CoreDataStore, _ body: () throws -> R) throws -> R {
    do { return try body() } catch let error as SQLiteError where !error.isInterrupt {
      throw error.failure(reading: store.path)
    }
  }

  /// The transactions of one store, oldest first.
  private struct Transactions {
    private let store: CoreDataStore
    private let row: Statement
    /// Of the current one; nil before the first and after the last.
    private(set) var number: Int64?

    init?(_ store: CoreDataStore) throws {
      let tables = FrameworkTables(store.tables)
      guard tables.hasHistory else { return nil }
      self.store = store
      row = try naming(store) {
        try store.connection.prepare(
          View.transactions(tables).select(["transaction", "timestamp"], "ORDER BY \"transaction\""))
      }
    }

    mutating func next() throws {
      number = try naming(store) { try row.step() } ? row.integer(0) : nil
    }

    func hasSameTime(as other: Self?) -> Bool {
      other.map { row.cell(1).holdsSame(as: $0.row.cell(1)) } ?? false
    }
  }
}
