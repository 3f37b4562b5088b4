import SQLite
package import StoreModel
import Values

/// The CloudKit mirror of one store: what it says of itself, and the way to everything else in it. Opening it reads
/// the small tables; records, history and rows are read by those who need them.
package final class Mirror {
  package let store: CoreDataStore
  package let layout: MirrorLayout
  package let tables: FrameworkTables
  package let databases: [MirrorDatabase]
  package let zones: [MirrorZone]
  package let entries: MetadataEntries
  package let token: HistoryTokenReading
  package let events: EventDigest
  /// What the tables lack, or have besides, compared with their layout; a sentence each.
  package let differences: [String]
  /// Nil where the store keeps no transactions.
  package let transactions: TransactionReader?
  /// Nil where it keeps no history.
  let history: HistoryReader?
  private let zonesByKey: [Int64: MirrorZone]
  private var knownEntities: MirroredEntities?
  private var knownUnanalyzed: UnanalyzedObjects?
  /// Objects that were asked for one by one before all of history was summed up.
  private var askedAlone: [ObjectKey: UnanalyzedObjects.Entry] = [:]
  private static let mostAskedAlone = 16
  private var pass: PendingPass?
  /// What the view `pending` is asked for now, where that isn't everything.
  private var askedPass: PendingPass?
  /// Its tables in SQL, with its own terms.
  package let views: MirrorViews

  /// Nil where the store has no table of a mirror.
  /// - Throws: `SQLiteError`.
  package init?(_ store: CoreDataStore) throws {
    let tables = FrameworkTables(store.tables)
    guard let layout = MirrorLayout.recognise(tables) else { return nil }
    self.store = store
    self.tables = tables
    self.layout = layout
    differences = tables.differences(from: layout)
    let views = try MirrorViews(store, tables)
    self.views = views
    try MirrorFunctions.install(in: store, views)
    databases = try MirrorDatabase.read(store.connection, views)
    zones = try MirrorZone.read(store.connection, views)
    zonesByKey = Dictionary(zones.map { ($0.primaryKey, $0) }, uniquingKeysWith: { $1 })
    entries = try MetadataEntries(store.connection, views)
    let transactions = try TransactionReader(store.connection, tables)
    self.transactions = transactions
    history = HistoryReader(store.connection, tables, transactions)
    token = try HistoryTokenReading(entries, storeUUID: store.metadata.uuid, transactions)
    events = try EventDigest(EventReader(store.connection, views))
    try installFunctions()
  }

  package func zone(_ key: Int64) -> MirrorZone? { zonesByKey[key] }

  /// The database the store is mirrored to; nil where that isn't recorded, or where several are.
  package var scope: DatabaseScope? {
    let scopes = Set(databases.compactMap(\.scope))
    return scopes.count == 1 ? scopes.first : nil
  }

  /// Rows of record metadata.
  package func recordCount() throws -> Int {
    try views.records.flatMap { try store.connection.first($0.count()) { Int($0.integer(0)) } } ?? 0
  }

  /// Concluded once, and then remembered.
  package func mirroredEntities() throws -> MirroredEntities {
    if let knownEntities { return knownEntities }
    let entities = try MirroredEntitiesReader(store: store, tables: tables, token: token).read()
    knownEntities = entities
    return entities
  }

  /// What the app did after the last analysed transaction. Read from history once, and then remembered.
  func unanalyzed() throws -> UnanalyzedObjects {
    if let knownUnanalyzed { return knownUnanalyzed }
    var objects = try UnanalyzedObjects(self)
    try history?.forEachAppChange(after: token.analysedUpTo) { try objects.add($0, $1, $2, $3) }
    knownUnanalyzed = objects
    return objects
  }

  /// The same of one object. Of a few alone all of history needn't be summed up.
  func unanalyzed(_ key: ObjectKey) throws -> UnanalyzedObjects.Entry {
    if let knownUnanalyzed { return knownUnanalyzed[key] }
    if let known = askedAlone[key] { return known }
    guard askedAlone.count < Self.mostAskedAlone else { return try unanalyzed()[key] }
    let object = ObjectScope(entities: key.entity...key.entity, primaryKey: key.primaryKey)
    let entry = try UnanalyzedObjects.read(self, of: object)[key]
    askedAlone[key] = entry
    return entry
  }

  /// What the view `pending` rests on: read once, and then remembered.
  func pendingPass(tracesCauses: Bool = false) throws -> PendingPass {
    if let askedPass { return askedPass }
    if let pass, pass.tracesCauses || !tracesCauses { return pass }
    let pass = try PendingPass(self, tracesCauses: tracesCauses, of: nil)
    self.pass = pass
    return pass
  }

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

  /// Keeps what was read on the way to something else.
  func remember(_ objects: UnanalyzedObjects) { knownUnanalyzed = objects }

  /// What a metadata entry's flag says; false where it is missing.
  package func isSet(_ key: String) -> Bool { entries[key]?.bool ?? false }

  /// The number that Z_PRIMARYKEY gives to the rows of a framework's table; nil where it has none.
  package func entityNumber(of table: FrameworkTable) -> Int64? {
    store.primaryKeys.framework.first { $0.name == table.entity }?.number
  }

  /// What the store knows of the iCloud account. It is tied to one once both entries are there; a store that was
  /// checked and has no name is taken for another account's, and wiped (app authors report 134405).
  package var identity: Identity {
    guard entries.problem == nil else { return .unknown }
    let isChecked = isSet(MetadataKey.checkedIdentity)
    let name = entries[MetadataKey.identityRecordName]
    let hasName = name?.value.text.map { !$0.isEmpty } ?? false
    return switch (isChecked, hasName) {
    case (true, true): .known
    case (true, false): .halfRecorded
    case (false, true): .nameOnly
    case (false, false): .none
    }
  }

  package enum Identity: Sendable {
    case none, known, halfRecorded, nameOnly
    /// Its entries can't be read.
    case unknown
  }
}
