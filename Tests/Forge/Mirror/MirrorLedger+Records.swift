package import Base
package import SQLite

extension MirrorLedger {
  /// Which object is which record.
  package struct Record: MirrorRow {
    package static let entity = "NSCKRecordMetadata"

    package var object: ForgedObject
    /// Which of the two columns that name the object is NULL.
    package var lost: MirrorForge.LostName?
    package var name: String
    package var zone: Int64
    package var needsUpload = false
    package var needsCloudDelete = false
    package var lastExported: Int64?
    package var pendingExport: Int64?
    package var pendingChangeType: Int64?
    package var encodedRecord: MirrorBlob?
    package var systemFields: MirrorBlob?
    /// When the server first had the record.
    package var created: CoreDataDate?
    /// What is in the copy from the server: values by attribute, and the names of records that to-one relationships
    /// lead to.
    package var sentValues: [String: ForgeValue] = [:]
    package var sentTargets: [String: String] = [:]

    package var isAcknowledged: Bool { encodedRecord != nil || systemFields != nil }

    package func cells(_ layout: MirrorSchema.Layout) -> [(column: String, value: SQLiteValue)] {
      let common: [(column: String, value: SQLiteValue)] = [
        ("ZENTITYID", lost == .entity ? .null : .integer(object.entityNumber)),
        ("ZENTITYPK", lost == .key ? .null : .integer(object.primaryKey)),
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

    package static let encodedRecordAsset = "NSCKRecordMetadataEncodedRecordAsset"
    package static let systemFieldsAsset = "NSCKRecordMetadataSystemFieldsAsset"

    package var assets: [MirrorAsset] {
      [(Self.encodedRecordAsset, encodedRecord), (Self.systemFieldsAsset, systemFields)].compactMap {
        entity, blob in blob.map { MirrorAsset(entity: entity, ownerColumn: "ZRECORD", blob: $0) }
      }
    }
  }

  /// One pair of objects in a many-to-many relationship.
  package struct Link: MirrorRow {
    package static let entity = "NSCKMirroredRelationship"
    package static let systemFieldsAsset = "NSCKMirroredRelationshipSystemFieldsAsset"

    package struct End: Equatable {
      package var entity: String
      package var record: String
    }

    /// Of the record that stands for the pair.
    package var name: String
    package var zone: Int64
    package var one: End
    package var relationship: String
    package var other: End
    package var isUploaded = false
    package var isPending = false
    package var needsDelete = false
    package var systemFields: MirrorBlob?

    package func cells(_ layout: MirrorSchema.Layout) -> [(column: String, value: SQLiteValue)] {
      [
        ("ZISPENDING", .flag(isPending)), ("ZISUPLOADED", .flag(isUploaded)),
        ("ZNEEDSDELETE", .flag(needsDelete)), ("ZRECORDZONE", .integer(zone)),
        ("ZCDENTITYNAME", .text(one.entity)), ("ZCKRECORDID", .text(name)),
        ("ZRECORDNAME", .text(one.record)),
        ("ZRELATEDENTITYNAME", .text(other.entity)), ("ZRELATEDRECORDNAME", .text(other.record)),
        ("ZRELATIONSHIPNAME", .text(relationship)),
        layout.hasAssets
          ? ("ZSYSTEMFIELDSASSET", .optional(systemFields?.key))
          : ("ZCKRECORDSYSTEMFIELDS", .optional(systemFields?.bytes)),
      ]
    }

    package var assets: [MirrorAsset] {
      systemFields.map {
        [MirrorAsset(entity: Self.systemFieldsAsset, ownerColumn: "ZMIRROREDRELATIONSHIP", blob: $0)]
      } ?? []
    }
  }

  /// What an object leaves behind that moved to another zone.
  package struct MoveReceipt: MirrorRow {
    package static let entity = "NSCKRecordZoneMoveReceipt"

    package var record: Int64
    package var recordName: String
    package var zone: String
    package var owner: String
    package var needsCloudDelete = true
    package var movedAt: CoreDataDate

    package func cells(_ layout: MirrorSchema.Layout) -> [(column: String, value: SQLiteValue)] {
      [
        ("ZNEEDSCLOUDDELETE", .flag(needsCloudDelete)), ("ZRECORDMETADATA", .integer(record)),
        ("ZMOVEDAT", .real(movedAt.seconds)), ("ZOWNERNAME", .text(owner)),
        ("ZRECORDNAME", .text(recordName)),
        ("ZZONENAME", .text(zone)),
      ]
    }
  }
}

extension MirrorLedger {
  /// One key and its value; nothing keeps a key unique.
  package struct Entry: MirrorRow {
    package static let entity = "NSCKMetadataEntry"

    package enum Value: Equatable {
      case bool(Bool)
      case integer(Int64)
      case text(String)
      case archive([UInt8])
    }

    package var key: String
    package var value: Value

    package init(_ key: String, _ value: Value) {
      self.key = key
      self.value = value
    }

    package func cells(_ layout: MirrorSchema.Layout) -> [(column: String, value: SQLiteValue)] {
      let (column, cell): (String, SQLiteValue) =
        switch value {
        case .bool(let value): ("ZBOOLVALUENUM", .flag(value))
        case .integer(let value): ("ZINTEGERVALUE", .integer(value))
        case .text(let value): ("ZSTRINGVALUE", .text(value))
        case .archive(let bytes): ("ZTRANSFORMEDVALUE", .blob(bytes))
        }
      let others = ["ZBOOLVALUENUM", "ZINTEGERVALUE", "ZSTRINGVALUE", "ZTRANSFORMEDVALUE"].filter {
        $0 != column
      }
      return [("ZKEY", .text(key)), (column, cell)] + others.map { ($0, .null) }
    }
  }

  /// One run of the mirror.
  package struct Event: MirrorRow {
    package static let entity = "NSCKEvent"

    package var kind: MirrorForge.EventKind
    package var identifier: [UInt8]
    package var started: CoreDataDate
    package var ended: CoreDataDate?
    package var failure: MirrorFailure?
    package var affected: Int64 = 0
    package var finished: Int64 = 0

    package var succeeded: Bool { ended != nil && failure == nil }

    package func cells(_ layout: MirrorSchema.Layout) -> [(column: String, value: SQLiteValue)] {
      [
        ("ZCLOUDKITEVENTTYPE", .integer(kind.rawValue)), ("ZCOUNTAFFECTEDOBJECTS", .integer(affected)),
        ("ZCOUNTFINISHEDOBJECTS", .integer(finished)), ("ZERRORCODE", .integer(failure?.code ?? 0)),
        ("ZSUCCEEDED", .flag(succeeded)), ("ZENDEDAT", .optional(ended)),
        ("ZSTARTEDAT", .real(started.seconds)),
        ("ZERRORDOMAIN", .optional(failure?.domain)), ("ZEVENTIDENTIFIER", .blob(identifier)),
      ]
    }
  }

  /// What an export's analysis found of one object, until it was processed.
  package struct AnalyzerState: MirrorRow {
    package static let entity = "NSCKHistoryAnalyzerState"

    package var object: ForgedObject
    package var original: ForgeTruth.Change.Kind
    package var final: ForgeTruth.Change.Kind
    package var originalTransaction: Int64
    package var finalTransaction: Int64
    package var author: String?

    package func cells(_ layout: MirrorSchema.Layout) -> [(column: String, value: SQLiteValue)] {
      [
        ("ZENTITYID", .integer(object.entityNumber)), ("ZENTITYPK", .integer(object.primaryKey)),
        ("ZORIGINALCHANGETYPENUM", .integer(original.rawValue)),
        ("ZFINALCHANGETYPENUM", .integer(final.rawValue)),
        ("ZORIGINALTRANSACTIONNUMBER", .integer(originalTransaction)),
        ("ZFINALTRANSACTIONNUMBER", .integer(finalTransaction)), ("ZFINALCHANGEAUTHOR", .optional(author)),
      ]
    }
  }

  package struct ImportOperation: MirrorRow {
    package static let entity = "NSCKImportOperation"

    package var identifier: [UInt8]
    package var date: CoreDataDate
    package var changeToken: [UInt8]

    package func cells(_ layout: MirrorSchema.Layout) -> [(column: String, value: SQLiteValue)] {
      [
        ("ZIMPORTDATE", .real(date.seconds)), ("ZOPERATIONUUID", .blob(identifier)),
        ("ZCHANGETOKENBYTES", .blob(changeToken)),
      ]
    }
  }

  /// A to-one of an imported object whose target isn't here yet.
  package struct PendingRelationship: MirrorRow {
    package static let entity = "NSCKImportPendingRelationship"

    package var operation: Int64
    package var sourceEntity: String
    package var record: String
    package var relationship: String
    package var relatedEntity: String
    package var relatedRecord: String
    package var zone: String
    package var owner: String

    package func cells(_ layout: MirrorSchema.Layout) -> [(column: String, value: SQLiteValue)] {
      [
        ("ZNEEDSDELETE", 0), ("ZOPERATION", .integer(operation)), ("ZCDENTITYNAME", .text(sourceEntity)),
        ("ZRECORDNAME", .text(record)), ("ZRECORDZONENAME", .text(zone)),
        ("ZRECORDZONEOWNERNAME", .text(owner)),
        ("ZRELATEDENTITYNAME", .text(relatedEntity)), ("ZRELATEDRECORDNAME", .text(relatedRecord)),
        ("ZRELATEDRECORDZONENAME", .text(zone)), ("ZRELATEDRECORDZONEOWNERNAME", .text(owner)),
        ("ZRELATIONSHIPNAME", .text(relationship)),
      ]
    }
  }
}
