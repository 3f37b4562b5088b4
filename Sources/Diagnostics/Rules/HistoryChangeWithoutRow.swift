import Lens
import SQLite
import StoreModel
import Values

extension Rule {
  static let historyChangeWithoutRow = Rule(about, .history { LastChanges($0) })
}

/// The last change of each object in history.
private final class LastChanges: HistoryObserver {
  let interest: HistoryInterest = .objects
  private let examination: Examination
  private let states = ObjectStates(empty: Int64(0))
  private var emptied: [Int64: Bool] = [:]

  init(_ examination: Examination) { self.examination = examination }

  /// The last transaction, doubled, plus one if the object exists; 0 if nothing is known.
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
    var newest: CoreDataDate?
    var isDated = true
    try states.forEach(pages) { key, state in
      guard state & 1 == 1 else { return }
      if lookups[key.entity] == nil { lookups[key.entity] = .some(try lookup(key.entity)) }
      guard case .some(.some(let lookup)) = lookups[key.entity] else { return }
      try lookup.bind(.integer(key.primaryKey), at: 1)
      let exists = try lookup.step()
      lookup.reset()
      guard try !exists && !isLeftOut(key.entity) else { return }
      let transaction = try transactions?.transaction(state >> 1)
      if let moment = transaction?.timestamp {
        newest = max(newest ?? moment, moment)
      } else {
        isDated = false
      }
      findings.add(
        object: store.uri(key),
        [
          .init("entity", .text(store.entityName(ofNumber: key.entity))),
          .init("pk", .integer(key.primaryKey)), .init("transaction", .integer(state >> 1)),
          .init("author", .optional(transaction?.author)),
          .init("timestamp", .optional(transaction?.timestamp)),
        ])
    }
    // On a server, objects that went missing years ago would still be there.
    if isDated, examination.mirror == nil, let newest,
      examination.clock.days(since: newest) > examination.setting("days", of: about)
    {
      findings.severity = .info
      findings.remedy = "Nothing to do: their last change is \(Age(newest, examination.clock).inDays) old."
    }
    findings.ofAll = [.init("when", .text(when(newest)))]
  }

  /// When any of the objects was last changed, which is before it went missing.
  private func when(_ newest: CoreDataDate?) -> String {
    guard let newest, let moment = newest.iso8601 else { return "at an unknown time" }
    let age = Age(newest, examination.clock)
    let isRecent = (age.days ?? 0) < 0.05
    return "at \(moment)" + (isRecent ? "" : ", \(age.inDays) before the newest timestamp in the store")
  }

  /// Emptied as a whole, as migrations and caches are; on a server the objects would still be there.
  private func isLeftOut(_ entity: Int64) throws -> Bool {
    guard examination.mirror == nil, let table = examination.store.schema[entity]?.table else { return false }
    if let known = emptied[entity] { return known }
    let rows = try examination.store.connection.first(
      "SELECT EXISTS (SELECT 1 FROM main.\(quotedIdentifier(table)))"
    ) { $0.integer(0) }
    emptied[entity] = rows == 0
    return rows == 0
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
  title: "Objects missing without a delete in history",
  looksFor: """
    Objects whose last change in history is an insert or an update, and whose row is not in its table.
    """,
  why: """
    The rows were deleted outside Core Data, or while history was off. Readers of history, such as widgets and \
    extensions, don't see the deletions and keep the objects.
    """,
  nextLaunch: "Readers of history that haven't processed these changes yet find no objects for them.",
  mirroredNextLaunch:
    "The exporter is one of these readers; it leaves objects that it exported before on the server.",
  remedy: """
    Delete objects through Core Data, with history on.
    """,
  mirroredRemedy: """
    'storescope repair STORE remove-orphan-records --cloud keep|delete' removes the leftover records, or \
    queues their deletion.
    """,
  needs: [.history], log: .transactions,
  falsePositives: """
    A migration that empties a table, or an app that no longer tracks an entity, leaves no deletes either; \
    empty tables are left out unless the store is mirrored. Entities that aren't in the store, or whose table is missing, are left out. A row that now belongs to \
    another entity counts as existing. It is a note if all of them were last changed long ago and the store isn't mirrored.
    """,
  evidence: "Measured on real stores: photo libraries have such objects after migrations.",
  message: "{count} {object is|objects are} missing without a delete in history; last changed {when}.",
  thresholds: [
    Threshold(
      "days", 365,
      """
      days between the last change of any of them and the newest timestamp in the store; if it is longer ago, and the \
      store isn't mirrored, it is a note
      """)
  ])
