package import Values

/// One of the tables that a run over many stores comes to, a row per line of its files.
package struct Dataset: Sendable {
  package enum ColumnType: String, Sendable {
    case text, integer, boolean
    /// Texts in UTC with six digits of a fraction.
    case date
    /// A list of texts.
    case texts
  }

  package struct Column: Sendable {
    package let name: String
    package let type: ColumnType
    package let meaning: String

    init(_ name: String, _ type: ColumnType, _ meaning: String) {
      self.name = name
      self.type = type
      self.meaning = meaning
    }
  }

  package let name: String
  package let meaning: String
  package let columns: [Column]

  init(_ name: String, _ meaning: String, _ columns: [Column]) {
    self.name = name
    self.meaning = meaning
    self.columns = columns
  }

  /// A line of its file: all columns in their order.
  package func line(_ values: [DataValue]) -> String {
    precondition(values.count == columns.count)
    return JSONText.compact(
      .object(
        zip(columns, values).map { column, value in
          // Beyond the years that dates can be written in, nothing is left of it: no column has another's name.
          if case .date(let date) = value, date.iso8601 == nil { return .init(column.name, .null) }
          return .init(column.name, value)
        })) + "\n"
  }
}
