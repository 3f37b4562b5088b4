import Archives
package import Base
import SQLite

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

extension MirrorViews {
  /// One row per entry of the mirror's key-value table. Nothing keeps a key unique.
  package var metadataEntries: View? {
    guard tables.has(.metadataEntries) else { return nil }
    func column(_ name: String) -> String { tables.sql(.metadataEntries, name, "e") }
    let archive = column("ZTRANSFORMEDVALUE")
    let text = column("ZSTRINGVALUE")
    let date = column("ZDATEVALUE")
    let bool = column("ZBOOLVALUENUM")
    let integer = column("ZINTEGERVALUE")
    // Where both have a value, one of them is a column's default.
    let isBool =
      "\(bool) IS NOT NULL AND COALESCE(\(integer), 0) = 0 AND \(column("ZKEY")) IS NOT '\(MetadataKey.frameworkVersion)'"
    func choice(_ values: [String]) -> String {
      """
      CASE WHEN \(archive) IS NOT NULL THEN \(values[0]) WHEN \(text) IS NOT NULL THEN \(values[1])
        WHEN \(date) IS NOT NULL THEN \(values[2]) WHEN \(isBool) THEN \(values[3])
        WHEN \(integer) IS NOT NULL THEN \(values[4]) ELSE \(values[5]) END
      """
    }
    let keys = MetadataEntry.fields.keys()
    return View(
      "metadataEntries", rows: "entry of the mirror's key-value table",
      [
        .init("key", of: keys, column("ZKEY")).named(.metadataKey),
        .init("kind", of: keys, choice(MetadataEntry.kinds.map { "'\($0.rawValue)'" })).open,
        .init(
          "value", of: keys,
          choice(["metadata_archive(\(archive))", text, "iso_date(\(date))", bool, integer, "NULL"])),
        .init("rows", of: keys, "COUNT(*) OVER (PARTITION BY \(column("ZKEY")))").open,
        .init("row", .integer, "the key of the mirror's row", "e.Z_PK").open,
        .init("archive", .blob, "the archive as it stands", archive, isShown: false),
        .init(
          "stored", .any, "the value as it stands", choice(["NULL", text, date, bool, integer, "NULL"]),
          isShown: false),
      ], from: "main.ANSCKMETADATAENTRY e")
  }
}

extension MetadataEntry {
  /// What an archive holds: of a history token the transactions by store.
  static func archiveValue(_ bytes: [UInt8]) -> DataValue {
    if let token = try? HistoryToken(archive: bytes) {
      return .object(
        token.transactions.sorted { $0.key < $1.key }.map { DataValue.Member($0.key, .integer($0.value)) })
    }
    return .blob(BlobReader.summary(of: bytes, decode: true))
  }
}

/// The mirror's key-value table, each key once.
package struct MetadataEntries: Sendable {
  /// In the order of the keys.
  package let all: [MetadataEntry]
  /// Why what isn't here may be in the store all the same, as a clause; nil where the table is whole.
  package let problem: String?

  package subscript(key: String) -> MetadataEntry? { all.first { $0.key == key } }

  /// A store has about ten entries; the limit is for made-up ones.
  private static let limit = 10_000

  init(_ connection: Connection, _ views: MirrorViews) throws {
    let tables = views.tables
    guard let view = views.metadataEntries else {
      all = []
      problem = "the table \(FrameworkTable.metadataEntries.rawValue) is missing"
      return
    }
    problem = ["ZKEY", "ZTRANSFORMEDVALUE", "ZSTRINGVALUE", "ZBOOLVALUENUM"].first {
      !tables.has(.metadataEntries, $0)
    }.map { "\(FrameworkTable.metadataEntries.rawValue) has no column \($0)" }
    var entries: [String: MetadataEntry] = [:]
    try connection.forEachRow(
      view.select(["key", "kind", "stored", "archive", "row"], "ORDER BY \"row\" LIMIT \(Self.limit)")
    ) { row in
      let key = row.text(0)
      var entry = Self.entry(key, row)
      entry.rows = (entries[key]?.rows ?? 0) + 1
      entries[key] = entry
    }
    all = entries.values.sorted { $0.key < $1.key }
  }

  private static func entry(_ key: String, _ row: Statement) -> MetadataEntry {
    let kind = MetadataEntry.Kind(rawValue: row.text(1)) ?? .none
    var archive: [UInt8]?
    var value = DataValue.null
    switch kind {
    case .archive: archive = row.bytes(3)
    case .string: value = .text(row.text(2))
    case .date: value = .date(CoreDataDate(seconds: row.real(2)))
    case .bool:
      let number = row.integer(2)
      value = number == 0 || number == 1 ? .bool(number == 1) : .integer(number)
    case .integer: value = .integer(row.integer(2))
    case .none: break
    }
    return MetadataEntry(key: key, kind: kind, plain: value, rows: 1, archive: archive)
  }
}
