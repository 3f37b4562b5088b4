import Base
package import SQLite

/// One statement of an operation, kept in parts so that the rows that are counted and the rows that are changed come
/// from the same words.
package struct Step: Sendable {
  package enum Action: Sendable {
    case delete
    /// Columns, and what each is set to. A row that has all of it already isn't changed, and isn't counted.
    case update(KeyValuePairs<String, String>)
    /// Columns, and the SELECT that makes the rows.
    case insert(columns: [String], select: String)
  }

  package var table: String
  package var action: Action
  /// Which rows, over the table's columns and the views in `temp`. Unused where rows are inserted.
  package var condition: String
  /// Values of the parameters `?1`, `?2` … of assignments, condition and SELECT together.
  package var values: [SQLiteValue]
  /// What the step is for, in a few words.
  package var purpose: String

  package init(
    _ table: String, _ action: Action, where condition: String = "1", _ values: [SQLiteValue] = [],
    purpose: String
  ) {
    self.table = table
    self.action = action
    self.condition = condition
    self.values = values
    self.purpose = purpose
  }

  package var change: RowChange {
    switch action {
    case .delete: .delete
    case .update: .update
    case .insert: .insert
    }
  }

  /// Which rows an update or a deletion chooses.
  private var choice: String {
    guard case .update(let assignments) = action else { return condition }
    let differs = assignments.map { "\($0.key) IS NOT \($0.value)" }.joined(separator: " OR ")
    return "(\(condition)) AND (\(differs))"
  }

  /// The rows that it would change, by their keys, or those that it would make.
  private func rowsSQL(_ connection: Connection) throws -> String {
    if case .insert(_, let select) = action { return select }
    let key = try rowKey(connection)
    return "SELECT \(key) FROM main.\(quotedIdentifier(table)) WHERE \(choice) ORDER BY \(key)"
  }

  /// The name that SQLite has for the number of a row. A column of that name, which no table of Core Data's has, would be
  /// read instead, and other rows would change than were chosen: https://www.sqlite.org/lang_createtable.html#rowid
  private func rowKey(_ connection: Connection) throws -> String {
    let columns = try connection.rows(
      "SELECT lower(name) FROM pragma_table_xinfo(?1, 'main')", [.text(table)]
    ) { $0.text(0) }
    guard let key = ["rowid", "_rowid_", "oid"].first(where: { !columns.contains($0) }) else {
      throw StoreScopeError(
        .refused, "The rows of \(table) can't be distinguished: its columns use all names of the rowid",
        about: table, outcome: .unchanged)
    }
    return key
  }

  /// What it does, in one statement: for the log, and to tell two plans apart.
  package var sql: String { sql(where: choice) }

  /// OR ABORT is stronger than an ON CONFLICT clause of the table's, which could delete rows or leave some out:
  /// https://www.sqlite.org/lang_conflict.html
  private func sql(where condition: String) -> String {
    let name = "main." + quotedIdentifier(table)
    return switch action {
    case .delete: "DELETE FROM \(name) WHERE \(condition)"
    case .update(let assignments):
      "UPDATE OR ABORT \(name) SET \(assignments.map { "\($0.key) = \($0.value)" }.joined(separator: ", ")) WHERE \(condition)"
    case .insert(let columns, let select):
      "INSERT OR ABORT INTO \(name) (\(columns.map(quotedIdentifier).joined(separator: ", "))) \(select)"
    }
  }

  /// Changes the rows that were chosen, by their keys: while rows change, no view is asked, and nothing that a view
  /// calls, so that no step sees what another one did. There is always a condition, so that SQLite reports every row
  /// that it deletes.
  /// - Returns: how many rows changed.
  func run(_ keys: [ClosedRange<Int64>], on connection: Connection) throws -> Int {
    if case .insert = action {
      try connection.execute(sql, values)
      return connection.changes
    }
    let (first, last) = (values.count + 1, values.count + 2)
    let key = try rowKey(connection)
    let statement = try connection.prepare(sql(where: "\(key) BETWEEN ?\(first) AND ?\(last)"))
    try statement.bind(values)
    var count = 0
    for range in keys {
      try statement.bind(.integer(range.lowerBound), at: first)
      try statement.bind(.integer(range.upperBound), at: last)
      while try statement.step() {}
      count += connection.changes
      statement.reset()
    }
    return count
  }

  /// Rows that a step would change.
  struct Rows {
    var count = 0
    /// Of the keys, to tell whether they are still the same.
    var digest: UInt64 = 0xcbf2_9ce4_8422_2325
    /// In ascending order; those that follow each other together. Empty where rows are inserted.
    var keys: [ClosedRange<Int64>] = []

    /// FNV-1a, over numbers of 64 bits: nobody gains by finding two plans that look the same.
    /// https://www.rfc-editor.org/rfc/rfc9923.html
    mutating func add(_ key: Int64) {
      count += 1
      digest = (digest ^ UInt64(bitPattern: key)) &* 0x100_0000_01b3
    }

    mutating func addKey(_ key: Int64) {
      if let last = keys.last, last.upperBound < .max, last.upperBound + 1 == key {
        keys[keys.count - 1] = last.lowerBound...key
      } else {
        keys.append(key...key)
      }
    }
  }

  /// Values that only the assignments use are bound as well, and unused.
  private func rowsStatement(_ connection: Connection) throws -> Statement {
    let statement = try connection.prepare(rowsSQL(connection))
    for index in 0..<min(statement.parameterCount, values.count) {
      try statement.bind(values[index], at: index + 1)
    }
    return statement
  }

  /// Whether it would change any row now.
  func hasRows(_ connection: Connection) throws -> Bool { try rowsStatement(connection).step() }

  /// Which rows it would change now.
  func rows(_ connection: Connection) throws -> Rows {
    let statement = try rowsStatement(connection)
    var rows = Rows()
    while try statement.step() {
      let key = statement.integer(0)
      rows.add(key)
      if change != .insert { rows.addKey(key) }
    }
    return rows
  }
}
