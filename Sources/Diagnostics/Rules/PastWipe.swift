import Lens
import Values

extension Rule {
  static let pastWipe = Rule(about, .history { PastWipes($0) })
}

private final class PastWipes: HistoryObserver {
  let interest: HistoryInterest = .ends
  private let deletes: Double
  private var wipes: HistoryBursts

  init(_ examination: Examination) {
    deletes = examination.setting("deletes", of: about)
    wipes = HistoryBursts(pause: examination.setting("pause", of: about))
  }

  func end(_ transaction: HistoryTransaction, _ counts: ChangeCounts, _ findings: inout FindingCollector) {
    guard transaction.origin == .reset else { return }
    report(wipes.add(transaction, counts, changes: counts.total), &findings)
  }

  private func report(_ wipe: HistoryBurst?, _ findings: inout FindingCollector) {
    guard let wipe, wipe.deletes > 0, Double(wipe.deletes) >= deletes else { return }
    findings.add(
      subject: "transaction \(wipe.firstTransaction)",
      [
        .init("from", .optional(wipe.from)), .init("until", .optional(wipe.until)),
        .init("firstTransaction", .integer(wipe.firstTransaction)),
        .init("lastTransaction", .integer(wipe.lastTransaction)),
        .init("transactions", .count(wipe.transactions)),
        .init("deletes", .count(wipe.deletes)),
      ])
  }

  func finish(_ findings: inout FindingCollector) {
    report(wipes.current, &findings)
  }
}

private let about = RuleHeader(
  """
  Rule: past-wipe
  Severity: warning
  Title: The mirror deleted the app's objects
  Shows: Deletes by the author 'NSCloudKitMirroringDelegate.reset'; deletes at most 'pause' seconds apart count as
    one wipe.
  Why: With this author the framework deletes mirrored objects: after the iCloud account changed, after the
    transaction of the history token was pruned, or after the user deleted a zone. Changes that hadn't been uploaded
    were lost.
  Next launch: Nothing more: objects in the cloud are, or were, fetched again, with new primary keys.
  Remedy: Find the cause: check 'storescope events STORE' near 'from', and whether the app prunes history the mirror
    hasn't processed yet. To find missing objects, compare with an earlier backup: 'storescope diff STORE BACKUP'.
  Needs: history
  Log: ATRANSACTION
  False positives: Wipes that the user wanted: signing out of iCloud, or deleting the app's data in its settings.
    Leaving a share deletes its objects in the same way.
  Evidence: App authors report it.
  Message: The mirror wiped the store {count} {time|times}, first deleting {deletes} {deletes:object|objects}.
  Param deletes: deletes in one wipe; the framework uses this author only for wipes, so a single delete counts,
    default 1
  Param pause: seconds between transactions of one wipe, which has a transaction per entity and batch, default
    \(HistoryBurst.pause)
  """)
