import Base
import Evidence
import SQLite
import StoreModel

/// Names that nothing has, for values of the backup whose files have the names of other values in the place: until the
/// backup's store is there, those are the old store's. Files that no row names get one too: with it they are in their
/// folder, whatever its rights are, before anything is replaced.
struct SpareNames {
  /// By the paths that the files will have in the place.
  private(set) var parts: [String: String] = [:]
  /// By the name that a row has of a file.
  private var names: [ExternalFiles.Kind: [String: String]] = [:]

  /// Whether rows have to name files so.
  var areInRows: Bool { !names.isEmpty }

  /// Gives a file another name in the same folder.
  mutating func add(_ part: String, of store: StoreParts) {
    guard let folder = PathText.split(part).folder, let spare = Self.uuid() else { return }
    parts[part] = "\(folder)/\(spare)"
    if let (kind, name) = value(part, of: store) { names[kind, default: [:]][name] = spare }
  }

  /// Whether the file has another name by which no row finds it.
  func isOutOfReach(_ part: String, of store: StoreParts) -> Bool {
    parts[part] != nil && value(part, of: store) == nil
  }

  /// What rows name the file by; nil if no row can.
  private func value(_ part: String, of store: StoreParts) -> (kind: ExternalFiles.Kind, name: String)? {
    let components = PathText.names(part)
    guard components.count == 3, components[0] == ExternalFiles(storePath: store.name).supportFolder,
      let kind = ExternalFiles.Kind(rawValue: components[1])
    else { return nil }
    return (kind, components[2])
  }

  private static func uuid() -> String? {
    (0..<16).map { _ in UInt8.random(in: 0...255) }.withUnsafeBytes { Hexadecimal.uuid($0) }
  }

  /// Lets every row of a private copy name its files so.
  func write(to connection: Connection) throws {
    // Their rules were kept when the rows were written, and the references keep their form.
    try connection.execute("PRAGMA ignore_check_constraints = ON")
    // Virtual tables have no page of their own.
    let tables = try connection.rows(
      "SELECT name FROM main.sqlite_master WHERE type = 'table' AND rootpage > 0 AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\'"
    ) { $0.text(0) }
    try connection.inTransaction { for table in tables { try write(to: table, connection) } }
  }

  /// Attributes that may be kept in files have BLOB columns.
  private func write(to table: String, _ connection: Connection) throws {
    let columns = try connection.columns(of: table).filter { $0.declaredType.uppercased() == "BLOB" }
      .map { quotedIdentifier($0.name) }
    guard !columns.isEmpty else { return }
    let table = "main.\(quotedIdentifier(table))"
    // Small blobs are looked at without the large ones being read: https://www.sqlite.org/opcode.html#Column
    let conditions = columns.map { "(typeof(\($0)) = 'blob' AND length(\($0)) BETWEEN 29 AND \(Self.limit))" }
    let select =
      "SELECT rowid, \(columns.joined(separator: ", ")) FROM \(table) WHERE \(conditions.joined(separator: " OR "))"
    var changes: [(column: String, row: Int64, value: [UInt8])] = []
    // A table without rowids isn't one of Core Data's.
    guard let rows = try? connection.prepare(select) else { return }
    while try rows.step() {
      for (index, column) in columns.enumerated() where rows.type(index + 1) == .blob {
        if let value = rows.withBytes(index + 1, renamed) { changes.append((column, rows.integer(0), value)) }
      }
    }
    for change in changes {
      try connection.execute(
        "UPDATE \(table) SET \(change.column) = ? WHERE rowid = ?",
        [.blob(change.value), .integer(change.row)])
    }
  }

  /// References are short.
  private static let limit = 4096

  /// The reference under the other name; nil if it is none, or of a file that keeps its name.
  private func renamed(_ bytes: UnsafeRawBufferPointer) -> [UInt8]? {
    guard bytes.count <= Self.limit else { return nil }
    switch ExternalValue(bytes) {
    case .file(let name):
      return names[.externalData]?[name].map { [bytes[0]] + Array($0.utf8) + bytes[37...] }
    case .fileBackedFuture(let name, _):
      return names[.fileBackedFuture]?[name].map { Array(bytes[..<28]) + Array($0.utf8) + [0] }
    default: return nil
    }
  }
}
