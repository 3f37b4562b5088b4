package import Lens
import SQLite
import StoreModel
import Values

/// What persistent history says that only one of two states of a store has.
///
/// Transactions have ascending numbers that are never given twice. Up to the last number that both states knew they have
/// one history; behind it each has its own.
package struct HistoryComparison: Sendable {
  /// Nil where a store keeps no history.
  package var summaries: (store: HistorySummary?, other: HistorySummary?)
  /// The last transaction of the common history, which may be dropped from either since; nil for different stores, whose
  /// numbers have nothing to do with each other.
  package var base: Int64?
  /// By author: transactions behind the base that only the other store has, and those that only the store has.
  package var new: [HistoryGroup] = []
  package var lost: [HistoryGroup] = []
  /// Transactions of the common history that the other store has dropped.
  package var purged = 0

  package init(_ store: ComparedStore, _ other: ComparedStore, progress: (String) -> Void) throws {
    summaries = (
      try store.naming { try HistorySummary(store.store, store.open.tables) },
      try other.naming { try HistorySummary(other.store, other.open.tables) }
    )
    guard let uuid = store.store.metadata.uuid, !uuid.isEmpty, uuid == other.store.metadata.uuid else {
      return
    }
    var base = Int64.max
    let last = (store: try Self.lastNumber(store), other: try Self.lastNumber(other))
    var onlyOurs = 0
    let ours = try Self.cursor(store)
    let theirs = try Self.cursor(other)
    var hasOurs = try ours?.next() ?? false
    var hasTheirs = try theirs?.next() ?? false
    while let ours, let theirs, hasOurs, hasTheirs {
      progress("comparing history")
      let (number, otherNumber) = (ours.row.integer(0), theirs.row.integer(0))
      if number == otherNumber {
        guard ours.row.cell(1).holdsSame(as: theirs.row.cell(1)) else {
          base = number &- 1
          break
        }
        hasOurs = try ours.next()
        hasTheirs = try theirs.next()
      } else if number < otherNumber {
        onlyOurs += 1
        hasOurs = try ours.next()
      } else {
        hasTheirs = try theirs.next()
      }
    }
    if base == .max {
      base = min(last.store, last.other)
      while let ours, hasOurs, ours.row.integer(0) <= base {
        onlyOurs += 1
        hasOurs = try ours.next()
      }
    }
    self.base = base
    purged = onlyOurs
    new = try Self.groups(other, after: base, upTo: last.other, progress)
    lost = try Self.groups(store, after: base, upTo: last.store, progress)
  }

  private static func cursor(_ store: ComparedStore) throws -> Cursor? {
    let tables = FrameworkTables(store.store.tables)
    guard tables.hasHistory else { return nil }
    return try store.cursor(
      View.transactions(tables).select(["transaction", "timestamp"], "ORDER BY \"transaction\""))
  }

  /// The highest number that was ever given, as Z_PRIMARYKEY keeps it even where all transactions are dropped.
  private static func lastNumber(_ store: ComparedStore) throws -> Int64 {
    let highest = try store.naming { try TransactionReader(store.store)?.newestTransaction() }
    let counter = store.store.primaryKeys.framework.first { $0.name == FrameworkTable.transactions.entity }
    return highest ?? counter?.lastKey ?? 0
  }

  private static func groups(
    _ store: ComparedStore, after base: Int64, upTo last: Int64, _ progress: (String) -> Void
  ) throws -> [HistoryGroup] {
    guard base < last else { return [] }
    return try store.naming {
      let reader = try HistoryReader(store.store)
      return try reader?.groups(
        by: .author, HistoryFilter(transactions: base + 1...last),
        entityName: store.store.entityName(ofNumber:), progress: { _ in progress("comparing history") }) ?? []
    }
  }

  /// Whether both have the same transactions, as far as that can be determined.
  package var isEmpty: Bool { new.isEmpty && lost.isEmpty && purged == 0 }
}
