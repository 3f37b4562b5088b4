import Archives
import Base
import SQLite
import StoreModel

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
    try connection.addFunction(ofNumber: "model_entity") { names[$0].entity.map(SQLiteValue.text) }
    let known = store.knownEntityNames.union(store.relationshipNames)
    try connection.addFunction(name: "model_name", argumentCount: 1) { arguments in
      arguments.optionalText(0).flatMap { known.contains($0) ? .text($0) : nil } ?? .null
    }
    try connection.addFunction(name: "model_uri", argumentCount: 2) { arguments in
      names.uri(arguments.optionalInteger(0), arguments.optionalInteger(1)).map(SQLiteValue.text) ?? .null
    }
    try connection.addFunction(ofNumber: "record_type") { names[$0].recordType.map(SQLiteValue.text) }
    try connection.addFunction(name: "change_token", argumentCount: 1) { arguments in
      let value = ChangeTokenState(arguments.optionalBytes(0)).value
      return value == .null ? .null : .text(JSONText.compact(value))
    }
    try connection.addFunction(name: "metadata_archive", argumentCount: 1) { arguments in
      arguments.optionalBytes(0).map { .text(JSONText.compact(MetadataEntry.archiveValue($0))) } ?? .null
    }
    // Counted once: a look for each zone would read all records again where their index is missing.
    var counts: [Int64: Int]?
    try connection.addFunction(ofNumber: "zone_records") { key in
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

/// What the store keeps of a record as the server has it.
struct RecordCopy {
  /// The fields' names and values; nil where they aren't here.
  private(set) var fields: DataValue?
  private(set) var systemFields: RecordSystemFields?
  /// Why an archive can't be read, a clause without a full stop.
  private(set) var problem: String?

  /// - Parameters:
  ///   - archives: the copy without a tag of external storage, then with one; the system fields without, then with one.
  ///   - hasCopy: whether the record refers to a row with its copy.
  ///   - hasSystemFields: the same of its system fields.
  init(archives: [Cell], hasCopy: Bool, hasSystemFields: Bool, _ files: ExternalFiles) {
    do {
      if let bytes = try Self.bytes(archives[0], tagged: archives[1], files) {
        let encoded = try EncodedRecord(archive: bytes)
        fields = .object(encoded.fields)
        systemFields = encoded.systemFields
      } else if hasCopy {
        problem = "its copy is missing"
      }
      if systemFields == nil {
        if let bytes = try Self.bytes(archives[2], tagged: archives[3], files) {
          systemFields = try RecordSystemFields(archive: bytes)
        } else if hasSystemFields {
          problem = problem ?? "its system fields are missing"
        }
      }
    } catch {
      problem = "its archive can't be read: \(error)"
    }
  }

  private static func bytes(_ plain: Cell, tagged: Cell, _ files: ExternalFiles) throws -> [UInt8]? {
    if plain.type != .null { return plain.bytes }
    guard tagged.type != .null else { return nil }
    return try tagged.withBytes { try ExternalValue.content(of: $0, files) }
  }
}
