import Lens
import SQLite
import StoreModel
import Values

extension Rule {
  static let massDeleteByApp = Rule(aboutApp, .history { try MassDeletes($0, aboutApp, .app) })
  static let massDeleteImported = Rule(aboutImport, .history { try MassDeletes($0, aboutImport, .importing) })
}

/// Bursts in which one side deleted most of a mirrored entity's objects.
private final class MassDeletes: HistoryObserver {
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
  private struct Loss {
    var deletes = 0
    /// Inserts less deletes since history began, before the burst made or deleted anything.
    var grownBefore: Int
    var grownAfter: Int
  }

  private struct Candidate {
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
  private static let mostKeys = 1_000_000

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

  init(_ examination: Examination, _ header: RuleHeader, _ origin: TransactionOrigin) throws {
    self.examination = examination
    self.origin = origin
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

  func finish(_ pages: ObjectPages, _ tally: ObjectTally, _ findings: inout FindingCollector) throws {
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
    try count(&found, token: mirror.token.transaction)
    // Those that can still be stopped first.
    found = found.enumerated().sorted {
      ($0.element.pending > 0 ? 0 : 1, $0.offset) < ($1.element.pending > 0 ? 0 : 1, $1.offset)
    }.map(\.element)
    if found.contains(where: { $0.pending > 0 }) { findings.severity = .error }
    for one in found {
      let entity = store.entityName(ofNumber: one.entity)
      let author = one.first.author
      findings.add(
        subject: "\(entity) \(one.first.number)",
        [
          .init("entity", .text(entity)), .init("deletes", .count(min(one.before, one.deleted))),
          .init("objectsBefore", .count(one.before)), .init("pending", .count(one.pending)),
          .init("author", .optional(author)), .init("who", .text(author ?? "no author")),
          .init("bundle", .optional(one.first.bundle)),
          .init("process", .optional(one.first.process)),
          .init("from", .optional(one.first.timestamp)),
          .init("until", .optional(one.last.timestamp)),
          .init("firstTransaction", .integer(one.first.number)),
          .init("lastTransaction", .integer(one.last.number)),
          .init(
            "more",
            .text(
              one.pending > 0
                ? "; \(Sentence.count(one.pending, "of them isn't", "of them aren't")) deleted on the server yet"
                : "")),
        ])
    }
  }

  /// Which objects were lost, in one pass over history and one over the records for all candidates: a cache that is
  /// filled again at each sync makes thousands.
  private func count(_ found: inout [Candidate], token: Int64?) throws {
    for index in found.indices { found[index].deleted = found[index].shrinkage }
    guard let lost = try lostObjects(found) else { return }
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

  /// Objects that bursts deleted and didn't make, with the place of the candidate; nil if they can't be distinguished.
  private func lostObjects(
    _ found: [Candidate]
  ) throws -> [ObjectKey: (candidate: Int, transaction: Int64)]? {
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
    return made.count + lost.count < Self.mostKeys ? lost : nil
  }
}

private let share = Threshold(
  "share", 0.5, "part of the entity's objects; below half, it may be somebody cleaning up")
private let least = Threshold(
  "least", 20, "deletes of one entity; fewer are what a person deletes in a session")
private func pause(_ reason: String) -> Threshold {
  Threshold("pause", 60, "seconds between transactions of one burst; \(reason)")
}

private let aboutApp = RuleHeader(
  "mass-delete-by-app", .warning,
  title: "A program deleted most objects of an entity",
  looksFor: """
    Bursts of transactions by one author that delete at least 'share' of a mirrored entity's objects, and at \
    least 'least'. An error as long as some of these deletions haven't reached the server.
    """,
  why: """
    Deletions are exported like any change: what one device deletes disappears from iCloud and from all other \
    devices. Migrations, "start over" functions and wrong predicates did that to people's libraries.
    """,
  nextLaunch: "Pending deletions are exported, and every other device then deletes the same objects.",
  remedy: """
    If it wasn't meant: don't launch the app on this device while deletions are pending, keep this file, and \
    restore a backup from before 'from'. 'storescope history STORE --change delete --by author' shows who deleted what; \
    'storescope trace STORE OBJECT' shows one object.
    """,
  needs: [.history, .mirror], log: .transactions,
  falsePositives: """
    The user deleted everything on purpose, or the app replaces its objects in a later save. Batch deletes without \
    history aren't seen. How many objects there were is counted back from today's rows through history.
    """,
  evidence: "App authors report libraries that one device emptied everywhere.",
  message: "{who} deleted {deletes} of {objectsBefore} {entity} objects at {from}{more}.",
  thresholds: [share, least, pause("an app that deletes object by object saves many times a minute")])

private let aboutImport = RuleHeader(
  "mass-delete-imported", .warning,
  title: "Another device deleted most objects of an entity",
  looksFor: """
    Bursts of imports that delete at least 'share' of a mirrored entity's objects, and at least 'least'.
    """,
  why: """
    Another device deleted the objects in iCloud, and this store followed. If that wasn't meant, the cause is on that \
    device, and only a backup has the objects.
    """,
  nextLaunch: "Nothing more: the objects are gone here and on the server.",
  remedy: """
    Ask which devices were active at 'from', and look for 'mass-delete-by-app' in their stores. Restore a backup from \
    before that time on a device without a network, and export the objects from it.
    """,
  needs: [.history, .mirror], log: .transactions,
  falsePositives: """
    The user deleted everything on purpose on another device, or left a share. How many objects there were is counted \
    back from today's rows through history.
    """,
  evidence: "App authors report libraries that one device emptied everywhere.",
  message: "An import deleted {deletes} of {objectsBefore} {entity} objects at {from}.",
  thresholds: [share, least, pause("imports come in transactions of a few hundred objects")])
