import Lens
import StoreModel
import Values

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
  private let object: ObjectKey
  private let evidence: ObjectEvidence
  private let comparison: ServerComparison
  private let startsOver: Bool

  init(
    _ store: CoreDataStore, _ mirror: Mirror?, _ object: ObjectKey, _ evidence: ObjectEvidence,
    _ comparison: ServerComparison
  ) throws {
    startsOver = try mirror?.token.startsOver ?? false
    self.store = store
    self.mirror = mirror
    self.object = object
    self.evidence = evidence
    self.comparison = comparison
  }

  func verdict() throws -> ObjectVerdict {
    guard let entity = store.schema[object.entity] else {
      return unknown(
        ["The model has no entity with the number \(object.entity), so a setup drops its record."],
        "Compare the model with the app's: 'storescope entities STORE' lists what it has.")
    }
    guard let exists = evidence.exists else {
      return unknown(
        ["The table \(entity.table) has no column Z_PK, so its objects can't be found."],
        "The table differs from Core Data's; restore the store from a backup.")
    }
    guard let mirror else { return try withoutMirror(exists) }
    if !exists, evidence.records.isEmpty, evidence.pending.isEmpty, mirror.tables.has(.records) {
      return try deleted(mirror)
    }
    let mirrored = try mirror.mirroredEntities()[object.entity]
    if mirrored?.isMirrored == false, evidence.records.isEmpty {
      return exists ? localOnly(entity, because: mirrored?.because) : try deleted(mirror)
    }
    if let problem = evidence.pendingProblem { return unknown([problem], Self.seeStore) }
    let verdict = try VerdictReader.verdict(mirror, counts: evidence.counts)
    if verdict.state == .unknown {
      return unknown(Array(verdict.because.prefix(1)) + pendingReasons(), Self.seeStore)
    }
    if try evidence.counts.sent(scanning: mirror.nextExportScans) > 0 { return try pending(verdict, exists) }
    if exists, evidence.counts[.unregistered, default: 0] > 0 { return try unregistered(mirror) }
    guard exists else { return try deleted(mirror) }
    return hasServerCopy ? onServer(verdict) : unacknowledged(mirrored)
  }

  /// A record with something that came from the server, which wasn't asked to delete it.
  private var hasServerCopy: Bool {
    evidence.records.contains { $0.isAcknowledged && $0.state != .deleteLeftover }
  }

  private var entityName: String { store.entityName(ofNumber: object.entity) }

  // MARK: States

  private static let seeStore = "'storescope pending STORE' and 'storescope doctor STORE' have the details."

  private func unknown(_ reasons: [String], _ advice: String) -> ObjectVerdict {
    ObjectVerdict(
      .unknown, "can't tell whether it is on the server", since: since, reasons: reasons, fix: advice)
  }

  private func withoutMirror(_ exists: Bool) throws -> ObjectVerdict {
    guard exists else { return try deleted(nil) }
    return ObjectVerdict(
      .notMirrored, lastChange,
      reasons: [
        "The store isn't mirrored to CloudKit, so nothing of it is sent anywhere.",
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
    return "\(what)\(Self.by(last.author))\(at), \(Sentence.count(facts.count, "change")) in history"
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

  private func pending(_ verdict: Verdict, _ exists: Bool) throws -> ObjectVerdict {
    var reasons = pendingReasons()
    if exists, hasServerCopy, let modified = comparison.modified?.iso8601 {
      reasons.append(
        "The server has its version of \(modified); if another device doesn't show it at all, look at that device."
      )
    }
    if verdict.state == .neverSetUp { reasons += verdict.because.prefix(1) }
    let isOnServer = !exists && hasServerCopy
    if isOnServer, let mirror, let wipe = try wipe(mirror) { return deletionUndone(by: wipe) }
    if isOnServer { reasons = [Self.howToStop] + reasons + [Self.noPull] }
    let isBlocked = !verdict.obstacles.isEmpty
    reasons += (isBlocked ? verdict.obstacles : verdict.passing).map(\.why)
    let maySkip = evidence.pending.contains(where: \.maySkip)
    var fix = verdict.obstacles.first.map {
      isOnServer ? "If it was meant, let it through. \($0.fix)" : $0.fix
    }
    if maySkip { fix = [fix, Self.deleteOrphan].compactMap(\.self).joined(separator: " ") }
    if fix == nil {
      reasons.append(
        verdict.state == .neverSetUp
          ? "The first setup, and the export after it, send it."
          : isOnServer
            ? "If it was meant, there is nothing to do: the next export carries it out."
            : "Nothing to do: the next export sends it.")
    }
    let answer = "\(standing(exists)), \(isBlocked ? "blocked" : "pending")"
    return ObjectVerdict(isBlocked ? .blocked : .waiting, answer, since: since, reasons: reasons, fix: fix)
  }

  private static let deleteOrphan = """
    If the record is still here after the next export, 'storescope repair STORE remove-orphan-records \
    --cloud delete' queues its deletion.
    """

  /// Whatever lets exports succeed lets the deletion through as well.
  private static let howToStop = """
    It can still be stopped: keep the app closed here, and restore a backup from before the deletion with \
    'storescope restore BACKUP', or save a copy of the object on another device that still has it.
    """
  private static let noPull =
    "The next successful export deletes it on the server; 'storescope resync STORE --pull' doesn't keep it from that."

  /// The step of the next launch that deletes what is here and fetches it again, before it exports anything.
  private func wipe(_ mirror: Mirror) throws -> LaunchForecast.Step? {
    try MirrorForecast(mirror, model: store.model, isAppsModel: false, migrates: false).steps.first {
      $0.outcome == .wipes && [.checkAccount, .checkToken].contains($0.stage)
    }
  }

  private func deletionUndone(by wipe: LaunchForecast.Step) -> ObjectVerdict {
    var reasons = [
      "The deletion won't be exported, and the object comes back from iCloud: the next launch fetches everything again before it exports.",
      wipe.because,
    ]
    reasons += pendingReasons()
    reasons.append("If the deletion wasn't meant, there is nothing to do.")
    let isFlagged = evidence.pending.contains { $0.kind == .cloudDelete }
    let fix = wipe.fix.map {
      "If it was meant, let it through. \($0)\(isFlagged ? "" : " \(Self.deleteOrphan)")"
    }
    return ObjectVerdict(
      .blocked, "deleted here, but the next launch brings it back", since: since, reasons: reasons, fix: fix)
  }

  private func unregistered(_ mirror: Mirror) throws -> ObjectVerdict {
    let lost = try mirror.lostRecords()
    if lost.contains(object) {
      return ObjectVerdict(
        .blocked, "probably on the server, but its record is gone here", since: since,
        reasons: [
          "It has no record anymore, although it was exported or imported before. An upload under a new name would make it appear twice on all devices."
        ], fix: LostRecords.fix)
    }
    let advice =
      try mirror.scope == .shared
      ? "In a shared database no export scans for unregistered rows: the app has to save the object again."
      : "'storescope repair STORE register-missing' asks the framework to upload such rows."
    return ObjectVerdict(
      .blocked, "not on the server, and no export will send it", since: since,
      reasons: pendingReasons(), fix: advice)
  }

  private func onServer(_ verdict: Verdict) -> ObjectVerdict {
    var reasons: [String] = []
    if let modified = comparison.modified?.iso8601 {
      reasons.append("The server's record is from \(modified), and nothing of the object is pending.")
    } else {
      reasons.append("Nothing of the object is pending.")
    }
    // What a token or an account lead to concerns uploaded objects most of all.
    reasons += verdict.obstacles.filter { $0.kind == nil }.map(\.sentence)
    let names = comparison.differences.map(\.property)
    var fix: String?
    if names.isEmpty {
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

  // MARK: Deleted objects

  private func deleted(_ mirror: Mirror?) throws -> ObjectVerdict {
    let deletion = evidence.changes.facts.last { $0.kind == .delete }
    var reasons = [self.reason(deletion)]
    let answer = deletion == nil ? "not in the store anymore" : "deleted here"
    if let record = evidence.records.first(where: { $0.state != .deleteLeftover }), record.isAcknowledged {
      return ObjectVerdict(
        .deletedHere, "\(answer), but its record is still on the server", since: deletion?.at,
        reasons: reasons + ["Its record isn't flagged, so no export will delete it on the server."],
        fix: """
          To get it back, 'storescope resync STORE --pull' makes the next launch fetch it again. If it was meant to be \
          deleted, 'storescope repair STORE remove-orphan-records --cloud delete' queues the deletion on the server.
          """)
    }
    guard let mirror, let deletion, deletion.origin == .app else {
      if mirror != nil { reasons.append("Nothing of it is pending.") }
      return ObjectVerdict(
        .deletedHere, answer, since: deletion?.at,
        reasons: reasons + ["Nothing to do here; a backup made before may have it."])
    }
    switch try fate(of: deletion, mirror) {
    case .exported:
      reasons.append(
        "Nothing of it is pending, so it can't be stopped anymore; a backup made before may have the object.")
      reasons.append("Nothing to do: other devices delete it with their next import.")
    case .neverUploaded:
      reasons.append("Nothing of it is pending: it was never uploaded.")
      reasons.append("Nothing to do; a backup made before may have it.")
    case .recordLost:
      return ObjectVerdict(
        .deletedHere, "\(answer), but probably still on the server", since: deletion.at,
        reasons: reasons + [
          "Its record is gone here, although it was exported or imported before, so no export will delete it on the server."
        ],
        fix: """
          'storescope resync STORE --pull' makes the next launch fetch it again. If the deletion was meant, delete it in \
          the app after that, or on another device that still has it.
          """)
    }
    return ObjectVerdict(.deletedHere, answer, since: deletion.at, reasons: reasons)
  }

  /// What became of a deletion by the app of an object without a record here.
  private enum Fate {
    case exported, neverUploaded, recordLost
  }

  private func fate(of deletion: TracedChanges.Fact, _ mirror: Mirror) throws -> Fate {
    let processed = try LostRecords.isProcessed(mirror)
    let exported = try mirror.events[.export].lastSuccess?.started
    // What is processed is sent by an export that succeeds, if not by the same one.
    func isSent(_ fact: TracedChanges.Fact) -> Bool {
      guard fact.transaction.map({ processed($0, fact.at) }) ?? true else { return false }
      guard let exported, let saved = fact.at else { return true }
      return saved <= exported
    }
    guard mirror.tables.has(.records), !isSent(deletion) else { return .exported }
    // Objects of a shared database get a record with their share only.
    guard try mirror.mirroredEntities()[object.entity]?.isMirrored != false, try mirror.scope != .shared,
      let first = evidence.changes.facts.first, first.kind != .insert || isSent(first)
    else { return .neverUploaded }
    return .recordLost
  }

  private func reason(_ deletion: TracedChanges.Fact?) -> String {
    guard let deletion else {
      return evidence.changes.purge == nil
        ? "There is no such row, and history doesn't show when it was deleted."
        : "There is no such row, and the history that could show when it was deleted was purged."
    }
    let at = deletion.at?.iso8601.map { " at \($0)" } ?? ""
    return switch deletion.origin {
    case .importing: "Deleted by an import\(at): another device deleted it."
    case .reset:
      "Deleted\(at), when the mirror wiped its objects; what the server has comes back with imports."
    case .app, .housekeeping, nil: "Deleted\(Self.by(deletion.author))\(at)."
    }
  }

  // MARK: What is pending

  private var since: CoreDataDate? { evidence.pending.compactMap(\.since).min() }

  private static func by(_ author: String?) -> String { author.map { " by \(LongName.cut($0))" } ?? "" }

  /// What the server has, compared with here.
  private func standing(_ exists: Bool) -> String {
    guard exists else { return hasServerCopy ? "deleted here, still on the server" : "deleted here" }
    guard hasServerCopy else { return "not on the server" }
    if !comparison.differences.isEmpty { return "older on the server than here" }
    // A new link flags the objects at its ends as well.
    let hasLinks = evidence.pending.contains { $0.kind == .link || $0.kind == .linkDelete }
    let isOwn = evidence.pending.contains { [.upload, .unanalyzed, .cloudDelete].contains($0.kind) }
    let isSame = comparison.isCompared && comparison.notCompared.isEmpty
    if isOwn, isSame, !hasLinks { return "on the server with the same values, but to be uploaded again" }
    // A push flags what didn't change.
    let isUnchanged = evidence.pending.allSatisfy {
      $0.kind == .upload
        ? $0.transaction == nil && !$0.mayBeOlder : $0.kind != .unanalyzed && $0.kind != .cloudDelete
    }
    if isOwn, isUnchanged { return "on the server, but to be uploaded again" }
    // What was uploaded long ago is in history as well.
    let isFlagged = evidence.pending.contains { $0.kind == .upload }
    if isOwn, startsOver, !isFlagged { return "on the server, but to be uploaded again" }
    if isOwn, !(isSame && hasLinks) { return "on the server without its latest changes" }
    return hasLinks ? "on the server without its latest links" : "on the server, but also in its old zone"
  }

  /// The object's own values first, then its links and the like.
  private func pendingReasons() -> [String] {
    let own: Set<PendingItem.Kind> = [.upload, .cloudDelete, .unanalyzed, .unregistered]
    let kinds = PendingItem.Kind.allCases
    return (kinds.filter(own.contains) + kinds.filter { !own.contains($0) }).flatMap { kind in
      reasons(kind, evidence.pending.filter { $0.kind == kind })
    }
  }

  private func reasons(_ kind: PendingItem.Kind, _ items: [PendingItem]) -> [String] {
    guard let first = items.first else { return [] }
    let count = items.count
    switch kind {
    case .upload where evidence.exists == true && first.entity != nil && first.transaction != nil:
      return [
        hasServerCopy
          ? "Changed\(who(first)) after its last export\(lastly(after: first))."
          : "\(verb(first))\(who(first)) and never uploaded."
      ]
    case .unanalyzed where first.maySkip:
      return [
        """
        Deleted\(who(first)), and its record is still here. Without a history token, the next export \
        processes its insertion again, too, and may skip the deletion.
        """
      ]
    case .unanalyzed where first.isRepeated:
      return [
        """
        \(verb(first))\(who(first)) and exported before; without a history token, the next export processes \
        all of history again.\(comparison.modified == nil ? " The server probably has it already." : "")
        """
      ]
    case .unanalyzed where startsOver:
      return [
        "\(verb(first))\(who(first)); without a history token, the next export processes all of history."
      ]
    case .unanalyzed: return ["\(verb(first))\(who(first)), after the last export."]
    case .cloudDelete where first.since == nil && first.mayBeOlder:
      return [
        "Deleted; the history that showed who and when was purged. The server still has its record."
      ]
    case .cloudDelete: return ["Deleted\(who(first)); the server still has its record."]
    case .link:
      return [
        "\(Sentence.count(count, "link")) of it \(Sentence.form(count, "isn't", "aren't")) on the server yet."
      ]
    case .linkDelete:
      return [
        "\(Sentence.count(count, "removed link")) of it \(Sentence.form(count, "is", "are")) still on the server."
      ]
    case .moveReceipt:
      return [
        "It moved to another zone; \(Sentence.count(count, "old record")) of it must still be deleted on the server."
      ]
    default: return items.map(\.reason)
    }
  }

  /// The newest of the changes, if there are several.
  private func lastly(after item: PendingItem) -> String {
    guard let first = item.transaction,
      let last = evidence.changes.facts.last(where: { $0.origin == .app && $0.transaction ?? 0 > first }),
      let at = last.at?.iso8601
    else { return "" }
    return ", most recently\(Self.by(last.author)) at \(at)"
  }

  private func who(_ item: PendingItem) -> String {
    Self.by(item.author)
      + (item.since?.iso8601.map { " at \($0)\(item.mayBeOlder ? " or earlier" : "")" } ?? "")
  }

  /// What the transaction did that the object is pending for.
  private func verb(_ item: PendingItem) -> String {
    let change = evidence.changes.facts.last { $0.transaction != nil && $0.transaction == item.transaction }
    return switch change?.kind {
    case .insert: "Inserted"
    case .delete: "Deleted"
    case .update: "Changed"
    case nil: evidence.exists == true ? "Saved" : "Deleted"
    }
  }
}
