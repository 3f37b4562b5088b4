import Values

/// SQL where a store should be.
enum ForgottenStore {
  /// With the command as it was meant; nil for a word that is no SQL.
  static func error(_ word: String, _ rest: [String] = []) -> UsageError? {
    guard word.contains(/^\s*(select|with|values)\s/.ignoresCase()) else { return nil }
    let words = ["storescope", Command.query.name, "STORE"] + ([word] + rest).map(ShellQuotes.readable)
    return .conflict("The store is missing; it comes before the SQL:", list: [words.joined(separator: " ")])
  }
}
