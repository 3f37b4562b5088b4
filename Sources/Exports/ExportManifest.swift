package import Rendering
import SystemCalls
package import Values

/// What an export holds: the schema of each file, its rows and its hash. It says nothing of when and where it was made,
/// so that two exports of the same state by the same version are the same files.
package struct ExportManifest: Sendable {
  package var store: StoreIdentity
  /// Of the program.
  package var version: String
  package var format: Format
  package var compression: ExportCompression?
  package var parts: [(part: ExportPart, exported: ExportedPart)]
  package var leftOut: [String]

  package var rows: Int { parts.reduce(0) { $0 + $1.exported.rows } }
  package var bytes: Int64 { parts.reduce(0) { $0 + $1.exported.bytes } }

  package var value: DataValue {
    .object(
      [
        .init("schema", "storescope/export/1"), .init("version", .text(version)),
        .init("store", Self.name(of: store)),
        .init("format", .text(format.rawValue)), .init("compression", .optional(compression?.rawValue)),
        .init("rows", .count(rows)), .init("bytes", .integer(bytes)),
        .init("leftOut", .array(leftOut.map(DataValue.text))),
        .init(
          "files",
          .array(
            parts.map { part, exported in
              .object(
                Self.members(part, exported) + [
                  .init(
                    "columns",
                    .array(zip(part.columns, exported.kinds).map { Self.value($0, holding: $1) }))
                ])
            })),
      ])
  }

  /// Each file without its columns.
  package var files: [DataValue] { parts.map { .object(Self.members($0.part, $0.exported)) } }

  private static func members(_ part: ExportPart, _ exported: ExportedPart) -> [DataValue.Member] {
    [.init("name", .text(part.name)), .init("kind", .text(part.kind))] + exported.facts
  }

  /// The store by the last part of its path: where it lay is nothing that the files tell.
  static func name(of store: StoreIdentity) -> DataValue {
    var store = store
    store.path = Platform.fileName(store.path)
    return store.value
  }

  /// - Parameter kinds: nil before it is read.
  static func value(_ column: ExportPart.Column, holding kinds: ValueKinds? = nil) -> DataValue {
    var members: [DataValue.Member] = [.init("name", .text(column.name)), .init("type", .text(column.type))]
    if let kinds { members.append(.init("holds", kinds.value)) }
    if let destination = column.destination { members.append(.init("destination", .text(destination))) }
    return .object(members)
  }
}

/// A part that is written: what the manifest says of its file.
package struct ExportedPart: Sendable, Equatable {
  /// Below the export's folder.
  package var file: String
  package var rows: Int
  package var bytes: Int64
  /// Of the file, in lower-case hexadecimal digits.
  package var sha256: String
  /// What each column holds.
  package var kinds: [ValueKinds]

  package var facts: [DataValue.Member] {
    [
      .init("file", .text(file)), .init("rows", .count(rows)), .init("bytes", .integer(bytes)),
      .init("sha256", .text(sha256)),
    ]
  }

  /// All of it, for the journal.
  var members: [DataValue.Member] { facts + [.init("holds", .array(kinds.map(\.value)))] }

  init(file: String, rows: Int, bytes: Int64, sha256: String, kinds: [ValueKinds]) {
    self.file = file
    self.rows = rows
    self.bytes = bytes
    self.sha256 = sha256
    self.kinds = kinds
  }

  /// Nil where the value isn't one that `members` made.
  init?(_ value: DataValue) {
    guard case .text(let file)? = value["file"], case .integer(let rows)? = value["rows"],
      case .integer(let bytes)? = value["bytes"], case .text(let sha256)? = value["sha256"],
      case .array(let columns)? = value["holds"]
    else { return nil }
    let kinds = columns.compactMap(ValueKinds.init(_:))
    guard kinds.count == columns.count else { return nil }
    self.init(file: file, rows: Int(rows), bytes: bytes, sha256: sha256, kinds: kinds)
  }
}
