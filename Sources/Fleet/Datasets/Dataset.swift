package import Values

/// One of the tables that a run over many stores comes to, a row per line of its files.
package struct Dataset: Sendable {
  package enum ColumnType: String, Sendable {
    case text, integer, boolean
    /// Texts in UTC with six digits of a fraction.
    case date
    /// A list of texts.
    case texts

    fileprivate init(_ shape: Shape) {
      self =
        switch shape.present {
        case .integer: .integer
        case .bool: .boolean
        case .date: .date
        case .list: .texts
        default: .text
        }
    }
  }

  package struct Column: Sendable {
    package let name: String
    package let type: ColumnType
    package let meaning: String

    fileprivate init(_ key: Shape.Key) {
      name = key.name
      type = ColumnType(key.shape)
      meaning = key.meaning
    }
  }

  package let name: String
  package let meaning: String
  package let columns: [Column]

  init(_ name: String, _ meaning: String, _ keys: [Shape.Key]) {
    self.name = name
    self.meaning = meaning
    columns = keys.map(Column.init)
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
  package func line(_ members: [DataValue.Member]) -> String {
    precondition(members.count == columns.count)
    return JSONText.compact(
      .object(
        members.map { member in
          // Beyond the years that dates can be written in, nothing is left of it: no column has another's name.
          if case .date(let date) = member.value, date.iso8601 == nil { return .init(member.name, .null) }
          return member
        })) + "\n"
  }
}
