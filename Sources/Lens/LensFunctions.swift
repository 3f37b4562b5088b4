import Archives
import SQLite
import StoreModel
import Values

/// SQL functions for what SQL can't do by itself. All of them give NULL for NULL, and the value as it is where it
/// can't be read.
struct LensFunctions {
  let store: CoreDataStore

  /// Name, arguments and meaning of each, for help.
  static let descriptions: [(signature: String, meaning: String)] = [
    ("iso_date(seconds)", "a Core Data date as ISO 8601 in UTC"),
    ("core_data_date(text)", "an ISO 8601 date as Core Data's seconds since 2001"),
    ("uuid_text(blob)", "sixteen bytes as an upper-case UUID"),
    ("entity_name(number)", "an entity's name"),
    ("object_uri(entity, pk)", "an object's URI, from the entity's number or name"),
    ("change_name(type)", "insert, update or delete"),
    ("changed_properties(entity, mask)", "names of the properties that an update changed, as JSON"),
    ("blob_kind(blob)", "what kind of data it is: png, json, keyedArchive …"),
    ("blob_json(blob)", "an archive, property list or JSON, decoded, as JSON"),
    ("external_data(blob)", "the data behind an attribute that allows external storage"),
  ]
}
