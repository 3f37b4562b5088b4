import Base
import Lens

extension Rule {
  static let historyTrackingOff = Rule(
    "history-tracking-off",
    code: { examination, findings in
      let tables = examination.tables
      guard !tables.hasHistory else { return }
      if let damage = examination.historyDamage { throw StoreScopeError(.damaged, damage) }
      findings.add(subject: "history", ["changes": false, "transactions": false])
    })

  static let historyKeyRequired = Rule(
    "history-key-required"
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
    "history-bloat",
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
    "history-backlog",
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
