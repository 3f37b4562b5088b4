extension Connection {
  /// What SQLite's check of the database finds, a line per problem; none if it is whole.
  /// https://www.sqlite.org/pragma.html#pragma_quick_check
  /// - Parameter isThorough: whether indexes are compared with their tables, which takes many times as long.
  package func damage(isThorough: Bool = false, atMost lines: Int) throws -> [String] {
    let check = isThorough ? "integrity_check" : "quick_check"
    var problems: [String] = []
    do {
      try forEachRow("PRAGMA main.\(check)(\(lines))") { row in
        // A row may hold several, one below the other, and begins with the database's name.
        problems += row.text(0).split(separator: "\n").prefix(lines + 1)
          .filter { $0 != "ok" && $0 != "*** in database main ***" }.map(String.init)
      }
    } catch let error as SQLiteError where error.isDamage {
      problems.append(error.message)
    }
    return problems
  }
}
