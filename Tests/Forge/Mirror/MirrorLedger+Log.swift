package import SQLite
package import Values

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
