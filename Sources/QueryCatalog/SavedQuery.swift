/// A query kept in a file: its SQL, and what the file's header says of it.
///
/// The header is comment lines at the top: `-- Title: …`, `-- Shows: …` (what a row means), and a line
/// `-- Param NAME: meaning, default VALUE` for each parameter, the default left out where one must be given.
package struct SavedQuery: Sendable, Equatable {
  package struct Parameter: Sendable, Equatable {
    package var name: String
    package var meaning: String
    package var defaultValue: String?
  }

  package var name: String
  package var title = ""
  package var shows = ""
  package var parameters: [Parameter] = []
  package var sql: String

  package init(name: String, sql: String) {
    self.name = name
    self.sql = sql
    for line in sql.split(whereSeparator: \.isNewline) {
      guard line.hasPrefix("--") else { break }
      let parts = line.dropFirst(2).split(separator: ":", maxSplits: 1)
      guard parts.count == 2 else { continue }
      let words = parts[0].split(separator: " ")
      let text = String(parts[1].drop { $0 == " " })
      switch (words.first?.lowercased(), words.count) {
      case ("title", 1): title = text
      case ("shows", 1): shows = text
      case ("param", 2): parameters.append(Self.parameter(String(words[1]), text))
      default: break
      }
    }
  }

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
