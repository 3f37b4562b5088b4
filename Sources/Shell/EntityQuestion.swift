import Commands
import Values

/// What people ask of an entity without a command: `Trip where rating > 3`, and `from Trip` as DuckDB has it.
struct EntityQuestion: Equatable {
  /// The words of a command.
  let words: [String]

  /// Nil for all other lines.
  /// - Parameter entities: called if the line looks like such a question.
  init?(_ line: String, among entities: @autoclosure () -> [String]) throws {
    if let match = line.wholeMatch(of: /(?i)from\s+"?(\w+)"?(\s.*)?/),
      Self.entity(match.1, among: entities()) != nil
    {
      words = [Command.query.name, "SELECT * \(line)"]
      return
    }
    guard let match = line.wholeMatch(of: /(?i)(?:rows\s+)?(\w+)\s+where\s+(\S.*)/),
      let entity = Self.entity(match.1, among: entities())
    else { return nil }
    var condition = String(match.2)
    var options: [String] = []
    if let behind = condition.firstMatch(of: /\s(--[a-z].*)$/) {
      options = try WordSplitter.split(String(behind.1))
      condition = String(condition[..<behind.range.lowerBound])
    }
    // More than a condition.
    let isStatement = condition.contains(/(?i)\b(order|group)\s+by\s|\blimit\s+\d/)
    words =
      (isStatement
        ? [Command.query.name, "SELECT * FROM \"\(entity)\" WHERE \(condition)"]
        : [Command.rows.name, entity, "--where", condition]) + options
  }

  /// The line, and where its end sends the result. A condition has a '>' and '||' of its own: only a program behind
  /// one '|' and a path behind '>' are meant.
  static func split(_ line: String) throws -> (line: String, target: Redirection?) {
    guard
      let behind = line.firstMatch(
        of: /(?i)\swhere\s.*?\s(\|\s*[a-z][^|]*|>>?\s*[^\s'"]*[.\/][^\s'"0-9][^\s'"]*)$/)
    else { return (line, nil) }
    let target = try Redirection.split("result " + behind.1).target
    return (String(line[..<behind.1.startIndex].reversed().drop(while: \.isWhitespace).reversed()), target)
  }

  private static func entity(_ name: Substring, among entities: [String]) -> String? {
    entities.first { $0.lowercased() == name.lowercased() }
  }

  /// As it's typed to the end.
  var meant: String {
    guard words[0] != Command.query.name else { return words[1] + ";" }
    let condition = words[3].contains("\"") ? ShellQuotes.word(words[3]) : "\"\(words[3])\""
    return (words[..<3] + [condition] + words[4...].map(ShellQuotes.word)).joined(separator: " ")
  }
}
