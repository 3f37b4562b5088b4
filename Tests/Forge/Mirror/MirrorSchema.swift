/// The tables of the CloudKit mirror as Core Data creates them: statements, indexes and entity numbers.
///
/// Of two tables (`ANSCKRECORDMETADATA` and `ANSCKMETADATAENTRY`, iOS 26) app authors published the real text. The
/// others are made from the attributes they report, in the order measured on the tables of real stores: whole numbers,
/// foreign keys, dates, text, UUIDs and data, each by name.
package enum MirrorSchema {
  package enum Layout: String, Sendable, CaseIterable {
    /// iOS 16 to 18: archives lie in their owners' rows.
    case v16 = "V16"
    /// iOS 26 and 27: archives lie in tables of their own.
    case v17 = "V17"

    package var hasAssets: Bool { self != .v16 }
  }

  package struct Table: Sendable, Equatable {
    package var name: String
    /// `Z_NAME` in Z_PRIMARYKEY.
    package var entity: String
    /// `Z_ENT`.
    package var number: Int64
    /// `CREATE TABLE`.
    package var create: String
    /// `CREATE INDEX`, and `CREATE UNIQUE INDEX`.
    package var indexes: [String]
    package var columns: [String]
  }

  /// In the order of their numbers.
  package static func tables(_ layout: Layout) -> [Table] {
    let known =
      switch layout {
      case .v16: v16
      case .v17: v17
      }
    let entities = known.sorted { $0.name < $1.name }
    return entities.enumerated().map { index, entity in
      let table = "A" + entity.name.uppercased()
      return Table(
        name: table, entity: entity.name, number: 17_001 + Int64(index), create: entity.create(table),
        indexes: entity.indexes(table), columns: ["Z_PK", "Z_ENT", "Z_OPT"] + entity.columns.map(\.name))
    }
  }

  private static let v16: [MirrorEntity] =
    [
      record.adding(blobs: ["ckRecordSystemFields", "ckShare", "encodedRecord"]),
      zone.adding(blobs: ["currentChangeToken", "encodedShareData"]),
      link.adding(blobs: ["ckRecordSystemFields"]),
    ] + common

  private static let v17: [MirrorEntity] =
    [
      record.adding(references: ["encodedRecordAsset", "systemFieldsAsset"]),
      zone.adding(references: ["encodedShareAsset"], blobs: ["currentChangeToken"]),
      link.adding(references: ["systemFieldsAsset"]),
      asset("NSCKMirroredRelationshipSystemFieldsAsset", of: "mirroredRelationship"),
      asset("NSCKRecordMetadataEncodedRecordAsset", of: "record"),
      asset("NSCKRecordMetadataSystemFieldsAsset", of: "record"),
      asset("NSCKRecordZoneMetadataEncodedShareAsset", of: "recordZone"),
    ] + common

  private static let record = MirrorEntity(
    name: "NSCKRecordMetadata",
    integers: [
      "entityId", "entityPK", "lastExportedTransactionNumber", "needsCloudDelete", "needsLocalDelete",
      "needsUpload", "pendingExportChangeTypeNumber", "pendingExportTransactionNumber",
    ], references: ["recordZone"], strings: ["ckRecordName"],
    unique: [["entityId", "entityPK"], ["ckRecordName", "recordZone"]])

  private static let zone = MirrorEntity(
    name: "NSCKRecordZoneMetadata",
    integers: [
      "hasRecordZoneNum", "hasSubscriptionNum", "needsImport", "needsNewShareInvitation",
      "needsRecoveryFromIdentityLoss", "needsRecoveryFromUserPurge", "needsRecoveryFromZoneDelete",
      "needsShareDelete", "needsShareUpdate", "supportsAtomicChanges", "supportsFetchChanges",
      "supportsRecordSharing", "supportsZoneSharing",
    ], references: ["database"], dates: ["lastFetchDate"], strings: ["ckOwnerName", "ckRecordZoneName"],
    unique: [["ckRecordZoneName", "ckOwnerName", "database"]])

  private static let link = MirrorEntity(
    name: "NSCKMirroredRelationship", integers: ["isPending", "isUploaded", "needsDelete"],
    references: ["recordZone"],
    strings: [
      "cdEntityName", "ckRecordID", "recordName", "relatedEntityName", "relatedRecordName",
      "relationshipName",
    ], unique: [["ckRecordID", "recordZone"]])

  private static func asset(_ name: String, of owner: String) -> MirrorEntity {
    MirrorEntity(name: name, references: [owner], blobs: ["binaryData", "externalBinaryData"])
  }

  private static let common: [MirrorEntity] = [
    MirrorEntity(
      name: "NSCKDatabaseMetadata", integers: ["databaseScopeNum", "hasSubscriptionNum"],
      dates: ["lastFetchDate"],
      strings: ["databaseName"], blobs: ["currentChangeToken"], unique: [["databaseScopeNum"]]),
    MirrorEntity(
      name: "NSCKEvent",
      integers: [
        "cloudKitEventType", "countAffectedObjects", "countFinishedObjects", "errorCode", "succeeded",
      ], dates: ["endedAt", "startedAt"], strings: ["errorDomain"], blobs: ["eventIdentifier"]),
    MirrorEntity(
      name: "NSCKExportMetadata", dates: ["exportedAt"], strings: ["identifier"], blobs: ["historyToken"]),
    MirrorEntity(
      name: "NSCKExportOperation", integers: ["statusNum"], references: ["exportMetadata"],
      strings: ["identifier"]),
    MirrorEntity(
      name: "NSCKExportedObject", integers: ["changeTypeNum", "typeNum"], references: ["operation"],
      strings: ["ckRecordName", "zoneName"]),
    MirrorEntity(
      name: "NSCKHistoryAnalyzerState",
      integers: [
        "entityId", "entityPK", "finalChangeTypeNum", "finalTransactionNumber", "originalChangeTypeNum",
        "originalTransactionNumber",
      ], strings: ["finalChangeAuthor"]),
    MirrorEntity(
      name: "NSCKImportOperation", dates: ["importDate"], blobs: ["operationUUID", "changeTokenBytes"]),
    MirrorEntity(
      name: "NSCKImportPendingRelationship", integers: ["needsDelete"], references: ["operation"],
      strings: [
        "cdEntityName", "recordName", "recordZoneName", "recordZoneOwnerName", "relatedEntityName",
        "relatedRecordName", "relatedRecordZoneName", "relatedRecordZoneOwnerName", "relationshipName",
      ]),
    MirrorEntity(
      name: "NSCKMetadataEntry", integers: ["boolValueNum", "integerValue"], dates: ["dateValue"],
      strings: ["key", "stringValue"], blobs: ["transformedValue"]),
    MirrorEntity(
      name: "NSCKRecordZoneMoveReceipt", integers: ["needsCloudDelete"], references: ["recordMetadata"],
      dates: ["movedAt"], strings: ["ownerName", "recordName", "zoneName"]),
    MirrorEntity(
      name: "NSCKRecordZoneQuery", references: ["recordZone"],
      dates: ["lastFetchDate", "mostRecentRecordModificationDate"], strings: ["recordType"],
      blobs: ["predicate", "queryCursor"]),
  ]
}

/// One of the mirror's entities: enough to write its table.
struct MirrorEntity {
  var name: String
  var integers: [String] = []
  var references: [String] = []
  var dates: [String] = []
  var strings: [String] = []
  /// UUIDs first, in the order in which they stand.
  var blobs: [String] = []
  var unique: [[String]] = []

  func adding(references: [String] = [], blobs: [String] = []) -> MirrorEntity {
    var entity = self
    entity.references = (entity.references + references).sorted { $0.uppercased() < $1.uppercased() }
    entity.blobs += blobs
    return entity
  }

  var columns: [(name: String, type: String)] {
    func columns(_ names: [String], _ type: String) -> [(name: String, type: String)] {
      names.map { ("Z" + $0.uppercased(), type) }
    }
    return columns(integers, "INTEGER") + columns(references, "INTEGER") + columns(dates, "TIMESTAMP")
      + columns(strings, "VARCHAR") + columns(blobs, "BLOB")
  }

  func create(_ table: String) -> String {
    let own = columns.map { "\($0.name) \($0.type)" }
    let all = ["Z_PK INTEGER PRIMARY KEY", "Z_ENT INTEGER", "Z_OPT INTEGER"] + own
    return "CREATE TABLE \(table) ( \(all.joined(separator: ", ")) )"
  }

  func indexes(_ table: String) -> [String] {
    unique.map { properties in
      let columns = properties.map { "Z\($0.uppercased()) COLLATE BINARY ASC" }.joined(separator: ", ")
      return
        "CREATE UNIQUE INDEX Z_\(name)_UNIQUE_\(properties.joined(separator: "_")) ON \(table) (\(columns))"
    }
      + references.map { reference in
        let column = "Z" + reference.uppercased()
        return "CREATE INDEX \(table)_\(column)_INDEX ON \(table) (\(column))"
      }
  }
}
