import Lens
import SQLite
import StoreModel
import Values

extension Rule {
  static let historyChangeWithoutRow = Rule(about, .history { LastChanges($0) })
}

/// What history last said of each object.
private final class LastChanges: HistoryObserver {
  let interest: HistoryInterest = .objects
  private let examination: Examination
  private let states = ObjectStates(empty: Int64(0))

  init(_ examination: Examination) { self.examination = examination }

  /// The last transaction, doubled, and one more where the object lives; 0 where nothing is known.
  func visit(
    _ change: HistoryChange, at place: Int, as what: HistoryInterest, _ findings: inout FindingCollector
  ) throws {
    var isAlive: Int64 = 0
    switch change.kind {
    case .insert, .update: isAlive = 1
    case .delete, nil: break
    }
    try states.state(of: change, at: place).pointee = (change.transaction ?? 0) << 1 | isAlive
  }

  func finish(_ pages: ObjectPages, _ findings: inout FindingCollector) throws {
    let store = examination.store
    let transactions = try TransactionReader(store)
    var lookups: [Int64: Statement?] = [:]
    try states.forEach(pages) { key, state in
      guard state & 1 == 1 else { return }
      if lookups[key.entity] == nil { lookups[key.entity] = .some(try lookup(key.entity)) }
      guard case .some(.some(let lookup)) = lookups[key.entity] else { return }
      try lookup.bind(.integer(key.primaryKey), at: 1)
      let exists = try lookup.step()
      lookup.reset()
      guard !exists else { return }
      let transaction = try transactions?.transaction(state >> 1)
      findings.add(
        object: store.uri(key),
        [
          .init("entity", .text(store.entityName(ofNumber: key.entity))),
          .init("pk", .integer(key.primaryKey)), .init("transaction", .integer(state >> 1)),
          .init("author", .optional(transaction?.author)),
          .init("timestamp", .optional(transaction?.timestamp)),
        ])
    }
  }

  private func lookup(_ entity: Int64) throws -> Statement? {
    guard let table = examination.store.schema[entity]?.table,
      examination.store.tables.columns(of: table).contains(where: { $0.name.uppercased() == "Z_PK" })
    else { return nil }
    return try examination.store.connection.prepare(
      "SELECT 1 FROM main.\(quotedIdentifier(table)) WHERE Z_PK = ?")
  }
}

private let about = RuleHeader(
  "history-change-without-row", .warning,
  title: "Objects gone without a delete in history",
  looksFor: """
    Objects whose last change in history is an insert or an update, and whose row is not in its table.
    """,
  why: """
    Something deleted the rows outside Core Data, or while history was off. Nobody who reads history hears \
    of it: the cloud and other processes keep the objects.
    """,
  nextLaunch: """
    Where the change is still to be exported, the framework finds no object for it. All others stay in the cloud \
    as they are.
    """,
  remedy: """
    Delete through Core Data, with history on.
    """,
  mirroredRemedy: """
    'storescope repair STORE remove-orphan-records --cloud keep|delete' drops the records that are left over, or \
    queues their deletion.
    """,
  needs: [.history],
  falsePositives: """
    A migration that empties a table, and an app that no longer tracks an entity, leave no deletes either. \
    Entities that the store doesn't know, or whose table is missing, are left out. A row that another entity has \
    now counts as there.
    """,
  evidence: "Measured on real stores: photo libraries have some after migrations.",
  message: "{count} {object is|objects are} gone without a delete in history.")
