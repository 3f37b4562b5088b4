import SQLite
import Values

/// Checks of the database as a whole.
enum Integrity {
  /// - Throws: `StoreScopeError` with what SQLite found.
  static func check(_ connection: Connection, path: String) throws {
    let found = try connection.damage(isThorough: true, atMost: 3)
    guard found.isEmpty else {
      throw StoreScopeError(
        .damaged, path,
        "fails SQLite's integrity check (\(found.joined(separator: "; "))), so nothing is written to it",
        advice: "restore a backup or try sqlite3's .recover")
    }
  }

  /// The text of every table, index, view and trigger: Core Data recognizes its tables by it.
  static func schemaText(_ connection: Connection) throws -> [String] {
    try connection.rows("SELECT type, name, COALESCE(sql, '') FROM main.sqlite_master ORDER BY type, name") {
      "\($0.text(0)) \($0.text(1)) \($0.text(2))"
    }
  }
}
