import Lens
import StoreModel
import Values

extension Rule {
  static let historyEmptyUpdate = Rule(about, .history { EmptyUpdates($0) })
}

private final class EmptyUpdates: HistoryObserver {
  private struct State {
    var count: UInt32 = 0
    var author: UInt16 = 0
  }

  let interest: HistoryInterest = [.beginnings, .emptyUpdates]
  private let store: CoreDataStore
  private let states = ObjectStates(empty: State())
  private var authors = AuthorNumbers()
  private var author: UInt16 = 0

  init(_ examination: Examination) { store = examination.store }

  func begin(_ transaction: HistoryTransaction) { author = authors.number(of: transaction.author) }

  func visit(
    _ change: HistoryChange, at place: Int, as what: HistoryInterest, _ findings: inout FindingCollector
  ) throws {
    let state = try states.state(of: change, at: place)
    if state.pointee.count < .max { state.pointee.count += 1 }
    state.pointee.author = author
  }

  func finish(_ pages: ObjectPages, _ findings: inout FindingCollector) {
    states.forEach(pages) { key, state in
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
  "history-empty-update", .info,
  title: "Updates that changed nothing",
  looksFor: "Objects with updates in history whose mask of changed properties has no bit.",
  why: """
    The object was saved because it was touched, not because a stored property differed. Every reader of history \
    hears of it all the same, and where the store is mirrored it may be exported.
    """,
  nextLaunch: "Nothing.",
  remedy: """
    Set a property only where the new value differs, and look into 'willSave' and transient properties, which make \
    an object count as changed.
    """,
  needs: [.history],
  falsePositives: "Changes of properties that are not stored, on purpose.",
  evidence: "Measured on real stores: those of a photo library have some.",
  message: """
    {count} {object was|objects were} saved without a changed property, the first {updates} \
    {updates:time|times}.
    """)
