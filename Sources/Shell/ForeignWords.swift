import Commands
import Values

/// What people type who come from sqlite3 or psql, and what it is called here.
enum ForeignWords {
  private static let ours: [String: String] = [
    ".tables": "entities", ".schema": "entities", ".indexes": "query table-sizes", ".databases": "summary",
    ".dbinfo": "summary", ".help": "help", ".quit": "quit", ".exit": "quit", ".open": "open",
    ".mode": "format",
    ".timer": "timing", ".read": "read", ".output": "output", ".history": ".history", ".show": "settings",
    ".version": "help", "\\d": "entities", "\\dt": "entities", "\\l": "summary", "\\q": "quit", "\\?": "help",
    "\\h": "help", "\\timing": "timing", "\\i": "read", "\\o": "output", "\\watch": "watch", "\\c": "open",
    "\\pset": "format", "\\a": "format",
  ]

  /// The same line in our words, and a hint about them where they differ.
  static func translated(_ line: String) throws(UsageError) -> (line: String, hint: String?) {
    let word = String(line.prefix { !$0.isWhitespace })
    let rest = line.dropFirst(word.count)
    guard let own = ours[word] else {
      // Any of our own words may be typed with a dot.
      let plain = String(word.dropFirst())
      if word.hasPrefix("."), Builtin.named(plain) != nil || CommandTable.command(named: plain) != nil {
        return (plain + rest, nil)
      }
      let dotted = (CommandTable.all.map(\.name) + Builtin.all.map(\.name)).map { "." + $0 }
      let suggestion = Suggestion.sentence(for: word, in: ours.keys.sorted() + dotted)
      throw .conflict("There is no '\(word)'.\(suggestion) 'help' lists what there is.")
    }
    if own.hasPrefix(".") { return ("typed" + rest, nil) }
    let isSame = own == word.dropFirst()
    return (own + rest, isSame ? nil : "(\(word) is '\(own)' here)")
  }
}
