import Base
import SQLite

/// The schema of the original, rebuilt in the copy from its own text.
struct SchemaCopy {
  struct Item {
    var kind: String
    var name: String
    /// Nil for the indexes that come with a table.
    var sql: String?

    var isVirtual: Bool { sql.map { Array($0.utf8).withUnsafeBytes(isVirtualTable) } ?? false }
  }

  private let items: [Item]
  private let target: Connection
  /// Virtual tables that can't be made here, and the tables that they keep their content in.
  private var omitted: Set<String> = []
  /// What could not be made, a sentence each.
  private(set) var problems: [String] = []

  init(_ source: Connection, _ target: Connection) throws {
    items = try source.rows("SELECT type, name, sql FROM main.sqlite_master ORDER BY rowid") {
      Item(kind: $0.text(0), name: $0.text(1), sql: $0.optionalText(2))
    }
    self.target = target
  }

  /// Makes all tables.
  /// - Returns: the names of those whose rows must be copied: of virtual tables and of what they keep their content in,
  ///   which they make themselves, none are.
  mutating func makeTables() throws -> [String] {
    // Else nobody but SQLite itself makes tables of its own: https://www.sqlite.org/pragma.html#pragma_writable_schema
    try target.execute("PRAGMA writable_schema = ON")
    defer { try? target.execute("PRAGMA writable_schema = OFF") }
    let tables = items.filter { $0.kind == "table" }
    for table in tables where table.isVirtual { try makeVirtual(table) }
    let derived = Set(try tableNames())
    var names: [String] = []
    for table in tables
    where !table.isVirtual && !derived.contains(table.name) && !omitted.contains(table.name) {
      // SQLite makes it with the first table that has AUTOINCREMENT, if there still is one.
      if try table.name != "sqlite_sequence" || !target.hasTable(table.name) { try make(table) }
      let name = table.name.lowercased()
      // The others hold samples, which are values of indexed columns:
      // https://www.sqlite.org/fileformat2.html#the_sqlite_stat4_table
      if !name.hasPrefix("sqlite_") || ["sqlite_sequence", "sqlite_stat1"].contains(name) {
        names.append(table.name)
      }
    }
    return names
  }

  /// Makes what stands on the tables, once their rows are there: indexes take less time then, and triggers don't fire.
  /// - Throws: what ended it; what can't be made for other reasons is in `problems`.
  mutating func makeRest(_ progress: (String) -> Void) throws {
    for kind in ["index", "view", "trigger"] {
      for item in items where item.kind == kind && item.sql != nil && !isAboutOmitted(item) {
        progress(item.name)
        do { try make(item) } catch {
          if (error as? SQLiteError)?.isInterrupt == true { throw error }
          problems.append("The \(kind) \(item.name) could not be made: \(Sentence.ended(Self.reason(error)))")
        }
      }
    }
  }

  private func make(_ item: Item) throws {
    guard let sql = item.sql else { return }
    // One statement, of the kind that the schema says: what else stands in the text SQLite doesn't read either.
    guard sql.uppercased().hasPrefix("CREATE ") else {
      throw SQLiteError(code: 1, message: "its definition isn't a CREATE statement", sql: sql)
    }
    try target.prepare(sql).run()
  }

  /// A virtual table of a kind that isn't built in here can't be made, as the full-text indexes of iOS 27. It is left out
  /// with its content, which has the values, and its triggers, without which nothing could be written to its table.
  private mutating func makeVirtual(_ table: Item) throws {
    do {
      // The copy has no journal, so what a failure leaves there would stay.
      try Connection(path: ":memory:", options: .readWrite(create: true)).prepare(table.sql ?? "").run()
    } catch {
      omitted.formUnion(([""] + shadowTableSuffixes).map { table.name + $0 })
      problems.append(
        "The virtual table \(table.name) isn't in the copy, nor are its triggers: \(Sentence.ended(Self.reason(error)))"
      )
      return
    }
    try make(table)
  }

  private func isAboutOmitted(_ item: Item) -> Bool {
    guard let sql = item.sql, item.kind != "index" else { return false }
    let names = Set(sql.lowercased().split { !$0.isLetter && !$0.isNumber && $0 != "_" && $0 != "$" })
    return omitted.contains { names.contains(Substring($0.lowercased())) }
  }

  private func tableNames() throws -> [String] {
    try target.rows("SELECT name FROM main.sqlite_master WHERE type = 'table'") { $0.text(0) }
  }

  private static func reason(_ error: any Error) -> String {
    (error as? SQLiteError)?.message ?? String(describing: error)
  }
}
