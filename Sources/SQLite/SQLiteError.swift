package import Base
import CSQLite

/// What SQLite said when a call did not succeed.
package struct SQLiteError: Error, Equatable, CustomStringConvertible {
  /// The extended result code, https://www.sqlite.org/rescode.html
  package var code: Int32
  /// SQLite's own words, without a final stop.
  package var message: String
  /// The statement it is about, where there is one.
  package var sql: String?
  /// Code of ours ended the statement, and `message` is our own clause about it.
  package var isLimit: Bool
  /// Code of ours refused to go on: a check of the SQL's text, or a function or a collation because of a value that it
  /// met. `message` says why.
  package private(set) var isOurRefusal = false
  /// Where in `sql` the mistake is, in bytes; nil if SQLite doesn't say.
  package var offset: Int?

  /// Code of ours refuses to go on, for a reason that it says itself.
  package init(refusal: String, sql: String? = nil, offset: Int? = nil) {
    self.init(code: SQLITE_ERROR, message: refusal, sql: sql, isLimit: true, offset: offset)
    isOurRefusal = true
  }

  package init(code: Int32, message: String, sql: String? = nil, isLimit: Bool = false, offset: Int? = nil) {
    self.code = code
    self.message = message
    self.sql = sql
    self.isLimit = isLimit
    self.offset = offset
  }

  /// The code without its extension, as in the table of https://www.sqlite.org/rescode.html
  package var primaryCode: Int32 { code & 0xff }

  /// The statement was stopped by a progress callback.
  package var isInterrupt: Bool { primaryCode == SQLITE_INTERRUPT }

  /// Neither the disk nor the limit that a database has been given has room for more.
  package var isFull: Bool { primaryCode == SQLITE_FULL }

  package var isOutOfMemory: Bool { primaryCode == SQLITE_NOMEM }

  /// Another connection holds a lock that this one needs.
  package var isBusy: Bool { primaryCode == SQLITE_BUSY || primaryCode == SQLITE_LOCKED }

  /// Whether SQLite lacks what the schema or the SQL names.
  var isOfSchema: Bool { primaryCode == SQLITE_ERROR }

  /// Whether the SQL is wrong, and not the file or a limit of ours.
  package var isMistake: Bool { isOfSchema && !isLimit }

  /// The file's content contradicts itself, or is no database at all.
  package var isDamage: Bool { primaryCode == SQLITE_CORRUPT || primaryCode == SQLITE_NOTADB }

  /// The file could not be read, or not as what it should be. A file that is written at the same time looks like that
  /// too: only if it still does when nobody has changed it, it is damaged.
  package var isFileFailure: Bool {
    let codes = [SQLITE_IOERR, SQLITE_CANTOPEN, SQLITE_PROTOCOL, SQLITE_SCHEMA, SQLITE_FORMAT]
    return isDamage || codes.contains(primaryCode)
  }

  /// A read-only guard refused the statement.
  package var isRefusal: Bool { primaryCode == SQLITE_AUTH }

  /// A row doesn't pass a CHECK of its table, https://www.sqlite.org/rescode.html#constraint_check
  package var isCheckFailure: Bool { code == SQLITE_CONSTRAINT | 1 << 8 }

  /// A row doesn't pass a rule of its table or of an index, https://www.sqlite.org/rescode.html#constraint
  package var isConstraintFailure: Bool { primaryCode == SQLITE_CONSTRAINT }

  package var description: String {
    // Generated statements run to thousands of characters; the beginning shows which one it is.
    let limit = 300
    guard let sql else { return "\(message) (SQLite code \(code))" }
    let shown = sql.count > limit ? sql.prefix(limit) + "…" : sql[...]
    return "\(message) (SQLite code \(code)) in: \(shown)"
  }

  /// What is said of an error that nothing else explained: most often damage, or tables unlike any Core Data makes.
  package func failure(reading path: String) -> StoreScopeError {
    if isLimit {
      return StoreScopeError(.limit, "'\(path)' can't be read to its end: \(message)", about: path)
    }
    // People know their own SQL, and what we generate says nothing to them.
    let tables = Sentence.listed(tables, atMost: 3)
    let place = tables.isEmpty ? "" : "reading \(tables) failed. "
    let report = "\(place)SQLite reports '\(message)' (code \(code))"
    if isDamage {
      return StoreScopeError(
        .damaged, "'\(path)' is damaged: \(report)", about: path,
        advice:
          "'storescope doctor STORE' shows all that is wrong. Restore a backup, or try sqlite3's .recover")
    }
    return StoreScopeError(isBusy ? .busy : .unreadable, "can't read '\(path)': \(report)", about: path)
  }

  /// The tables and views that the statement reads, in one of which it ended: first those that it lists, and then those by
  /// which it finds more about their rows.
  private var tables: [String] {
    var names: [(name: String, depth: Int)] = []
    var depth = 0
    let piece = /'[^']*'|[()]|\b(?i:FROM|JOIN)\s+(?:(?:main|temp)\.)?(?:"([^"]+)"|(\w+))/
    // Of a statement with a list of many thousand values, its beginning.
    for match in (sql ?? "").prefix(50_000).matches(of: piece) {
      switch match.0 {
      case "(": depth += 1
      case ")": depth -= 1
      default:
        guard let name = (match.1 ?? match.2).map({ String($0.prefix(100)) }) else { continue }
        if let known = names.firstIndex(where: { $0.name == name }) {
          names[known].depth = min(names[known].depth, depth)
        } else {
          names.append((name, depth))
        }
      }
    }
    let outermost = names.map(\.depth).min()
    return names.filter { $0.depth == outermost }.map(\.name)
      + names.filter { $0.depth != outermost }.map(\.name)
  }
}
