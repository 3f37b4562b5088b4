package import SQLite

/// The tables that a store really has, with their columns.
package struct TableCatalog: Sendable {
  /// Every ordinary table by name, Core Data's own and the app's. Virtual tables and their shadow tables, such as
  /// those of an R-tree index, are left out.
  package let tables: [String: [TableColumn]]

  package init(tables: [String: [TableColumn]]) { self.tables = tables }

  /// - Throws: `SQLiteError`.
  package init(_ connection: Connection) throws {
    // Asking for a virtual table's columns loads its module, which may not be built in; so they are left out
    // first. https://www.sqlite.org/vtab.html#xshadowname
    let virtual = try connection.rows(
      "SELECT name FROM main.sqlite_schema WHERE type = 'table' AND sql LIKE 'CREATE VIRTUAL TABLE%'"
    ) { $0.text(0) }
    var tables: [String: [TableColumn]] = [:]
    try connection.forEachRow(
      """
      SELECT tables.name, columns.name, columns.type, columns.pk
      FROM main.sqlite_schema AS tables, pragma_table_info(tables.name, 'main') AS columns
      WHERE tables.type = 'table' AND tables.sql NOT LIKE 'CREATE VIRTUAL TABLE%'
      """
    ) { row in
      tables[row.text(0), default: []].append(
        TableColumn(name: row.text(1), declaredType: row.text(2), isPrimaryKey: row.integer(3) != 0))
    }
    let shadows = Set(virtual.flatMap { name in Self.shadowSuffixes.map { name + $0 } })
    self.tables = tables.filter { !shadows.contains($0.key) }
  }

  private static let shadowSuffixes = ["_node", "_parent", "_rowid"]

  package func has(_ table: String) -> Bool { tables[table] != nil }

  /// Names of the table's columns; none where there is no such table.
  package func columns(of table: String) -> [TableColumn] { tables[table] ?? [] }

  /// Whether its rows can be told as objects, by entity and primary key.
  package func holdsObjects(_ table: String) -> Bool {
    Set(columns(of: table).map { $0.name.uppercased() }).isSuperset(of: ["Z_PK", "Z_ENT"])
  }

  /// The tables that hold objects and links of the app's model: `Z…`, but not Core Data's bookkeeping. Tables of
  /// history and mirroring begin with `A`.
  package var modelTables: [String] {
    tables.keys.filter { $0.hasPrefix("Z") && !Self.bookkeeping.contains($0) }.sorted()
  }

  private static let bookkeeping: Set<String> = ["Z_METADATA", "Z_PRIMARYKEY", "Z_MODELCACHE"]
}
