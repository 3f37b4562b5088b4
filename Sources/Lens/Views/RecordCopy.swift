import Archives
import SQLite
import StoreModel
import Values

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
