import Lens
import Values

extension Rule {
  static let tokenExpired = Rule(about) { examination, findings in
    guard let token = try examination.mirror?.token else { return }
    let what: String
    switch token.state {
    case .expired: what = "is gone from history"
    case .ahead: what = "lies above all that history has"
    case .unreadable: throw StoreScopeError.unreadable(token)
    case .current, .behind, .foreign, .missing: return
    }
    findings.add(
      subject: "token",
      [
        .init("transaction", .optional(token.transaction)), .init("state", .text(token.state.rawValue)),
        .init("what", .text(what)),
      ])
  }
}

extension StoreScopeError {
  /// Why nothing can be said of a token.
  static func unreadable(_ token: HistoryTokenReading) -> StoreScopeError {
    let verb = token.token == nil ? "read" : "judged"
    return StoreScopeError(
      .unreadable, "The last-history token can't be \(verb): \(token.problem ?? "its archive is damaged")")
  }

  /// Why nothing is before or after a token that 'token-foreign-store' names.
  static let foreignToken = StoreScopeError(
    .foreign, "The last-history token is of another store, so that nothing in this one is before or after it")
}

private let about = RuleHeader(
  "token-expired", .error,
  title: "The last-history token's transaction is gone",
  looksFor: """
    A last-history token that names a transaction which isn't in history: pruned, or above all that there are.
    """,
  why: """
    The mirror goes on only from exactly that transaction; a newer one doesn't do. Without it the framework takes \
    its history for expired (NSCocoaErrorDomain 134301) and starts over, at the cost of the local data.
    """,
  nextLaunch: """
    The first export fails with 134301, every local object that has a record is deleted, and everything is fetched \
    again. Changes that were not yet sent are lost.
    """,
  remedy: """
    Before the app is launched again: 'storescope resync STORE --rescan' drops the token, so that the mirror looks \
    at all of history instead. In the app, prune history only up to the transaction that the mirror has analysed, \
    and keep at least a week.
    """,
  needs: [.table(.metadataEntries)],
  falsePositives: """
    None known while mirroring is on. An app that has switched mirroring off for good never meets it.
    """,
  evidence: """
    App authors report it. Documented by Apple: \
    https://developer.apple.com/documentation/coredata/nspersistenthistorytokenexpirederror
    """,
  message: """
    The last-history token names transaction {transaction}, which {what}: the next launch deletes the local \
    objects that have records and fetches everything again.
    """)
