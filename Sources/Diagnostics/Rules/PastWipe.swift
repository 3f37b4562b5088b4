import CloudKitMirror
import Values

extension Rule {
  static let pastWipe = Rule(
    PastWipes.header, .history { PastWipes($0) })
}

private final class PastWipes: HistoryObserver {
  static let header = RuleHeader(
    "past-wipe", .warning, title: "The mirror deleted the app's objects",
    looksFor: """
      Deletes by the author 'NSCloudKitMirroringDelegate.reset', those at most 'pause' seconds apart taken together.
      """,
    why: """
      Under this name the framework deletes what was mirrored: after a change of the iCloud account, a last-history \
      token whose transaction was pruned, or a zone that the user deleted. What had not been uploaded was lost with it.
      """,
    nextLaunch: "Nothing more: what was in the cloud is, or was, fetched again, under new primary keys.",
    remedy: """
      Look at what came before: 'storescope events STORE' near 'from', and whether the app prunes history without \
      regard for the mirror. Compare with a backup from before, 'storescope diff STORE BACKUP', for what is missing.
      """,
    needs: [.history],
    falsePositives:
      "Wipes that the user wanted: signing out of iCloud, or deleting the app's data in its settings. Leaving a share deletes its objects in the same way.",
    evidence: "App authors report it.",
    message: "The mirror wiped the store {count} {time|times}; the first time it deleted {deletes} objects.",
    thresholds: [
      Threshold(
        "deletes", 1,
        "deletes of one wipe; the framework uses this name for nothing smaller, so that one already counts"),
      Threshold(
        "pause", 600, "seconds between transactions of one wipe, which is one for each entity and batch"),
    ])

  private struct Wipe {
    var first: ObservedTransaction
    var last: ObservedTransaction
    var transactions = 0
    var deletes = 0
  }

  let interest: HistoryInterest = .ends
  private let deletes: Double
  private let pause: Double
  private var wipe: Wipe?

  init(_ examination: Examination) {
    deletes = examination.setting("deletes", of: Self.header)
    pause = examination.setting("pause", of: Self.header)
  }

  func end(_ transaction: ObservedTransaction, _ findings: inout FindingCollector) {
    guard transaction.origin == .reset else { return }
    if !isNear(transaction) {
      report(&findings)
      wipe = Wipe(first: transaction, last: transaction)
    }
    wipe?.last = transaction
    wipe?.transactions += 1
    wipe?.deletes += transaction.deletes
  }

  private func isNear(_ transaction: ObservedTransaction) -> Bool {
    guard let last = wipe?.last.timestamp, let now = transaction.timestamp else { return false }
    return abs(now.seconds - last.seconds) <= pause
  }

  private func report(_ findings: inout FindingCollector) {
    guard let wipe, wipe.deletes > 0, Double(wipe.deletes) >= deletes else { return }
    findings.add(
      subject: "transaction \(wipe.first.number)",
      [
        .init("from", .optional(wipe.first.timestamp)), .init("until", .optional(wipe.last.timestamp)),
        .init("firstTransaction", .integer(wipe.first.number)),
        .init("lastTransaction", .integer(wipe.last.number)),
        .init("transactions", .count(wipe.transactions)),
        .init("deletes", .count(wipe.deletes)),
      ])
  }

  func finish(_ pages: ObjectPages, _ findings: inout FindingCollector) { report(&findings) }
}
