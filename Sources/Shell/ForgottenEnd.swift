import Commands
import Values

/// A command in a line of its own where a statement goes on: its semicolon was forgotten, and the command must not become a
/// part of it. psql says so too, of `help` and `quit` (https://www.postgresql.org/docs/current/app-psql.html); sqlite3
/// takes everything for SQL until a semicolon comes.
enum ForgottenEnd {
  /// Words that no statement has as a line, wherever it stands.
  private static let always: Set = ["quit", "exit", "help", "clear", "q"]

  /// Whether the line is a command rather than a part of the statement. A view may be called like a command, as in a FROM
  /// whose tables have lines of their own: only behind what may end a statement the command is meant.
  static func isCommand(_ line: String, after statement: String) -> Bool {
    let words = line.split(whereSeparator: \.isWhitespace).map(String.init)
    guard let first = words.first, !line.contains(where: \.isNewline) else { return false }
    if words.count == 1, always.contains(first.lowercased()) { return true }
    // `limit 5` is SQL, too.
    guard CommandTable.command(named: first) != nil || Builtin.named(first) != nil, !SQLText.isKeyword(first)
    else { return false }
    // Behind a table's name, a word may be its alias, and then the statement goes on with a keyword.
    return SQLText.mayEnd(statement) && (words.count == 1 || !SQLText.isKeyword(words[1]))
  }
}
