import Lens
import Values

extension Rule {
  static let historyClockJump = Rule(
    """
    Rule: history-clock-jump
    Severity: info
    Title: History timestamps out of order
    Shows: Transactions with an older timestamp than the transaction before them, and transactions in the future; the
      latter are one finding and are skipped when others are compared.
    Why: Fetching or pruning history by date selects the wrong part of it, and "the newest change wins" picks the
      wrong change.
    Next launch: Nothing: the framework uses transaction numbers.
    Remedy: The store itself needs no repair. Prune and fetch by token instead of by date; look for a device whose
      clock was changed, or for an app that writes dates into ATRANSACTION.
    Needs: history
    Log: ATRANSACTION
    False positives: Processes that save at the same time may get their timestamp a moment before their turn;
      'seconds' leaves that out. A store from a device whose clock is ahead of this computer's has timestamps in the
      future.
    Evidence: App authors report it.
    Message: {count} {timestamp is|timestamps are} out of order or in the future; the first is that of transaction
      {transaction}.
    Param seconds: seconds that a timestamp may be before the previous one, or ahead of now; a process that waits for
      another process's save gets its timestamp first, by less than the minute after which apps are killed, default
      \(Rule.clockTolerance)
    """,
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
    """,
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
    """
    Rule: history-chatty-saves
    Severity: info
    Title: Bursts of tiny saves
    Shows: Authors in the app that saved at least 'saves' transactions of one or two changes within 'window' seconds.
    Why: Each save is a transaction on disk, a row in history, a notification to every process and, if the store is
      mirrored, a reason to export. Saved together, the changes would cost a fraction.
    Next launch: Nothing.
    Remedy: Save related changes together, or save a moment after the last of several changes.
    Needs: history
    Log: ATRANSACTION
    False positives: Work that must be written to disk immediately, piece by piece. Authors beyond the first 65,535
      count as one.
    Evidence: Measured on real stores.
    Message: {count} {author|authors} saved one or two objects at a time in bursts; the first, {author}, {saves}
      {saves:time|times} within {window} {window:second|seconds}.
    Param saves: tiny transactions of one author within the window; one per second for a minute, three times as many
      as in the busiest real store measured, default 60
    Param window: seconds, counted from the first tiny transaction after the last window, default 60
    """,
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
