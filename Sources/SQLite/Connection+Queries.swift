import CSQLite

/// A column as the table's definition has it.
package struct TableColumn: Sendable, Equatable {
  package var name: String
  /// The type as written, empty where none is.
  package var declaredType: String
  package var isPrimaryKey: Bool

  package init(name: String, declaredType: String, isPrimaryKey: Bool = false) {
    self.name = name
    self.declaredType = declaredType
    self.isPrimaryKey = isPrimaryKey
  }
}

extension Connection {
  /// What `body` makes of each row.
  package func rows<T>(
    _ sql: String, _ values: [SQLiteValue] = [], _ body: (Statement) throws -> T
  ) throws -> [T] {
    var results: [T] = []
    try forEachRow(sql, values) { results.append(try body($0)) }
    return results
  }

  /// What `body` makes of the first row; nil where there is none.
  package func first<T>(
    _ sql: String, _ values: [SQLiteValue] = [], _ body: (Statement) throws -> T
  ) throws -> T? {
    let statement = try prepare(sql)
    try statement.bind(values)
    return try statement.step() ? try body(statement) : nil
  }

  /// The first column of the first row; nil where there is no row.
  package func value(_ sql: String, _ values: [SQLiteValue] = []) throws -> SQLiteValue? {
    try first(sql, values) { $0.value(0) }
  }

  package func forEachRow(
    _ sql: String, _ values: [SQLiteValue] = [], _ body: (Statement) throws -> Void
  ) throws {
    let statement = try prepare(sql)
    try statement.bind(values)
    while try statement.step() { try body(statement) }
  }

  /// Runs one statement with parameters, rows thrown away.
  package func execute(_ sql: String, _ values: [SQLiteValue]) throws(SQLiteError) {
    try prepare(sql).run(values)
  }

  /// Runs `body` in one transaction: committed when it returns, rolled back when it throws.
  package func inTransaction<R>(_ begin: String = "BEGIN IMMEDIATE", _ body: () throws -> R) throws -> R {
    try execute(begin)
    do {
      let result = try body()
      try execute("COMMIT")
      return result
    } catch {
      // Some errors end the transaction by themselves: https://www.sqlite.org/lang_transaction.html
      if isInTransaction { try execute("ROLLBACK") }
      throw error
    }
  }

  /// Begins the reading again. Once SQLite has met damage in a transaction, it refuses to write to temporary tables, too,
  /// until that ends: https://www.sqlite.org/src/file/src/vdbe.c (SQLITE_CorruptRdOnly)
  /// - Throws: `SQLiteError` of the kind that asks for another look if the database was written in between.
  package func beginAgain() throws {
    func version() throws -> Int64? { try first("PRAGMA main.data_version") { $0.integer(0) } }
    guard isInTransaction else { return }
    let before = try version()
    try execute("ROLLBACK")
    try execute("BEGIN")
    _ = try value("SELECT 1 FROM main.sqlite_master LIMIT 1")
    guard try version() == before else {
      throw SQLiteError(code: SQLITE_SCHEMA, message: "the store was written in between")
    }
  }

  /// What is read of the list of tables before a damaged page, if it has one; see `OpenedStore.isSchemaDamaged`.
  package func forEachSchemaRow(_ sql: String, _ body: (Statement) throws -> Void) throws {
    do { try forEachRow(sql, [], body) } catch let error as SQLiteError where error.isDamage {}
  }

  /// Whether the main database has such a table. Upper and lower case are the same, as in SQL.
  package func hasTable(_ name: String) throws -> Bool {
    do {
      return try first(
        "SELECT 1 FROM main.sqlite_master WHERE type = 'table' AND name = ? COLLATE NOCASE", [.text(name)]
      ) { _ in true } ?? false
    } catch let error as SQLiteError where error.isDamage {
      // Not among those that can be read.
      return false
    }
  }

  /// The columns of a table or view in their order; none where there is no such table.
  package func columns(of table: String) throws -> [TableColumn] {
    try rows("SELECT name, type, pk FROM pragma_table_info(?) ORDER BY cid", [.text(table)]) {
      TableColumn(name: $0.text(0), declaredType: $0.text(1), isPrimaryKey: $0.integer(2) != 0)
    }
  }

  /// The columns with which an index of all the table's rows begins, in capital letters: SQLite doesn't distinguish names
  /// by case. https://www.sqlite.org/pragma.html#pragma_index_info
  package func indexedColumns(of table: String) throws -> Set<String> {
    Set(
      try rows(
        """
        SELECT c.name FROM pragma_index_list(?, 'main') i, pragma_index_info(i.name, 'main') c
        WHERE c.seqno = 0 AND NOT i.partial
        """, [.text(table)]
      ) { $0.text(0).uppercased() })
  }
}
