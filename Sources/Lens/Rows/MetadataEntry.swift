package import Values

/// One entry of the mirror's own key-value table.
package struct MetadataEntry: HasFields, Sendable, Equatable {
  package enum Kind: String, FieldWord, Sendable {
    case bool, integer, date, string, archive
    /// All columns are NULL.
    case none
  }

  package var key: String
  package var kind: Kind
  /// Null for an archive.
  var plain: DataValue
  /// Rows with this key. Nothing keeps a key unique; the row with the highest Z_PK is taken, as the framework takes
  /// the last one it fetches.
  package var rows: Int
  /// The bytes of an archive; nil for other kinds.
  package var archive: [UInt8]?

  /// Of an archive what it holds, decoded whenever it is asked.
  package var value: DataValue { archive.map(Self.archiveValue) ?? plain }

  package static let fields: [Field<Self>] = [
    Field("key", "its key") { $0.key },
    Field("kind", kinds.map(\.rawValue).joined(separator: ", ")) { $0.kind },
    Field("value", "its value; for an archive, its content") { $0.value },
    Field("rows", "rows with this key; the last one counts") { $0.rows },
  ]

  /// In the order in which columns decide it.
  static let kinds: [Kind] = [.archive, .string, .date, .bool, .integer, .none]

  package var bool: Bool? {
    switch plain {
    case .bool(let bool): bool
    case .integer(let integer): integer != 0
    default: nil
    }
  }

  package var integer: Int64? {
    guard case .integer(let integer) = plain else { return nil }
    return integer
  }
}

/// Keys of the mirror's metadata entries that mean something to what is read here; app authors report them.
package enum MetadataKey {
  package static let lastHistoryToken = "NSCloudKitMirroringDelegateLastHistoryTokenKey"
  package static let bypassHistory = "NSCloudKitMirroringDelegateBypassHistoryOnExportKey"
  package static let scanForMissingRows = "NSCloudKitMirroringDelegateScanForRowsMissingFromHistoryKey"
  package static let checkedIdentity = "NSCloudKitMirroringDelegateCheckedCKIdentityDefaultsKey"
  package static let identityRecordName = "NSCloudKitMirroringDelegateCKIdentityRecordNameDefaultsKey"
  package static let frameworkVersion = "PFCloudKitMetadataFrameworkVersionKey"
  package static let clientHashes = "PFCloudKitMetadataClientVersionHashesKey"
  package static let needsMigration = "PFCloudKitMetadataNeedsMetadataMigrationKey"
  /// In the store's metadata, from a migration to the next setup.
  static let needsZoneFetch = "PFCloudKitMetadataNeedsZoneFetchAfterClientMigrationKey"

  /// All that the frameworks are known to write, in entries and, long ago or in migrations, in the store's metadata.
  package static let known: Set<String> = [
    lastHistoryToken, bypassHistory, scanForMissingRows, checkedIdentity, identityRecordName,
    frameworkVersion,
    clientHashes, needsMigration, "PFCloudKitMetadataModelVersionHashesKey",
    "PFCloudKitMetadataModelMigratorMigrationBeganCommitKey",
    needsZoneFetch,
    "NSCloudKitMirroringDelegateInitializedZoneDefaultsKey",
    "NSCloudKitMirroringDelegateInitializedZoneSubscriptionDefaultsKey",
    "NSCloudKitMirroringDelegateInitializedDatabaseSubscriptionKey",
  ]
}
