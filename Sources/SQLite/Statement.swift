import Base
import CSQLite

/// One compiled statement. Parameters count from 1 and columns from 0, as in SQLite.
///
/// Column accessors are for the row that the last `step()` found; nothing is copied unless the accessor's result
/// is a value of its own.
package final class Statement {
  private let handle: OpaquePointer
  private let connection: Connection
  /// Between the first `step()` and the next `reset()`, when SQLite takes no parameters.
  private var isRunning = false
  /// From the last row, or an error, to the next `reset()`.
  private var hasEnded = false

  init(_ handle: OpaquePointer, of connection: Connection) {
    self.handle = handle
    self.connection = connection
  }

  deinit { sqlite3_finalize(handle) }

  /// The statement's own text, without what stood around it.
  package var sql: String { sqlite3_sql(handle).map { String(cString: $0) } ?? "" }

  /// Whether it leaves the database file as it is, https://www.sqlite.org/c3ref/stmt_readonly.html
  package var isReadOnly: Bool { sqlite3_stmt_readonly(handle) != 0 }

  // MARK: Parameters

  /// How many parameters there are.
  package var parameterCount: Int { Int(sqlite3_bind_parameter_count(handle)) }

  /// The names with their `:`, `@` or `$`, nil for a plain `?`.
  package var parameterNames: [String?] {
    (0..<sqlite3_bind_parameter_count(handle)).map { index in
      sqlite3_bind_parameter_name(handle, index + 1).map { String(cString: $0) }
    }
  }

  /// Starts over with these values for the first parameters; the others keep what they had.
  package func bind(_ values: [SQLiteValue]) throws(SQLiteError) {
    for (index, value) in values.enumerated() { try bind(value, at: index + 1) }
  }

  /// Starts over with this value for one parameter, counted from 1.
  package func bind(_ value: SQLiteValue, at index: Int) throws(SQLiteError) {
    reset()
    let position = Int32(clamping: index)
    let code =
      switch value {
      case .null: sqlite3_bind_null(handle, position)
      case .integer(let number): sqlite3_bind_int64(handle, position, number)
      case .real(let number): sqlite3_bind_double(handle, position, number)
      case .text(let text): bind(text, at: position)
      case .blob(let bytes): bytes.withUnsafeBytes { bind($0, at: position) }
      }
    try check(code)
  }

  /// Starts over with a copy of these bytes as a BLOB for one parameter, counted from 1.
  package func bind(blob bytes: UnsafeRawBufferPointer, at index: Int) throws(SQLiteError) {
    reset()
    try check(bind(bytes, at: Int32(clamping: index)))
  }

  private func bind(_ text: String, at position: Int32) -> Int32 {
    var text = text
    return text.withUTF8 { bytes in
      bytes.withMemoryRebound(to: CChar.self) {
        // A null pointer would bind NULL, and no bytes may come as one.
        guard let start = $0.baseAddress else {
          return sqlite3_bind_text(handle, position, "", 0, storescope_sqlite_transient())
        }
        return sqlite3_bind_text64(
          handle, position, start, sqlite3_uint64($0.count), storescope_sqlite_transient(),
          UInt8(SQLITE_UTF8))
      }
    }
  }

  private func bind(_ bytes: UnsafeRawBufferPointer, at position: Int32) -> Int32 {
    guard !bytes.isEmpty else { return sqlite3_bind_zeroblob(handle, position, 0) }
    return sqlite3_bind_blob64(
      handle, position, bytes.baseAddress, sqlite3_uint64(bytes.count), storescope_sqlite_transient())
  }

  // MARK: Running

  /// Goes to the next row: true where there is one, false at the end.
  package func step() throws(SQLiteError) -> Bool {
    if !isRunning {
      // Other builds of SQLite do this by themselves, but not macOS's own: https://www.sqlite.org/compile.html#omit_autoreset
      if hasEnded { reset() }
      isRunning = true
      connection.stopper.beginRun()
    }
    connection.stopper.beginStep()
    let code = sqlite3_step(handle)
    connection.stopper.endStep()
    if code != SQLITE_ROW { (isRunning, hasEnded) = (false, true) }
    if let refusal = connection.refusal {
      connection.refusal = nil
      throw SQLiteError(refusal: refusal, sql: sql)
    }
    if code == SQLITE_ROW { return true }
    if code == SQLITE_DONE { return false }
    throw connection.error(code, sql: sql)
  }

  /// Runs to the end, rows thrown away, and starts over.
  package func run(_ values: [SQLiteValue] = []) throws(SQLiteError) {
    try bind(values)
    reset()
    while try step() {}
    reset()
  }

  /// Starts over; the parameters keep their values.
  package func reset() {
    guard isRunning || hasEnded else { return }
    (isRunning, hasEnded) = (false, false)
    sqlite3_reset(handle)
  }

  private func check(_ code: Int32) throws(SQLiteError) {
    guard code == SQLITE_OK else { throw connection.error(code, sql: sql) }
  }

  // MARK: Columns

  package var columnCount: Int { Int(sqlite3_column_count(handle)) }

  package func columnName(_ index: Int) -> String {
    sqlite3_column_name(handle, Int32(clamping: index)).map { String(cString: $0) } ?? ""
  }

  package var columnNames: [String] { (0..<columnCount).map(columnName) }

  // MARK: The row

  package func type(_ index: Int) -> SQLiteType { SQLiteType(sqlite3_column_type(handle, column(index))) }

  package func isNull(_ index: Int) -> Bool { sqlite3_column_type(handle, column(index)) == SQLITE_NULL }

  package func integer(_ index: Int) -> Int64 { sqlite3_column_int64(handle, column(index)) }

  package func real(_ index: Int) -> Double { sqlite3_column_double(handle, column(index)) }

  package func optionalInteger(_ index: Int) -> Int64? { isNull(index) ? nil : integer(index) }

  package func optionalReal(_ index: Int) -> Double? { isNull(index) ? nil : real(index) }

  /// The text with its NUL characters, invalid UTF-8 repaired; a number's text; empty for NULL.
  package func text(_ index: Int) -> String {
    withBytes(index) { String(decoding: $0, as: UTF8.self) }
  }

  /// The text of a name, cut if it is longer than any name is: see `LongName`.
  package func name(_ index: Int) -> String { withBytes(index) { LongName.cut($0) } }

  package func optionalName(_ index: Int) -> String? { isNull(index) ? nil : name(index) }

  package func optionalText(_ index: Int) -> String? { isNull(index) ? nil : text(index) }

  /// A copy of the bytes of TEXT or BLOB; empty for NULL.
  package func bytes(_ index: Int) -> [UInt8] { withBytes(index) { [UInt8]($0) } }

  package func optionalBytes(_ index: Int) -> [UInt8]? { isNull(index) ? nil : bytes(index) }

  /// The bytes of TEXT (as UTF-8) or BLOB without a copy, a number's text, nothing for NULL. They are SQLite's,
  /// and gone when `body` returns.
  ///
  /// Inlinable, as a generic call from another target would else take longer than finding the bytes.
  @inlinable
  package func withBytes<R>(_ index: Int, _ body: (UnsafeRawBufferPointer) throws -> R) rethrows -> R {
    try body(cell(index).storage)
  }

  package func value(_ index: Int) -> SQLiteValue {
    copy(of: sqlite3_column_value(handle, column(index)))
  }

  package var values: [SQLiteValue] { (0..<columnCount).map(value) }

  /// One value of the row, looked up once however often it is asked. Valid until the next `step()`.
  package func cell(_ index: Int) -> Cell { Cell(handle: sqlite3_column_value(handle, column(index))) }

  // A column that is not there reads as NULL: https://www.sqlite.org/c3ref/column_blob.html
  private func column(_ index: Int) -> Int32 { Int32(truncatingIfNeeded: index) }
}

/// One value where SQLite keeps it: the fastest way to ask first for the type and then for the value. Valid until
/// its statement or function call goes on.
package struct Cell {
  // With one connection a thread no other thread can change a value meanwhile, so that the "unprotected" value
  // of a column may be read: https://www.sqlite.org/c3ref/value.html
  // nil, where a function was called with fewer arguments, reads as NULL; SQLite itself would crash on it.
  let handle: OpaquePointer?

  package var type: SQLiteType { handle.map { SQLiteType(sqlite3_value_type($0)) } ?? .null }
  package var integer: Int64 { handle.map { sqlite3_value_int64($0) } ?? 0 }
  package var real: Double { handle.map { sqlite3_value_double($0) } ?? 0 }
  package var text: String { String(decoding: SQLite.bytes(of: handle), as: UTF8.self) }
  package var bytes: [UInt8] { [UInt8](SQLite.bytes(of: handle)) }
  package var value: SQLiteValue { copy(of: handle) }

  @usableFromInline var storage: UnsafeRawBufferPointer { SQLite.bytes(of: handle) }

  /// As `Statement.withBytes`.
  @inlinable
  package func withBytes<R>(_ body: (UnsafeRawBufferPointer) throws -> R) rethrows -> R { try body(storage) }

  /// Whether both hold the same value: numbers by their value, whatever the storage class, as SQLite keeps whole numbers
  /// of a REAL column as integers (https://www.sqlite.org/datatype3.html); texts and blobs by their bytes.
  package func holdsSame(as other: Cell) -> Bool {
    switch (type, other.type) {
    case (.null, .null): true
    case (.integer, .integer): integer == other.integer
    case (.real, .real): real == other.real
    case (.integer, .real): Int64(exactly: other.real) == integer
    case (.real, .integer): Int64(exactly: real) == other.integer
    case (.text, .text), (.blob, .blob):
      withBytes { one in other.withBytes { Platform.areEqual(one, $0) } }
    default: false
    }
  }
}
