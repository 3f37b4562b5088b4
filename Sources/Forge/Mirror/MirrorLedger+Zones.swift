internal import SQLite
internal import Values

extension MirrorLedger {
  /// The CloudKit database that the store is mirrored to.
  struct Database: MirrorRow {
    static let entity = "NSCKDatabaseMetadata"

    var scope: MirrorForge.Scope
    var hasSubscription = false
    var lastFetch: CoreDataDate?
    var changeToken: [UInt8]?

    func cells(_ layout: MirrorSchema.Layout) -> [(column: String, value: SQLiteValue)] {
      [
        ("ZDATABASESCOPENUM", .integer(scope.rawValue)), ("ZHASSUBSCRIPTIONNUM", .flag(hasSubscription)),
        ("ZLASTFETCHDATE", .optional(lastFetch)), ("ZDATABASENAME", .text(scope.databaseName)),
        ("ZCURRENTCHANGETOKEN", .optional(changeToken)),
      ]
    }
  }

  struct Zone: MirrorRow {
    static let entity = "NSCKRecordZoneMetadata"
    static let shareAsset = "NSCKRecordZoneMetadataEncodedShareAsset"

    var name: String
    var owner: String
    var database: Int64
    /// Names of the flags that are set, without the suffix `Num`.
    var flags: Set<String> = []
    var lastFetch: CoreDataDate?
    var changeToken: [UInt8]?
    var share: MirrorBlob?

    /// All flags by name, with their columns' suffix.
    static let allFlags: [(name: String, suffix: String)] = [
      ("hasRecordZone", "NUM"), ("hasSubscription", "NUM"), ("needsImport", ""),
      ("needsNewShareInvitation", ""), ("needsRecoveryFromIdentityLoss", ""),
      ("needsRecoveryFromUserPurge", ""), ("needsRecoveryFromZoneDelete", ""), ("needsShareDelete", ""),
      ("needsShareUpdate", ""), ("supportsAtomicChanges", ""), ("supportsFetchChanges", ""),
      ("supportsRecordSharing", ""), ("supportsZoneSharing", ""),
    ]

    func cells(_ layout: MirrorSchema.Layout) -> [(column: String, value: SQLiteValue)] {
      Self.allFlags.map { ("Z\($0.name.uppercased())\($0.suffix)", .flag(flags.contains($0.name))) } + [
        ("ZDATABASE", .integer(database)), ("ZLASTFETCHDATE", .optional(lastFetch)),
        ("ZCKOWNERNAME", .text(owner)), ("ZCKRECORDZONENAME", .text(name)),
        ("ZCURRENTCHANGETOKEN", .optional(changeToken)),
        layout == .v16
          ? ("ZENCODEDSHAREDATA", .optional(share?.bytes)) : ("ZENCODEDSHAREASSET", .optional(share?.key)),
      ]
    }

    var assets: [MirrorAsset] {
      share.map { [MirrorAsset(entity: Self.shareAsset, ownerColumn: "ZRECORDZONE", blob: $0)] } ?? []
    }
  }
}
