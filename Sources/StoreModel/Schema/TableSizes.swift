package import SQLite

/// What tables take of the file.
package enum TableSizes {
  /// The pages of a table itself, or of one of its indexes.
  package struct Part: Sendable {
    package var table: String
    package var isIndex: Bool
    package var bytes: Int64
  }

  /// Each table and index by name; nil where SQLite was built without the table that tells:
  /// https://www.sqlite.org/dbstat.html
  /// - Parameters:
  ///   - tables: names in capitals; nil for all.
  ///   - progress: called with the name of the table that comes next.
  package static func parts(
    of tables: [String]? = nil, in connection: Connection, progress: (String) -> Void = { _ in }
  ) throws -> [Part]? {
    let hasStatistics = try connection.first(
      "SELECT 1 FROM pragma_module_list WHERE name = 'dbstat'"
    ) { _ in true }
    guard hasStatistics != nil else { return nil }
    let chosen = tables.map { "AND UPPER(tbl_name) IN (\($0.map(quotedText).joined(separator: ", ")))" } ?? ""
    let names = try connection.rows(
      "SELECT name, tbl_name FROM main.sqlite_master WHERE rootpage > 0 \(chosen) ORDER BY name"
    ) { (part: $0.text(0), table: $0.text(1)) }
    // One by one, as only then the pages of all others are left alone.
    let statement = try connection.prepare("SELECT pgsize FROM dbstat('main', 1) WHERE name = ?")
    return try names.map { name, table in
      progress(table)
      try statement.bind(.text(name), at: 1)
      var bytes: Int64 = 0
      while try statement.step() { bytes += statement.integer(0) }
      statement.reset()
      return Part(table: table, isIndex: name != table, bytes: bytes)
    }
  }

  /// Bytes of all pages of these tables and their indexes, or nil as above.
  package static func bytes(of tables: [String], in connection: Connection) throws -> Int64? {
    try parts(of: tables, in: connection)?.reduce(0) { $0 + $1.bytes }
  }
}
