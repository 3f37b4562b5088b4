package import Lens
import SQLite
import StoreModel
import Values

/// What persistent history says that only one of two states of a store has: see `CommonHistory`.
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
  /// Whether each store went on by itself after the base.
  package var isDiverged = false

  package init(_ store: ComparedStore, _ other: ComparedStore, progress: (String) -> Void) throws {
    summaries = (
      try store.naming { try HistorySummary(store.store, store.open.tables) },
      try other.naming { try HistorySummary(other.store, other.open.tables) }
    )
    guard let uuid = store.store.metadata.uuid, !uuid.isEmpty, uuid == other.store.metadata.uuid else {
      return
    }
    let common = try CommonHistory(store.store, other.store) { progress("comparing history") }
    base = common.base
    isDiverged = common.isDiverged
    purged = common.purged
    let (base, last) = (common.base, common.last)
    new = try Self.groups(other, after: base, upTo: last.other, progress)
    lost = try Self.groups(store, after: base, upTo: last.store, progress)
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
