import Base
package import SQLite

/// The tables that a store really has, with their columns.
package struct TableCatalog: Sendable {
  /// Every ordinary table by name, Core Data's own and the app's. Virtual tables and their shadow tables, such as
  /// those of an R-tree or a full-text index, are left out.
  package let tables: [String: [TableColumn]]
  /// How many tables and columns are left out because their names are longer than any name is.
  package let overlongNames: Int

  package init(tables: [String: [TableColumn]]) {
    self.tables = tables
    overlongNames = 0
  }

  /// - Throws: `SQLiteError`.
  package init(_ connection: Connection) throws {
    // Asking for a virtual table's columns loads its module, which may not be built in; so they are left out
    // first.
    var ordinary: [String] = []
    var shadows: Set<String> = []
    var overlong = 0
    try connection.forEachSchemaRow("SELECT name, sql FROM main.sqlite_schema WHERE type = 'table'") { row in
      guard !row.withBytes(0, { $0.count > LongName.limit }) else {
        overlong += 1
        return
      }
      let name = row.text(0)
      if row.withBytes(1, isVirtualTable) {
        shadows.formUnion(shadowTableSuffixes.map { name + $0 })
      } else {
        ordinary.append(name)
      }
    }
    var tables: [String: [TableColumn]] = [:]
    // Generated columns aren't among them: https://www.sqlite.org/pragma.html#pragma_table_info
    let columns = try connection.prepare("SELECT name, type, pk FROM pragma_table_info(?, 'main')")
    for table in ordinary where !shadows.contains(table) {
      try columns.bind(.text(table), at: 1)
      var list: [TableColumn] = []
      while try columns.step() {
        guard !columns.withBytes(0, { $0.count > LongName.limit }) else {
          overlong += 1
          continue
        }
        list.append(
          TableColumn(
            name: columns.text(0), declaredType: columns.name(1), isPrimaryKey: columns.integer(2) != 0))
      }
      if !list.isEmpty { tables[table] = list }
    }
    self.tables = tables
    overlongNames = overlong
  }

  package func has(_ table: String) -> Bool { tables[table] != nil }

  /// Names of the table's columns; none where there is no such table.
  package func columns(of table: String) -> [TableColumn] { tables[table] ?? [] }

  /// Whether its rows can be identified as objects, by entity and primary key.
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
