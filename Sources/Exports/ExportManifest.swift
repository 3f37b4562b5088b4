package import Base
package import Rendering

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
    let head: [DataValue.Member] = [.init("schema", "storescope/export/1"), .init("version", .text(version))]
    let rest = Self.fields.members(of: self).dropFirst()
    return .object(head + [.init("store", Self.name(of: store))] + rest)
  }

  /// After `schema` and `store`.
  package static let fields: [Field<Self>] = Field.list(
    [
      Field("version", "the program's version") { $0.version },
      Field("format", .words(["ndjson", "csv"]), "the format of the files") { $0.format.rawValue },
      Field("compression", .words(ExportCompression.self), "how they are compressed") {
        $0.compression?.rawValue
      },
    ], totalFields,
    [
      Field("files", .list(.object(describedFields.keys())), "the files") {
        $0.parts.map(describedFields.object)
      }
    ])

  package static let totalFields: [Field<Self>] = [
    Field("rows", "rows in all") { $0.rows }, Field("bytes", "bytes in all") { $0.bytes },
    Field("leftOut", "what isn't exported, and why") { $0.leftOut },
  ]

  package static let filesField = Field<Self>("files", .list(.object(partFields.keys())), "the files") {
    $0.parts.map(partFields.object)
  }

  private typealias Part = (part: ExportPart, exported: ExportedPart)
  private static let partFields: [Field<Part>] = Field.list(
    [
      Field("name", "the entity, link or table") { $0.part.name },
      Field("kind", .words(["entity", "history", "table"]), "what it is") { $0.part.kind },
    ], ExportedPart.fields.of { $0.exported })

  private static let describedFields: [Field<Part>] = Field.list(
    partFields,
    [
      Field("columns", .list(.object(columnFields.keys())), "its columns") {
        zip($0.part.columns, $0.exported.kinds).map { columnFields.object(of: ($0, $1)) }
      }
    ])

  private typealias Column = (column: ExportPart.Column, kinds: ValueKinds?)
  private static let columnFields: [Field<Column>] = [
    Field("name", "the key of the column") { $0.column.name },
    Field("type", "its type in the model") { $0.column.type },
    Field("holds", .texts, "the kinds of values that are in it") { $0.kinds?.value },
    Field("destination", "the entity it leads to", if: "it is a relationship") { $0.column.destination },
  ]

  static func name(of store: StoreIdentity) -> DataValue {
    var store = store
    store.path = Platform.fileName(store.path)
    return store.value
  }

  /// Of a column that hasn't been written yet.
  static func value(_ column: ExportPart.Column) -> DataValue {
    columnFields.filter { $0.name != "holds" }.object(of: (column, nil))
  }
}

package struct ExportedPart: Sendable, Equatable {
  /// Below the export's folder.
  package var file: String
  package var rows: Int
  package var bytes: Int64
  /// Of the file, in lower-case hexadecimal digits.
  package var sha256: String
  /// What each column holds.
  package var kinds: [ValueKinds]

  package static let fields: [Field<Self>] = [
    Field("file", "the file in the directory") { $0.file }, Field("rows", "its rows") { $0.rows },
    Field("bytes", "its size") { $0.bytes }, Field("sha256", .hash, "its hash") { $0.sha256 },
  ]

  var members: [DataValue.Member] {
    Self.fields.members(of: self) + [.init("holds", .array(kinds.map(\.value)))]
  }
}

extension ExportedPart {
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
