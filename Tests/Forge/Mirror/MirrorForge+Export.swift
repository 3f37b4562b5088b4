package import Base
import StoreModel

extension MirrorForge {
  package enum ExportOutcome: Sendable, Equatable {
    case success
    /// The server takes nothing, or the export never gets so far.
    case failure(MirrorFailure)
    /// The server takes every second record and no link; the export ends with `partialFailure`.
    case partialFailure
    /// The process dies: the event has no end.
    case dies
  }

  /// How far an export gets that doesn't succeed.
  package enum ExportStage: Sendable, CaseIterable {
    /// Nothing was done.
    case start
    /// Half of the new transactions are processed, and the token stands there.
    case halfOfAnalysis
    /// All are processed; no record knows of it yet.
    case analysis
    /// Records are flagged.
    case processing
    /// The server has answered, and the rows of deleted records are still there.
    case answered
  }

  /// One export.
  ///
  /// A token of another store, or one that can't be read, ends it at once; a token whose transaction is gone also
  /// costs all that was mirrored.
  /// - Parameter stage: how far it gets where it doesn't succeed.
  package func export(
    _ outcome: ExportOutcome = .success, reaching stage: ExportStage = .processing,
    at date: CoreDataDate? = nil
  ) throws {
    let event = try begin(.export, date)
    func stop() throws {
      if case .failure(let failure) = outcome { try end(event, failure) }
    }
    if outcome != .success, outcome != .partialFailure, stage == .start { return try stop() }
    guard homeZone != nil else { return try end(event, .notInitialised) }
    guard try checkToken(event) else { return }
    let isHalf = stage == .halfOfAnalysis && outcome != .success && outcome != .partialFailure
    try analyze(onlyHalf: isHalf)
    if isHalf { return try stop() }
    let isUnfinished = outcome != .success && outcome != .partialFailure
    if isUnfinished, stage == .analysis { return try stop() }
    try process()
    if exportsLeaveTransactions { try forge.recordEmptyTransaction(author: FrameworkAuthor.export.name) }
    switch outcome {
    case .success:
      let count = send(everySecond: false)
      purgeDeleted()
      try commit()
      try end(event, affected: count)
    case .partialFailure:
      let count = send(everySecond: true)
      try commit()
      try end(event, .partialFailure, affected: count)
    case .failure, .dies:
      if stage == .answered { _ = send(everySecond: false) } else { prepare() }
      try commit()
      try stop()
    }
  }

  private func checkToken(_ event: Int64) throws -> Bool {
    switch token {
    case .foreign:
      try end(event, .foreignToken)
      return false
    case .unreadable:
      try end(event, .unhandledException)
      return false
    case .missing, .transaction: break
    }
    if token == .missing || bypassesHistory { ledger.set(.init(Key.scan, .bool(true))) }
    guard !tokenIsValid else { return true }
    try wipeAfterExpiredHistory()
    try end(event, .tokenExpired)
    return false
  }

  var bypassesHistory: Bool { ledger.entry(Key.bypassHistory) != nil }

  // MARK: Analysis

  /// The states that an analysis of all history above the token would come to.
  /// - Parameter entities: numbers of those whose objects count; the mirrored ones where nil.
  func analysis(of entities: Set<Int64>? = nil, upTo limit: Int64 = .max) -> HistoryAnalysis {
    var analysis = HistoryAnalysis(
      leftovers: ledger.analyzerStates.sorted { $0.key < $1.key }.map(\.value),
      mirrored: entities ?? mirrored, includesImports: bypassesHistory)
    var changes = forge.truth.changes.drop { $0.transaction <= token.number }
    for transaction in forge.truth.transactions
    where transaction.number > token.number && transaction.number <= limit {
      let own = changes.prefix { $0.transaction == transaction.number }
      analysis.add(transaction, Array(own))
      changes = changes.dropFirst(own.count)
    }
    return analysis
  }

  private func analyze(onlyHalf: Bool) throws {
    let new = forge.truth.transactions.filter { $0.number > token.number }
    let last = onlyHalf ? (new.isEmpty ? nil : new[(new.count - 1) / 2].number) : new.last?.number
    let analysis = analysis(upTo: last ?? token.number)
    ledger.analyzerStates = [:]
    let states = analysis.states.values.sorted {
      ($0.originalTransaction, $0.object.entityNumber, $0.object.primaryKey)
        < ($1.originalTransaction, $1.object.entityNumber, $1.object.primaryKey)
    }
    for state in states { ledger.add(state, to: \.analyzerStates) }
    if let last { setToken(.transaction(last)) }
    if !onlyHalf { ledger.removeEntry(Key.bypassHistory) }
    try commit()
  }

  // MARK: Processing

  /// Turns states into flags, and looks for rows that history doesn't know.
  private func process() throws {
    let number: Int64? = token == .missing ? nil : token.number
    let states = ledger.analyzerStates.sorted { $0.key < $1.key }.map(\.value)
    for state in states {
      let key = ledger.recordKey(of: state.object)
      if state.final == .delete {
        // What was never uploaded needn't be deleted.
        guard let key else { continue }
        flag(key, delete: true, number)
      } else {
        guard let record = key ?? register(state.object) else { continue }
        flag(record, delete: false, number)
      }
    }
    ledger.analyzerStates = [:]
    moveLinks()
    updateLinks(of: Set(states.map(\.object)))
    if ledger.entry(Key.scan) != nil, scope != .shared {
      for object in forge.truth.objects.keys.sorted(by: Self.isBefore)
      where mirrored.contains(object.entityNumber) && ledger.recordKey(of: object) == nil {
        guard let record = register(object) else { continue }
        flag(record, delete: false, number)
        ledger.records[record]?.pendingChangeType = ForgeTruth.Change.Kind.insert.rawValue
      }
    }
    ledger.removeEntry(Key.scan)
    try commit()
  }

  static func isBefore(_ one: ForgedObject, _ other: ForgedObject) -> Bool {
    (one.entityNumber, one.primaryKey) < (other.entityNumber, other.primaryKey)
  }

  private func flag(_ key: Int64, delete: Bool, _ number: Int64?) {
    ledger.records[key]?.needsUpload = true
    ledger.records[key]?.needsCloudDelete = delete
    ledger.records[key]?.pendingExport = number
  }

  /// A record of a new name for an object, in the zone of what it is related to. Nil where there is no zone yet.
  func register(_ object: ForgedObject, named name: String? = nil) -> Int64? {
    let related = forge.truth[object]?.links.sorted { $0.key < $1.key }.flatMap(\.value) ?? []
    guard let zone = related.lazy.compactMap({ self.ledger.record(of: $0)?.zone }).first ?? homeZone else {
      return nil
    }
    return ledger.add(.init(object: object, name: name ?? names.uuid(), zone: zone))
  }

  // MARK: Sending

  /// What is decided when records are made for the server: an object that isn't there is deleted there as well.
  private func prepare() {
    for (key, record) in ledger.records where record.needsUpload && forge.truth[record.object] == nil {
      ledger.records[key]?.needsCloudDelete = true
    }
  }

  /// The server's answer. Returns how many records it took.
  private func send(everySecond: Bool) -> Int {
    prepare()
    let waiting = ledger.records.filter(\.value.needsUpload).keys.sorted()
    let taken = everySecond ? waiting.enumerated().filter { $0.offset % 2 == 0 }.map(\.element) : waiting
    for key in taken { acknowledge(key) }
    guard !everySecond else { return taken.count }
    sendLinks()
    for key in ledger.zones.keys.sorted() { sendShare(key) }
    ledger.receipts = ledger.receipts.filter { !$0.value.needsCloudDelete }
    return taken.count
  }

  private func acknowledge(_ key: Int64) {
    guard var record = ledger.records[key] else { return }
    record.needsUpload = false
    record.lastExported = record.pendingExport ?? record.lastExported
    record.pendingExport = nil
    record.pendingChangeType = nil
    if !record.needsCloudDelete {
      record.created = record.created ?? forge.clock
      record.systemFields = nil
      copyFromServer(&record)
    }
    ledger.records[key] = record
  }

  /// Rows of records and links that the server deleted go with the next save.
  private func purgeDeleted() {
    for (key, record) in ledger.records where record.needsCloudDelete && !record.needsUpload {
      ledger.removeRecord(key)
    }
    ledger.links = ledger.links.filter { !$0.value.needsDelete || !$0.value.isUploaded }
  }
}
