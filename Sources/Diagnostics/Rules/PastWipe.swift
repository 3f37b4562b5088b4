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

  func finish(_ pages: ObjectPages, _ findings: inout FindingCollector) {
    report(wipes.current, &findings)
  }
}

private let about = RuleHeader(
  "past-wipe", .warning,
  title: "The mirror deleted the app's objects",
  looksFor: """
    Deletes by the author 'NSCloudKitMirroringDelegate.reset', those at most 'pause' seconds apart taken together.
    """,
  why: """
    Under this name the framework deletes what was mirrored: after a change of the iCloud account, a last-history \
    token whose transaction was pruned, or a zone that the user deleted. What had not been uploaded was lost with \
    it.
    """,
  nextLaunch: "Nothing more: what was in the cloud is, or was, fetched again, under new primary keys.",
  remedy: """
    Look at what came before: 'storescope events STORE' near 'from', and whether the app prunes history without \
    regard for the mirror. Compare with a backup from before, 'storescope diff STORE BACKUP', for what is missing.
    """,
  needs: [.history],
  falsePositives: """
    Wipes that the user wanted: signing out of iCloud, or deleting the app's data in its settings. Leaving a share \
    deletes its objects in the same way.
    """,
  evidence: "App authors report it.",
  message:
    "The mirror wiped the store {count} {time|times}, first deleting {deletes} {deletes:object|objects}.",
  thresholds: [
    Threshold(
      "deletes", 1,
      "deletes of one wipe; the framework uses this name for nothing smaller, so that one already counts"),
    Threshold(
      "pause", HistoryBurst.pause,
      "seconds between transactions of one wipe, which is one for each entity and batch"),
  ])
