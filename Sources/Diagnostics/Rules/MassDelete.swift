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
    var first: HistoryTransaction
    var last: HistoryTransaction
    /// By entity: what was deleted in all.
    var deletions: [Int64: ObjectTally.Deletions] = [:]
  }

  private struct Candidate {
    var first: HistoryTransaction
    var last: HistoryTransaction
    var deletions: ObjectTally.Deletions

    var entity: Int64 { deletions.entity }
    /// Without objects that the burst itself made.
    var lost: Int { deletions.grownBefore - deletions.grownAfter }
  }

  /// For made-up histories.
  private static let limit = 10_000
  private static let mostKeys = 1_000_000

  let interest: HistoryInterest = .deletions
  private let examination: Examination
  private let origin: TransactionOrigin
  private let least: Double
  private let share: Double
  private let pause: Double
  private var burst: Burst?
  private var candidates: [Candidate] = []

  init(_ examination: Examination, _ header: RuleHeader, _ origin: TransactionOrigin) throws {
    self.examination = examination
    self.origin = origin
    least = examination.setting("least", of: header)
    share = examination.setting("share", of: header)
    pause = examination.setting("pause", of: header)
  }

  func visit(_ deletions: [ObjectTally.Deletions], of transaction: HistoryTransaction) {
    guard transaction.origin == origin else { return }
    if let burst, burst.first.author == transaction.author, isNear(burst.last, transaction) {
      self.burst?.last = transaction
    } else {
      finishBurst()
      burst = Burst(first: transaction, last: transaction)
    }
    for var one in deletions {
      if let before = burst?.deletions[one.entity] {
        one.count += before.count
        one.grownBefore = before.grownBefore
      }
      burst?.deletions[one.entity] = one
    }
  }

  private func isNear(_ one: HistoryTransaction, _ other: HistoryTransaction) -> Bool {
    guard let one = one.timestamp, let other = other.timestamp else { return false }
    return abs(other.seconds - one.seconds) <= pause
  }

  private func finishBurst() {
    defer { burst = nil }
    guard let burst else { return }
    for deletions in burst.deletions.values.sorted(by: { $0.entity < $1.entity })
    where Double(deletions.count) >= least && candidates.count < Self.limit {
      candidates.append(Candidate(first: burst.first, last: burst.last, deletions: deletions))
    }
  }

  func finish(_ pages: ObjectPages, _ tally: ObjectTally, _ findings: inout FindingCollector) throws {
    finishBurst()
    guard !candidates.isEmpty, let mirror = examination.mirror else { return }
    let store = examination.store
    let mirrored = try mirror.mirroredEntities()
    let rows = try store.rowCounts()
    let token = try mirror.token
    var found: [(Candidate, before: Int, pending: Int)] = []
    for candidate in candidates where mirrored.countsChanges(of: candidate.entity) {
      let before =
        (rows[candidate.entity] ?? 0) - tally.growth[Int(candidate.entity)]
        + candidate.deletions.grownBefore
      guard Double(candidate.lost) >= max(least, share * Double(before)) else { continue }
      let pending = origin == .app ? try pending(candidate, token.transaction) : 0
      found.append((candidate, before, pending))
    }
    // Those that can still be stopped first.
    found = found.enumerated().sorted {
      ($0.element.pending > 0 ? 0 : 1, $0.offset) < ($1.element.pending > 0 ? 0 : 1, $1.offset)
    }.map(\.element)
    if origin == .app, found.contains(where: { $0.pending > 0 }) { findings.severity = .error }
    for (candidate, before, pending) in found {
      let entity = store.entityName(ofNumber: candidate.entity)
      let author = candidate.first.author
      findings.add(
        subject: "\(entity) \(candidate.first.number)",
        [
          .init("entity", .text(entity)), .init("deletes", .count(min(before, candidate.deletions.count))),
          .init("objectsBefore", .count(before)), .init("pending", .count(pending)),
          .init("author", .optional(author)), .init("who", .text(author ?? "no author")),
          .init("bundle", .optional(candidate.first.bundle)),
          .init("process", .optional(candidate.first.process)),
          .init("from", .optional(candidate.first.timestamp)),
          .init("until", .optional(candidate.last.timestamp)),
          .init("firstTransaction", .integer(candidate.first.number)),
          .init("lastTransaction", .integer(candidate.last.number)),
          .init(
            "more",
            .text(
              pending > 0
                ? "; \(Sentence.count(pending, "of them isn't", "of them aren't")) deleted on the server yet"
                : "")),
        ])
    }
  }

  /// How many of the deletions the server doesn't have yet: those that are flagged, and those with a record that the
  /// exporter hasn't processed. Without a token it isn't known what was exported before it was lost.
  private func pending(_ candidate: Candidate, _ token: Int64?) throws -> Int {
    guard examination.tables.has(.records), let reader = try HistoryReader(examination.store) else {
      return 0
    }
    var filter = HistoryFilter(
      entities: candidate.entity...candidate.entity,
      transactions: candidate.first.number...max(candidate.first.number, candidate.last.number))
    filter.kinds = [.delete]
    var deleted: [Int64: Int64] = [:]
    try reader.forEachChange(filter, reading: []) { cursor, _ in
      if let key = cursor.change.objectKey { deleted[key] = cursor.change.transaction ?? 0 }
      return deleted.count < Self.mostKeys
    }
    var pending = 0
    try examination.store.connection.forEachRow(
      "SELECT pk, needsCloudDelete AND needsUpload FROM records WHERE entityNumber = ?",
      [.integer(candidate.entity)]
    ) { row in
      guard let transaction = deleted[row.integer(0)] else { return }
      let isUnprocessed = token.map { transaction > $0 } ?? false
      if isUnprocessed || row.integer(1) == 1 { pending += 1 }
    }
    return pending
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
