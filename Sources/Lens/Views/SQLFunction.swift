/// A function that SQL has here in addition to SQLite's own. Help, documentation and completion take them from the list;
/// a test holds it against the functions that are there.
package struct SQLFunction: Sendable {
  package let name: String
  /// As they are written between the parentheses.
  package let arguments: String
  /// A clause without a full stop.
  package let meaning: String

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
    "change_token", "comparable", "date_seconds", "event_error", "flagged_by", "may_be_older",
    "metadata_archive",
    "model_entity", "model_uri", "record_copy", "tombstone", "unanalyzed_outcome", "unsure_properties",
    "zone_records",
  ]
}
