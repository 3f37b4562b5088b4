import Lens
import Values

extension Rule {
  static let historyOversizedTransaction = Rule(about, .history { try OversizedTransactions($0) })
}

private final class OversizedTransactions: HistoryObserver {
  let interest: HistoryInterest = .ends
  private let limit: Double
  private let token: Int64

  init(_ examination: Examination) throws {
    limit = examination.setting("changes", of: about)
    token = try examination.mirror?.token.analysedUpTo ?? 0
  }

  func end(_ transaction: HistoryTransaction, _ counts: ChangeCounts, _ findings: inout FindingCollector) {
    guard transaction.origin == .app, Double(counts.total) > limit else { return }
    findings.add(
      subject: "transaction \(transaction.number)",
      [
        .init("transaction", .integer(transaction.number)), .init("changes", .count(counts.total)),
        .init("inserts", .count(counts.inserts)), .init("updates", .count(counts.updates)),
        .init("deletes", .count(counts.deletes)), .init("author", .optional(transaction.author)),
        .init("timestamp", .optional(transaction.timestamp)),
        .init("processed", .bool(transaction.number <= token)),
      ])
  }
}

private let about = RuleHeader(
  """
  Rule: history-oversized-transaction
  Severity: warning
  Title: Saves too large to export well
  Shows: Transactions by the app with more changes than 'changes'.
  Why: An export is uploaded in requests of at most 400 records or 1.5 MB. A save of ten thousand objects takes 25
    requests or more, and bursts of twenty thousand led to rate limits that lasted over an hour; in the meantime
    nothing else is exported, and every other device imports all of it.
  Next launch: If the save isn't exported yet, its export may be throttled and take a long time.
  Remedy: The store itself needs no repair, and a throttled export resumes on its own. Save in batches of a few
    hundred objects, ideally in the background and not all at once.
  Needs: history, mirror
  Log: ATRANSACTION
  False positives: Imports and resets are the mirror's own and are left out. An app's initial data import is often
    one large save, and the problem is over once it is exported.
  Evidence: App authors report it.
  Message: {count} {save has|saves have} more changes than exports handle well; the first has {changes}.
  Param changes: changes in one transaction; 25 full export requests, and half of the smallest burst that is known
    to have been throttled for long, default 10000
  """)
