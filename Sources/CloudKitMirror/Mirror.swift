import SQLite
package import StoreModel
import Values

/// The CloudKit mirror of one store: what it says of itself, and the way to everything else in it. Opening it reads
/// the small tables; records, history and rows are read by those who need them.
package final class Mirror {
  package let store: CoreDataStore
  package let layout: MirrorLayout
  package let tables: MirrorTables
  package let databases: [MirrorDatabase]
  package let zones: [MirrorZone]
  package let entries: MetadataEntries
  package let token: HistoryTokenReading
  package let events: EventDigest
  /// What the tables lack, or have besides, compared with their layout; a sentence each.
  package let differences: [String]
  /// Nil where the store keeps no transactions.
  package let origins: TransactionOrigins?
  private let zonesByKey: [Int64: MirrorZone]
  private var knownEntities: MirroredEntities?
  private var knownUnanalyzed: UnanalyzedObjects?

  /// Nil where the store has no table of a mirror.
  /// - Throws: `SQLiteError`.
  package init?(_ store: CoreDataStore) throws {
    let tables = MirrorTables(store.tables)
    guard let layout = MirrorLayout.recognise(tables) else { return nil }
    self.store = store
    self.tables = tables
    self.layout = layout
    differences = tables.differences(from: layout)
    databases = try MirrorDatabase.read(store.connection, tables)
    zones = try MirrorZone.read(store.connection, tables, databases: databases)
    zonesByKey = Dictionary(zones.map { ($0.primaryKey, $0) }, uniquingKeysWith: { $1 })
    entries = try MetadataEntries(store.connection, tables)
    origins = try TransactionOrigins(store.connection)
    token = try HistoryTokenReading(entries, storeUUID: store.metadata.uuid, origins: origins)
    events = try EventDigest(EventReader(store, tables))
  }

  package func zone(_ key: Int64) -> MirrorZone? { zonesByKey[key] }

  /// The database the store is mirrored to; nil where that isn't recorded, or where several are.
  package var scope: DatabaseScope? {
    let scopes = Set(databases.compactMap(\.scope))
    return scopes.count == 1 ? scopes.first : nil
  }

  /// Rows of record metadata.
  package func recordCount() throws -> Int {
    guard tables.has(.records) else { return 0 }
    return try store.connection.first("SELECT COUNT(*) FROM main.ANSCKRECORDMETADATA") { Int($0.integer(0)) }
      ?? 0
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
    if let origins {
      try HistoryScan(store.connection, tables, origins).forEach(after: token.analysedUpTo) {
        try objects.add($0)
      }
    }
    knownUnanalyzed = objects
    return objects
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
