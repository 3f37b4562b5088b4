package import Base
import SQLite
import StoreModel

/// Who, or what, changed how much: history counted by one of its dimensions.
package struct HistoryGroup: Sendable, Equatable {
  package enum Dimension: String, Sendable, CaseIterable {
    case author, entity, process, bundle, context, day
  }

  /// The author's name, the day as `2026-03-01`, and so on; nil for transactions without one.
  package var key: String?
  package var transactions = 0
  package var changes = ChangeCounts()
  package var first: CoreDataDate?
  package var last: CoreDataDate?
  package var bundles: Set<String> = []
  package var processes: Set<String> = []
  package var contexts: Set<String> = []

  fileprivate var lastTransaction: Int64?

  fileprivate mutating func count(_ transaction: HistoryTransaction) {
    guard lastTransaction != transaction.number else { return }
    lastTransaction = transaction.number
    transactions += 1
    if let timestamp = transaction.timestamp {
      first = min(first ?? timestamp, timestamp)
      last = max(last ?? timestamp, timestamp)
    }
    if let bundle = transaction.bundle { bundles.insert(bundle) }
    if let process = transaction.process { processes.insert(process) }
    if let context = transaction.context { contexts.insert(context) }
  }

  /// How much, with the key under its own name.
  package static func counts(_ key: String, _ meaning: String) -> [Field<Self>] {
    [
      Field(key, meaning) { $0.key }, Field("transactions", "saves") { $0.transactions },
      Field("inserts", "objects inserted") { $0.changes.inserts },
      Field("updates", "objects updated") { $0.changes.updates },
      Field("deletes", "objects deleted") { $0.changes.deletes },
    ]
  }

  /// The same, when, and who.
  package static func fields(_ key: String, _ meaning: String) -> [Field<Self>] {
    Field.list(
      counts(key, meaning),
      [
        Field("first", "the oldest save") { $0.first }, Field("last", "the newest save") { $0.last },
        Field("bundles", "bundle identifiers of the programs") { $0.bundles.sorted() },
        Field("processes", "the programs") { $0.processes.sorted() },
        Field("contexts", "names of their contexts") { $0.contexts.sorted() },
      ])
  }

  package static func fields(by dimension: Dimension) -> [Field<Self>] {
    fields(dimension.rawValue, "what the changes have in common; null for those without one")
  }
}

extension HistoryReader {
  /// Groups ordered by key, those without one last. `entityName` names an entity number.
  package func groups(
    by dimension: HistoryGroup.Dimension, _ filter: HistoryFilter = HistoryFilter(),
    entityName: (Int64) -> String, progress: (Int) -> Void = { _ in }
  ) throws -> [HistoryGroup] {
    let groups =
      try everything(by: dimension, filter, progress)
      ?? inOrder(by: dimension, filter, entityName: entityName, progress)
    return groups.sorted { one, other in
      guard let key = one.key else { return false }
      guard let otherKey = other.key else { return true }
      return key < otherKey
    }
  }

  /// All of history in the order in which it lies in the file: two million changes took two thirds of the time of
  /// history's own order, in which each change is looked up by itself.
  /// - Returns: nil where a filter or the dimension asks for more.
  func everything(
    by dimension: HistoryGroup.Dimension, _ filter: HistoryFilter, _ progress: (Int) -> Void
  ) throws -> [HistoryGroup]? {
    guard dimension != .entity, filter.isEmpty else { return nil }
    var groups = [HistoryGroup(key: nil)]
    var indexes: [String?: Int] = [nil: 0]
    // The place of each transaction's group, and one more, so that 0 is a transaction whose row is missing. Changes lie
    // in the order of their transactions, so that few have to be in memory.
    let places = ObjectMap<Int32>(empty: 0, bytes: 256 << 10)
    try transactions.forEach { transaction in
      guard try places[ObjectKey(number: transaction.number)] == 0 else { return }
      let key = key(of: transaction, dimension)
      let index = indexes[key] ?? groups.count
      if index == groups.count {
        groups.append(HistoryGroup(key: key))
        indexes[key] = index
      }
      groups[index].count(transaction)
      try places.set(ObjectKey(number: transaction.number), Int32(clamping: index + 1))
    }
    var (seen, missing) = (0, 0)
    try forEachChangeAsWritten { change in
      seen += 1
      if seen % 65536 == 0 { progress(seen) }
      let found = Int(try change.transaction.map { try places[ObjectKey(number: $0)] } ?? 0)
      // Who it was is unknown, what was changed isn't.
      if found == 0 { missing += 1 }
      groups[max(0, found - 1)].changes.add(change.kind)
      return true
    }
    if groups[0].transactions == 0, missing == 0 { groups.removeFirst() }
    return groups
  }

  /// What passes the filter, as history goes.
  func inOrder(
    by dimension: HistoryGroup.Dimension, _ filter: HistoryFilter, entityName: (Int64) -> String,
    _ progress: (Int) -> Void
  ) throws -> [HistoryGroup] {
    var groups: [String?: HistoryGroup] = [:]
    // Changes first: counted a run of one transaction, entity and kind at a time, as a lookup per change would cost
    // more than reading it.
    var run: (transaction: HistoryTransaction, entity: Int64, changes: ChangeCounts)?
    func finishRun() {
      guard let run else { return }
      let key = key(of: run.transaction, dimension) ?? (dimension == .entity ? entityName(run.entity) : nil)
      var group = groups[key] ?? HistoryGroup(key: key)
      group.count(run.transaction)
      group.changes += run.changes
      groups[key] = group
    }
    var seen = 0
    try forEachChange(filter, reading: []) { cursor, transaction in
      seen += 1
      if seen % 65536 == 0 { progress(seen) }
      let entity = cursor.change.entity ?? 0
      guard let transaction else {
        // The transaction's row is missing: who it was is unknown, what was changed isn't.
        let key = dimension == .entity ? entityName(entity) : nil
        groups[key, default: HistoryGroup(key: key)].changes.add(cursor.change.kind)
        return true
      }
      if run?.transaction.number != transaction.number || (dimension == .entity && run?.entity != entity) {
        finishRun()
        run = (transaction, entity, ChangeCounts())
      }
      run?.changes.add(cursor.change.kind)
      return true
    }
    finishRun()
    if dimension != .entity, !filter.looksAtChanges {
      // Transactions without changes are normal, and count.
      try forEachEmptyTransaction(filter) { transaction in
        let key = key(of: transaction, dimension)
        groups[key, default: HistoryGroup(key: key)].count(transaction)
      }
    }
    return Array(groups.values)
  }

  private func key(of transaction: HistoryTransaction, _ dimension: HistoryGroup.Dimension) -> String? {
    switch dimension {
    case .author: transaction.author
    case .process: transaction.process
    case .bundle: transaction.bundle
    case .context: transaction.context
    case .day: transaction.timestamp?.iso8601.map { String($0.prefix(10)) }
    case .entity: nil
    }
  }
}
