import Base
import Lens
import StoreModel

/// Comes to the verdict on one object. The first rule that holds decides:
///
/// 1. Its table has no keys, or the model doesn't have its entity: `unknown`.
/// 2. There is no mirror: `notMirrored`, or `deletedHere` if there is no such object.
/// 3. No row, no record, and nothing pending: `deletedHere`.
/// 4. Its entity isn't mirrored: `localOnly`.
/// 5. What is pending can't be determined, in the whole store or of this object: `unknown`.
/// 6. The next export has something of it to send: `blocked` if the store's verdict names an obstacle, else `waiting`.
/// 7. It has no record, and no export looks for it: `blocked`.
/// 8. No row: `deletedHere`.
/// 9. Its record has something that came from the server: `onServer`; else `unknown`.
struct ObjectJudge {
  private let store: CoreDataStore
  private let mirror: Mirror?
  private let evidence: ObjectEvidence
  private let comparison: ServerComparison
  private let pending: PendingSentences
  private let deletion: DeletionJudge

  init(
    _ store: CoreDataStore, _ mirror: Mirror?, _ evidence: ObjectEvidence, _ comparison: ServerComparison
  ) throws {
    self.store = store
    self.mirror = mirror
    self.evidence = evidence
    self.comparison = comparison
    pending = PendingSentences(
      evidence, comparison, store.schema[evidence.object.entity],
      startsOver: try mirror?.token.startsOver ?? false)
    deletion = DeletionJudge(store, mirror, evidence, pending)
  }

  func verdict() throws -> ObjectVerdict {
    guard let entity = store.schema[evidence.object.entity] else {
      return unknown(
        ["The model has no entity with the number \(evidence.object.entity), so a setup drops its record."],
        "Compare the model with the app's: 'storescope entities STORE' lists what it has.")
    }
    guard let exists = evidence.exists else {
      return unknown(
        ["The table \(entity.table) has no column Z_PK, so its objects can't be found."],
        "The table differs from Core Data's; restore the store from a backup.")
    }
    guard let mirror else { return try withoutMirror(exists) }
    if !exists, evidence.records.isEmpty, evidence.pending.isEmpty, mirror.tables.has(.records) {
      return try deletion.verdict()
    }
    let mirrored = try mirror.mirroredEntities()[evidence.object.entity]
    if mirrored?.isMirrored == false, evidence.records.isEmpty {
      return exists ? localOnly(entity, because: mirrored?.because) : try deletion.verdict()
    }
    if let problem = evidence.pendingProblem { return unknown([problem], Self.seeStore) }
    let verdict = try VerdictReader.verdict(mirror, counts: evidence.counts)
    if verdict.state == .unknown {
      return unknown(Array(verdict.because.prefix(1)) + pending.reasons, Self.seeStore)
    }
    if try evidence.counts.sent(scanning: mirror.nextExportScans) > 0 { return try waiting(verdict, exists) }
    if exists, evidence.counts[.unregistered, default: 0] > 0 { return try unregistered(mirror) }
    guard exists else { return try deletion.verdict() }
    return evidence.hasServerCopy ? onServer(verdict) : unacknowledged(mirrored)
  }

  private var entityName: String { store.entityName(ofNumber: evidence.object.entity) }

  // MARK: States

  private static let seeStore = "'storescope pending STORE' and 'storescope doctor STORE' have the details."

  private func unknown(_ reasons: [String], _ advice: String) -> ObjectVerdict {
    ObjectVerdict(
      .unknown, "can't tell whether it is on the server", since: pending.since, reasons: reasons, fix: advice)
  }

  private func withoutMirror(_ exists: Bool) throws -> ObjectVerdict {
    guard exists else { return try deletion.verdict() }
    return ObjectVerdict(
      .notMirrored, lastChange,
      reasons: [
        "The store isn't mirrored to CloudKit, so the object isn't uploaded.",
        "Nothing to do, unless the app is meant to sync; then check the options of its container.",
      ])
  }

  /// Without a mirror, people ask what happened to the object.
  private var lastChange: String {
    let facts = evidence.changes.facts
    guard let last = facts.last else {
      return evidence.changes.purge == nil
        ? "in this store; history has no change of it"
        : "in this store; the history of its changes was purged"
    }
    let what =
      switch last.kind {
      case .insert: "inserted"
      case .delete: "deleted"
      case .update, nil: "last changed"
      }
    let at = last.at?.iso8601.map { " at \($0)" } ?? ""
    return
      "\(what)\(last.by)\(at), \(Sentence.count(facts.count, "change")) in history"
  }

  private func localOnly(_ entity: SchemaEntity, because: String?) -> ObjectVerdict {
    ObjectVerdict(
      .localOnly, "only on this device; \(entity.name) isn't mirrored",
      reasons: [
        because,
        "Nothing to do, unless \(entity.name) is meant to sync; then check the model's configurations.",
      ]
      .compactMap(\.self))
  }

  private func waiting(_ verdict: Verdict, _ exists: Bool) throws -> ObjectVerdict {
    var reasons = pending.reasons
    if exists, let unsent = pending.unsent { reasons.append(unsent) }
    if exists, evidence.hasServerCopy, let modified = comparison.modified?.iso8601 {
      reasons.append(
        "The server has its version of \(modified); if another device doesn't show it at all, look at that device."
      )
    }
    if verdict.state == .neverSetUp { reasons += verdict.because.prefix(1) }
    let isOnServer = !exists && evidence.hasServerCopy
    if isOnServer, let undone = try deletion.undone() { return undone }
    if isOnServer { reasons.append(DeletionJudge.nextExport) }
    let isBlocked = !verdict.obstacles.isEmpty
    reasons += splits(except: verdict.obstacles)
    reasons += (isBlocked ? verdict.obstacles : verdict.passing).map(\.why)
    let maySkip = evidence.pending.contains(where: \.maySkip)
    let obstacle = verdict.obstacles.first?.fix
    let fixes = [
      isOnServer ? deletion.howToKeep : nil,
      obstacle.map { isOnServer ? DeletionJudge.howToLetGo($0) : $0 },
      maySkip ? DeletionJudge.deleteOrphan : nil,
    ].compactMap(\.self)
    if obstacle == nil, !maySkip {
      reasons.append(
        verdict.state == .neverSetUp
          ? "The first setup, and the export after it, send it."
          : isOnServer
            ? "If it was meant, there is nothing to do: the next export carries it out."
            : "Nothing to do: the next export sends it.")
    }
    let answer = "\(pending.standing(exists)), \(isBlocked ? "blocked" : "pending")"
    return ObjectVerdict(
      isBlocked ? .blocked : .waiting, answer, since: pending.since, reasons: reasons,
      fix: fixes.isEmpty ? nil : fixes.joined(separator: " "))
  }

  /// - Parameter obstacles: what is said anyway.
  private func splits(except obstacles: [Obstacle]) -> [String] {
    let new = evidence.splits.filter { split in !obstacles.contains { $0.cause.contains(split) } }
    return new.isEmpty
      ? [] : ["Related objects are in different record zones: \(new.joined(separator: "; "))."]
  }

  private func unregistered(_ mirror: Mirror) throws -> ObjectVerdict {
    let lost = try mirror.lostRecords()
    if try lost.contains(evidence.object) {
      return ObjectVerdict(
        .blocked, "probably on the server, but its record is gone here", since: pending.since,
        reasons: [
          "It has no record anymore, although it was exported or imported before. An upload under a new name would make it appear twice on all devices."
        ], fix: LostRecords.fix)
    }
    let advice =
      try mirror.scope == .shared
      ? "In a shared database no export scans for unregistered rows: the app has to save the object again."
      : LostRecords.registration
    return ObjectVerdict(
      .blocked, "not on the server, and no export will send it", since: pending.since,
      reasons: pending.reasons, fix: advice)
  }

  private func onServer(_ verdict: Verdict) -> ObjectVerdict {
    var reasons: [String] = []
    let compared = comparison.isCompared ? "" : "; the store has no copy of its values to compare"
    if let modified = comparison.modified?.iso8601 {
      reasons.append(
        "The server's record is from \(modified), and nothing of the object is pending\(compared).")
    } else {
      reasons.append("Nothing of the object is pending\(compared).")
    }
    reasons += splits(except: [])
    // What a token or an account lead to concerns uploaded objects most of all.
    reasons += verdict.obstacles.filter { $0.kind == nil }.map(\.sentence)
    let names = comparison.differences.map(\.property)
    var fix: String?
    if names.isEmpty {
      if !comparison.notCompared.isEmpty {
        reasons.append(
          "Its values are the same there, except that \(Sentence.form(comparison.notCompared.count, "property", "properties")) \(comparison.notComparedText) can't be compared."
        )
      }
      reasons.append(
        "If another device doesn't show it, look at that device: the store doesn't record what others fetched."
      )
    } else {
      reasons.append(
        "The values of \(names.joined(separator: ", ")) differ from the server's copy, and no export will send them."
      )
      fix = "'storescope resync STORE --push --entity \(ShellQuotes.word(entityName))' uploads them again."
    }
    let isSame = names.isEmpty && comparison.isCompared && comparison.notCompared.isEmpty
    let values = !names.isEmpty ? " with different values" : isSame ? " with the same values" : ""
    return ObjectVerdict(.onServer, "on the server" + values, reasons: reasons, fix: fix)
  }

  private func unacknowledged(_ mirrored: MirroredEntities.Entity?) -> ObjectVerdict {
    guard let record = evidence.records.first else {
      return unknown(
        ["It has no CloudKit record, and nothing of it is pending.", mirrored?.because].compactMap(\.self),
        Self.seeStore)
    }
    let reason =
      record.state == .deleteLeftover
      ? "The deletion of its record was sent, and the object is still here."
      : "Its record isn't flagged for upload, and nothing from the server proves that it arrived."
    return unknown(
      [reason],
      "'storescope resync STORE --push --entity \(ShellQuotes.word(entityName))' uploads it again."
    )
  }
}
