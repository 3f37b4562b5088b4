import Base
import SQLite
package import StoreModel

/// The CloudKit mirror of one store: what it says of itself, and the way to everything else in it. Each of its small
/// tables is read when it is first asked for, and then remembered; records, history and rows are read by those who need
/// them.
package final class Mirror {
  package let store: CoreDataStore
  package let layout: MirrorLayout
  package let tables: FrameworkTables
  /// What the tables lack, or have in addition, compared with their layout; a sentence each.
  package var differences: [String] { tables.differences(from: layout) }
  /// Tables of a layout that is known in full.
  package var missingTables: [FrameworkTable] {
    guard layout.isComplete else { return [] }
    return FrameworkTable.allCases.filter {
      !$0.isHistory && (layout.hasAssets || !$0.isAsset) && !tables.has($0)
    }
  }
  /// The store for more threads, while this one goes on; none where it is small.
  var otherReaders: () throws -> [CoreDataStore] = { [] }
  /// Its tables in SQL, with its own terms.
  package let views: MirrorViews
  private var knownDatabases: [MirrorDatabase]?
  private var knownZones: [MirrorZone]?
  private var knownEntries: MetadataEntries?
  private var knownTransactions: TransactionReader??
  private var knownHistory: HistoryReader??
  private var knownToken: HistoryTokenReading?
  private var knownPurge: Int64??
  private var knownExport: Int64?
  private var knownEvents: EventDigest?
  private var knownEntities: MirroredEntities?
  private var knownUnanalyzed: UnanalyzedObjects?
  private var knownLosses: LostRecords?
  /// Objects that were asked for one by one before all of history was summed up.
  private var askedAlone: [ObjectKey: UnanalyzedObjects.Entry] = [:]
  private static let mostAskedAlone = 16
  private var knownPass: PendingPass?
  /// What the view `pending` is asked for now, where that isn't everything.
  private var askedPass: PendingPass?

  /// Nil where the store has no table of a mirror. `OpenStore` makes the one there is.
  /// - Throws: `SQLiteError`.
  init?(_ store: CoreDataStore, _ tables: FrameworkTables) throws {
    guard let layout = MirrorLayout.recognize(tables) else { return nil }
    self.store = store
    self.tables = tables
    self.layout = layout
    views = try MirrorViews(store, tables)
    try MirrorFunctions.install(in: store, views)
    try installFunctions()
  }

  // MARK: Small tables

  package var databases: [MirrorDatabase] {
    get throws { try once(&knownDatabases) { try MirrorDatabase.read(store.connection, views) } }
  }

  package var zones: [MirrorZone] {
    get throws { try once(&knownZones) { try MirrorZone.read(store.connection, views) } }
  }

  package var entries: MetadataEntries {
    get throws { try once(&knownEntries) { try MetadataEntries(store.connection, views) } }
  }

  /// Nil where the store keeps no transactions.
  package var transactions: TransactionReader? {
    get throws { try once(&knownTransactions) { try TransactionReader(store.connection, tables) } }
  }

  /// The number below which history was purged; nil if it wasn't.
  package var historyPurgedBelow: Int64? {
    get throws { try once(&knownPurge) { try store.historyPurgedBelow(transactions) } }
  }

  /// Up to which transaction exports have processed history, as far as the records show it without a token. Numbers
  /// above all of history say nothing.
  var exportedUpTo: Int64 {
    get throws {
      try once(&knownExport) {
        guard let records = views.records, let newest = try transactions?.newestTransaction() else {
          return 0
        }
        let numbers = records.select(["lastExported", "pendingExport"])
        return try store.connection.first(
          """
          SELECT MAX(MAX(IIF(lastExported <= ?1, lastExported, 0)), MAX(IIF(pendingExport <= ?1, pendingExport, 0)))
          FROM (\(numbers))
          """, [.integer(newest)]
        ) { $0.integer(0) } ?? 0
      }
    }
  }

  /// Nil where it keeps no history.
  var history: HistoryReader? {
    get throws {
      try once(&knownHistory) { try HistoryReader(store.connection, tables, transactions) }
    }
  }

  package var token: HistoryTokenReading {
    get throws {
      try once(&knownToken) {
        try HistoryTokenReading(entries, storeUUID: store.metadata.uuid, transactions)
      }
    }
  }

  package var events: EventDigest {
    get throws { try once(&knownEvents) { try EventDigest(EventReader(self)) } }
  }

  /// Reads them all: for those whom damage must meet at the beginning, or by name of the store, and not halfway.
  package func readSmallTables() throws {
    _ = try (databases, zones, entries, token, events, transactions?.texts())
  }

  private func once<T>(_ place: inout T?, _ read: () throws -> T) rethrows -> T {
    if let place { return place }
    let value = try read()
    place = value
    return value
  }

  /// The database the store is mirrored to; nil where that isn't recorded, or where several are.
  package var scope: DatabaseScope? {
    get throws {
      let scopes = try databases.compactMap(\.scope)
      return scopes.allSatisfy { $0 == scopes[0] } ? scopes.first : nil
    }
  }

  // MARK: What more is in it

  /// Rows of record metadata.
  package func recordCount() throws -> Int {
    try views.records.flatMap { try store.connection.first($0.count()) { Int($0.integer(0)) } } ?? 0
  }

  /// Concluded once, and then remembered.
  package func mirroredEntities() throws -> MirroredEntities {
    try once(&knownEntities) {
      try MirroredEntitiesReader(store: store, tables: tables, token: token).read()
    }
  }

  /// Rows that have lost their records. Read once, and then remembered.
  package func lostRecords() throws -> LostRecords { try once(&knownLosses) { try LostRecords(self) } }

  /// Whether anything was exported before, as far as events and records show it.
  package func hasExported() throws -> Bool {
    if try events[.export].lastSuccess != nil { return true }
    guard let records = views.records else { return false }
    return try store.connection.first(records.count(["lastExported"], "WHERE lastExported > 0")) {
      $0.integer(0) > 0
    } ?? false
  }

  /// What the app did after the last processed transaction. Read from history once, and then remembered.
  func unanalyzed() throws -> UnanalyzedObjects {
    try once(&knownUnanalyzed) { try UnanalyzedObjects.read(self) }
  }

  /// The same of one object. Of a few alone all of history needn't be summed up.
  func unanalyzed(_ key: ObjectKey) throws -> UnanalyzedObjects.Entry {
    if let knownUnanalyzed { return try knownUnanalyzed[key] }
    if let known = askedAlone[key] { return known }
    guard askedAlone.count < Self.mostAskedAlone else { return try unanalyzed()[key] }
    let entry = try UnanalyzedObjects.read(self, of: ObjectScope(key))[key]
    askedAlone[key] = entry
    return entry
  }

  /// What the view `pending` rests on now.
  func pendingPass(tracesCauses: Bool = false) throws -> PendingPass {
    try askedPass ?? pass(tracesCauses: tracesCauses)
  }

  /// A pass over everything is made once, and then remembered.
  /// - Parameters:
  ///   - tracesCauses: whether causes are asked for; a pass that traces them also reports all that one without does.
  ///   - object: the one it is about; all of them where nil.
  func pass(tracesCauses: Bool, of object: ObjectScope? = nil) throws -> PendingPass {
    if object != nil { return try PendingPass(self, tracesCauses: tracesCauses, of: object) }
    if let knownPass, knownPass.tracesCauses || !tracesCauses { return knownPass }
    // Not both in memory.
    (knownPass, knownUnanalyzed) = (nil, nil)
    let pass = try PendingPass(self, tracesCauses: tracesCauses, of: nil)
    knownPass = pass
    // It has read this on its way.
    knownUnanalyzed = pass.unanalyzed
    return pass
  }

  /// Whether an object was saved after what the server has of it, although its record isn't flagged yet.
  /// - Parameter isOneOfFew: whether only a few are asked for, each of which needs another pass over new history. Without a
  ///   token all of history is new.
  package func hasLaterChanges(_ key: ObjectKey, isOneOfFew: Bool) throws -> Bool {
    let isAlone = try isOneOfFew && knownPass == nil && !token.startsOver
    return try pass(tracesCauses: false, of: isAlone ? ObjectScope(key) : nil).hasLaterChanges(key)
  }

  /// Whether any record that was exported before is flagged for upload although no transaction in history changed it
  /// since, as 'resync --push' leaves them.
  package func flagsAgain() throws -> Bool { try pass(tracesCauses: true).anyIsFlaggedAgain() }

  /// Lets `pending` rest on that pass while `body` runs.
  func asking<R>(_ pass: PendingPass, _ body: () throws -> R) rethrows -> R {
    let previous = askedPass
    askedPass = pass
    defer { askedPass = previous }
    return try body()
  }

  /// Links whose removal the server knows already.
  package func sentLinkDeletes() throws -> Int {
    guard let links = views.links else { return 0 }
    return try store.connection.first(
      links.count(["needsDelete", "isUploaded"], "WHERE needsDelete AND isUploaded")
    ) { Int($0.integer(0)) } ?? 0
  }

  /// What a metadata entry's flag says; false where it is missing.
  package func isSet(_ key: String) throws -> Bool { try entries[key]?.bool ?? false }

  /// The number that Z_PRIMARYKEY gives to the rows of a framework's table; nil where it has none.
  package func entityNumber(of table: FrameworkTable) -> Int64? { primaryKey(of: table)?.number }

  func primaryKey(of table: FrameworkTable) -> PrimaryKeyTable.Row? {
    store.primaryKeys.framework.first { $0.name == table.entity }
  }

  /// What the store knows of the iCloud account. It is tied to one once both entries are there; a store that was
  /// checked and has no name is taken for another account's, and wiped (app authors report 134405).
  package var identity: Identity {
    get throws {
      let entries = try entries
      guard entries.problem == nil else { return .unknown }
      let isChecked = try isSet(MetadataKey.checkedIdentity)
      let name = entries[MetadataKey.identityRecordName]
      let hasName = name?.value.text.map { !$0.isEmpty } ?? false
      return switch (isChecked, hasName) {
      case (true, true): .known
      case (true, false): .halfRecorded
      case (false, true): .nameOnly
      case (false, false): .none
      }
    }
  }

  package enum Identity: Sendable {
    case none, known, halfRecorded, nameOnly
    /// Its entries can't be read.
    case unknown
  }
}
