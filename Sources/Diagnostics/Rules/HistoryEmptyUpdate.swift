import Lens
import StoreModel
import Values

extension Rule {
  static let historyEmptyUpdate = Rule(about, .history { EmptyUpdates($0) })
}

private final class EmptyUpdates: HistoryObserver {
  private struct State: BitwiseCopyable {
    var count: UInt32 = 0
    var author: UInt16 = 0
  }

  let interest: HistoryInterest = [.beginnings, .emptyUpdates]
  private let store: CoreDataStore
  private let states = ObjectMap(empty: State())
  private var authors = AuthorNumbers()
  private var author: UInt16 = 0

  init(_ examination: Examination) { store = examination.store }

  func begin(_ transaction: HistoryTransaction) { author = authors.number(of: transaction.author) }

  func visit(
    _ change: HistoryChange, as what: HistoryInterest, _ findings: inout FindingCollector
  ) throws {
    guard let object = change.objectOfApp else { return }
    try states.update(object) { state in
      if state.count < .max { state.count += 1 }
      state.author = author
    }
  }

  func finish(_ findings: inout FindingCollector) throws {
    try states.forEach { key, state in
      guard state.count > 0 else { return }
      findings.add(
        object: store.uri(key),
        [
          .init("entity", .text(store.entityName(ofNumber: key.entity))),
          .init("pk", .integer(key.primaryKey)),
          .init("updates", .count(Int(state.count))),
          .init("lastAuthor", .optional(authors.name(state.author))),
        ])
    }
  }
}

private let about = RuleHeader(
  """
  Rule: history-empty-update
  Severity: info
  Title: Updates that changed nothing
  Shows: Objects with updates in history that list no changed property.
  Why: The object was saved because it was touched, not because a stored property changed. Every reader of history
    sees the update anyway, and if the store is mirrored, it may be exported.
  Next launch: Nothing.
  Remedy: Set a property only if the new value differs, and check 'willSave' and transient properties, which make an
    object count as changed.
  Needs: history
  Log: ATRANSACTION
  False positives: Intentional changes of properties that aren't stored.
  Evidence: Measured on real stores: photo libraries have such updates.
  Message: {count} {object was|objects were} saved without a changed property, such as {entity}/p{pk} in {updates}
    {updates:save|saves}.
  """)
