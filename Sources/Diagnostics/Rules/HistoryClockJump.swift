import Lens
import Values

extension Rule {
  static let historyClockJump = Rule(about, .history { ClockJumps($0) })

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
    tolerance = examination.setting("seconds", of: about)
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
          .init("transaction", .integer(transaction.number)), .init("timestamp", .date(at)),
          .init("author", .optional(transaction.author)),
          .init("previousTransaction", .integer(previous.number)),
          .init("previousTimestamp", .date(before)), .init("seconds", .real(before.seconds - at.seconds)),
        ])
    }
    previous = transaction
  }

  func finish(_ findings: inout FindingCollector) {
    guard let future else { return }
    findings.add(
      subject: "future",
      [
        .init("transaction", .integer(future.first.number)),
        .init("timestamp", .optional(future.first.timestamp)),
        .init("lastTransaction", .integer(future.last.number)), .init("transactions", .count(future.count)),
      ])
  }
}

private let about = RuleHeader(
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
  """)
