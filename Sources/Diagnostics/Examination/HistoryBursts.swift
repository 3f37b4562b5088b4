import Lens
package import Values

/// Transactions of the mirror's own that follow each other closely: a wipe, or a large import.
package struct HistoryBurst: Sendable, Equatable {
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

  package var value: DataValue {
    [
      "from": .optional(from), "until": .optional(until), "firstTransaction": .integer(firstTransaction),
      "lastTransaction": .integer(lastTransaction), "transactions": .count(transactions),
      "inserts": .count(inserts), "deletes": .count(deletes), "changes": .count(changes),
    ]
  }
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
