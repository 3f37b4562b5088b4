internal import SQLite
internal import Values

/// One row of a mirror table, as the forge remembers it.
protocol MirrorRow: Equatable {
  /// The framework's name for such rows.
  static var entity: String { get }
  func cells(_ layout: MirrorSchema.Layout) -> [(column: String, value: SQLiteValue)]
  /// The archives that have rows of their own in V17.
  var assets: [MirrorAsset] { get }
}

extension MirrorRow {
  var assets: [MirrorAsset] { [] }
}

/// An archive that a row holds: in a column of its own in V16, in another table in V17.
struct MirrorBlob: Equatable {
  var bytes: [UInt8]
  /// Its Z_PK in V17's table.
  var key: Int64

  /// Archives above this size lie in the column that allows external storage; real limits aren't known.
  private static let inlineLimit = 32 << 10

  var isLarge: Bool { bytes.count > Self.inlineLimit }
}

/// A blob and where V17 keeps it.
struct MirrorAsset: Equatable {
  var entity: String
  /// The foreign key back to the owner.
  var ownerColumn: String
  var blob: MirrorBlob

  func cells(owner: Int64) -> [(column: String, value: SQLiteValue)] {
    // 1 is the tag of a value that allows external storage and lies in its row.
    [
      (ownerColumn, .integer(owner)), ("ZBINARYDATA", blob.isLarge ? .null : .blob(blob.bytes)),
      ("ZEXTERNALBINARYDATA", blob.isLarge ? .blob([1] + blob.bytes) : .null),
    ]
  }
}

extension SQLiteValue {
  static func flag(_ value: Bool) -> SQLiteValue { .integer(value ? 1 : 0) }
  static func optional(_ value: Int64?) -> SQLiteValue { value.map(SQLiteValue.integer) ?? .null }
  static func optional(_ value: [UInt8]?) -> SQLiteValue { value.map(SQLiteValue.blob) ?? .null }
  static func optional(_ value: CoreDataDate?) -> SQLiteValue {
    value.map { .real($0.seconds) } ?? .null
  }
}
