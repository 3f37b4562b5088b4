import SQLite
import Values

extension MirrorLedger {
  /// One key and its value; nothing keeps a key unique.
  struct Entry: MirrorRow {
    static let entity = "NSCKMetadataEntry"

    enum Value: Equatable {
      case bool(Bool)
      case integer(Int64)
      case text(String)
      case archive([UInt8])
    }

    var key: String
    var value: Value

    init(_ key: String, _ value: Value) {
      self.key = key
      self.value = value
    }

    func cells(_ layout: MirrorSchema.Layout) -> [(column: String, value: SQLiteValue)] {
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
  struct Event: MirrorRow {
    static let entity = "NSCKEvent"

    var kind: MirrorForge.EventKind
    var identifier: [UInt8]
    var started: CoreDataDate
    var ended: CoreDataDate?
    var failure: MirrorFailure?
    var affected: Int64 = 0
    var finished: Int64 = 0

    var succeeded: Bool { ended != nil && failure == nil }

    func cells(_ layout: MirrorSchema.Layout) -> [(column: String, value: SQLiteValue)] {
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
  struct AnalyzerState: MirrorRow {
    static let entity = "NSCKHistoryAnalyzerState"

    var object: ForgedObject
    var original: ForgeTruth.Change.Kind
    var final: ForgeTruth.Change.Kind
    var originalTransaction: Int64
    var finalTransaction: Int64
    var author: String?

    func cells(_ layout: MirrorSchema.Layout) -> [(column: String, value: SQLiteValue)] {
      [
        ("ZENTITYID", .integer(object.entityNumber)), ("ZENTITYPK", .integer(object.primaryKey)),
        ("ZORIGINALCHANGETYPENUM", .integer(original.rawValue)),
        ("ZFINALCHANGETYPENUM", .integer(final.rawValue)),
        ("ZORIGINALTRANSACTIONNUMBER", .integer(originalTransaction)),
        ("ZFINALTRANSACTIONNUMBER", .integer(finalTransaction)), ("ZFINALCHANGEAUTHOR", .optional(author)),
      ]
    }
  }

  struct ImportOperation: MirrorRow {
    static let entity = "NSCKImportOperation"

    var identifier: [UInt8]
    var date: CoreDataDate
    var changeToken: [UInt8]

    func cells(_ layout: MirrorSchema.Layout) -> [(column: String, value: SQLiteValue)] {
      [
        ("ZIMPORTDATE", .real(date.seconds)), ("ZOPERATIONUUID", .blob(identifier)),
        ("ZCHANGETOKENBYTES", .blob(changeToken)),
      ]
    }
  }

  /// A to-one of an imported object whose target isn't here yet.
  struct PendingRelationship: MirrorRow {
    static let entity = "NSCKImportPendingRelationship"

    var operation: Int64
    var sourceEntity: String
    var record: String
    var relationship: String
    var relatedEntity: String
    var relatedRecord: String
    var zone: String
    var owner: String

    func cells(_ layout: MirrorSchema.Layout) -> [(column: String, value: SQLiteValue)] {
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
