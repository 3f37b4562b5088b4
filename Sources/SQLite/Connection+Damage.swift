import Base

/// What SQLite's check of a database comes to.
package struct DatabaseCheck: Sendable, Equatable {
  /// A line per problem; none if all that was checked is whole.
  package internal(set) var problems: [String] = []
  /// Tables that weren't looked at, as they have generated columns.
  package internal(set) var tablesLeftOut: [String] = []
  /// Tables that weren't looked at, as they need a collation or a function that only the app has.
  package internal(set) var tablesOfApps: [String] = []
  /// Tables whose rows weren't compared with their indexes, as one of those is on an expression or has a condition.
  package internal(set) var indexesLeftOut: [String] = []

  /// The problems of pages: two files mix these up, and a store with such doesn't open. Of contents, the check says what an
  /// app can have written.
  package var ofPages: [String] {
    problems.filter { problem in
      !(problem.contains(" value in ") || problem.hasPrefix("CHECK constraint") || problem.hasPrefix("row ")
        || problem.hasPrefix("non-unique"))
    }
  }

  /// Sentences about what wasn't checked; nil if all was.
  package var omission: String? {
    let parts = [
      Self.clause(tablesLeftOut, "wasn't", "weren't", "checked: generated columns would have to be computed"),
      Self.clause(
        tablesOfApps, "wasn't", "weren't", "checked: that needs a collation or a function of the app's"),
      Self.clause(
        indexesLeftOut, "wasn't", "weren't",
        "compared with all indexes: expressions or conditions would have to be computed"),
    ].compactMap(\.self)
    return parts.isEmpty ? nil : parts.joined(separator: " ")
  }

  private static func clause(_ tables: [String], _ one: String, _ many: String, _ rest: String) -> String? {
    guard !tables.isEmpty else { return nil }
    let listed = Sentence.listed(tables.map { LongName.cut($0) }, atMost: 5)
    return "\(listed) \(Sentence.form(tables.count, one, many)) \(rest)."
  }
}

extension Connection {
  /// SQLite's own check of the database. It would evaluate the schema's expressions for each row, and a stranger's cost
  /// what their author likes: what has some is checked as far as that goes without them.
  /// https://www.sqlite.org/pragma.html#pragma_integrity_check
  /// - Parameter isThorough: whether indexes are compared with their tables, which takes many times as long.
  package func damage(isThorough: Bool = false, atMost lines: Int) throws -> DatabaseCheck {
    var check = DatabaseCheck()
    do {
      try execute("PRAGMA ignore_check_constraints = ON")
      // The schema can't be read at all if it's damaged.
      defer { try? execute("PRAGMA ignore_check_constraints = OFF") }
      check.tablesLeftOut = Set(try computedColumns().map(\.table)).sorted()
      if isThorough {
        check.indexesLeftOut = try tablesWithComputedIndexes().filter { !check.tablesLeftOut.contains($0) }
      }
      let kind = isThorough ? "integrity_check" : "quick_check"
      if check.omission == nil {
        do {
          try add("\(kind)(\(lines))", to: &check, atMost: lines)
          return check
        } catch let error as SQLiteError where error.isOfSchema { check.problems = [] }
      }
      for table in try storedTables() where check.problems.count < lines {
        guard !check.tablesLeftOut.contains(table) else {
          try count(table, in: &check)
          continue
        }
        let kind = check.indexesLeftOut.contains(table) ? "quick_check" : kind
        do { try add("\(kind)(\(quotedIdentifier(table)))", to: &check, atMost: lines) } catch let error
          as SQLiteError
          where error.isOfSchema
        {
          check.tablesOfApps.append(table)
          try count(table, in: &check)
        }
      }
    } catch let error as SQLiteError where error.isDamage {
      check.problems.append(error.message)
    }
    return check
  }

  /// Those of the tables that SQLite's quick check finds damaged, each with its indexes.
  package func damagedTables(among tables: [String]) throws -> [String] {
    try execute("PRAGMA ignore_check_constraints = ON")
    defer { try? execute("PRAGMA ignore_check_constraints = OFF") }
    let computed = Set((try? computedColumns())?.map(\.table) ?? [])
    return try tables.filter { table in
      guard !computed.contains(table) else { return false }
      do {
        return try first("PRAGMA main.quick_check(\(quotedIdentifier(table)))", [], { $0.text(0) }) != "ok"
      } catch let error as SQLiteError where error.isDamage {
        return true
      }
    }
  }

  /// Looks at the pages of a table whose rows can't be checked, without computing anything of it.
  private func count(_ table: String, in check: inout DatabaseCheck) throws {
    do { _ = try value("SELECT COUNT(*) FROM main.\(quotedIdentifier(table)) NOT INDEXED") } catch let error
      as SQLiteError
      where error.isDamage
    {
      check.problems.append("\(LongName.cut(table)): \(error.message)")
    } catch let error as SQLiteError where error.isOfSchema {}
  }

  private func add(_ pragma: String, to check: inout DatabaseCheck, atMost lines: Int) throws {
    try forEachRow("PRAGMA main.\(pragma)") { row in
      // A row may hold several, one below the other, and begins with the database's name.
      check.problems += row.text(0).split(separator: "\n").prefix(lines + 1)
        .filter { $0 != "ok" && $0 != "*** in database main ***" }.map(String.init)
    }
  }

  /// Those that have pages, the schema's own first.
  private func storedTables() throws -> [String] {
    try ["sqlite_master"]
      + rows("SELECT name, sql FROM main.sqlite_master WHERE type = 'table'") {
        $0.withBytes(1, isVirtualTable) ? nil : $0.text(0)
      }.compactMap(\.self)
  }

  /// https://www.sqlite.org/partialindex.html, https://www.sqlite.org/expridx.html
  private func tablesWithComputedIndexes() throws -> [String] {
    try rows(
      """
      SELECT DISTINCT m.tbl_name FROM main.sqlite_master m, pragma_index_list(m.tbl_name, 'main') i
      WHERE m.type = 'index' AND m.sql IS NOT NULL AND i.name = m.name COLLATE NOCASE
      AND (i.partial OR EXISTS (SELECT 1 FROM pragma_index_xinfo(m.name, 'main') WHERE key AND cid = -2))
      """
    ) { $0.text(0) }
  }
}
