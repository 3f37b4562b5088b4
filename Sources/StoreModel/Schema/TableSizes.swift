package import SQLite

/// What tables take of the file.
package enum TableSizes {
  /// Bytes of all pages of these tables and their indexes; nil where SQLite was built without the table that tells:
  /// https://www.sqlite.org/dbstat.html
  /// - Parameter tables: names in capitals.
  package static func bytes(of tables: [String], in connection: Connection) throws -> Int64? {
    let hasStatistics = try connection.first(
      "SELECT 1 FROM pragma_module_list WHERE name = 'dbstat'"
    ) { _ in true }
    guard hasStatistics != nil else { return nil }
    let names = tables.map(quotedText).joined(separator: ", ")
    let parts = try connection.rows(
      "SELECT name FROM main.sqlite_master WHERE UPPER(tbl_name) IN (\(names)) AND rootpage > 0"
    ) { $0.text(0) }
    // One by one, as only then the pages of all others are left alone.
    let statement = try connection.prepare("SELECT pgsize FROM dbstat('main', 1) WHERE name = ?")
    var bytes: Int64 = 0
    for part in parts {
      try statement.bind(.text(part), at: 1)
      while try statement.step() { bytes += statement.integer(0) }
      statement.reset()
    }
    return bytes
  }
}
