package import Values

/// A part that is written: what the manifest says of its file.
package struct ExportedPart: Sendable, Equatable {
  /// Below the export's folder.
  package var file: String
  package var rows: Int
  package var bytes: Int64
  /// Of the file, in lower-case hexadecimal digits.
  package var sha256: String

  package var members: [DataValue.Member] {
    [
      .init("file", .text(file)), .init("rows", .count(rows)), .init("bytes", .integer(bytes)),
      .init("sha256", .text(sha256)),
    ]
  }

  init(file: String, rows: Int, bytes: Int64, sha256: String) {
    self.file = file
    self.rows = rows
    self.bytes = bytes
    self.sha256 = sha256
  }

  /// Nil where the value isn't one that `members` made.
  init?(_ value: DataValue) {
    guard case .text(let file)? = value["file"], case .integer(let rows)? = value["rows"],
      case .integer(let bytes)? = value["bytes"], case .text(let sha256)? = value["sha256"]
    else { return nil }
    self.init(file: file, rows: Int(rows), bytes: bytes, sha256: sha256)
  }
}
