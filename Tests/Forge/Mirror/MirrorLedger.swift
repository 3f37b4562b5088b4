package import Base
package import SQLite

/// All rows of the mirror's tables, by Z_PK: what the forge changes first, and then writes.
package struct MirrorLedger {
  package var databases: [Int64: Database] = [:]
  package var zones: [Int64: Zone] = [:]
  package var records: [Int64: Record] = [:]
  package var links: [Int64: Link] = [:]
  package var receipts: [Int64: MoveReceipt] = [:]
  package var entries: [Int64: Entry] = [:]
  package var events: [Int64: Event] = [:]
  package var analyzerStates: [Int64: AnalyzerState] = [:]
  package var operations: [Int64: ImportOperation] = [:]
  package var pendingRelationships: [Int64: PendingRelationship] = [:]
  /// Highest Z_PK handed out, by the framework's entity.
  package private(set) var highestKeys: [String: Int64] = [:]
  /// Record metadata by object.
  private var recordKeys: [ForgedObject: Int64] = [:]
  private var objects: [String: ForgedObject] = [:]

  package mutating func newKey(_ entity: String) -> Int64 {
    let key = (highestKeys[entity] ?? 0) + 1
    highestKeys[entity] = key
    return key
  }

  /// Hands out keys for rows that are not kept here; returns the first.
  package mutating func reserve(_ count: Int64, _ entity: String) -> Int64 {
    let last = highestKeys[entity] ?? 0
    highestKeys[entity] = last + count
    return last + 1
  }

  @discardableResult
  package mutating func add<Row: MirrorRow>(
    _ row: Row, to table: WritableKeyPath<MirrorLedger, [Int64: Row]>
  ) -> Int64 {
    let key = newKey(Row.entity)
    self[keyPath: table][key] = row
    return key
  }

  // MARK: Records

  @discardableResult
  package mutating func add(_ record: Record) -> Int64 {
    let key = add(record, to: \.records)
    recordKeys[record.object] = key
    objects[record.name] = record.object
    return key
  }

  package func recordKey(of object: ForgedObject) -> Int64? { recordKeys[object] }
  package func record(of object: ForgedObject) -> Record? { recordKeys[object].flatMap { records[$0] } }

  /// From now on nothing leads from the record to its object, or back.
  mutating func lose(_ name: MirrorForge.LostName, ofRecord key: Int64) {
    guard let record = records[key] else { return }
    recordKeys[record.object] = nil
    objects[record.name] = nil
    records[key]?.lost = name
  }

  /// With its move receipts.
  package mutating func removeRecord(_ key: Int64) {
    guard let record = records.removeValue(forKey: key) else { return }
    recordKeys[record.object] = nil
    objects[record.name] = nil
    receipts = receipts.filter { $0.value.record != key }
  }

  package func object(named name: String) -> ForgedObject? { objects[name] }

  // MARK: Entries

  package func entry(_ key: String) -> Entry? {
    entries.filter { $0.value.key == key }.max { $0.key < $1.key }?.value
  }

  package mutating func set(_ entry: Entry) {
    if let key = entries.first(where: { $0.value.key == entry.key })?.key {
      entries[key] = entry
    } else {
      add(entry, to: \.entries)
    }
  }

  package mutating func removeEntry(_ key: String) { entries = entries.filter { $0.value.key != key } }
}

extension MirrorLedger {
  /// The CloudKit database that the store is mirrored to.
  package struct Database: MirrorRow {
    package static let entity = "NSCKDatabaseMetadata"

    package var scope: MirrorForge.Scope
    package var hasSubscription = false
    package var lastFetch: CoreDataDate?
    package var changeToken: [UInt8]?

    package func cells(_ layout: MirrorSchema.Layout) -> [(column: String, value: SQLiteValue)] {
      [
        ("ZDATABASESCOPENUM", .integer(scope.rawValue)), ("ZHASSUBSCRIPTIONNUM", .flag(hasSubscription)),
        ("ZLASTFETCHDATE", .optional(lastFetch)), ("ZDATABASENAME", .text(scope.databaseName)),
        ("ZCURRENTCHANGETOKEN", .optional(changeToken)),
      ]
    }
  }

  package struct Zone: MirrorRow {
    package static let entity = "NSCKRecordZoneMetadata"
    package static let shareAsset = "NSCKRecordZoneMetadataEncodedShareAsset"

    package var name: String
    package var owner: String
    package var database: Int64
    /// Names of the flags that are set, without the suffix `Num`.
    package var flags: Set<String> = []
    package var lastFetch: CoreDataDate?
    package var changeToken: [UInt8]?
    package var share: MirrorBlob?

    /// All flags by name, with their columns' suffix.
    package static let allFlags: [(name: String, suffix: String)] = [
      ("hasRecordZone", "NUM"), ("hasSubscription", "NUM"), ("needsImport", ""),
      ("needsNewShareInvitation", ""), ("needsRecoveryFromIdentityLoss", ""),
      ("needsRecoveryFromUserPurge", ""), ("needsRecoveryFromZoneDelete", ""), ("needsShareDelete", ""),
      ("needsShareUpdate", ""), ("supportsAtomicChanges", ""), ("supportsFetchChanges", ""),
      ("supportsRecordSharing", ""), ("supportsZoneSharing", ""),
    ]

    package func cells(_ layout: MirrorSchema.Layout) -> [(column: String, value: SQLiteValue)] {
      Self.allFlags.map { ("Z\($0.name.uppercased())\($0.suffix)", .flag(flags.contains($0.name))) } + [
        ("ZDATABASE", .integer(database)), ("ZLASTFETCHDATE", .optional(lastFetch)),
        ("ZCKOWNERNAME", .text(owner)), ("ZCKRECORDZONENAME", .text(name)),
        ("ZCURRENTCHANGETOKEN", .optional(changeToken)),
        layout.hasAssets
          ? ("ZENCODEDSHAREASSET", .optional(share?.key)) : ("ZENCODEDSHAREDATA", .optional(share?.bytes)),
      ]
    }

    package var assets: [MirrorAsset] {
      share.map { [MirrorAsset(entity: Self.shareAsset, ownerColumn: "ZRECORDZONE", blob: $0)] } ?? []
    }
  }
}
