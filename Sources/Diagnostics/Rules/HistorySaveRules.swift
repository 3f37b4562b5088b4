import Base
import Lens

extension Rule {
  static let historyClockJump = Rule(
    "history-clock-jump",
    .history { ClockJumps($0) })

  /// By how many seconds the timestamp of a transaction may be before the previous one's although no clock was changed.
  static let clockTolerance: Double = 60
}

private final class ClockJumps: HistoryObserver {
  let interest: HistoryInterest = .ends
  private let tolerance: Double
  private let now: Double
  private var previous: HistoryTransaction?
  private var future: (first: HistoryTransaction, last: HistoryTransaction, count: Int)?

  init(_ examination: Examination) {
    tolerance = examination.setting("seconds", of: Rule.historyClockJump.header)
    now = examination.clock.now.seconds
  }

  func end(_ transaction: HistoryTransaction, _ counts: ChangeCounts, _ findings: inout FindingCollector) {
    guard let at = transaction.timestamp else { return }
    // Transactions after a timestamp in the future would seem to go back, although they are fine.
    if at.seconds - now > tolerance {
      future = (future?.first ?? transaction, transaction, (future?.count ?? 0) + 1)
      return
    }
    if let previous, let before = previous.timestamp, before.seconds - at.seconds > tolerance {
      findings.add(
        subject: "transaction \(transaction.number)",
        [
          "transaction": .integer(transaction.number), "timestamp": .date(at),
          "author": .optional(transaction.author), "previousTransaction": .integer(previous.number),
          "previousTimestamp": .date(before), "seconds": .real(before.seconds - at.seconds),
        ])
    }
    previous = transaction
  }

  func finish(_ findings: inout FindingCollector) {
    guard let future else { return }
    findings.add(
      subject: "future",
      [
        "transaction": .integer(future.first.number), "timestamp": .optional(future.first.timestamp),
        "lastTransaction": .integer(future.last.number), "transactions": .count(future.count),
      ])
  }
}

extension Rule {
  static let historyOversizedTransaction = Rule(
    "history-oversized-transaction",
    .history { try OversizedTransactions($0) })
}

private final class OversizedTransactions: HistoryObserver {
  let interest: HistoryInterest = .ends
  private let limit: Double
  private let token: Int64

  init(_ examination: Examination) throws {
    limit = examination.setting("changes", of: Rule.historyOversizedTransaction.header)
    token = try examination.mirror?.token.analyzedUpTo ?? 0
  }

  func end(_ transaction: HistoryTransaction, _ counts: ChangeCounts, _ findings: inout FindingCollector) {
    guard transaction.origin == .app, Double(counts.total) > limit else { return }
    findings.add(
      subject: "transaction \(transaction.number)",
      [
        "transaction": .integer(transaction.number), "changes": .count(counts.total),
        "inserts": .count(counts.inserts), "updates": .count(counts.updates),
        "deletes": .count(counts.deletes), "author": .optional(transaction.author),
        "timestamp": .optional(transaction.timestamp), "processed": .bool(transaction.number <= token),
      ])
  }
}

extension Rule {
  static let historyChattySaves = Rule(
    "history-chatty-saves",
    .history { ChattySaves($0) })
}

private final class ChattySaves: HistoryObserver {
  private struct Window {
    var start = 0.0
    var firstTransaction: Int64 = 0
    var count = 0
    var worst: (count: Int, start: Double, firstTransaction: Int64) = (0, 0, 0)
    /// Windows with too many.
    var bursts = 0
  }

  let interest: HistoryInterest = .ends
  private let saves: Double
  private let seconds: Double
  private var authors = AuthorNumbers()
  private var windows: [Window] = []

  init(_ examination: Examination) {
    saves = examination.setting("saves", of: Rule.historyChattySaves.header)
    seconds = examination.setting("window", of: Rule.historyChattySaves.header)
  }

  func end(_ transaction: HistoryTransaction, _ counts: ChangeCounts, _ findings: inout FindingCollector) {
    guard transaction.origin == .app, (1...2).contains(counts.total),
      let now = transaction.timestamp?.seconds
    else { return }
    let author = Int(authors.number(of: transaction.author))
    while windows.count <= author { windows.append(Window()) }
    var window = windows[author]
    if window.count == 0 || !(0...max(0, seconds)).contains(now - window.start) {
      window.start = now
      window.firstTransaction = transaction.number
      window.count = 0
    }
    window.count += 1
    if Double(window.count) == saves.rounded(.up) { window.bursts += 1 }
    if window.count > window.worst.count {
      window.worst = (window.count, window.start, window.firstTransaction)
    }
    windows[author] = window
  }

  func finish(_ findings: inout FindingCollector) {
    for (number, window) in windows.enumerated() where window.bursts > 0 {
      let author = authors.name(UInt16(clamping: number))
      findings.add(
        subject: author.map { "author \($0)" } ?? "no author",
        [
          "author": .optional(author), "bursts": .count(window.bursts), "saves": .count(window.worst.count),
          "window": .real(seconds), "from": .date(CoreDataDate(seconds: window.worst.start)),
          "firstTransaction": .integer(window.worst.firstTransaction),
        ])
    }
  }
}
