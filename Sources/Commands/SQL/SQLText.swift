/// Distinguishes SQL from commands. https://www.sqlite.org/lang.html
package enum SQLText {
  private static let readers = SQLWords.openings.subtracting(["EXPLAIN"])
  /// They are refused; but the refusal must be about what was meant.
  private static let others: Set = [
    "INSERT", "UPDATE", "DELETE", "REPLACE", "CREATE", "DROP", "ALTER", "ATTACH", "DETACH", "VACUUM",
    "PRAGMA", "BEGIN", "COMMIT", "ROLLBACK", "SAVEPOINT", "RELEASE", "REINDEX", "ANALYZE",
  ]

  /// Whether a line is the beginning of a statement and not a command.
  package static func begins(_ line: some StringProtocol) -> Bool {
    let words = line.split(maxSplits: 2) { !$0.isLetter }.prefix(2).map { $0.uppercased() }
    guard let first = words.first, line.first(where: { !$0.isWhitespace && $0 != "(" })?.isLetter == true
    else { return false }
    if readers.contains(first) || others.contains(first) { return true }
    // 'explain' is a command as well, about errors and terms.
    guard first == "EXPLAIN", words.count > 1 else { return false }
    return words[1] == "QUERY" || readers.contains(words[1]) || others.contains(words[1])
  }
}
