package import Archives
import Base
package import SQLite

/// What a store says of itself in Z_METADATA.
package struct StoreMetadata: Sendable, Equatable {
  package enum PropertyListState: Sendable, Equatable {
    /// There is no table Z_METADATA, though others of Core Data's are there.
    case noTable
    /// There is no row, or its Z_PLIST is NULL or empty; both occur in real stores.
    case missing
    /// SQLite can't read the table; its words.
    case unreadable(String)
    /// Why it could not be decoded, as a clause.
    case damaged(String)
    case decoded(PropertyListDictionary)
  }

  /// The store's identifier, the host of its object URIs.
  package var uuid: String?
  package var propertyList: PropertyListState

  package init(uuid: String?, propertyList: PropertyListState) {
    self.uuid = uuid
    self.propertyList = propertyList
  }

  /// - Returns: nil where the database has no table of Core Data's, and so is no store.
  /// - Throws: `SQLiteError`, but for damage to the table.
  package static func read(from connection: Connection) throws -> StoreMetadata? {
    guard try connection.hasTable("Z_METADATA") else {
      return try hasOtherTables(connection) ? StoreMetadata(uuid: nil, propertyList: .noTable) : nil
    }
    // While Core Data opens a store for writing there is a second row for a moment, number 999.
    do {
      let row = try connection.first(
        """
        SELECT Z_UUID, Z_PLIST FROM Z_METADATA WHERE Z_VERSION IS NOT 999
        ORDER BY Z_VERSION = 1 DESC, Z_VERSION LIMIT 1
        """
      ) { row in (uuid: row.optionalName(0), bytes: row.bytes(1)) }
      return StoreMetadata(uuid: row?.uuid, propertyList: decode(row?.bytes ?? []))
    } catch let error as SQLiteError where error.isDamage {
      return StoreMetadata(uuid: nil, propertyList: .unreadable(error.message))
    }
  }

  /// Whether there are tables that only Core Data makes; `.recover` can leave a store without Z_METADATA.
  package static func hasOtherTables(_ connection: Connection) throws -> Bool {
    var hasSome = false
    try connection.forEachSchemaRow(
      """
      SELECT 1 FROM main.sqlite_master WHERE type = 'table' AND (name = 'Z_PRIMARYKEY'
        OR sql LIKE '%(%Z_PK INTEGER PRIMARY KEY%Z_ENT INTEGER%Z_OPT INTEGER%') LIMIT 1
      """
    ) { _ in hasSome = true }
    return hasSome
  }

  private static func decode(_ bytes: [UInt8]) -> PropertyListState {
    guard !bytes.isEmpty else { return .missing }
    do throws(ArchiveError) {
      guard let dictionary = try BinaryPropertyList.read(bytes).dictionary else {
        return .damaged("the property list is not a dictionary")
      }
      return .decoded(dictionary)
    } catch {
      return .damaged(error.description)
    }
  }

  /// The decoded property list; empty where there is none.
  package var entries: PropertyListDictionary {
    guard case .decoded(let dictionary) = propertyList else { return PropertyListDictionary([]) }
    return dictionary
  }

  /// Why Core Data can't find out which model wrote the store, a sentence without its full stop; nil if it can.
  package var problem: String? {
    switch propertyList {
    case .noTable: "There is no table Z_METADATA"
    case .missing: uuid == nil ? "Z_METADATA is empty" : "Z_PLIST in Z_METADATA is empty"
    case .unreadable(let why): "Z_METADATA can't be read (\(why))"
    case .damaged(let why): "The metadata in Z_METADATA can't be read (\(why))"
    case .decoded: versionHashes.isEmpty ? "The metadata in Z_METADATA has no NSStoreModelVersionHashes" : nil
    }
  }

  /// All keys, sorted.
  package var keys: [String] { entries.keys.sorted() }

  /// Version of the framework that saved the metadata last; not the one that made the store.
  package var frameworkVersion: Int64? { entries["NSPersistenceFrameworkVersion"]?.integer }

  /// The model's version identifiers, without the empty one that stands for none.
  package var versionIdentifiers: [String] {
    (entries["NSStoreModelVersionIdentifiers"]?.array ?? []).compactMap(\.string).filter { !$0.isEmpty }
      .map { LongName.cut($0) }
  }

  /// Entity name → version hash. Equal dictionaries mean the same schema:
  /// https://developer.apple.com/documentation/coredata/nsmanagedobjectmodel/entityversionhashesbyname
  package var versionHashes: [String: [UInt8]] {
    ModelVersionInfo.hashes(in: entries["NSStoreModelVersionHashes"])
  }

  /// The model's checksum, in base64, as in the VersionInfo.plist of a compiled model:
  /// https://developer.apple.com/documentation/coredata/nsmanagedobjectmodel/versionchecksum
  package var versionChecksum: String? { entries["NSStoreModelVersionChecksumKey"]?.string }

  /// Keys that Core Data writes, measured on real stores.
  package static let frameworkKeys: Set<String> = [
    "NSPersistenceFrameworkVersion", "NSPersistenceMaximumFrameworkVersion",
    "NSPersistentStoreRebuildIndicies", "NSStoreModelVersionChecksumKey", "NSStoreModelVersionHashes",
    "NSStoreModelVersionHashesDigest", "NSStoreModelVersionHashesVersion", "NSStoreModelVersionIdentifiers",
    "NSStoreType", "_NSAutoVacuumLevel", "_NSStoreAncillaryModelVersionHashesMetadataKey",
  ]
}
