import SQLite
import Values

extension MirrorLedger {
  /// Which object is which record.
  struct Record: MirrorRow {
    static let entity = "NSCKRecordMetadata"

    var object: ForgedObject
    var name: String
    var zone: Int64
    var needsUpload = false
    var needsCloudDelete = false
    var lastExported: Int64?
    var pendingExport: Int64?
    var pendingChangeType: Int64?
    var encodedRecord: MirrorBlob?
    var systemFields: MirrorBlob?
    /// When the server first had the record.
    var created: CoreDataDate?

    var isAcknowledged: Bool { encodedRecord != nil || systemFields != nil }

    func cells(_ layout: MirrorSchema.Layout) -> [(column: String, value: SQLiteValue)] {
      let common: [(column: String, value: SQLiteValue)] = [
        ("ZENTITYID", .integer(object.entityNumber)), ("ZENTITYPK", .integer(object.primaryKey)),
        ("ZLASTEXPORTEDTRANSACTIONNUMBER", .optional(lastExported)),
        ("ZNEEDSCLOUDDELETE", .flag(needsCloudDelete)), ("ZNEEDSLOCALDELETE", 0),
        ("ZNEEDSUPLOAD", .flag(needsUpload)),
        ("ZPENDINGEXPORTCHANGETYPENUMBER", .optional(pendingChangeType)),
        ("ZPENDINGEXPORTTRANSACTIONNUMBER", .optional(pendingExport)), ("ZRECORDZONE", .integer(zone)),
        ("ZCKRECORDNAME", .text(name)),
      ]
      switch layout {
      case .v16:
        return common + [
          ("ZENCODEDRECORD", .optional(encodedRecord.map { [1] + $0.bytes })),
          ("ZCKRECORDSYSTEMFIELDS", .optional(systemFields?.bytes)),
        ]
      case .v17:
        return common + [
          ("ZENCODEDRECORDASSET", .optional(encodedRecord?.key)),
          ("ZSYSTEMFIELDSASSET", .optional(systemFields?.key)),
        ]
      }
    }

    static let encodedRecordAsset = "NSCKRecordMetadataEncodedRecordAsset"
    static let systemFieldsAsset = "NSCKRecordMetadataSystemFieldsAsset"

    var assets: [MirrorAsset] {
      [(Self.encodedRecordAsset, encodedRecord), (Self.systemFieldsAsset, systemFields)].compactMap {
        entity, blob in blob.map { MirrorAsset(entity: entity, ownerColumn: "ZRECORD", blob: $0) }
      }
    }
  }

  /// One pair of objects in a many-to-many relationship.
  struct Link: MirrorRow {
    static let entity = "NSCKMirroredRelationship"
    static let systemFieldsAsset = "NSCKMirroredRelationshipSystemFieldsAsset"

    struct End: Equatable {
      var entity: String
      var record: String
    }

    /// Of the record that stands for the pair.
    var name: String
    var zone: Int64
    var one: End
    var relationship: String
    var other: End
    var isUploaded = false
    var isPending = false
    var needsDelete = false
    var systemFields: MirrorBlob?

    func cells(_ layout: MirrorSchema.Layout) -> [(column: String, value: SQLiteValue)] {
      [
        ("ZISPENDING", .flag(isPending)), ("ZISUPLOADED", .flag(isUploaded)),
        ("ZNEEDSDELETE", .flag(needsDelete)), ("ZRECORDZONE", .integer(zone)),
        ("ZCDENTITYNAME", .text(one.entity)), ("ZCKRECORDID", .text(name)),
        ("ZRECORDNAME", .text(one.record)),
        ("ZRELATEDENTITYNAME", .text(other.entity)), ("ZRELATEDRECORDNAME", .text(other.record)),
        ("ZRELATIONSHIPNAME", .text(relationship)),
        layout == .v16
          ? ("ZCKRECORDSYSTEMFIELDS", .optional(systemFields?.bytes))
          : ("ZSYSTEMFIELDSASSET", .optional(systemFields?.key)),
      ]
    }

    var assets: [MirrorAsset] {
      systemFields.map {
        [MirrorAsset(entity: Self.systemFieldsAsset, ownerColumn: "ZMIRROREDRELATIONSHIP", blob: $0)]
      } ?? []
    }
  }

  /// What an object leaves behind that moved to another zone.
  struct MoveReceipt: MirrorRow {
    static let entity = "NSCKRecordZoneMoveReceipt"

    var record: Int64
    var recordName: String
    var zone: String
    var owner: String
    var needsCloudDelete = true
    var movedAt: CoreDataDate

    func cells(_ layout: MirrorSchema.Layout) -> [(column: String, value: SQLiteValue)] {
      [
        ("ZNEEDSCLOUDDELETE", .flag(needsCloudDelete)), ("ZRECORDMETADATA", .integer(record)),
        ("ZMOVEDAT", .real(movedAt.seconds)), ("ZOWNERNAME", .text(owner)),
        ("ZRECORDNAME", .text(recordName)),
        ("ZZONENAME", .text(zone)),
      ]
    }
  }
}
