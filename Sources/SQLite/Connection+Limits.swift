import Base
import CSQLite
import Synchronization

/// How much memory SQLite may use in this process, for all connections together. Real work mostly stays far below: pages
/// are cached up to 2 MB, and the rest is the values of one row.
enum MemoryLimit {
  private static let least: Int64 = 512 << 20
  private static let most: Int64 = 4 << 30
  private static let raising = Mutex<Void>(())

  static var current: Int64 { Int64(SQLiteMemory.limit) }

  /// However many threads read, each stored value is in the file once, so all that are read at a time are no larger than
  /// the file. A value may be there four times: as read, as converted, and for a sort or a function.
  static func bytes(forStoreOf size: Int64) -> Int64 { size > most / 4 ? most : max(least, 4 * size) }

  /// It only grows: another store that needs more may be open.
  static func raise(forStoreOf size: Int64) {
    raising.withLock { _ in
      let wanted = bytes(forStoreOf: size)
      if wanted > current { SQLiteMemory.limit = Int(wanted) }
    }
  }
}

/// A stranger's schema can hold expressions that SQLite runs while we only read: generated columns and views. They cost
/// what their author likes, so nothing here is left to them.
extension Connection {
  /// No stored value is larger than its file, so a larger one is computed. Texts of a UTF-16 store grow when they are
  /// converted.
  private static let leastValueLimit: Int64 = 64 << 20

  /// Bounds what a single value, a statement and all memory may cost. https://www.sqlite.org/c3ref/limit.html
  func limitCosts(path: String) {
    let size = (FileReader.size(of: path) ?? 0) + (FileReader.size(of: path + "-wal") ?? 0)
    MemoryLimit.raise(forStoreOf: size)
    let value = Int32(clamping: max(Self.leastValueLimit, size > .max / 2 ? .max : 2 * size))
    sqlite3_limit(handle, SQLITE_LIMIT_LENGTH, value)
    sqlite3_limit(handle, SQLITE_LIMIT_SQL_LENGTH, 64 << 20)
    sqlite3_limit(handle, SQLITE_LIMIT_VDBE_OP, 5_000_000)
    sqlite3_limit(handle, SQLITE_LIMIT_LIKE_PATTERN_LENGTH, 10_000)
    sqlite3_limit(handle, SQLITE_LIMIT_TRIGGER_DEPTH, 10)
    sqlite3_limit(handle, SQLITE_LIMIT_WORKER_THREADS, 0)
    // Half a minute for a store of 100 MB: a step that takes longer than reading the whole file doesn't end.
    stopper.limit(stall: 15 + Double(size) / 5_000_000)
  }

  /// Views of the main schema can't be asked, and computed columns read as NULL: Core Data makes neither. Call it once
  /// the reading has begun.
  /// - Returns: the computed columns of Core Data's tables, as `TABLE.COLUMN`; they stay NULL also for the user's SQL.
  package func ignoreSchemaExpressions() throws(SQLiteError) -> [String] {
    // Those of `temp`, which are ours, can be asked: https://www.sqlite.org/c3ref/c_dbconfig_defensive.html
    setViews(allowed: false)
    ignoredViews = try viewNames()
    let computed = try computedColumns()
    guard !computed.isEmpty else { return [] }
    let ours = computed.filter { isFrameworkTable($0.table) }
    ignoredColumns = Set(computed.map { Self.key(table: $0.table, column: $0.column) })
    alwaysIgnoredColumns = Set(ours.map { Self.key(table: $0.table, column: $0.column) })
    installAuthorizer()
    return ours.map { "\($0.table).\($0.column)" }
  }

  /// Whether it is a view of the main schema's while those can't be asked.
  package func isIgnoredView(_ name: String) -> Bool { ignoredViews.contains(name) }

  /// From now on the app's own views and computed columns can be asked, for SQL that the user wrote. Those in tables of
  /// Core Data's stay ignored, as our views over them are part of that SQL.
  package func allowSchemaExpressions() {
    setViews(allowed: true)
    ignoredViews = []
    ignoredColumns = alwaysIgnoredColumns
    installAuthorizer()
  }

  /// From now on all statements together may take so many seconds of the processor, in place of the limit on each step;
  /// nil for any time.
  /// - Parameter reason: what is said then, a clause.
  package func limitTime(seconds: Double?, reason: String = "") {
    stopper.limit(time: seconds.map { ($0, reason) })
    watchProgress()
  }

  /// Ends what many short statements do: SQLite asks none of them whether it goes on.
  package func checkLimits() throws(SQLiteError) {
    guard stopper.letsGoOn() else { throw error(SQLITE_INTERRUPT, sql: nil) }
  }

  static func key(table: String, column: String) -> String { table.lowercased() + "\0" + column.lowercased() }

  /// A stranger's schema may have any number of them.
  private func viewNames() throws(SQLiteError) -> [String] {
    var names: [String] = []
    let views = try prepare("SELECT name FROM main.sqlite_master WHERE type = 'view' LIMIT 1000")
    while try views.step() { names.append(views.name(0)) }
    return names
  }

  /// Columns `AS (…)` that aren't stored, https://www.sqlite.org/gencol.html. Stored ones are values like others.
  func computedColumns() throws(SQLiteError) -> [(table: String, column: String)] {
    var found: [(table: String, column: String)] = []
    // Few tables have, among their columns, an `as` before a parenthesis, so few are looked at.
    let candidates = try prepare(
      "SELECT name, sql FROM main.sqlite_master WHERE type = 'table' AND sql LIKE '%(%AS%(%'")
    var tables: [String] = []
    while try candidates.step() {
      if !candidates.withBytes(1, isVirtualTable) { tables.append(candidates.text(0)) }
    }
    guard !tables.isEmpty else { return [] }
    let columns = try prepare("SELECT name FROM pragma_table_xinfo(?, 'main') WHERE hidden = 2")
    for table in tables {
      try columns.bind(.text(table), at: 1)
      while try columns.step() { found.append((table, columns.text(0))) }
    }
    return found
  }

  /// From now on the tables that SQLite could read of a damaged list of tables can be asked: the flag keeps it from giving
  /// up at the first that it can't. https://www.sqlite.org/pragma.html#pragma_writable_schema
  package func tolerateSchemaDamage() {
    _ = storescope_db_config(handle, SQLITE_DBCONFIG_WRITABLE_SCHEMA, 1, nil)
    // The statement that meets the damage still fails; the next one has what was read.
    _ = try? prepare("SELECT 1 FROM main.sqlite_master LIMIT 1")
  }

  private func setViews(allowed: Bool) {
    _ = storescope_db_config(handle, SQLITE_DBCONFIG_ENABLE_VIEW, allowed ? 1 : 0, nil)
  }
}

/// Whether Core Data made a table of this name: it spells all of its names in capitals, an entity's with a Z before it. An
/// app's own `albums` or `Zones` is none.
private func isFrameworkTable(_ name: String) -> Bool {
  guard !name.utf8.contains(where: { (0x61...0x7A).contains($0) }) else { return false }
  return name.hasPrefix("Z") || name.hasPrefix("ANSCK")
    || ["ACHANGE", "ATRANSACTION", "ATRANSACTIONSTRING"].contains(name)
}

/// Whether this text of `sqlite_master` makes a virtual table. SQLite itself writes `CREATE VIRTUAL TABLE`; whoever edits
/// the schema can put blanks and comments between, or other letters.
package func isVirtualTable(_ sql: UnsafeRawBufferPointer) -> Bool {
  var rest = sql[...]
  guard nextWord(of: &rest) == "CREATE" else { return false }
  return nextWord(of: &rest) == "VIRTUAL"
}

/// Behind a virtual table's name, the tables that SQLite's own modules keep its content in: R-tree, FTS5, FTS3 and FTS4.
/// https://www.sqlite.org/vtab.html#xshadowname
package let shadowTableSuffixes = [
  "_node", "_parent", "_rowid", "_data", "_idx", "_content", "_docsize", "_config", "_segments", "_segdir",
  "_stat",
]

/// The next word in capitals, past blanks and comments.
private func nextWord(of sql: inout Slice<UnsafeRawBufferPointer>) -> String {
  while let first = sql.first {
    if [0x09, 0x0A, 0x0C, 0x0D, 0x20].contains(first) {
      sql = sql.dropFirst()
    } else if sql.starts(with: "--".utf8) {
      sql = sql.drop { $0 != 0x0A }
    } else if sql.starts(with: "/*".utf8) {
      sql = sql.dropFirst(2)
      while !sql.isEmpty, !sql.starts(with: "*/".utf8) { sql = sql.dropFirst() }
      sql = sql.dropFirst(2)
    } else {
      break
    }
  }
  let word = sql.prefix { (0x41...0x5A).contains($0 & 0xDF) }
  sql = sql.dropFirst(word.count)
  return String(decoding: word, as: UTF8.self).uppercased()
}
