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

  private static let fileEnding = ".ndjson"

  /// `stores.ndjson`; what is more than one file may have goes on in `stores-2.ndjson`.
  package func fileName(part: Int = 1) -> String {
    name + (part > 1 ? "-\(part)" : "") + Self.fileEnding
  }

  /// All its files, as other programs take a pattern.
  package var filePattern: String { "\(name)*\(Self.fileEnding)" }

  /// Which of its files has that name; nil if none has.
  func part(ofFile file: String) -> Int? {
    guard file.hasPrefix(name), file.hasSuffix(Self.fileEnding) else { return nil }
    let middle = file.dropFirst(name.count).dropLast(Self.fileEnding.count)
    guard !middle.isEmpty else { return 1 }
    return middle.hasPrefix("-") ? Int(middle.dropFirst()) : nil
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
