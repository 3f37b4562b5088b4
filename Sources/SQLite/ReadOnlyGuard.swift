import CSQLite

/// What a connection refuses while it only reads. SQLite asks the authorizer when a statement is compiled, before
/// any of it runs: https://www.sqlite.org/c3ref/set_authorizer.html
final class ReadOnlyGuard {
  /// Why the last statement was refused.
  var refusal: String?
  /// Those that the last statement calls, views included; in lower case.
  fileprivate(set) var functions: Set<String> = []
  /// All that may be asked; nil for everything.
  fileprivate let names: AskedNames?
  /// Tables that the views of the last statement read.
  private var tablesOfViews: Set<String> = []

  fileprivate init(_ names: AskedNames?) { self.names = names }

  /// A statement follows.
  func begin() {
    refusal = nil
    functions = []
    tablesOfViews = []
  }

  /// - Parameter context: the view, or what a WITH clause calls so, in which the name stands; nil for the statement itself.
  fileprivate func allows(_ action: Int32, _ first: String?, _ second: String?, _ context: String?) -> Bool {
    let isInView = context.map { names?.holds($0) ?? true } ?? false
    switch action {
    case SQLITE_SELECT, SQLITE_RECURSIVE: return true
    case SQLITE_READ:
      guard let names, let first else { return true }
      if isInView { tablesOfViews.insert(first) }
      // What only counts a view's rows reads no column of its table, and comes without the view.
      if isInView || names.holds(first) || second == "" && tablesOfViews.contains(first) { return true }
      refusal = "reading \(first) isn't allowed here"
    case SQLITE_FUNCTION:
      let name = second?.lowercased() ?? ""
      functions.insert(name)
      if let names, !isInView, !names.functions.contains(name) {
        refusal = "the function \(name) isn't allowed here"
        return false
      }
      guard refusedFunctions.contains(name) else { return true }
      refusal = "only reading is allowed here, so the function \(second ?? "") is refused"
    case SQLITE_PRAGMA:
      let name = first?.lowercased() ?? ""
      guard names == nil else {
        refusal = "PRAGMA \(name) isn't allowed here"
        return false
      }
      if describingPragmas.contains(name) { return true }
      if second == nil, readablePragmas.contains(name) { return true }
      let setting = readablePragmas.contains(name) ? " with a value" : ""
      refusal = "only reading is allowed here, so PRAGMA \(name)\(setting) is refused"
    // A table-valued function declares its columns by a CREATE TABLE, which asks this question. As a statement
    // of its own it is refused by SQLite itself: https://www.sqlite.org/pragma.html#pragma_writable_schema
    case SQLITE_UPDATE where first == "sqlite_master": return true
    // CREATE and DROP ask for the schema's own table first.
    case SQLITE_INSERT where isSchema(first), SQLITE_DELETE where isSchema(first):
      refusal = "only reading is allowed here, so changing the schema is refused"
    default:
      let what = actionNames[action] ?? "this statement"
      let target = first.map { " \($0)" } ?? ""
      refusal = "only reading is allowed here, so \(what)\(target) is refused"
    }
    return false
  }
}

/// All that a statement may ask.
package struct AskedNames: Sendable {
  /// Views, and functions that are tables; in lower case.
  private let tables: Set<String>
  /// In lower case.
  fileprivate let functions: Set<String>

  package init(tables: [String], functions: [String]) {
    self.tables = Set(tables.map { $0.lowercased() })
    self.functions = Set(functions.map { $0.lowercased() })
  }

  fileprivate func holds(_ table: String) -> Bool { tables.contains(table.lowercased()) }
}

private func isSchema(_ table: String?) -> Bool { table == "sqlite_master" || table == "sqlite_temp_master" }

extension Connection {
  /// From now on compiles only statements that read: SELECT, functions, and PRAGMA statements that describe the
  /// store. The error of any other statement says what was refused. Temporary views must be made before.
  /// - Parameter names: the views that may be read and the functions that may be called; nil for all.
  package func allowOnlyReading(_ names: AskedNames? = nil) {
    connectVirtualTables()
    readOnlyGuard = ReadOnlyGuard(names)
    installAuthorizer()
  }

  /// Whether the statement that was compiled last calls the function, by itself or by a view; known while only reading is
  /// allowed.
  package func lastStatementCalls(_ function: String) -> Bool {
    readOnlyGuard?.functions.contains(function) ?? false
  }

  /// Takes the guard of `allowOnlyReading()` away.
  package func allowEverything() {
    readOnlyGuard = nil
    installAuthorizer()
  }

  /// Asks the guard and looks for ignored columns; nobody is asked if there is neither.
  func installAuthorizer() {
    guard readOnlyGuard != nil || !ignoredColumns.isEmpty else {
      sqlite3_set_authorizer(handle, nil, nil)
      return
    }
    sqlite3_set_authorizer(
      handle,
      { context, action, first, second, _, view in
        guard let context else { return SQLITE_DENY }
        let connection = Unmanaged<Connection>.fromOpaque(context).takeUnretainedValue()
        // Reading a column is by far the most frequent question, and mostly needs no names.
        if action == SQLITE_READ, !connection.ignoredColumns.isEmpty, let first, let second {
          let key = Connection.key(table: String(cString: first), column: String(cString: second))
          if connection.ignoredColumns.contains(key) { return SQLITE_IGNORE }
        }
        guard let guarding = connection.readOnlyGuard, action != SQLITE_READ || guarding.names != nil else {
          return SQLITE_OK
        }
        let allowed = guarding.allows(
          action, first.map { String(cString: $0) }, second.map { String(cString: $0) },
          view.map { String(cString: $0) })
        return allowed ? SQLITE_OK : SQLITE_DENY
      }, Unmanaged.passUnretained(self).toOpaque())
  }

  /// Runs `body` while the connection compiles only statements that read.
  package func onlyReading<R>(_ body: () throws -> R) rethrows -> R {
    allowOnlyReading()
    defer { allowEverything() }
    return try body()
  }

  // An R-tree compiles its INSERT and DELETE when it is first named, also in a SELECT, which the guard would take
  // for the user's. Core Data makes R-trees for indexes on places.
  private func connectVirtualTables() {
    let names = try? rows("SELECT name, sql FROM main.sqlite_master WHERE type = 'table'") {
      $0.withBytes(1, isVirtualTable) ? $0.text(0) : nil
    }
    // One whose module is missing here stays unreadable, as it would be anyway.
    for name in (names ?? []).compactMap(\.self) {
      _ = try? prepare("SELECT 1 FROM main.\(quotedIdentifier(name))")
    }
    for name in ["json_each", "json_tree"] { _ = try? prepare("SELECT 1 FROM \(name)('[]')") }
  }
}

/// Functions with effects outside of the statement.
private let refusedFunctions: Set = ["load_extension", "fts3_tokenizer"]

/// These take arguments, and only tell.
private let describingPragmas: Set = [
  "table_info", "table_xinfo", "table_list", "index_list", "index_info", "index_xinfo", "foreign_key_list",
  "foreign_key_check", "integrity_check", "quick_check", "database_list", "collation_list", "function_list",
  "module_list", "pragma_list", "compile_options",
]

/// These tell a setting, and change it where a value is given.
private let readablePragmas: Set = [
  "application_id", "auto_vacuum", "cache_size", "data_version", "encoding", "foreign_keys", "freelist_count",
  "journal_mode", "journal_size_limit", "max_page_count", "mmap_size", "page_count", "page_size",
  "query_only",
  "schema_version", "synchronous", "temp_store", "user_version", "wal_autocheckpoint",
]

private let actionNames: [Int32: String] = [
  SQLITE_CREATE_INDEX: "CREATE INDEX", SQLITE_CREATE_TABLE: "CREATE TABLE",
  SQLITE_CREATE_TEMP_INDEX: "CREATE INDEX", SQLITE_CREATE_TEMP_TABLE: "CREATE TEMP TABLE",
  SQLITE_CREATE_TEMP_TRIGGER: "CREATE TEMP TRIGGER", SQLITE_CREATE_TEMP_VIEW: "CREATE TEMP VIEW",
  SQLITE_CREATE_TRIGGER: "CREATE TRIGGER", SQLITE_CREATE_VIEW: "CREATE VIEW", SQLITE_DELETE: "DELETE FROM",
  SQLITE_DROP_INDEX: "DROP INDEX", SQLITE_DROP_TABLE: "DROP TABLE", SQLITE_DROP_TEMP_INDEX: "DROP INDEX",
  SQLITE_DROP_TEMP_TABLE: "DROP TABLE", SQLITE_DROP_TEMP_TRIGGER: "DROP TRIGGER",
  SQLITE_DROP_TEMP_VIEW: "DROP VIEW", SQLITE_DROP_TRIGGER: "DROP TRIGGER", SQLITE_DROP_VIEW: "DROP VIEW",
  SQLITE_INSERT: "INSERT INTO", SQLITE_TRANSACTION: "the transaction statement", SQLITE_UPDATE: "UPDATE",
  SQLITE_ATTACH: "ATTACH", SQLITE_DETACH: "DETACH", SQLITE_ALTER_TABLE: "ALTER TABLE in",
  SQLITE_REINDEX: "REINDEX", SQLITE_ANALYZE: "ANALYZE", SQLITE_CREATE_VTABLE: "CREATE VIRTUAL TABLE",
  SQLITE_DROP_VTABLE: "DROP TABLE", SQLITE_SAVEPOINT: "SAVEPOINT",
]
