import Lens
import StoreModel
import Values

extension Rule {
  static let historyBrokenLink = Rule(about, .history { BrokenLinks($0) })
}

private final class BrokenLinks: HistoryObserver {
  let interest: HistoryInterest = .withoutTransaction
  /// In the order in which they are listed.
  private static let texts = ["author", "bundle", "process", "context"]
  private static let missingTextLimit = 10_000

  private let examination: Examination
  /// Changes of one transaction come one after the other.
  private var run: (transaction: Int64, changes: Int, firstChange: Int64)?
  private var unlinked: (changes: Int, firstChange: Int64)?

  init(_ examination: Examination) { self.examination = examination }

  func visit(
    _ change: HistoryChange, as what: HistoryInterest, _ findings: inout FindingCollector
  ) {
    guard let transaction = change.transaction else {
      unlinked = ((unlinked?.changes ?? 0) + 1, unlinked?.firstChange ?? change.row)
      return
    }
    if run?.transaction != transaction {
      report(&findings)
      run = (transaction, 0, change.row)
    }
    run?.changes += 1
  }

  private func report(_ findings: inout FindingCollector) {
    guard let run else { return }
    findings.add(
      subject: "transaction \(run.transaction)",
      [
        .init("item", .text("transaction \(run.transaction)")), .init("missing", "transaction"),
        .init("number", .integer(run.transaction)),
        .init("changes", .count(run.changes)), .init("firstChange", .integer(run.firstChange)),
      ])
  }

  func finish(_ findings: inout FindingCollector) throws {
    report(&findings)
    if let unlinked {
      findings.add(
        subject: "no transaction",
        [
          .init("item", "the transaction of changes without one"), .init("missing", "transaction"),
          .init("number", .null), .init("changes", .count(unlinked.changes)),
          .init("firstChange", .integer(unlinked.firstChange)),
        ])
    }
    try reportTexts(&findings)
  }

  private func reportTexts(_ findings: inout FindingCollector) throws {
    struct Use: Hashable {
      var number: Int64
      var text: Int
    }
    var uses: [Use: (transactions: Int, first: Int64)] = [:]
    try TransactionReader(examination.store)?.forEachMissingText { transaction, text, number in
      let use = Use(number: number, text: Self.texts.firstIndex(of: text) ?? 0)
      guard uses[use] != nil || uses.count < Self.missingTextLimit else { return }
      uses[use, default: (0, transaction)].transactions += 1
    }
    for (use, seen) in uses.sorted(by: { ($0.key.number, $0.key.text) < ($1.key.number, $1.key.text) }) {
      findings.add(
        subject: "\(Self.texts[use.text]) \(use.number)",
        [
          .init("item", .text("\(Self.texts[use.text]) string \(use.number)")),
          .init("missing", .text(Self.texts[use.text])), .init("number", .integer(use.number)),
          .init("transactions", .count(seen.transactions)), .init("firstTransaction", .integer(seen.first)),
        ])
    }
  }
}

private let about = RuleHeader(
  """
  Rule: history-broken-link
  Severity: error
  Title: History refers to rows that are gone
  Shows: Changes whose transaction is not in ATRANSACTION, by transaction; and strings (author, bundle, process,
    context) that transactions refer to and that are not in ATRANSACTIONSTRING.
  Why: A change without its transaction is never read again: all readers of history, including the mirror, miss it.
    Without its author's string, one of the mirror's transactions looks like the app's, and imported changes may be
    uploaded again.
  Next launch: No error is reported: fetches of history leave out changes without a transaction.
  Remedy: Find the code that prunes history with SQL, and use NSPersistentHistoryChangeRequest.deleteHistory
    instead.
  Remedy mirrored: 'storescope resync STORE --push' uploads the missed changes.
  Needs: history
  Log: ATRANSACTION
  False positives: None known. Transactions without changes are normal, and are left out. Missing strings beyond the
    first 10,000 aren't counted.
  Evidence: Measured on real stores: none of them has such a row.
  Message: {count} {transaction or string that history refers to is|transactions or strings that history refers to
    are} gone, such as {item}.
  """)
