import Base
import Lens

extension Rule {
  static let massDeleteByApp = Rule(
    "mass-delete-by-app",
    .history { MassDeletes($0, .app) })

  static let massDeleteImported = Rule(
    "mass-delete-imported",
    .history { MassDeletes($0, .importing) })
}

extension Rule {
  static let pastWipe = Rule(
    "past-wipe",
    .history { PastWipes($0) })
}

private final class PastWipes: HistoryObserver {
  let interest: HistoryInterest = .ends
  private let mirror: Mirror?
  private let deletes: Double
  private var wipes: HistoryBursts

  init(_ examination: Examination) {
    mirror = examination.mirror
    deletes = examination.setting("deletes", of: Rule.pastWipe.header)
    wipes = HistoryBursts(pause: examination.setting("pause", of: Rule.pastWipe.header))
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
        "from": .optional(wipe.from), "until": .optional(wipe.until),
        "firstTransaction": .integer(wipe.firstTransaction),
        "lastTransaction": .integer(wipe.lastTransaction), "transactions": .count(wipe.transactions),
        "deletes": .count(wipe.deletes),
        // Whatever keeps the log from being read is reported elsewhere.
        "more": .text(
          (try? MirrorWipe(began: wipe.from, deletes: wipe.deletes, in: mirror))?.because ?? ""),
      ])
  }

  func finish(_ findings: inout FindingCollector) {
    report(wipes.current, &findings)
  }
}
