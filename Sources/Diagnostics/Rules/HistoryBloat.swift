import Lens
import Values

extension Rule {
  static let historyBloat = Rule(about, .history { try Bloat($0) })
}

private final class Bloat: HistoryObserver {
  let interest: HistoryInterest = .ends
  private let examination: Examination
  private let token: Int64?
  private var transactions = 0
  private var changes = 0
  private var oldest: CoreDataDate?
  private var newest: CoreDataDate?
  private var prunable = 0
  private var tokenDate: CoreDataDate?

  init(_ examination: Examination) throws {
    self.examination = examination
    let reading = try examination.mirror?.token
    // With any other token, the transaction that would have to be kept doesn't exist.
    token = reading.flatMap { [.current, .behind].contains($0.state) ? $0.transaction : nil }
  }

  func end(_ transaction: HistoryTransaction, _ counts: ChangeCounts, _ findings: inout FindingCollector) {
    transactions += 1
    changes += counts.total
    oldest = oldest ?? transaction.timestamp
    newest = transaction.timestamp ?? newest
    guard let token else { return }
    if transaction.number < token { prunable += 1 }
    if transaction.number == token { tokenDate = transaction.timestamp }
  }

  func finish(_ findings: inout FindingCollector) throws {
    guard transactions > 0 else { return }
    func setting(_ name: String) -> Double { examination.setting(name, of: about) }
    let size = try HistorySize(examination.store, changes: changes, transactions: transactions)
    let share = size.fileBytes > 0 ? Double(size.bytes) / Double(size.fileBytes) : 0
    let days = oldest.map { examination.clock.days(since: $0) } ?? 0
    guard Double(size.bytes) >= setting("bytes"), share > setting("share") || days > setting("days") else {
      return
    }
    let span =
      (oldest.map { examination.clock.days(since: $0) } ?? 0)
      - (newest.map { examination.clock.days(since: $0) } ?? 0)
    let age = Age(oldest, examination.clock)
    findings.add(
      subject: "history",
      [
        .init("bytes", .integer(size.bytes)), .init("measured", .bool(size.isMeasured)),
        .init("fileBytes", .integer(size.fileBytes)),
        .init("percent", .integer(Int64(clamping: (share * 100).rounded()))),
        .init("days", .optional(age.days.map { Int64(clamping: $0.rounded()) })),
        .init("age", .text(age.inDays)),
        .init("bytesPerDay", span >= 1 ? .integer(Int64(clamping: Double(size.bytes) / span)) : .null),
        .init("transactions", .count(transactions)), .init("changes", .count(changes)),
        .init("first", .optional(oldest)), .init("last", .optional(newest)),
        .init("pruneBelow", .optional(token)), .init("pruneBefore", .optional(tokenDate)),
        .init("prunableTransactions", token == nil ? .null : .count(prunable)),
      ])
  }
}

private let about = RuleHeader(
  """
  Rule: history-bloat
  Severity: warning
  Title: More history than needed
  Shows: History that takes at least 'bytes' and exceeds either 'share' of the file or an age of 'days'. If the
    store is mirrored, the evidence shows how far it can be pruned: all transactions below 'pruneBelow', the
    transaction of the mirror's token, which must be kept.
  Why: Core Data never deletes history on its own. It is copied with every backup, and a reader without a token
    reads all of it.
  Next launch: Nothing; it keeps growing.
  Remedy: In the app, delete history older than every reader's token with
    NSPersistentHistoryChangeRequest.deleteHistory.
  Remedy mirrored: 'storescope repair STORE prune-history' keeps the token's transaction, without which the
    framework wipes all mirrored objects. Never delete the last weeks of history.
  Needs: history
  Log: ATRANSACTION
  False positives: An app that keeps its history on purpose, as a log. The store doesn't record how far readers
    other than the mirror have read.
  Evidence: Documented by Apple: https://developer.apple.com/documentation/coredata/consuming-relevant-store-changes
  Message: History takes {bytes:size}, {percent}% of the file, and goes back {age}.
  Param bytes: bytes; less than that, about fifty thousand changes, isn't noticeable, default 5000000
  Param share: part of the file; above half, the store holds more history than data, default 0.5
  Param days: days from the oldest transaction to the newest; readers of history lag by days, or weeks at most,
    default 90
  """)
