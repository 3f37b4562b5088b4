import Base
import Evidence
import Lens
import StoreModel

/// The verdict on an object that is no longer in the store: whether its deletion reached the server, and whether it can
/// still be stopped.
struct DeletionJudge {
  private let store: CoreDataStore
  private let mirror: Mirror?
  private let evidence: ObjectEvidence
  private let pending: PendingSentences

  init(_ store: CoreDataStore, _ mirror: Mirror?, _ evidence: ObjectEvidence, _ pending: PendingSentences) {
    (self.store, self.mirror, self.evidence, self.pending) = (store, mirror, evidence, pending)
  }

  func verdict() throws -> ObjectVerdict {
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
    guard try mirror.mirroredEntities()[evidence.object.entity]?.isMirrored != false,
      try mirror.scope != .shared,
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
    case .app, .housekeeping, nil: "Deleted\(deletion.by)\(at)."
    }
  }

  // MARK: On its way

  static let deleteOrphan = """
    If the record is still here after the next export, 'storescope repair STORE remove-orphan-records \
    --cloud delete' queues its deletion.
    """

  /// Whatever lets exports succeed lets the deletion through as well.
  var howToKeep: String {
    let source =
      BackupFolder.all(nextTo: store.path).isEmpty
      ? "a copy of the store from before the deletion"
      : "a backup from before the deletion ('storescope restore \(ShellQuotes.word(store.path))' lists them)"
    return """
      To keep it: leave the app closed here and restore \(source), or save a copy of the object on another device that \
      still has it.
      """
  }

  static func howToLetGo(_ fix: String) -> String { "To let it go: \(Sentence.continued(fix))" }

  static let nextExport = "The next successful export deletes it on the server."

  /// The step of the next launch that deletes what is here and fetches it again, before it exports anything.
  private func wipe(_ mirror: Mirror) throws -> LaunchForecast.Step? {
    try MirrorForecast(mirror, model: store.model, isAppsModel: false, migrates: false).steps.first {
      $0.outcome == .wipes && [.checkAccount, .checkToken].contains($0.stage)
    }
  }

  /// The verdict on a deletion that the next launch undoes; nil if it doesn't.
  func undone() throws -> ObjectVerdict? {
    guard let mirror, let wipe = try wipe(mirror) else { return nil }
    var reasons = [
      "The deletion won't be exported, and the object comes back from iCloud: the next launch fetches everything again before it exports.",
      wipe.because,
    ]
    reasons += pending.reasons
    reasons.append("If the deletion wasn't meant, there is nothing to do.")
    let isFlagged = evidence.pending.contains { $0.kind == .cloudDelete }
    let fix = wipe.fix.map {
      "\(Self.howToLetGo($0))\(isFlagged ? "" : " \(Self.deleteOrphan)")"
    }
    return ObjectVerdict(
      .blocked, "deleted here, but the next launch brings it back", since: pending.since, reasons: reasons,
      fix: fix)
  }
}
