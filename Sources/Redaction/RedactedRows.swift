/// What was replaced in one table.
package struct RedactedRows: Sendable {
  package struct Column: Sendable {
    /// The model's or the framework's name for it, where it has one.
    package var name: String
    /// Values that were replaced, by what they were.
    package var replaced: [Replaced: Int] = [:]
  }

  /// The entity's name, where it has one.
  package var name: String
  /// As the store calls it.
  package var table: String
  package var rows = 0
  /// Rows that aren't in the copy.
  package var rowsLeftOut = 0
  package var columns: [Column]

  init(_ table: RedactedTable) {
    name = table.label
    self.table = table.name
    columns = table.columns.map { Column(name: $0.label) }
  }

  mutating func add(_ what: Replaced, column: Int) { columns[column].replaced[what, default: 0] += 1 }

  package var replaced: [Replaced: Int] {
    columns.reduce(into: [:]) { sum, column in sum.merge(column.replaced, uniquingKeysWith: +) }
  }
}
