import Base
import Lens
import SQLite
import StoreModel

extension Rule {
  static let historyChangeWithoutRow = Rule(
    "history-change-without-row",
    .history { LastChanges($0) })
}

/// Objects whose last change in history leaves them alive, and that have no row.
private final class LastChanges: HistoryObserver {
  let interest: HistoryInterest = .objects
  private let examination: Examination
  /// 1 after a change that leaves the object alive.
  private let states = ObjectNibbles()
  private var emptied: [Int64: Bool] = [:]

  init(_ examination: Examination) { self.examination = examination }

  func visit(_ change: HistoryChange, as what: HistoryInterest, _ findings: inout FindingCollector) throws {
    guard let object = change.objectOfApp else { return }
    var isAlive: UInt8 = 0
    switch change.kind {
    case .insert, .update: isAlive = 1
    case .delete, nil: break
    }
    try states.update(object) { _ in isAlive }
  }

  /// When they were changed is read again: most stores have no such objects.
  func successor() throws -> (any HistoryObserver)? {
    let missing = SparseObjectMap(empty: Int64(0))
    var isAnyMissing = false
    var lookups: [Int64: Statement?] = [:]
    try states.forEach { key, _ in
      if lookups[key.entity] == nil { lookups[key.entity] = .some(try lookup(key.entity)) }
      guard case .some(.some(let lookup)) = lookups[key.entity] else { return }
      try lookup.bind(.integer(key.primaryKey), at: 1)
      let exists = try lookup.step()
      lookup.reset()
      guard try !exists && !isLeftOut(key.entity) else { return }
      try missing.update(key) { $0 = MissingObjects.unknown }
      isAnyMissing = true
    }
    return isAnyMissing ? MissingObjects(examination, missing) : nil
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

/// The transaction in which each missing object was last changed.
private final class MissingObjects: HistoryObserver {
  static let unknown = Int64.min
  let interest: HistoryInterest = .objects
  private let examination: Examination
  /// 0 for all other objects.
  private let transactions: SparseObjectMap<Int64>

  init(_ examination: Examination, _ missing: SparseObjectMap<Int64>) {
    (self.examination, transactions) = (examination, missing)
  }

  func visit(_ change: HistoryChange, as what: HistoryInterest, _ findings: inout FindingCollector) throws {
    guard let object = change.objectOfApp, try transactions[object] != 0 else { return }
    try transactions.update(object) { $0 = change.transaction ?? Self.unknown }
  }

  func finish(_ findings: inout FindingCollector) throws {
    let store = examination.store
    let reader = try TransactionReader(store)
    var newest: CoreDataDate?
    var isDated = true
    try transactions.forEach { key, number in
      let number = number == Self.unknown ? 0 : number
      let transaction = try reader?.transaction(number)
      if let moment = transaction?.timestamp {
        newest = max(newest ?? moment, moment)
      } else {
        isDated = false
      }
      findings.add(
        object: store.uri(key),
        [
          "entity": .text(store.entityName(ofNumber: key.entity)), "pk": .integer(key.primaryKey),
          "transaction": .integer(number), "author": .optional(transaction?.author),
          "timestamp": .optional(transaction?.timestamp),
        ])
    }
    // On a server, objects that went missing years ago would still be there.
    if isDated, examination.mirror == nil, let newest,
      examination.clock.days(since: newest)
        > examination.setting("days", of: Rule.historyChangeWithoutRow.header)
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
}
