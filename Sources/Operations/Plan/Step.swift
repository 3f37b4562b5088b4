package import SQLite

/// One statement of an operation, kept in parts so that the rows that are counted and the rows that are changed come
/// from the same words.
package struct Step: Sendable {
  package enum Action: Sendable {
    case delete
    /// Assignments, as they stand behind SET.
    case update(String)
    /// Columns, and the SELECT that makes the rows.
    case insert(columns: [String], select: String)
  }

  package var table: String
  package var action: Action
  /// Which rows; always given, so that SQLite tells of every row that it deletes. Unused where rows are inserted.
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

  var countSQL: String {
    if case .insert(_, let select) = action { return "SELECT COUNT(*) FROM (\(select))" }
    return "SELECT COUNT(*) FROM main.\(quotedIdentifier(table)) WHERE \(condition)"
  }

  package var sql: String {
    let name = "main." + quotedIdentifier(table)
    return switch action {
    case .delete: "DELETE FROM \(name) WHERE \(condition)"
    case .update(let assignments): "UPDATE \(name) SET \(assignments) WHERE \(condition)"
    case .insert(let columns, let select):
      "INSERT INTO \(name) (\(columns.map(quotedIdentifier).joined(separator: ", "))) \(select)"
    }
  }

  /// How many rows it would change now. Values that only the assignments use are bound as well, and unused.
  func count(_ connection: Connection) throws -> Int {
    let statement = try connection.prepare(countSQL)
    for index in 0..<min(statement.parameterCount, values.count) {
      try statement.bind(values[index], at: index + 1)
    }
    return try statement.step() ? Int(statement.integer(0)) : 0
  }
}
