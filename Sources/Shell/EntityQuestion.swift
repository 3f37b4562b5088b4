import Commands
import Values

/// What people ask of an entity without a command: `Trip where rating > 3`, and `from Trip` as DuckDB has it.
struct EntityQuestion: Equatable {
  /// The words of a command.
  let words: [String]

  /// Nil for all other lines.
  /// - Parameter entities: called if the line looks like such a question.
  init?(_ line: String, among entities: @autoclosure () -> [String]) {
    if let match = line.wholeMatch(of: /(?i)from\s+"?(\w+)"?(\s.*)?/),
      Self.entity(match.1, among: entities()) != nil
    {
      words = [Command.query.name, "SELECT * \(line)"]
      return
    }
    guard let match = line.wholeMatch(of: /(?i)(?:rows\s+)?(\w+)\s+where\s+(\S.*)/),
      let entity = Self.entity(match.1, among: entities())
    else { return nil }
    let condition = String(match.2)
    // More than a condition.
    let isStatement = condition.contains(/(?i)\b(order|group)\s+by\s|\blimit\s+\d/)
    words =
      isStatement
      ? [Command.query.name, "SELECT * FROM \"\(entity)\" WHERE \(condition)"]
      : [Command.rows.name, entity, "--where", condition]
  }

  private static func entity(_ name: Substring, among entities: [String]) -> String? {
    entities.first { $0.lowercased() == name.lowercased() }
  }

  /// As it's typed to the end.
  var meant: String {
    guard let last = words.last, words[0] != Command.query.name else { return words[1] + ";" }
    let condition = last.contains("\"") ? ShellQuotes.word(last) : "\"\(last)\""
    return (words.dropLast() + [condition]).joined(separator: " ")
  }
}
