import Commands
import Values

/// What people ask of an entity without a command: `Trip where rating > 3`, `Trip order by title`, `count Trip`, and
/// `from Trip` as DuckDB has it.
struct EntityQuestion: Equatable {
  /// The words of a command.
  let words: [String]
  /// Where the line's end sends the result.
  let target: Redirection?

  /// Nil for all other lines.
  /// - Parameter entities: called if the line looks like such a question.
  init?(_ line: String, among entities: @autoclosure () -> [String]) throws {
    if let match = line.wholeMatch(
      of: /(?i)(?:from\s+"?(\w+)"?|(?:rows\s+)?(\w+)(?=\s+(?:order\s+by|group\s+by|limit)\s))(\s.*)?/),
      let entity = Self.entity(match.1 ?? match.2 ?? "", among: entities())
    {
      let (rest, target) = try Redirection.split(condition: String(match.3 ?? ""))
      (words, self.target) = ([Command.query.name, Self.statement(entity, rest)], target)
    } else if let match = line.wholeMatch(
      of: /(?i)(?:count(?:\s+|\s*\(\s*)(\w+)\s*\)?|(\w+)\s+count(?:\(\*?\))?)(\s*[>|].*)?/),
      let entity = Self.entity(match.1 ?? match.2 ?? "", among: entities())
    {
      words = [Command.query.name, "SELECT COUNT(*) FROM \"\(entity)\""]
      target = try Redirection.split(condition: String(match.3 ?? "")).target
      // `count Trip > 5` asks something else.
      if target == nil, match.3 != nil { return nil }
    } else if let match = line.wholeMatch(of: /(?i)(?:rows\s+)?(\w+)\s+where\s+(\S.*)/),
      let entity = Self.entity(match.1, among: entities())
    {
      var (condition, target) = try Redirection.split(condition: String(match.2))
      var options: [String] = []
      if let behind = condition.firstMatch(of: /\s(--[a-z].*|-n\s?\d+.*)$/) {
        options = try WordSplitter.split(String(behind.1))
        condition = String(condition[..<behind.range.lowerBound])
      }
      words =
        (Self.listing(entity, condition)
          ?? [Command.query.name, "SELECT * FROM \"\(entity)\" WHERE \(condition)"]) + options
      self.target = target
    } else {
      return nil
    }
  }

  /// What follows the entity, with `select` in its place.
  private static func statement(_ entity: String, _ rest: String) -> String {
    guard let match = rest.wholeMatch(of: /(?i)\s+select\s+(.+?)(\s+(?:where|group|order|limit)\s.*)?/) else {
      return "SELECT * FROM \"\(entity)\"\(rest)"
    }
    return "SELECT \(match.1) FROM \"\(entity)\"\(match.2 ?? "")"
  }

  /// The condition, with what may stand behind it in SQL, as the words of `rows`; nil for what only SQL can say.
  private static func listing(_ entity: String, _ text: String) -> [String]? {
    guard
      let match = text.wholeMatch(
        of:
          /(?i)(.+?)(?:\s+order\s+by\s+(\w[\w.]*(?:\s+(?:asc|desc))?(?:\s*,\s*\w[\w.]*(?:\s+(?:asc|desc))?)*))?(?:\s+limit\s+(\d+))?(?:\s+offset\s+(\d+))?\s*;?\s*/
      ), !match.1.contains(/(?i)\b(order|group)\s+by\s|\blimit\s+\d/)
    else { return nil }
    var words = [Command.rows.name, entity, "--where", String(match.1)]
    if let order = match.2 {
      let names = order.split(separator: ",").map { term -> String in
        let parts = term.split(whereSeparator: \.isWhitespace)
        return (parts.last?.lowercased() == "desc" ? "-" : "") + (parts.first ?? "")
      }
      words += ["--sort", names.joined(separator: ",")]
    }
    if let limit = match.3 { words += ["--limit", String(limit)] }
    if let offset = match.4 { words += ["--offset", String(offset)] }
    return words
  }

  private static func entity(_ name: Substring, among entities: [String]) -> String? {
    entities.first { $0.lowercased() == name.lowercased() }
  }

  /// As it's typed to the end.
  var meant: String {
    guard words[0] != Command.query.name else { return words[1] + ";" }
    return words.map(ShellQuotes.readable).joined(separator: " ")
  }
}
