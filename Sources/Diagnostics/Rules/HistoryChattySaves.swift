import Lens
import Values

extension Rule {
  static let historyChattySaves = Rule(about, .history { ChattySaves($0) })
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
    saves = examination.setting("saves", of: about)
    seconds = examination.setting("window", of: about)
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
          .init("author", .optional(author)), .init("bursts", .count(window.bursts)),
          .init("saves", .count(window.worst.count)), .init("window", .real(seconds)),
          .init("from", .date(CoreDataDate(seconds: window.worst.start))),
          .init("firstTransaction", .integer(window.worst.firstTransaction)),
        ])
    }
  }
}

private let about = RuleHeader(
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
  """)
