import Archives
import SQLite
import StoreModel
import Values

/// SQL functions for what no table of the mirror says and SQL alone can't conclude.
enum MirrorFunctions {
  static func install(in store: CoreDataStore, _ views: MirrorViews) throws {
    try addPlain(store, views)
    try addCopies(store)
  }

  /// Those that need the store alone.
  private static func addPlain(_ store: CoreDataStore, _ views: MirrorViews) throws {
    let connection = store.connection
    let names = EntityNames(store)
    try connection.addFunction(name: "model_entity", argumentCount: 1) { arguments in
      arguments.optionalInteger(0).flatMap { names[$0].entity }.map(SQLiteValue.text) ?? .null
    }
    let known = store.knownEntityNames.union(store.relationshipNames)
    try connection.addFunction(name: "model_name", argumentCount: 1) { arguments in
      arguments.optionalText(0).flatMap { known.contains($0) ? .text($0) : nil } ?? .null
    }
    try connection.addFunction(name: "model_uri", argumentCount: 2) { arguments in
      names.uri(arguments.optionalInteger(0), arguments.optionalInteger(1)).map(SQLiteValue.text) ?? .null
    }
    try connection.addFunction(name: "record_type", argumentCount: 1) { arguments in
      arguments.optionalInteger(0).flatMap { names[$0].recordType }.map(SQLiteValue.text) ?? .null
    }
    try connection.addFunction(name: "change_token", argumentCount: 1) { arguments in
      let value = ChangeTokenState(arguments.optionalBytes(0)).value
      return value == .null ? .null : .text(JSONText.compact(value))
    }
    try connection.addFunction(name: "metadata_archive", argumentCount: 1) { arguments in
      arguments.optionalBytes(0).map { .text(JSONText.compact(MetadataEntry.archiveValue($0))) } ?? .null
    }
    // Counted once: a look for each zone would read all records again where their index is missing.
    var counts: [Int64: Int]?
    try connection.addFunction(name: "zone_records", argumentCount: 1) { arguments in
      guard let key = arguments.optionalInteger(0) else { return .null }
      let known = try counts ?? MirrorZone.recordCounts(connection, views)
      counts = known
      return .integer(Int64(known[key] ?? 0))
    }
    try connection.addFunction(name: "event_error", argumentCount: 5) { arguments in
      let event = MirrorEvent(
        ended: arguments.optionalReal(1).map(CoreDataDate.init(seconds:)),
        succeeded: arguments.integer(2) == 1,
        errorDomain: arguments.optionalText(3), errorCode: arguments.optionalInteger(4))
      return switch arguments.text(0) {
      case "name": event.errorName.map(SQLiteValue.text) ?? .null
      case "meaning": event.meaning.map(SQLiteValue.text) ?? .null
      default: .integer(event.isNoise ? 1 : 0)
      }
    }
  }

  /// `record_copy(MEMBER, ROW, archives …)`: a row's archives are opened once for all members.
  private static func addCopies(_ store: CoreDataStore) throws {
    var last: (row: Int64, copy: RecordCopy)?
    try store.connection.addFunction(name: "record_copy", argumentCount: 8) { arguments in
      let row = arguments.integer(1)
      if last?.row != row {
        last = (
          row,
          RecordCopy(
            archives: (2..<6).map(arguments.cell), hasCopy: !arguments.isNull(6),
            hasSystemFields: !arguments.isNull(7),
            store.externalFiles)
        )
      }
      guard let copy = last?.copy else { return .null }
      return switch arguments.text(0) {
      case "fields": copy.fields.map { .text(JSONText.compact($0)) } ?? .null
      case "changeTag": copy.systemFields?.changeTag.map(SQLiteValue.text) ?? .null
      case "created": copy.systemFields?.created.map { .real($0.seconds) } ?? .null
      case "modified": copy.systemFields?.modified.map { .real($0.seconds) } ?? .null
      default: copy.problem.map(SQLiteValue.text) ?? .null
      }
    }
  }
}
