import Archives
import Lens
import StoreModel
import Values

extension Rule {
  static let tokenForeignStore = Rule(about) { examination, findings in
    guard let token = try examination.mirror?.token else { return }
    if token.state == .unreadable { throw StoreScopeError.unreadable(token) }
    guard token.state == .foreign else { return }
    let stores = token.token?.transactions.keys.sorted() ?? []
    findings.add(
      subject: "token",
      [
        .init("store", .text(examination.store.uuid)),
        .init("tokenStores", .array(stores.prefix(100).map(DataValue.text))),
        .init("names", .text(stores.isEmpty ? "no store at all" : stores.prefix(3).joined(separator: ", "))),
      ])
  }
}

private let about = RuleHeader(
  """
  Rule: token-foreign-store
  Severity: error
  Title: History token of another store
  Shows: A history token without this store's identifier.
  Why: The mirror can't find its place in history, and the token is never renewed: every export fails with
    NSCocoaErrorDomain 134501, and pending changes pile up.
  Next launch: Every export fails with 134501. Nothing is deleted.
  Remedy: 'storescope resync STORE --rescan' removes the token, so the mirror processes all of history; or restore
    the store's old identifier, if a copy got a new one on purpose.
  Needs: ANSCKMETADATAENTRY
  False positives: None known. A store without an identifier isn't checked.
  Evidence: Inferred from the error's meaning and from app authors' reports about copied stores.
  Message: The history token belongs to {names}, not to this store, {store}: every export fails with
    NSCocoaErrorDomain 134501.
  """)
