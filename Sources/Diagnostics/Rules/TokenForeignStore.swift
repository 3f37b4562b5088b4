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
  "token-foreign-store", .error,
  title: "The last-history token is of another store",
  looksFor: "A last-history token without this store's identifier.",
  why: """
    The mirror can't find its place in history, and nothing renews the token: every export fails with \
    NSCocoaErrorDomain 134501, and changes pile up unsent.
    """,
  nextLaunch: "The first export fails with 134501, and so does each one after it. Nothing is deleted.",
  remedy: """
    'storescope resync STORE --rescan' drops the token, so that the mirror looks at all of history; or give the \
    store its old identifier back, if a copy got a new one on purpose.
    """,
  needs: [.table(.metadataEntries)],
  falsePositives: "None known. A store without an identifier of its own isn't judged.",
  evidence: "Inferred from the error's meaning and from what app authors report of copied stores.",
  message: """
    The last-history token names {names} and not this store, {store}: every export fails with NSCocoaErrorDomain \
    134501.
    """)
