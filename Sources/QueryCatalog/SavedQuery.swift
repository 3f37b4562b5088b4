/// A query kept in a file: its SQL, and what the file's header says of it.
///
/// The header has `-- Title: …`, `-- Shows: …` (what a row means), and a line
/// `-- Param NAME: meaning, default VALUE` for each parameter, the default left out where one must be given.
package struct SavedQuery: Sendable, Equatable {
  package struct Parameter: Sendable, Equatable {
    package var name: String
    package var meaning: String
    package var defaultValue: String?
  }

  package var name: String
  package var header: QueryHeader
  package var parameters: [Parameter]
  package var sql: String

  package init(name: String, sql: String) {
    self.name = name
    self.sql = sql
    header = QueryHeader(sql: sql)
    let mark = "param "
    parameters = header.entries.filter { $0.key.lowercased().hasPrefix(mark) }.map {
      Self.parameter(String($0.key.dropFirst(mark.count)), $0.text)
    }
  }

  package var title: String { header["Title"] ?? "" }
  package var shows: String { header["Shows"] ?? "" }

  private static func parameter(_ name: String, _ text: String) -> Parameter {
    let words = text.split(separator: ",", omittingEmptySubsequences: false)
    let mark = " default "
    guard words.count > 1, let last = words.last, last.hasPrefix(mark) else {
      return Parameter(name: name, meaning: text, defaultValue: nil)
    }
    return Parameter(
      name: name, meaning: words.dropLast().joined(separator: ","),
      defaultValue: String(last.dropFirst(mark.count)))
  }
}
