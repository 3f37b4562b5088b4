import Base
package import Evidence
package import Lens
package import SQLite
import StoreModel

/// All that a store says, row by row: for comparing a store before and after something.
package struct StoreContent: Equatable {
  package typealias Row = [String: SQLiteValue]

  /// The text of every table, index, view and trigger.
  package var schema: [String]
  /// Rows by table, in the order of their keys.
  package var tables: [String: [Row]]

  /// Reads the store with its WAL, without changing a byte. Throws where SQLite's integrity check fails.
  package init(_ path: String) throws {
    let opened = try StoreOpener.open(path: path)
    defer { try? opened.finish() }
    let connection = opened.connection
    let problems = try connection.rows("PRAGMA integrity_check") { $0.text(0) }
    guard problems == ["ok"] else {
      throw StoreScopeError(.failed, "\(path): \(problems.joined(separator: "; "))")
    }
    schema = try connection.rows("SELECT name, COALESCE(sql, '') FROM main.sqlite_master ORDER BY type, name")
    { $0.text(0) + " " + $0.text(1) }
    tables = [:]
    let names = try connection.rows("SELECT name FROM main.sqlite_master WHERE type = 'table'") { $0.text(0) }
    for table in names {
      var columns: [String] = []
      tables[table] = try connection.rows("SELECT * FROM main.\(quotedIdentifier(table)) ORDER BY rowid") {
        row in
        if columns.isEmpty { columns = row.columnNames }
        return Dictionary(uniqueKeysWithValues: zip(columns, row.values))
      }
    }
  }

  /// The same with the bytes of each external value in place of its file's name: two stores that name their files
  /// otherwise and hold the same are equal then. Throws if a file is missing.
  package init(valuesOf path: String) throws {
    try self.init(path)
    let files = ExternalFiles(storePath: path)
    tables = try tables.mapValues { rows in
      try rows.map { row in
        try row.mapValues { value in
          guard case .blob(let bytes) = value else { return value }
          return try bytes.withUnsafeBytes { bytes in
            guard case .file = ExternalValue(bytes) else { return value }
            return .blob(try ExternalValue.content(of: bytes, files) ?? [])
          }
        }
      }
    }
  }

  /// Rows of a table; none where there is no such table.
  package func rows(_ table: String) -> [Row] { tables[table] ?? [] }

  /// Changes every row of the table for which `condition` holds.
  package mutating func update(
    _ table: String, where condition: (Row) -> Bool = { _ in true }, _ values: Row
  ) {
    tables[table] = rows(table).map { condition($0) ? $0.merging(values) { $1 } : $0 }
  }

  package mutating func delete(_ table: String, where condition: (Row) -> Bool = { _ in true }) {
    tables[table] = rows(table).filter { !condition($0) }
  }

  /// What is different in the other, a line each, for people who look at a test that fails.
  package func differences(_ other: StoreContent) -> [String] {
    var lines = schema == other.schema ? [] : ["the schema's text"]
    for table in Set(tables.keys).union(other.tables.keys).sorted() where rows(table) != other.rows(table) {
      let (here, there) = (rows(table), other.rows(table))
      lines.append("\(table): \(here.count) and \(there.count) rows")
      for row in here where !there.contains(row) { lines.append("  only here: \(Self.text(row))") }
      for row in there where !here.contains(row) { lines.append("  only there: \(Self.text(row))") }
    }
    return lines
  }

  private static func text(_ row: Row) -> String {
    row.sorted { $0.key < $1.key }.filter { $0.value != .null }.map {
      "\($0.key)=\("\($0.value)".prefix(60))"
    }
    .joined(separator: " ")
  }
}

extension SQLiteValue {
  /// A number, NULL as 0, as the framework takes its flags.
  package var number: Int64 { if case .integer(let value) = self { value } else { 0 } }
  package var string: String? { if case .text(let value) = self { value } else { nil } }
}

extension StoreContent.Row {
  package func number(_ column: String) -> Int64 { self[column]?.number ?? 0 }
  package func string(_ column: String) -> String? { self[column]?.string }
}

extension OpenStore {
  /// The store at that path as commands open it.
  package convenience init(at path: String, modelPath: String? = nil) throws {
    try self.init(StoreOpener.open(path: path), path: path, modelPath: modelPath)
  }

  /// What SQL with the model's names finds.
  package func rows(_ sql: String) throws -> [[SQLiteValue]] {
    _ = try lens()
    return try connection.rows(sql) { $0.values }
  }
}

extension StoreOpener {
  /// Runs `body` on the store, and once more where the store changed while it was read, up to `attempts` times.
  /// What `body` made of the attempts before must be thrown away.
  package static func withStore<R>(
    path: String, asOfCommit: Int? = nil, attempts: Int = 3, _ body: (OpenedStore) throws -> R
  ) throws -> R {
    for _ in 1..<max(1, attempts) {
      let store = try open(path: path, asOfCommit: asOfCommit)
      let result = Result { try body(store) }
      // Half of an old state and half of a new one can look like damage.
      do { try store.finish() } catch is StoreChangedError { continue }
      return try result.get()
    }
    let store = try open(path: path, asOfCommit: asOfCommit)
    let result = Result { try body(store) }
    try store.finish()
    return try result.get()
  }
}
