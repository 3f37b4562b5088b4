import Lens
import SQLite
import StoreModel
import Values

/// Reads history once, for all rules that watch it: changes in the order of their keys, which is that in which they
/// were written and that of their transactions, and beside them the transactions.
struct HistoryPass {
  typealias Maker = @Sendable (Examination) throws -> any HistoryObserver

  /// A rule, and how far it came.
  struct Watcher {
    let rule: Rule
    fileprivate let make: Maker
    fileprivate(set) var findings: FindingCollector
    fileprivate(set) var observer: (any HistoryObserver)?
    /// Why the rule says nothing.
    fileprivate(set) var problem: String?

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
  private var pages = ObjectPages(bytes: historyPageLimit * ObjectPages.size, perObject: 1)
  /// By number, whether an entity of the app's has it.
  private var isAppEntity: [Bool]

  init(_ examination: Examination, _ watchers: [Watcher]) {
    self.examination = examination
    fresh = watchers
    self.watchers = watchers
    isAppEntity = [Bool](repeating: false, count: Int(PrimaryKeyTable.firstFrameworkNumber))
    for row in examination.store.primaryKeys.user { isAppEntity[Int(row.number)] = true }
  }

  /// Calls `step` now and then. Afterwards `watchers` have what was found, or why nothing could be.
  /// - Throws: `SQLiteError`; `StoreScopeError` where history can't be read at all.
  mutating func run(step: () -> Void) throws {
    guard let origins = try TransactionOrigins(examination.store.connection) else { return }
    try makeObservers()
    if try !read(origins, checksOrder: true, step) {
      try refuseToSort()
      watchers = fresh
      pages = ObjectPages(bytes: historyPageLimit * ObjectPages.size, perObject: 1)
      try makeObservers()
      _ = try read(origins, checksOrder: false, step)
    }
    let pages = pages
    for index in watchers.indices {
      try attempt(index) { try $0.observer?.finish(pages, &$0.findings) }
    }
  }

  private mutating func makeObservers() throws {
    let examination = examination
    for index in watchers.indices { try attempt(index) { $0.observer = try $0.make(examination) } }
    listeners = HistoryListeners(watchers.map(\.observer))
  }

  private mutating func attempt(_ index: Int, _ body: (inout Watcher) throws -> Void) throws {
    do { try body(&watchers[index]) } catch { try giveUp(index, error) }
  }

  /// A rule that gives up leaves the others to go on.
  private mutating func giveUp(_ index: Int, _ error: any Error) throws {
    if let error = error as? SQLiteError, error.isInterrupt { throw error }
    watchers[index].problem = Doctor.sentence(error)
    watchers[index].observer = nil
    listeners = HistoryListeners(watchers.map(\.observer))
  }

  private func refuseToSort() throws {
    let hasIndex = try examination.store.connection.first(
      """
      SELECT 1 FROM pragma_index_list('ACHANGE', 'main') i, pragma_index_info(i.name, 'main') c
      WHERE c.seqno = 0 AND c.name = 'ZTRANSACTIONID' COLLATE NOCASE AND NOT i.partial
      """
    ) { _ in true }
    guard hasIndex == nil else { return }
    throw StoreScopeError(
      .damaged,
      "Changes in history aren't in the order of their transactions, and ACHANGE has no index to read them in it",
      advice: "compare the store with a backup")
  }

  /// False where a change's transaction is older than that of a change before it: all must start over then.
  private mutating func read(
    _ origins: TransactionOrigins, checksOrder: Bool, _ step: () -> Void
  ) throws -> Bool {
    var cursor = try ChangeCursor(
      examination, byTransaction: !checksOrder, readsMasks: !listeners.emptyUpdates.isEmpty)
    try cursor.advance()
    try origins.forEach { transaction in
      guard cursor.isInOrder || !checksOrder else { return }
      var observed = ObservedTransaction(transaction)
      for listener in listeners.beginnings { listener.observer.begin(observed) }
      try passChanges(of: &observed, &cursor, step)
      for listener in listeners.ends {
        try attempt(listener.index) { try listener.observer.end(observed, &$0.findings) }
      }
    }
    while !cursor.isAtEnd, cursor.isInOrder || !checksOrder {
      cursor.change.hasTransaction = false
      try pass(&cursor.change, namesNothing: cursor.namesNothing)
      try cursor.advance()
      if cursor.rows & 4095 == 0 { step() }
    }
    return cursor.isInOrder || !checksOrder
  }

  /// Those of the transaction, and before them those whose transaction is gone.
  private mutating func passChanges(
    of transaction: inout ObservedTransaction, _ cursor: inout ChangeCursor, _ step: () -> Void
  ) throws {
    while !cursor.isAtEnd, cursor.number <= transaction.number {
      let belongs = cursor.number == transaction.number && cursor.change.transaction != nil
      if belongs { transaction.count(cursor.change.kind) }
      cursor.change.hasTransaction = belongs
      try pass(&cursor.change, namesNothing: cursor.namesNothing)
      try cursor.advance()
      if cursor.rows & 4095 == 0 { step() }
    }
  }

  private mutating func pass(_ change: inout ObservedChange, namesNothing: Bool) throws {
    if !change.hasTransaction { try call(listeners.withoutTransaction, change, .withoutTransaction) }
    guard let entity = change.entity, entity >= 0, entity < Int64(isAppEntity.count), isAppEntity[Int(entity)]
    else {
      try call(listeners.strangeEntities, change, .strangeEntities)
      return
    }
    var isUpdate = false
    if case .update = change.kind { isUpdate = change.hasTransaction }
    let isEmptyUpdate = isUpdate && namesNothing
    guard let objectKey = change.objectKey,
      !listeners.objects.isEmpty || (isUpdate && !listeners.updates.isEmpty)
        || (isEmptyUpdate && !listeners.emptyUpdates.isEmpty)
    else { return }
    do {
      change.place = try pages.place(ObjectKey(entity: entity, primaryKey: objectKey))
    } catch {
      for index in listeners.keepingStates { try giveUp(index, error) }
      return
    }
    try call(listeners.objects, change, .objects)
    if isUpdate { try call(listeners.updates, change, .updates) }
    if isEmptyUpdate { try call(listeners.emptyUpdates, change, .emptyUpdates) }
  }

  private mutating func call(
    _ listeners: [HistoryListeners.Listener], _ change: ObservedChange, _ what: HistoryInterest
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

extension ObservedTransaction {
  fileprivate init(_ transaction: TransactionOrigins.Transaction) {
    self.init(
      number: transaction.number, author: transaction.author, context: transaction.context,
      bundle: transaction.bundle, process: transaction.process, timestamp: transaction.timestamp,
      origin: transaction.origin)
  }

  fileprivate mutating func count(_ kind: HistoryReader.ChangeKind?) {
    switch kind {
    case .insert: inserts += 1
    case .update: updates += 1
    case .delete: deletes += 1
    case nil: break
    }
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
  }

  /// Indices of those that keep a state of each object.
  var keepingStates: [Int] { Set((objects + updates + emptyUpdates).map(\.index)).sorted() }
}
