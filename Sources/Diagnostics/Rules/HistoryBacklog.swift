import Lens
import Values

extension Rule {
  static let historyBacklog = Rule(about, .history { try Backlog($0) })
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
        .init("token", .integer(token)), .init("transactions", .count(transactions)),
        .init("changes", .count(changes)), .init("firstTransaction", .integer(first.number)),
        .init("lastTransaction", .integer(last.number)), .init("from", .optional(first.timestamp)),
        .init("until", .optional(last.timestamp)), .init("days", days.map(DataValue.real) ?? .null),
        .init("age", .text(age.inDays)),
      ])
  }
}

private let about = RuleHeader(
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
  """)
