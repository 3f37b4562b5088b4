import SQLite
import Values

/// Checks of the database as a whole.
enum Integrity {
  /// - Returns: what wasn't checked, in sentences; nil if all was.
  /// - Throws: `StoreScopeError` with what SQLite found.
  @discardableResult
  static func check(_ connection: Connection, path: String) throws -> String? {
    let check = try connection.damage(isThorough: true, atMost: 3)
    let found = check.problems
    guard found.isEmpty else {
      throw StoreScopeError(
        .damaged, path,
        "fails SQLite's integrity check (\(found.joined(separator: "; "))), so nothing is written to it",
        advice: "restore a backup or try sqlite3's .recover")
    }
    return check.omission
  }

  /// The text of every table, index, view and trigger: Core Data recognizes its tables by it.
  static func schemaText(_ connection: Connection) throws -> [String] {
    try connection.rows("SELECT type, name, COALESCE(sql, '') FROM main.sqlite_master ORDER BY type, name") {
      "\($0.text(0)) \($0.text(1)) \($0.text(2))"
    }
  }
}
