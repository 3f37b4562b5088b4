import CSQLite

/// Rows that Swift makes and SQL reads as a table: an eponymous virtual table
/// (https://www.sqlite.org/vtab.html#eponymous_virtual_tables).
final class RowSource {
  /// Gives the next row, nil at the end.
  typealias Next = () throws -> [SQLiteValue]?

  let declaration: String
  /// Begins a reading; nil once the connection is closed.
  var begin: (() throws -> Next)?

  init(columns: [String], begin: @escaping () throws -> Next) {
    declaration = "CREATE TABLE x(\(columns.map(quotedIdentifier).joined(separator: ", ")))"
    self.begin = begin
  }
}

extension Connection {
  /// Adds a table of that name that can only be read. `begin` is called for each reading and gives a function that
  /// returns the next row. What either throws becomes the statement's error.
  ///
  /// The table counts as harmless, so that views may name it: neither function may write anything anywhere.
  package func addTable(
    name: String, columns: [String], begin: @escaping () throws -> () throws -> [SQLiteValue]?
  ) throws(SQLiteError) {
    let source = RowSource(columns: columns, begin: begin)
    rowSources.append(source)
    // SQLite calls the destructor also where adding goes wrong, so nothing is left to release here.
    let code = sqlite3_create_module_v2(
      handle, name, modulePointer, Unmanaged.passRetained(source).toOpaque(),
      { pointer in
        guard let pointer else { return }
        Unmanaged<RowSource>.fromOpaque(pointer).release()
      })
    guard code == SQLITE_OK else { throw error(code, sql: nil) }
  }
}

/// One reading of the rows.
private final class Reading {
  let source: RowSource
  var next: RowSource.Next?
  var row: [SQLiteValue]?
  var number: Int64 = 0

  init(_ source: RowSource) { self.source = source }

  func start() throws {
    number = 0
    next = try source.begin?()
    try advance()
  }

  func advance() throws {
    row = try next?()
    number += 1
  }
}

// SQLite sees only the beginnings of these.
private struct Table {
  var base = sqlite3_vtab()
  var source: Unmanaged<RowSource>
}

private struct Cursor {
  var base = sqlite3_vtab_cursor()
  var reading: Unmanaged<Reading>
}

private func reading(_ cursor: UnsafeMutablePointer<sqlite3_vtab_cursor>?) -> Reading? {
  guard let cursor else { return nil }
  return UnsafeMutableRawPointer(cursor).assumingMemoryBound(to: Cursor.self).pointee.reading
    .takeUnretainedValue()
}

/// Runs a step of a reading; an error's text becomes the table's, where SQLite looks for it.
private func run(
  _ cursor: UnsafeMutablePointer<sqlite3_vtab_cursor>?, _ body: (Reading) throws -> Void
) -> Int32 {
  guard let cursor, let reading = reading(cursor) else { return SQLITE_MISUSE }
  do {
    try body(reading)
    return SQLITE_OK
  } catch {
    let failure = failure(of: error)
    let text = Array(failure.text.utf8) + [0]
    if let table = cursor.pointee.pVtab, let memory = sqlite3_malloc64(sqlite3_uint64(text.count)) {
      text.withUnsafeBytes { bytes in
        UnsafeMutableRawBufferPointer(start: memory, count: text.count).copyMemory(from: bytes)
      }
      sqlite3_free(table.pointee.zErrMsg)
      table.pointee.zErrMsg = memory.assumingMemoryBound(to: CChar.self)
    }
    return failure.code
  }
}

/// The same for all tables, and never changed: what differs is in each one's `RowSource`. SQLite keeps the pointer for as
/// long as any connection lives.
private nonisolated(unsafe) let modulePointer: UnsafeMutablePointer<sqlite3_module> = {
  var module = sqlite3_module()
  module.iVersion = 1
  // Without `xCreate` the table is there by its module's name alone.
  module.xConnect = { connection, context, _, _, result, _ in
    guard let context, let result else { return SQLITE_MISUSE }
    let source = Unmanaged<RowSource>.fromOpaque(context)
    let code = sqlite3_declare_vtab(connection, source.takeUnretainedValue().declaration)
    guard code == SQLITE_OK else { return code }
    storescope_vtab_is_harmless(connection)
    let table = UnsafeMutablePointer<Table>.allocate(capacity: 1)
    table.initialize(to: Table(source: source))
    result.pointee = UnsafeMutableRawPointer(table).assumingMemoryBound(to: sqlite3_vtab.self)
    return SQLITE_OK
  }
  module.xDisconnect = { table in
    guard let table else { return SQLITE_OK }
    UnsafeMutableRawPointer(table).assumingMemoryBound(to: Table.self).deallocate()
    return SQLITE_OK
  }
  module.xBestIndex = { _, plan in
    // Read once from its beginning; other terms of a join are looked up for each of its rows.
    plan?.pointee.estimatedCost = 1_000_000
    plan?.pointee.estimatedRows = 100_000
    return SQLITE_OK
  }
  module.xOpen = { table, result in
    guard let table, let result else { return SQLITE_MISUSE }
    let source = UnsafeMutableRawPointer(table).assumingMemoryBound(to: Table.self).pointee.source
    let cursor = UnsafeMutablePointer<Cursor>.allocate(capacity: 1)
    cursor.initialize(
      to: Cursor(reading: Unmanaged.passRetained(Reading(source.takeUnretainedValue()))))
    result.pointee = UnsafeMutableRawPointer(cursor).assumingMemoryBound(to: sqlite3_vtab_cursor.self)
    return SQLITE_OK
  }
  module.xClose = { cursor in
    guard let cursor else { return SQLITE_OK }
    let own = UnsafeMutableRawPointer(cursor).assumingMemoryBound(to: Cursor.self)
    own.pointee.reading.release()
    own.deallocate()
    return SQLITE_OK
  }
  module.xFilter = { cursor, _, _, _, _ in run(cursor) { try $0.start() } }
  module.xNext = { cursor in run(cursor) { try $0.advance() } }
  module.xEof = { cursor in reading(cursor)?.row == nil ? 1 : 0 }
  module.xColumn = { cursor, context, index in
    guard let row = reading(cursor)?.row, row.indices.contains(Int(index)) else {
      sqlite3_result_null(context)
      return SQLITE_OK
    }
    setResult(row[Int(index)], of: context)
    return SQLITE_OK
  }
  module.xRowid = { cursor, number in
    number?.pointee = reading(cursor)?.number ?? 0
    return SQLITE_OK
  }
  let pointer = UnsafeMutablePointer<sqlite3_module>.allocate(capacity: 1)
  pointer.initialize(to: module)
  return pointer
}()
