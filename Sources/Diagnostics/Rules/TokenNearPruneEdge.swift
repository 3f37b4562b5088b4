import Lens
import Values

extension Rule {
  static let tokenNearPruneEdge = Rule(about) { examination, findings in
    guard let mirror = examination.mirror, let transactions = try mirror.transactions else { return }
    let token = try mirror.token
    // Without anything of the app's behind it, the token moves before the next prune does.
    guard token.state == .behind, let number = token.transaction, let kept = try transactions.numbers(),
      kept.lowerBound > 1
    else { return }
    let all = try transactions.count()
    let older = try transactions.count(below: number)
    let share = Double(older) / Double(max(1, all))
    let date = try transactions.transaction(number)?.timestamp
    let days = date.map { examination.clock.days(since: $0) } ?? 0
    guard share <= examination.setting("share", of: about), days >= examination.setting("days", of: about)
    else { return }
    findings.add(
      subject: "token",
      [
        .init("transaction", .integer(number)), .init("firstTransaction", .integer(kept.lowerBound)),
        .init("lastTransaction", .integer(kept.upperBound)), .init("olderTransactions", .count(older)),
        .init("timestamp", .optional(date)), .init("age", .text(Age(date, examination.clock).inDays)),
      ])
  }
}

private let about = RuleHeader(
  """
  Rule: token-near-prune-edge
  Severity: warning
  Title: The next prune of history may expire the token
  Shows: Pruned history in which the history token's transaction is among the oldest that are left, while the app
    has saved since and the exporter hasn't processed those saves.
  Why: The app prunes history by age, and the exporter doesn't advance, for example because sync is turned off. Once
    the token's transaction is pruned, the framework treats its history as expired, deletes all mirrored objects and
    fetches everything again; pending changes of objects that have records are lost.
  Next launch: If the app prunes history before an export has processed it, that export ends with NSCocoaErrorDomain
    134301 and a wipe.
  Remedy: Let an export succeed before the app prunes again: 'storescope pending STORE' shows what blocks it. In the
    app, prune only history that the mirror has processed. In an emergency 'storescope resync STORE --rescan'
    removes the token.
  Needs: ANSCKMETADATAENTRY, ATRANSACTION
  Log: ATRANSACTION
  False positives: An app that pruned once and doesn't prune again, or that prunes only up to the token.
  Evidence: App authors report the wipe: https://github.com/fatbobman/PersistentHistoryTrackingKit/issues/7. That
    the next prune causes it is inferred.
  Message: The token's transaction {transaction} is {age} old and among the oldest that history still has: the next
    prune may expire it.
  Param share: part of the kept transactions that are older than the token's; a tenth is what one prune takes,
    default 0.1
  Param days: days from the token's transaction to the newest timestamp; exports run at least daily, and apps keep a
    week, default 3
  """)
