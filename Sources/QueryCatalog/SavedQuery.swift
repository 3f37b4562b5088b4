package import Base

/// A query kept in a file: its SQL, and what the file's header says of it.
///
/// The header has `-- Title: …`, `-- Shows: …` (what a row means), and a line
/// `-- Param NAME (TYPE): meaning, default VALUE` for each parameter. Without a type any text is taken; without a default
/// the parameter must be given.
package struct SavedQuery: Sendable, Equatable {
  package struct Parameter: HasFields, Sendable, Equatable {
    /// What a value must be. It is checked before the query runs: a mistyped name must not look like an empty answer.
    package enum Kind: String, FieldWord, Sendable {
      case text, number, date, object, entity, author, zone
    }

    package var name: String
    /// As the header has it: text where it has none.
    package var typeName: String
    package var meaning: String
    package var defaultValue: String?

    package static let fields: [Field<Self>] = [
      Field("name", "what --param takes") { $0.name },
      Field("type", .words(Kind.self), "what a value must be") { $0.typeName },
      Field("meaning", "what it does") { $0.meaning },
      Field("default", "its value if none is given; null if one must be given") { $0.defaultValue },
    ]

    /// Nil for a type that doesn't exist.
    package var kind: Kind? { Kind(rawValue: typeName) }
  }

  package var name: String
  package var header: KeyedLines
  package var parameters: [Parameter]
  package var sql: String
  /// The user's own file; nil for a query that is built in or was typed.
  package var path: String?

  package init(name: String, sql: String, path: String? = nil) {
    self.name = name
    self.sql = sql
    self.path = path
    header = KeyedLines(sql: sql)
    parameters = Self.parameters(header)
  }

  package static func parameters(_ header: KeyedLines) -> [Parameter] {
    let mark = "param "
    return header.entries.filter { $0.key.lowercased().hasPrefix(mark) }.map {
      parameter(String($0.key.dropFirst(mark.count)), $0.text)
    }
  }

  package static let fields: [Field<Self>] = [
    Field("name", "what 'query' takes") { $0.name }, Field("title", "what it is about") { $0.title },
    Field("shows", "what a row is") { $0.shows }, Field("parameters", "its parameters") { $0.parameters },
  ]
  package static let sqlField = Field<Self>("sql", "its text", if: "--show is given") { $0.sql }

  package var title: String { header["Title"] ?? "" }
  package var shows: String { header["Shows"] ?? "" }

  /// - Parameter key: `since`, or `since (date)`.
  private static func parameter(_ key: String, _ text: String) -> Parameter {
    let parts = key.split(separator: " ", maxSplits: 1).map(String.init)
    let type = parts.count > 1 ? parts[1].filter { !"()".contains($0) } : Parameter.Kind.text.rawValue
    var parameter = Parameter(name: parts.first ?? "", typeName: type, meaning: text)
    let words = text.split(separator: ",", omittingEmptySubsequences: false)
    let mark = " default "
    if words.count > 1, let last = words.last, last.hasPrefix(mark) {
      parameter.meaning = words.dropLast().joined(separator: ",")
      parameter.defaultValue = String(last.dropFirst(mark.count))
    }
    return parameter
  }
}
