package import Values

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
    "change_token", "event_error", "flagged_by", "may_be_older",
    "metadata_archive",
    "model_entity", "model_name", "model_uri", "record_copy", "tombstone", "unanalyzed_outcome",
    "unsure_properties",
    "zone_records",
  ]
}
