/// More than one statement in a file or on standard input: the shell runs them in order.
enum SeveralStatements {
  /// Whether something follows the end of a statement.
  static func areIn(_ sql: String) -> Bool {
    let tokens = StatementTokens(sql)
    return tokens.all.indices.dropLast().contains { tokens.text($0) == ";" && tokens.text($0 + 1) != ";" }
  }

  /// Refuses options that are for one statement.
  static func check(_ arguments: ParsedArguments, _ place: String) throws(UsageError) {
    let known = Command.shell.allOptions.map(\.option)
    guard let option = arguments.options.keys.first(where: { $0 != .file && !known.contains($0) }) else {
      return
    }
    throw .conflict("'--\(option.rawValue)' is for one statement, and there are several \(place).")
  }
}
