import Base
import Lens
import SQLite
import StoreModel

/// Bursts in which one side deleted most of a mirrored entity's objects.
final class MassDeletes: HistoryObserver {
  private struct Burst {
    /// The first that deletes something.
    var first: HistoryTransaction
    var last: HistoryTransaction
    /// By entity.
    var losses: [Int64: Loss] = [:]
    /// Those that made objects shortly before the first delete, and all that follow.
    var transactions: [Int64]
  }

  /// What became of one entity's objects.
  struct Loss {
    var deletes = 0
    /// Inserts less deletes since history began, before the burst made or deleted anything.
    var grownBefore: Int
    var grownAfter: Int
  }

  struct Candidate {
    var entity: Int64
    var first: HistoryTransaction
    var last: HistoryTransaction
    var loss: Loss
    var transactions: [Int64]
    /// How many objects there were.
    var before = 0
    /// Deleted objects that the burst itself didn't make; more than the entity shrank by if it made others.
    var deleted = 0
    /// Deletions that the server doesn't have yet.
    var pending = 0

    /// Without objects that the burst itself made.
    var shrinkage: Int { loss.grownBefore - loss.grownAfter }
  }

  /// Objects that were just made: if they are deleted at once, nobody misses them.
  private struct Insertion {
    var transaction: HistoryTransaction
    var entity: Int64
    var count: Int
  }

  /// For made-up histories.
  private static let limit = 10_000
  private static let mostInsertions = 1000

  let interest: HistoryInterest = .totals
  private let examination: Examination
  private let origin: TransactionOrigin
  private let least: Double
  private let share: Double
  private let pause: Double
  private var burst: Burst?
  /// Those since the oldest that may still count, oldest first.
  private var insertions: ArraySlice<Insertion> = []
  private var candidates: [Candidate] = []

  init(_ examination: Examination, _ origin: TransactionOrigin) {
    self.examination = examination
    self.origin = origin
    let header = (origin == .app ? Rule.massDeleteByApp : .massDeleteImported).header
    least = examination.setting("least", of: header)
    share = examination.setting("share", of: header)
    pause = examination.setting("pause", of: header)
  }

  func visit(_ totals: [ObjectTally.Totals], of transaction: HistoryTransaction) {
    guard transaction.origin == origin else { return }
    if let burst, burst.first.author == transaction.author, isNear(burst.last, transaction) {
      add(totals, of: transaction)
    } else if totals.contains(where: { $0.deletes > 0 }) {
      finishBurst()
      burst = Burst(first: transaction, last: transaction, transactions: recent(before: transaction))
      add(totals, of: transaction)
    }
    for one in totals where one.inserts > 0 {
      insertions.append(Insertion(transaction: transaction, entity: one.entity, count: one.inserts))
    }
    while let oldest = insertions.first?.transaction,
      insertions.count > Self.mostInsertions || !isNear(oldest, transaction)
    {
      insertions.removeFirst()
    }
  }

  private func recent(before transaction: HistoryTransaction) -> [Int64] {
    insertions.map(\.transaction).filter { $0.author == transaction.author && isNear($0, transaction) }
      .map(\.number)
  }

  private func add(_ totals: [ObjectTally.Totals], of transaction: HistoryTransaction) {
    // What only makes objects goes on with a burst, but doesn't prolong it.
    if totals.contains(where: { $0.deletes > 0 }) { burst?.last = transaction }
    burst?.transactions.append(transaction.number)
    for one in totals {
      var loss = burst?.losses[one.entity] ?? Loss(grownBefore: grown(before: one), grownAfter: 0)
      loss.deletes += one.deletes
      loss.grownAfter = one.growth
      burst?.losses[one.entity] = loss
    }
  }

  /// Without the objects that the burst's author made shortly before.
  private func grown(before totals: ObjectTally.Totals) -> Int {
    guard let first = burst?.first else { return 0 }
    let made = insertions.reduce(0) { sum, insertion in
      let counts =
        insertion.entity == totals.entity && insertion.transaction.author == first.author
        && insertion.transaction.number < first.number && isNear(insertion.transaction, first)
      return counts ? sum + insertion.count : sum
    }
    return totals.growth - totals.inserts + totals.deletes - made
  }

  private func isNear(_ one: HistoryTransaction, _ other: HistoryTransaction) -> Bool {
    guard let one = one.timestamp, let other = other.timestamp else { return false }
    return abs(other.seconds - one.seconds) <= pause
  }

  private func finishBurst() {
    defer { burst = nil }
    guard let burst else { return }
    for (entity, loss) in burst.losses.sorted(by: { $0.key < $1.key })
    where Double(loss.deletes) >= least && candidates.count < Self.limit {
      candidates.append(
        Candidate(
          entity: entity, first: burst.first, last: burst.last, loss: loss, transactions: burst.transactions))
    }
  }

  func finish(_ tally: ObjectTally, _ findings: inout FindingCollector) throws {
    finishBurst()
    guard !candidates.isEmpty, let mirror = examination.mirror else { return }
    let store = examination.store
    let mirrored = try mirror.mirroredEntities()
    let rows = try store.rowCounts()
    var found = candidates.filter { mirrored.countsChanges(of: $0.entity) }.compactMap {
      candidate -> Candidate? in
      var one = candidate
      one.before = (rows[one.entity] ?? 0) - tally.growth[Int(one.entity)] + one.loss.grownBefore
      return Double(one.shrinkage) >= max(least, share * Double(one.before)) ? one : nil
    }
    guard !found.isEmpty else { return }
    for index in found.indices { found[index].deleted = found[index].shrinkage }
    try LostObjects(examination, found)?.count(in: &found, origin: origin, token: mirror.token.transaction)
    // Those that can still be stopped first.
    found = found.enumerated().sorted {
      ($0.element.pending > 0 ? 0 : 1, $0.offset) < ($1.element.pending > 0 ? 0 : 1, $1.offset)
    }.map(\.element)
    if found.contains(where: { $0.pending > 0 }) { findings.severity = .error }
    for one in found { findings.add(one, entity: store.entityName(ofNumber: one.entity)) }
  }
}

extension FindingCollector {
  fileprivate mutating func add(_ one: MassDeletes.Candidate, entity: String) {
    let author = one.first.author
    add(
      subject: "\(entity) \(one.first.number)",
      [
        "entity": .text(entity), "deletes": .count(min(one.before, one.deleted)),
        "objectsBefore": .count(one.before), "pending": .count(one.pending), "author": .optional(author),
        "who": .text(author ?? "no author"), "bundle": .optional(one.first.bundle),
        "process": .optional(one.first.process), "from": .optional(one.first.timestamp),
        "until": .optional(one.last.timestamp), "firstTransaction": .integer(one.first.number),
        "lastTransaction": .integer(one.last.number),
        "more": .text(
          one.pending > 0
            ? "; \(Sentence.count(one.pending, "of them isn't", "of them aren't")) deleted on the server yet"
            : ""),
      ])
  }
}

/// Objects that bursts deleted and didn't make: read in one pass over history for all candidates, as a cache that is filled
/// again at each sync makes thousands.
struct LostObjects {
  private let examination: Examination
  /// With the place of the candidate.
  private let lost: [ObjectKey: (candidate: Int, transaction: Int64)]

  private static let mostKeys = 1_000_000

  /// Nil if they can't be distinguished.
  init?(_ examination: Examination, _ found: [MassDeletes.Candidate]) throws {
    self.examination = examination
    // Candidates of one burst follow each other.
    var places: [Int64: ClosedRange<Int>] = [:]
    for (index, candidate) in found.enumerated() {
      for number in candidate.transactions { places[number] = (places[number]?.lowerBound ?? index)...index }
    }
    let entities = found.map(\.entity)
    guard let first = places.keys.min(), let last = places.keys.max(), let least = entities.min(),
      let most = entities.max(), let reader = try HistoryReader(examination.store)
    else { return nil }
    var filter = HistoryFilter(entities: least...most, transactions: first...last)
    filter.kinds = [.insert, .delete]
    var made: [ObjectKey: Int] = [:]
    var lost: [ObjectKey: (candidate: Int, transaction: Int64)] = [:]
    try reader.forEachChange(filter, reading: []) { cursor, _ in
      let change = cursor.change
      guard let transaction = change.transaction, let place = places[transaction],
        let entity = change.entity, let primaryKey = change.objectKey,
        let candidate = place.first(where: { found[$0].entity == entity })
      else { return true }
      let key = ObjectKey(entity: entity, primaryKey: primaryKey)
      if change.kind == .insert {
        made[key] = candidate
      } else if made[key] != candidate {
        lost[key] = (candidate, transaction)
      }
      return made.count + lost.count < Self.mostKeys
    }
    guard made.count + lost.count < Self.mostKeys else { return nil }
    self.lost = lost
  }

  func count(in found: inout [MassDeletes.Candidate], origin: TransactionOrigin, token: Int64?) throws {
    for index in found.indices { found[index].deleted = 0 }
    for object in lost.values { found[object.candidate].deleted += 1 }
    guard origin == .app, examination.tables.has(.records) else { return }
    // Those that are flagged, and those with a record that the exporter hasn't processed. Without a token it isn't known
    // what was exported before it was lost.
    try examination.store.connection.forEachRow(
      "SELECT entityNumber, pk, needsCloudDelete AND needsUpload FROM records"
    ) { row in
      let key = ObjectKey(entity: row.integer(0), primaryKey: row.integer(1))
      guard let object = lost[key] else { return }
      let isUnprocessed = token.map { object.transaction > $0 } ?? false
      if isUnprocessed || row.integer(2) == 1 { found[object.candidate].pending += 1 }
    }
  }
}
