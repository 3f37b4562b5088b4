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

  /// The rows that it would change, by their keys, or those that it would make.
  private var rowsSQL: String {
    if case .insert(_, let select) = action { return select }
    return "SELECT rowid FROM main.\(quotedIdentifier(table)) WHERE \(condition) ORDER BY rowid"
  }

  /// OR ABORT is stronger than an ON CONFLICT clause of the table's, which could delete rows or leave some out:
  /// https://www.sqlite.org/lang_conflict.html
  package var sql: String {
    let name = "main." + quotedIdentifier(table)
    return switch action {
    case .delete: "DELETE FROM \(name) WHERE \(condition)"
    case .update(let assignments): "UPDATE OR ABORT \(name) SET \(assignments) WHERE \(condition)"
    case .insert(let columns, let select):
      "INSERT OR ABORT INTO \(name) (\(columns.map(quotedIdentifier).joined(separator: ", "))) \(select)"
    }
  }

  /// Which rows it would change now. Values that only the assignments use are bound as well, and unused.
  func rows(_ connection: Connection) throws -> (count: Int, digest: UInt64) {
    let statement = try connection.prepare(rowsSQL)
    for index in 0..<min(statement.parameterCount, values.count) {
      try statement.bind(values[index], at: index + 1)
    }
    var count = 0
    // FNV-1a, over numbers of 64 bits: nobody gains by finding two plans that look the same.
    // https://www.rfc-editor.org/rfc/rfc9923.html
    var digest: UInt64 = 0xcbf2_9ce4_8422_2325
    while try statement.step() {
      count += 1
      digest = (digest ^ UInt64(bitPattern: statement.integer(0))) &* 0x100_0000_01b3
    }
    return (count, digest)
  }
}
