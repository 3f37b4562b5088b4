import Lens
package import Values

/// Transactions of the mirror's own that follow each other closely: a wipe, or a large import.
package struct HistoryBurst: HasFields, Sendable, Equatable {
  package var firstTransaction: Int64
  package var lastTransaction: Int64
  package var from: CoreDataDate?
  package var until: CoreDataDate?
  package var transactions = 1
  package var inserts: Int
  package var deletes: Int
  package var changes: Int

  /// Seconds between transactions of one burst, which has one for each entity and batch.
  static let pause = 600.0

  package static let fields: [Field<Self>] = [
    Field("from", "when it began") { $0.from }, Field("until", "when it ended") { $0.until },
    Field("firstTransaction", "its first save") { $0.firstTransaction },
    Field("lastTransaction", "its last save") { $0.lastTransaction },
    Field("transactions", "saves") { $0.transactions }, Field("inserts", "objects inserted") { $0.inserts },
    Field("deletes", "objects deleted") { $0.deletes }, Field("changes", "changes in all") { $0.changes },
  ]

  package static let shape = Shape.named("burst", fields.keys())
}

/// Finds bursts among transactions that come oldest first. It keeps only the one that may go on: a made-up history
/// might have millions.
struct HistoryBursts {
  /// See `HistoryBurst.pause`.
  var pause = HistoryBurst.pause
  /// The one that may go on.
  private(set) var current: HistoryBurst?

  init(pause: Double = HistoryBurst.pause) { self.pause = pause }

  /// Takes one transaction more, and returns the burst that thereby turned out to be over.
  mutating func add(
    _ transaction: HistoryTransaction, _ counts: ChangeCounts, changes: Int
  ) -> HistoryBurst? {
    let (number, timestamp) = (transaction.number, transaction.timestamp)
    guard var burst = current, isNear(burst.until, timestamp) else {
      defer {
        current = HistoryBurst(
          firstTransaction: number, lastTransaction: number, from: timestamp, until: timestamp,
          inserts: counts.inserts, deletes: counts.deletes, changes: changes)
      }
      return current
    }
    burst.lastTransaction = number
    burst.until = timestamp
    burst.transactions += 1
    burst.inserts += counts.inserts
    burst.deletes += counts.deletes
    burst.changes += changes
    current = burst
    return nil
  }

  /// Without both times it can't be known.
  private func isNear(_ one: CoreDataDate?, _ other: CoreDataDate?) -> Bool {
    guard let one, let other else { return false }
    return abs(other.seconds - one.seconds) <= pause
  }
}
