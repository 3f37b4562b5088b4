import Archives
package import Base
import SQLite
import StoreModel

/// A function that SQL has here in addition to SQLite's own. Help, documentation and completion take them from the list;
/// a test holds it against the functions that are there.
package struct SQLFunction: HasFields, Sendable {
  package let name: String
  /// As they are written between the parentheses.
  package let arguments: String
  /// A clause without a full stop.
  package let meaning: String

  package static let fields: [Field<Self>] = [
    Field("name", "the function") { $0.name },
    Field("arguments", "what is between its parentheses") { $0.arguments },
    Field("meaning", "what it returns") { $0.meaning },
  ]

  /// Whether it makes something only of what it is given: no content of files or archives, which may have values.
  var isOpen: Bool { !["blob_json", "blob_kind", "external_data"].contains(name) }

  /// Those that SQL may call while values are withheld: of SQLite's own
  /// (https://www.sqlite.org/lang_corefunc.html) the ones that compute, of ours the open ones.
  static var openNames: [String] {
    all.filter(\.isOpen).map(\.name) + ofSQLite
  }

  /// SQLite's own that are asked like tables.
  static let asTables = ["json_each", "json_tree"]

  private static let ofSQLite = """
    abs char coalesce concat concat_ws format glob hex if ifnull iif instr length like likelihood likely lower ltrim max \
    min nullif octet_length printf quote random replace round rtrim sign substr substring trim typeof unhex unicode unlikely upper \
    avg count group_concat string_agg sum total median percentile percentile_cont percentile_disc \
    date time datetime julianday unixepoch strftime timediff current_date current_time current_timestamp \
    row_number rank dense_rank percent_rank cume_dist ntile lag lead first_value last_value nth_value \
    acos acosh asin asinh atan atan2 atanh ceil ceiling cos cosh degrees exp floor ln log log10 log2 mod pi pow power \
    radians sin sinh sqrt tan tanh trunc \
    json json_array json_array_length json_extract -> ->> json_group_array json_group_object json_insert json_object \
    json_patch json_quote json_remove json_replace json_set json_type json_valid
    """.split(separator: " ").map(String.init)

  package var usage: String { "\(name)(\(arguments))" }

  private init(_ name: String, _ arguments: String, _ meaning: String) {
    self.name = name
    self.arguments = arguments
    self.meaning = meaning
  }

  /// The most useful first.
  package static let all: [SQLFunction] = [
    .init(
      "blob_json", "blob",
      "the decoded content as JSON: property lists, keyed archives, JSON; for json_extract"),
    .init("blob_kind", "blob", "what the bytes are: png, bplist, keyedArchive, json …"),
    .init("external_data", "blob", "the bytes, read from the file that Core Data moved them to"),
    .init("iso_date", "seconds", "a date stored as seconds since 2001, as the views show it"),
    .init("core_data_date", "text", "a date as seconds since 2001, as the store has it"),
    .init("uuid_text", "blob", "the UUID that 16 bytes hold"),
    .init("pk", "address", "the primary key of an object, from 'Entity/p1' or its URI"),
    .init("uri", "address", "the URI of an object, from 'Entity/p1'"),
    .init("object_uri", "entity, pk", "an object's URI, from the entity's name or number"),
    .init("entity_name", "number", "the entity with that number (Z_ENT)"),
    .init("entity_table", "number", "the table that holds its rows"),
    .init("entity_rows", "number", "how many rows are of exactly that entity"),
    .init("record_type", "number", "the entity's record type on the server, CD_ and the root's name"),
    .init("change_name", "type", "insert, update or delete, from ZCHANGETYPE"),
    .init("changed_properties", "entity number, mask", "the properties an update changed, from ZCOLUMNS"),
  ]

  /// Those that only the views need.
  package static let ofViews: Set<String> = [
    "change_token", "event_error", "flagged_by", "may_be_older", "metadata_archive",
    "model_entity", "model_name", "model_uri", "record_copy", "tombstone", "unanalyzed_outcome",
    "unsure_properties",
    "zone_records",
  ]
}

/// SQL functions for what SQL can't do by itself. Each gives NULL for NULL, and for what it can't read.
enum LensFunctions {
  static func install(in store: CoreDataStore) throws {
    let connection = store.connection
    try DateOrder.install(in: connection)
    try ObjectNames.install(in: store)
    try connection.addFunction(name: "core_data_date", argumentCount: 1) { arguments in
      guard let text = arguments.optionalText(0) else { return .null }
      if text.lowercased() == "now" { return .real(Platform.now().seconds) }
      guard let date = WrittenDate(text) else { return .null }
      return .real(date.start.seconds)
    }
    try connection.addFunction(name: "uuid_text", argumentCount: 1) { arguments in
      arguments.isNull(0)
        ? .null : arguments.withBytes(0) { Hexadecimal.uuid($0) }.map(SQLiteValue.text) ?? arguments.value(0)
    }
    let names = ChangeNames(store)
    let entities = EntityNames(store)
    try connection.addFunction(ofNumber: "entity_name") { .text(entities[$0].name) }
    try connection.addFunction(name: "object_uri", argumentCount: 2) { arguments in
      guard let primaryKey = arguments.optionalInteger(1) else { return .null }
      switch arguments.value(0) {
      case .integer(let number):
        return .text(String(decoding: entities[number].uriPrefix, as: UTF8.self) + String(primaryKey))
      case .text(let name):
        return .text(ObjectURI.text(storeUUID: store.uuid, entity: name, primaryKey: primaryKey))
      default: return .null
      }
    }
    try connection.addFunction(ofNumber: "change_name") { raw in
      .text(ChangeKind(rawValue: raw)?.name ?? "unknown (\(raw))")
    }
    try connection.addFunction(name: "changed_properties", argumentCount: 2) { arguments in
      guard let entity = arguments.optionalInteger(0), let mask = arguments.optionalBytes(1) else {
        return .null
      }
      return names.properties(entity: entity, mask: mask).map { json($0.namesValue) } ?? .null
    }
    try connection.addFunction(name: "unsure_properties", argumentCount: 2) { arguments in
      guard let entity = arguments.optionalInteger(0), let mask = arguments.optionalBytes(1),
        let properties = names.properties(entity: entity, mask: mask), !properties.unsure.isEmpty
      else { return .null }
      return json(properties.unsureValue)
    }
    try connection.addFunction(name: "tombstone", argumentCount: nil) { arguments in
      guard let entity = arguments.optionalInteger(0),
        arguments.optionalInteger(1) == ChangeKind.delete.rawValue, arguments.count > 2
      else { return .null }
      let value = names.tombstone(entity: entity, (2..<arguments.count).map(arguments.cell))
      return value == .null ? .null : json(value)
    }
    try connection.addFunction(ofNumber: "entity_table") { store.schema[$0].map { .text($0.table) } }
    var rows: [Int64: Int]?
    try connection.addFunction(ofNumber: "entity_rows") { number in
      guard store.schema[number] != nil else { return nil }
      let counts = try rows ?? store.rowCounts()
      rows = counts
      return .integer(Int64(counts[number] ?? 0))
    }
    try connection.addFunction(name: "blob_kind", argumentCount: 1) { arguments in
      arguments.isNull(0) ? .null : arguments.withBytes(0) { .text(BlobKind.sniff($0).rawValue) }
    }
    try connection.addFunction(name: "blob_json", argumentCount: 1) { arguments in
      guard !arguments.isNull(0) else { return .null }
      return arguments.withBytes(0) { BlobReader.summary(of: $0, decode: true).value }.map(json) ?? .null
    }
    try connection.addFunction(name: "external_data", argumentCount: 1) { arguments in
      guard arguments.type(0) == .blob else { return arguments.value(0) }
      return arguments.withBytes(0) { bytes in
        let content = try? ExternalValue.content(of: bytes, store.externalFiles)
        return content.map(SQLiteValue.blob) ?? .null
      }
    }
  }

  private static func json(_ value: DataValue) -> SQLiteValue { .text(JSONText.compact(value)) }
}

extension Connection {
  /// A function of one integer; NULL for NULL, and if `body` returns nil.
  func addFunction(ofNumber name: String, _ body: @escaping (Int64) throws -> SQLiteValue?) throws {
    try addFunction(name: name, argumentCount: 1) { arguments in
      try arguments.optionalInteger(0).flatMap(body) ?? .null
    }
  }
}
