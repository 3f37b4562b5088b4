import CSQLite

/// One connection to a database file. Not safe to share between threads: each thread opens its own, which also
/// saves SQLite its mutexes.
package final class Connection {
  let handle: OpaquePointer
  var readOnlyGuard: ReadOnlyGuard?
  /// The main schema's views while they can't be asked.
  var ignoredViews: [String] = []
  /// Columns that read as NULL, by `key(table:column:)`.
  var ignoredColumns: Set<String> = []
  /// Those of them that no SQL can ask.
  var alwaysIgnoredColumns: Set<String> = []
  // Statements keep this connection, so the VFS outlives every file that is opened through it.
  private let overlay: OverlayVFS?
  let stopper: Stopper
  var rowChange: ((RowChange, String) -> Void)?
  var functions: [UserFunction] = []
  var collations: [Collation] = []
  /// Why code of ours refused a comparison, until the statement that asked has failed.
  @exclusivity(unchecked) var refusal: String?
  var rowSources: [RowSource] = []
  private var isClosed = false

  /// Opens the file at `path`, which may hold any characters but NUL. `:memory:` opens a database in memory.
  package init(path: String, options: OpenOptions) throws(SQLiteError) {
    guard !path.utf8.contains(0) else {
      throw SQLiteError(code: SQLITE_CANTOPEN, message: "a file name can't contain a NUL character")
    }
    _ = SQLiteMemory.isCountedHere
    var flags = SQLITE_OPEN_URI | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE
    switch options.access {
    case .readOnly: flags |= SQLITE_OPEN_READONLY
    case .readWrite(create: false): flags |= SQLITE_OPEN_READWRITE
    case .readWrite(create: true): flags |= SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE
    }
    var overlay: OverlayVFS?
    if let view = options.overlay { overlay = try OverlayVFS(view) }
    self.overlay = overlay
    var opened: OpaquePointer?
    let reader = options.access == .readOnly ? ReaderVFS.name : nil
    let vfs = overlay?.name ?? options.vfs ?? reader
    let code = sqlite3_open_v2(options.uri(of: path), &opened, flags, vfs)
    guard code == SQLITE_OK, let opened else {
      let message = opened.map { String(cString: sqlite3_errmsg($0)) } ?? "out of memory"
      sqlite3_close_v2(opened)
      throw SQLiteError(code: code, message: message)
    }
    handle = opened
    stopper = Stopper(path: path, isWriter: options.access != .readOnly && overlay == nil)
    stopper.open(opened)
    sqlite3_busy_timeout(handle, options.busyTimeoutMilliseconds)
    if !options.trustsSchema {
      configure(SQLITE_DBCONFIG_DEFENSIVE, true)
      configure(SQLITE_DBCONFIG_TRUSTED_SCHEMA, false)
    }
    if !options.runsSchemaCode {
      for option in [
        SQLITE_DBCONFIG_ENABLE_TRIGGER, SQLITE_DBCONFIG_ENABLE_VIEW, SQLITE_DBCONFIG_ENABLE_FKEY,
        SQLITE_DBCONFIG_ENABLE_LOAD_EXTENSION,
      ] { configure(option, false) }
    }
    // A mistyped "name" must be an error, not a string: https://www.sqlite.org/quirks.html#dblquote
    configure(SQLITE_DBCONFIG_DQS_DML, false)
    if options.limitsCosts {
      limitCosts(path: path)
      watchProgress()
    }
    // A checkpoint of an overlay would copy the WAL into memory for nothing.
    if options.access == .readOnly || options.keepsWAL || overlay != nil {
      configure(SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, true)
    }
  }

  deinit { close() }

  /// Ends the connection; statements that still live keep the file open until they go. Functions are gone at once: what
  /// they use may keep statements, which would keep the connection, which keeps the functions.
  package func close() {
    guard !isClosed else { return }
    isClosed = true
    stopper.close()
    functions.forEach { $0.body = nil }
    collations.forEach { $0.compare = nil }
    rowSources.forEach { $0.begin = nil }
    sqlite3_close_v2(handle)
  }

  /// Runs every statement in `sql`, rows thrown away.
  package func execute(_ sql: String) throws(SQLiteError) {
    let bytes = Array(sql.utf8)
    var offset = 0
    while let statement = try nextStatement(in: bytes, from: &offset) {
      while try statement.step() {}
    }
  }

  /// Compiles `sql`, which must hold exactly one statement.
  package func prepare(_ sql: String) throws(SQLiteError) -> Statement {
    let bytes = Array(sql.utf8)
    var offset = 0
    guard let statement = try nextStatement(in: bytes, from: &offset) else {
      throw SQLiteError(code: SQLITE_MISUSE, message: "there is no statement", sql: sql)
    }
    // What follows may be a comment, which compiles to nothing.
    guard offset < bytes.count, let second = try nextStatement(in: bytes, from: &offset) else {
      return statement
    }
    throw SQLiteError(
      code: SQLITE_MISUSE, message: "expected one statement, but another one follows", sql: second.sql)
  }

  /// The statement that begins at or after `offset`, which then stands behind it; nil at the end.
  private func nextStatement(in sql: [UInt8], from offset: inout Int) throws(SQLiteError) -> Statement? {
    while offset < sql.count {
      let start = offset
      readOnlyGuard?.begin()
      var compiled: OpaquePointer?
      let code = sql.withUnsafeBytes { bytes -> Int32 in
        let text = bytes.baseAddress?.advanced(by: start).assumingMemoryBound(to: CChar.self)
        var tail: UnsafePointer<CChar>?
        let length = Int32(clamping: bytes.count - start)
        let code = sqlite3_prepare_v2(handle, text, length, &compiled, &tail)
        if let text, let tail { offset = start + (tail - text) }
        return code
      }
      guard code == SQLITE_OK else {
        throw error(code, sql: String(decoding: sql[start...], as: UTF8.self))
      }
      if let compiled {
        let statement = Statement(compiled, of: self)
        // What VACUUM and REINDEX do is asked of the authorizer only in part, and partly when they run.
        guard readOnlyGuard == nil || statement.isReadOnly else {
          throw SQLiteError(
            code: SQLITE_AUTH, message: "only reading is allowed here, so this statement is refused",
            sql: String(decoding: sql[start...], as: UTF8.self))
        }
        return statement
      }
      // Comments compile to nothing, and SQLite does not go past a NUL character.
      guard offset > start else {
        throw SQLiteError(code: SQLITE_MISUSE, message: "SQL can't contain a NUL character")
      }
    }
    return nil
  }

  /// The error of the last call, with the guard's reason where it was the guard that refused.
  func error(_ code: Int32, sql: String?) -> SQLiteError {
    // A refused function, or a refusal inside of a table-valued function, comes as an ordinary error.
    if let refusal = readOnlyGuard?.refusal, [SQLITE_AUTH, SQLITE_ERROR].contains(code & 0xff) {
      readOnlyGuard?.refusal = nil
      return SQLiteError(code: SQLITE_AUTH, message: refusal, sql: sql)
    }
    let message = String(cString: sqlite3_errmsg(handle))
    if let limit = limit(code, sql) {
      return SQLiteError(code: code, message: limit, sql: sql, isLimit: true)
    }
    // https://www.sqlite.org/c3ref/errcode.html
    let offset = Int(sqlite3_error_offset(handle))
    return SQLiteError(code: code, message: message, sql: sql, offset: offset < 0 ? nil : offset)
  }

  /// A clause about the limit that ended a statement; nil if it was something else.
  private func limit(_ code: Int32, _ sql: String?) -> String? {
    switch code & 0xff {
    case SQLITE_INTERRUPT: return stopper.reason
    case SQLITE_NOMEM:
      return "it needed more than the \(MemoryLimit.current >> 20) MB of memory that SQLite may use"
    case SQLITE_TOOBIG:
      let limit = sqlite3_limit(handle, SQLITE_LIMIT_LENGTH, -1)
      return "an expression made a value of more than \(limit >> 20) MB, larger than any in the file"
    case SQLITE_ERROR where !ignoredViews.isEmpty:
      // SQLite's words depend on what the view is made of.
      let view = ignoredViews.first { sql?.contains(quotedIdentifier($0)) ?? false }
      return view.map { "'\($0)' is a view and not a table that Core Data made, so it isn't read" }
    default: return nil
    }
  }

  /// Rows that the last INSERT, UPDATE or DELETE changed.
  package var changes: Int { Int(sqlite3_changes64(handle)) }

  /// Rows changed since the connection was opened, by triggers too.
  package var totalChanges: Int { Int(sqlite3_total_changes64(handle)) }

  /// Whether a transaction is open.
  package var isInTransaction: Bool { sqlite3_get_autocommit(handle) == 0 }

  private func configure(_ option: Int32, _ on: Bool) {
    _ = storescope_db_config(handle, option, on ? 1 : 0, nil)
  }
}
