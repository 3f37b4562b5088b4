import Lens
import Values

extension Rule {
  static let tokenExpired = Rule(about) { examination, findings in
    guard let token = try examination.mirror?.token else { return }
    let what: String
    switch token.state {
    case .expired: what = "is gone from history"
    case .ahead: what = "is newer than all of history"
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
  /// Why a token can't be evaluated.
  static func unreadable(_ token: HistoryTokenReading) -> StoreScopeError {
    let verb = token.token == nil ? "read" : "checked"
    return StoreScopeError(
      .unreadable, "The history token can't be \(verb): \(token.problem ?? "its archive is damaged")")
  }

  /// Why nothing is before or after a token that 'token-foreign-store' names.
  static let foreignToken = StoreScopeError(
    .foreign, "The history token is of another store, so nothing in this store is before or after it")
}

private let about = RuleHeader(
  """
  Rule: token-expired
  Severity: error
  Title: The history token's transaction is gone
  Shows: A history token whose transaction isn't in history: it was pruned, or is newer than all of history.
  Why: The mirror can continue only from exactly that transaction; a newer transaction doesn't work. Without it the
    framework treats its history as expired (NSCocoaErrorDomain 134301) and starts over, which deletes the local
    data.
  Next launch: The first export fails with 134301, every local object that has a record is deleted, and everything
    is fetched again. Pending changes of these objects are lost; objects without a record are kept, and uploaded
    later.
  Remedy: Before the app is launched again: 'storescope resync STORE --rescan' removes the token, so the mirror
    processes all of history instead. In the app, prune history only up to the transaction that the mirror has
    processed, and keep at least a week.
  Needs: ANSCKMETADATAENTRY
  False positives: None known while mirroring is on. An app that has turned mirroring off permanently isn't
    affected.
  Evidence: App authors report it. Documented by Apple:
    https://developer.apple.com/documentation/coredata/nspersistenthistorytokenexpirederror
  Message: The history token refers to transaction {transaction}, which {what}: the next launch deletes the local
    objects that have records and fetches everything again.
  """)
