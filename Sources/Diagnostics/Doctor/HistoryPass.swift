import Base
import Lens
import SQLite
import StoreModel

/// Reads history once, for all rules that watch it: changes in the order of their keys, which is that in which they
/// were written and that of their transactions, and next to them the transactions.
struct HistoryPass {
  typealias Maker = @Sendable (Examination) throws -> any HistoryObserver

  /// A rule, and how far it came.
  struct Watcher {
    let rule: Rule
    fileprivate let make: Maker
    fileprivate(set) var findings: FindingCollector
    fileprivate(set) var observer: (any HistoryObserver)?
    /// Why the rule says nothing.
    fileprivate(set) var problem: (any Error)?

    init(_ rule: Rule, _ findings: FindingCollector, _ make: @escaping Maker) {
      self.rule = rule
      self.findings = findings
      self.make = make
    }
  }

  private let examination: Examination
  private let fresh: [Watcher]
  private(set) var watchers: [Watcher]
  private var listeners = HistoryListeners([])
  /// By number, whether an entity of the app's has it.
  private var isAppEntity: [Bool]
  private var tally = ObjectTally(entities: 0)

  init(_ examination: Examination, _ watchers: [Watcher]) {
    self.examination = examination
    fresh = watchers
    self.watchers = watchers
    isAppEntity = [Bool](repeating: false, count: Int(PrimaryKeyTable.firstFrameworkNumber))
    let store = examination.store
    // Without Z_PRIMARYKEY, which other rules report, numbers are the model's.
    let numbers =
      store.countersProblem == nil
      ? store.primaryKeys.user.map(\.number) : store.schema.entities.map(\.number)
    for number in numbers where isAppEntity.indices.contains(Int(number)) { isAppEntity[Int(number)] = true }
  }

  /// Calls `step` now and then. Afterward `watchers` have what was found, or why nothing could be.
  /// - Throws: `SQLiteError`; `StoreScopeError` where history can't be read at all.
  mutating func run(step: () -> Void) throws {
    let store = examination.store
    guard let transactions = try TransactionReader(store) else { return }
    try makeObservers()
    let isInOrder = try read(transactions, checksOrder: true, step)
    if !isInOrder {
      try refuseToSort()
      watchers = fresh
      try makeObservers()
      _ = try read(transactions, checksOrder: false, step)
    }
    try finish()
    guard watchers.contains(where: { $0.observer != nil }) else { return }
    _ = try read(transactions, checksOrder: isInOrder, step)
    try finish()
  }

  /// Those that don't have to see history again; they listen no longer.
  private mutating func finish() throws {
    let tally = tally
    for index in watchers.indices {
      try attempt(index) { watcher in
        let successor = try watcher.observer?.successor()
        if successor == nil { try watcher.observer?.finish(tally, &watcher.findings) }
        watcher.observer = successor
      }
    }
    listeners = HistoryListeners(watchers.map(\.observer))
  }

  private mutating func makeObservers() throws {
    let examination = examination
    for index in watchers.indices { try attempt(index) { $0.observer = try $0.make(examination) } }
    listeners = HistoryListeners(watchers.map(\.observer))
    tally = ObjectTally(entities: isAppEntity.count)
  }

  private mutating func attempt(_ index: Int, _ body: (inout Watcher) throws -> Void) throws {
    do { try body(&watchers[index]) } catch { try giveUp(index, error) }
  }

  /// A rule that gives up leaves the others to go on.
  private mutating func giveUp(_ index: Int, _ error: any Error) throws {
    if let error = error as? SQLiteError, error.isInterrupt { throw error }
    watchers[index].problem = error
    watchers[index].observer = nil
    listeners = HistoryListeners(watchers.map(\.observer))
  }

  private func refuseToSort() throws {
    let indexed = try examination.store.connection.indexedColumns(of: FrameworkTable.changes.rawValue)
    guard !indexed.contains("ZTRANSACTIONID") else { return }
    throw StoreScopeError(
      .damaged,
      "Changes in history aren't in the order of their transactions, and ACHANGE has no index to read them in it",
      advice: "compare the store with a backup")
  }

  /// False where a change's transaction is older than that of a change before it: all must start over then.
  private mutating func read(
    _ transactions: TransactionReader, checksOrder: Bool, _ step: () -> Void
  ) throws -> Bool {
    guard
      let cursor = try ChangeCursor(
        examination.store, extras: listeners.emptyUpdates.isEmpty ? [] : .mask,
        order: checksOrder ? .row : .transaction)
    else { return true }
    var passed = PassedChanges(cursor)
    try passed.advance()
    try transactions.forEach { transaction in
      guard passed.isInOrder || !checksOrder else { return }
      for listener in listeners.beginnings { listener.observer.begin(transaction) }
      let counts = try passChanges(of: transaction.number, &passed, step)
      if !listeners.totals.isEmpty {
        let totals = tally.takeTotals()
        if !totals.isEmpty {
          for listener in listeners.totals { listener.observer.visit(totals, of: transaction) }
        }
      }
      for listener in listeners.ends {
        try attempt(listener.index) { try listener.observer.end(transaction, counts, &$0.findings) }
      }
    }
    while !passed.isAtEnd, passed.isInOrder || !checksOrder {
      try pass(passed.change, namesNothing: passed.namesNothing, hasTransaction: false)
      try passed.advance()
      if passed.count & 4095 == 0 { step() }
    }
    return passed.isInOrder || !checksOrder
  }

  /// Those of the transaction, and before them those whose transaction is gone.
  private mutating func passChanges(
    of transaction: Int64, _ passed: inout PassedChanges, _ step: () -> Void
  ) throws -> ChangeCounts {
    var counts = ChangeCounts()
    while !passed.isAtEnd, passed.number <= transaction {
      let change = passed.change
      let belongs = passed.number == transaction && change.transaction != nil
      if belongs {
        // Not by a function of another module: there may be millions.
        switch change.kind {
        case .insert: counts.inserts += 1
        case .update: counts.updates += 1
        case .delete: counts.deletes += 1
        case nil: break
        }
      }
      try pass(change, namesNothing: passed.namesNothing, hasTransaction: belongs)
      try passed.advance()
      if passed.count & 4095 == 0 { step() }
    }
    return counts
  }

  private mutating func pass(_ change: HistoryChange, namesNothing: Bool, hasTransaction: Bool) throws {
    if !hasTransaction { try call(listeners.withoutTransaction, change, .withoutTransaction) }
    guard let entity = change.entity, entity >= 0, entity < Int64(isAppEntity.count), isAppEntity[Int(entity)]
    else {
      try call(listeners.strangeEntities, change, .strangeEntities)
      return
    }
    var isUpdate = false
    switch change.kind {
    case .insert: tally.insert(Int(entity), isOfTransaction: hasTransaction)
    // Without its transaction nobody knows who deleted it.
    case .delete: if hasTransaction { tally.delete(Int(entity)) }
    case .update: isUpdate = hasTransaction
    case nil: break
    }
    let isEmptyUpdate = isUpdate && namesNothing
    guard change.objectKey != nil else { return }
    try call(listeners.objects, change, .objects)
    if isUpdate { try call(listeners.updates, change, .updates) }
    if isEmptyUpdate { try call(listeners.emptyUpdates, change, .emptyUpdates) }
  }

  private mutating func call(
    _ listeners: [HistoryListeners.Listener], _ change: HistoryChange, _ what: HistoryInterest
  ) throws {
    for listener in listeners {
      do {
        try listener.observer.visit(change, as: what, &watchers[listener.index].findings)
      } catch {
        try giveUp(listener.index, error)
      }
    }
  }
}

/// The changes, and what the pass has to know of those that went by.
private struct PassedChanges {
  private var cursor: ChangeCursor
  private(set) var isAtEnd = false
  /// Of the transaction; the lowest of all numbers where the change has none.
  private(set) var number = Int64.min
  /// Whether no change so far has a lower number than one before it.
  private(set) var isInOrder = true
  private var highest = Int64.min
  private(set) var count = 0

  init(_ cursor: ChangeCursor) { self.cursor = cursor }

  var change: HistoryChange { cursor.change }

  /// Whether it is an update with a mask of changed properties without a bit in it.
  var namesNothing: Bool {
    guard case .update = cursor.change.kind else { return false }
    return cursor.hasEmptyMask
  }

  mutating func advance() throws {
    guard try cursor.next() else {
      isAtEnd = true
      return
    }
    count &+= 1
    let transaction = cursor.change.transaction
    number = transaction ?? .min
    if number >= highest { highest = number } else if transaction != nil { isInOrder = false }
  }
}

/// Which observers want what.
struct HistoryListeners {
  struct Listener {
    /// Of the rule.
    let index: Int
    let observer: any HistoryObserver
  }

  let beginnings: [Listener]
  let ends: [Listener]
  let objects: [Listener]
  let updates: [Listener]
  let emptyUpdates: [Listener]
  let withoutTransaction: [Listener]
  let strangeEntities: [Listener]
  let totals: [Listener]

  /// - Parameter observers: nil for rules that gave up.
  init(_ observers: [(any HistoryObserver)?]) {
    func listeners(_ interest: HistoryInterest) -> [Listener] {
      observers.enumerated().compactMap { index, observer in
        guard let observer, observer.interest.contains(interest) else { return nil }
        return Listener(index: index, observer: observer)
      }
    }
    beginnings = listeners(.beginnings)
    ends = listeners(.ends)
    objects = listeners(.objects)
    updates = listeners(.updates)
    emptyUpdates = listeners(.emptyUpdates)
    withoutTransaction = listeners(.withoutTransaction)
    strangeEntities = listeners(.strangeEntities)
    totals = listeners(.totals)
  }
}
