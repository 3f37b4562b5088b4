import SQLite

/// What a schema does by itself when rows of a table change. Core Data gives none of it to the tables that operations
/// change; whoever added it relies on it, so a change without its effect would be as wrong as one with it.
enum ForeignCode {
  static func precondition(_ tables: [String], _ connection: Connection) throws -> Precondition {
    let name = "no-foreign-code"
    for table in tables {
      guard let found = try found(on: table, connection) else { continue }
      return Precondition(
        name, holds: false,
        "\(found). Core Data doesn't create that, and plans can't account for its effects; remove it in a copy of the store first."
      )
    }
    return Precondition(
      name, holds: true, "No trigger, foreign key or conflict clause is on the tables that change.")
  }

  /// What there is, as a clause. SQLite's own lists come first: the text and the names in `sqlite_master` can be forged.
  private static func found(on table: String, _ connection: Connection) throws -> String? {
    let kind = try connection.first(
      "SELECT type = 'table' AND NOT wr FROM pragma_table_list(?1) WHERE schema = 'main'", [.text(table)]
    ) { $0.integer(0) == 1 }
    if kind == false { return "\(table) isn't an ordinary table with a rowid" }
    let trigger = try connection.first(
      "SELECT name FROM main.sqlite_master WHERE type = 'trigger' AND tbl_name = ?1 COLLATE NOCASE",
      [.text(table)]
    ) { $0.text(0) }
    if let trigger { return "The trigger '\(trigger)' runs when rows of \(table) change" }
    let referrer = try connection.first(
      """
      SELECT tables.name FROM pragma_table_list AS tables, pragma_foreign_key_list(tables.name, 'main') AS keys
      WHERE tables.schema = 'main' AND keys."table" = ?1 COLLATE NOCASE
      """, [.text(table)]
    ) { $0.text(0) }
    if let referrer { return "A foreign key of '\(referrer)' refers to \(table)" }
    let text = try connection.rows(
      "SELECT sql FROM main.sqlite_master WHERE name = ?1 COLLATE NOCASE", [.text(table)]
    ) { $0.text(0).lowercased() }.joined()
    // A keyword can be spelled in one way only, so it is found in whatever text it stands.
    if text.contains("conflict") { return "The definition of \(table) has a conflict clause" }
    return text.contains("autoincrement") ? "\(table) has a key with AUTOINCREMENT" : nil
  }
}
