import Lens
import Values

extension Rule {
  static let historyTrackingOff = Rule(
    """
    Rule: history-tracking-off
    Severity: warning
    Title: Mirrored without history
    Shows: The tables of a CloudKit mirror in a store that has no tables of persistent history.
    Why: The mirror detects the app's changes only through history. Without history nothing is uploaded, and requests
      for history fail with error 134091. The cause is opening the store without NSPersistentHistoryTrackingKey.
    Next launch: Once history is on, the framework creates the tables; changes saved until then aren't in history, and
      a scan finds only rows that have no record yet.
    Remedy: Set NSPersistentHistoryTrackingKey to true in every process and code path that opens this store, then run
      'storescope repair STORE register-missing' for objects that were added in the meantime, and 'storescope resync
      STORE --push' if objects may have been changed.
    Needs: mirror
    False positives: A store that will never be mirrored again keeps the mirror's tables, which are harmless. If one
      of the two tables of history exists, history isn't off but broken: the rule is skipped, with that reason.
    Evidence: Documented by Apple: https://developer.apple.com/documentation/coredata/nspersistenthistorytrackingkey
    Message: The store has CloudKit mirror tables but no persistent history.
    """,
    code: { examination, findings in
      let tables = examination.tables
      guard !tables.hasHistory else { return }
      if let damage = examination.historyDamage { throw StoreScopeError(.damaged, damage) }
      findings.add(subject: "history", ["changes": false, "transactions": false])
    })

  static let historyKeyRequired = Rule(
    """
    Rule: history-key-required
    Severity: info
    Title: Read-only without NSPersistentHistoryTrackingKey
    Shows: History that has transactions.
    Why: Core Data opens such a store read-only for a program that doesn't set NSPersistentHistoryTrackingKey: its
      saves fail. It happens in widgets and extensions that have their own container.
    Next launch: A program that sets the option can write; one that doesn't logs "Forcing into Read Only mode", and
      its saves fail.
    Remedy: Set NSPersistentHistoryTrackingKey to true in every target that opens the store;
      NSPersistentCloudKitContainer and SwiftData do it themselves. To turn history off, delete all of it first.
    Needs: history
    Log: ATRANSACTION
    False positives: Nothing is wrong if every program that opens the store sets the option.
    Evidence: App authors report it; the option is documented by Apple:
      https://developer.apple.com/documentation/coredata/nspersistenthistorytrackingkey
    Message: An app that opens this store without NSPersistentHistoryTrackingKey can't save: history has
      {transactions} {transactions:transaction|transactions}.
    """
  ) { examination, findings in
    guard let transactions = try HistoryReader(examination.store)?.transactions,
      let numbers = try transactions.numbers()
    else { return }
    let count = try transactions.count()
    findings.add(
      subject: "history",
      [
        "transactions": .count(count), "firstTransaction": .integer(numbers.lowerBound),
        "lastTransaction": .integer(numbers.upperBound),
      ])
  }

  static let historyBloat = Rule(
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
    """,
    .history { try Bloat($0) })
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
    func setting(_ name: String) -> Double { examination.setting(name, of: Rule.historyBloat.header) }
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
        "bytes": .integer(size.bytes), "measured": .bool(size.isMeasured),
        "fileBytes": .integer(size.fileBytes), "percent": .integer(Int64(clamping: (share * 100).rounded())),
        "days": .optional(age.days.map { Int64(clamping: $0.rounded()) }), "age": .text(age.inDays),
        "bytesPerDay": span >= 1 ? .integer(Int64(clamping: Double(size.bytes) / span)) : .null,
        "transactions": .count(transactions), "changes": .count(changes), "first": .optional(oldest),
        "last": .optional(newest), "pruneBelow": .optional(token), "pruneBefore": .optional(tokenDate),
        "prunableTransactions": token == nil ? .null : .count(prunable),
      ])
  }
}

extension Rule {
  static let historyBacklog = Rule(
    """
    Rule: history-backlog
    Severity: info
    Title: Saves not processed yet
    Shows: Transactions by the app that are newer than the mirror's history token.
    Why: Their changes aren't in the cloud. That's normal for a few seconds after a save; after days it means that
      exports don't run.
    Next launch: The next export begins with them.
    Remedy: 'storescope pending STORE' shows the objects, and 'storescope mirror STORE' why nothing is exported. Don't
      prune transactions newer than the token: their changes would never be uploaded.
    Needs: history, mirror
    Log: ATRANSACTION
    False positives: A store that was copied right after a save: 'days' in the evidence shows how old the oldest
      change is. Saves of entities that aren't mirrored are processed as well, so they count too.
    Evidence: App authors report it.
    Message: {transactions} {transactions:save|saves} not processed yet, the oldest {age} before the newest timestamp
      in the store.
    """,
    .history { try Backlog($0) })
}

private final class Backlog: HistoryObserver {
  let interest: HistoryInterest = .ends
  private let clock: Clock
  private let token: Int64
  private var transactions = 0
  private var changes = 0
  private var first: HistoryTransaction?
  private var last: HistoryTransaction?

  init(_ examination: Examination) throws {
    let reading = try examination.mirror?.token
    if let reading, reading.state == .unreadable { throw StoreScopeError.unreadable(reading) }
    if reading?.state == .foreign { throw StoreScopeError.foreignToken }
    guard let token = reading?.transaction else {
      throw StoreScopeError(
        .lacking, "The mirror has no history token for this store, so nothing is before or after it"
      )
    }
    self.token = token
    clock = examination.clock
  }

  func end(_ transaction: HistoryTransaction, _ counts: ChangeCounts, _ findings: inout FindingCollector) {
    guard transaction.number > token, transaction.origin == .app else { return }
    transactions += 1
    changes += counts.total
    first = first ?? transaction
    last = transaction
  }

  func finish(_ findings: inout FindingCollector) {
    guard let first, let last else { return }
    let age = Age(first.timestamp, clock)
    let days = age.days.map { ($0 * 10).rounded() / 10 }
    // Normal for a while after a save.
    if days == 0 { return }
    findings.add(
      subject: "backlog",
      [
        "token": .integer(token), "transactions": .count(transactions), "changes": .count(changes),
        "firstTransaction": .integer(first.number), "lastTransaction": .integer(last.number),
        "from": .optional(first.timestamp), "until": .optional(last.timestamp),
        "days": days.map(DataValue.real) ?? .null, "age": .text(age.inDays),
      ])
  }
}
