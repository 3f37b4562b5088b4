import Base
package import SQLite

/// One row of a mirror table, as the forge remembers it.
package protocol MirrorRow: Equatable {
  /// The framework's name for such rows.
  static var entity: String { get }
  func cells(_ layout: MirrorSchema.Layout) -> [(column: String, value: SQLiteValue)]
  /// The archives that have rows of their own in V17.
  var assets: [MirrorAsset] { get }
}

extension MirrorRow {
  package var assets: [MirrorAsset] { [] }
}

/// An archive that a row holds: in a column of its own in V16, in another table in V17.
package struct MirrorBlob: Equatable {
  package var bytes: [UInt8]
  /// Its Z_PK in V17's table.
  package var key: Int64

  /// Archives above this size lie in the column that allows external storage; real limits aren't known.
  private static let inlineLimit = 32 << 10

  package var isLarge: Bool { bytes.count > Self.inlineLimit }
}

/// A blob and where V17 keeps it.
package struct MirrorAsset: Equatable {
  package var entity: String
  /// The foreign key back to the owner.
  package var ownerColumn: String
  package var blob: MirrorBlob

  package func cells(owner: Int64) -> [(column: String, value: SQLiteValue)] {
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

/// Writes what changed between two states of the mirror's rows.
struct MirrorRowWriter {
  let connection: Connection
  let layout: MirrorSchema.Layout
  /// By the framework's entity.
  private let tables: [String: MirrorSchema.Table]

  init(_ connection: Connection, _ layout: MirrorSchema.Layout) {
    self.connection = connection
    self.layout = layout
    tables = Dictionary(uniqueKeysWithValues: MirrorSchema.tables(layout).map { ($0.entity, $0) })
  }

  /// Tables, indexes and entity numbers.
  func create() throws {
    for table in tables.values.sorted(by: { $0.number < $1.number }) {
      try connection.execute(table.create)
      for index in table.indexes { try connection.execute(index) }
      try connection.execute(
        "INSERT INTO Z_PRIMARYKEY (Z_ENT, Z_NAME, Z_SUPER, Z_MAX) VALUES (?, ?, 0, 0)",
        [.integer(table.number), .text(table.entity)])
    }
  }

  func write(_ old: MirrorLedger, _ new: MirrorLedger) throws {
    try connection.inTransaction {
      try write(\.databases, old, new)
      try write(\.zones, old, new)
      try write(\.records, old, new)
      try write(\.links, old, new)
      try write(\.receipts, old, new)
      try write(\.entries, old, new)
      try write(\.events, old, new)
      try write(\.analyzerStates, old, new)
      try write(\.operations, old, new)
      try write(\.pendingRelationships, old, new)
      for (entity, key) in new.highestKeys.sorted(by: { $0.key < $1.key })
      where old.highestKeys[entity] != key {
        // In V16 archives have no rows of their own.
        guard let table = tables[entity] else { continue }
        try connection.execute(
          "UPDATE Z_PRIMARYKEY SET Z_MAX = ? WHERE Z_ENT = ?", [.integer(key), .integer(table.number)])
      }
    }
  }

  /// Deletes first: a new row may take what was unique to an old one.
  private func write<Row: MirrorRow>(
    _ rows: KeyPath<MirrorLedger, [Int64: Row]>, _ oldLedger: MirrorLedger, _ newLedger: MirrorLedger
  ) throws {
    let (old, new) = (oldLedger[keyPath: rows], newLedger[keyPath: rows])
    guard old != new else { return }
    for key in old.keys.sorted() where new[key] == nil {
      try delete(Row.entity, key)
      for asset in old[key]?.assets ?? [] { try deleteAsset(asset) }
    }
    let changed = new.keys.sorted().filter { old[$0] != new[$0] }
    for key in changed {
      guard let row = new[key] else { continue }
      try writeAssets(old[key]?.assets ?? [], row.assets, owner: key)
      if old[key] == nil {
        try insert(Row.entity, key, row.cells(layout))
      } else {
        try update(Row.entity, key, row.cells(layout))
      }
    }
  }

  private func writeAssets(_ old: [MirrorAsset], _ new: [MirrorAsset], owner: Int64) throws {
    guard layout.hasAssets else { return }
    for asset in old where !new.contains(asset) { try deleteAsset(asset) }
    for asset in new where !old.contains(asset) {
      try insert(asset.entity, asset.blob.key, asset.cells(owner: owner))
    }
  }

  private func deleteAsset(_ asset: MirrorAsset) throws {
    if layout.hasAssets { try delete(asset.entity, asset.blob.key) }
  }

  private func insert(_ entity: String, _ key: Int64, _ cells: [(column: String, value: SQLiteValue)]) throws
  {
    guard let table = tables[entity] else { return }
    let names = ["Z_PK", "Z_ENT", "Z_OPT"] + cells.map(\.column)
    let marks = names.map { _ in "?" }.joined(separator: ", ")
    try connection.execute(
      "INSERT INTO \(table.name) (\(names.joined(separator: ", "))) VALUES (\(marks))",
      [.integer(key), .integer(table.number), 1] + cells.map(\.value))
  }

  private func update(_ entity: String, _ key: Int64, _ cells: [(column: String, value: SQLiteValue)]) throws
  {
    guard let table = tables[entity] else { return }
    let sets = ["Z_OPT = Z_OPT + 1"] + cells.map { "\($0.column) = ?" }
    try connection.execute(
      "UPDATE \(table.name) SET \(sets.joined(separator: ", ")) WHERE Z_PK = ?",
      cells.map(\.value) + [.integer(key)])
  }

  private func delete(_ entity: String, _ key: Int64) throws {
    guard let table = tables[entity] else { return }
    try connection.execute("DELETE FROM \(table.name) WHERE Z_PK = ?", [.integer(key)])
  }
}
