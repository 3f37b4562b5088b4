import SQLite

/// A table of the original as SQLite has it.
struct SourceTable {
  struct Column {
    var name: String
    var isUnique: Bool
    /// Whether it has the index that Core Data gives to keys of relationships, `ZNOTE_ZOWNER_INDEX`.
    var hasKeyIndex: Bool
  }

  let name: String
  /// Those that can be written: not the generated ones.
  let columns: [Column]
  /// `rowid` or another of its names, where rows have numbers that no column shows.
  let rowNumber: String?

  /// - Throws: `SQLiteError`.
  init(_ name: String, in connection: Connection) throws {
    self.name = name
    let unique = Set(
      try connection.rows(
        """
        SELECT columns.name FROM pragma_index_list(?1, 'main') AS indexes, pragma_index_info(indexes.name, 'main') AS columns
        WHERE indexes."unique"
        """, [.text(name)]
      ) { $0.text(0) })
    let indexes = try connection.rows(
      "SELECT UPPER(name), origin FROM pragma_index_list(?1, 'main')", [.text(name)]
    ) { (name: $0.text(0), origin: $0.text(1)) }
    let indexNames = Set(indexes.map(\.name))
    // Of each column of the primary key whether it is an integer.
    var primaryKeys: [Bool] = []
    columns = try connection.rows(
      "SELECT name, type, pk FROM pragma_table_xinfo(?1, 'main') WHERE hidden = 0 ORDER BY cid", [.text(name)]
    ) { row in
      let isInPrimaryKey = row.integer(2) != 0
      if isInPrimaryKey { primaryKeys.append(row.text(1).uppercased() == "INTEGER") }
      return Column(
        name: row.text(0), isUnique: isInPrimaryKey || unique.contains(row.text(0)),
        hasKeyIndex: indexNames.contains("\(name)_\(row.text(0))_INDEX".uppercased()))
    }
    // https://www.sqlite.org/lang_createtable.html#rowid
    let hasNoNumbers =
      try connection.first("SELECT wr FROM pragma_table_list(?1) WHERE schema = 'main'", [.text(name)]) {
        $0.integer(0) != 0
      } ?? false
    let names = Set(columns.map { $0.name.lowercased() })
    // With `DESC` an integer primary key has an index of its own, and isn't the row's number.
    let isColumn =
      primaryKeys == [true] && !hasNoNumbers && !indexes.contains { $0.origin == "pk" }
    rowNumber =
      hasNoNumbers || isColumn ? nil : ["rowid", "_rowid_", "oid"].first { !names.contains($0) }
  }
}
