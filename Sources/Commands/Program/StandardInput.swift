import Base
import Rendering

/// Standard input as a program meets it that wasn't asked to read it: it may be somebody else's, or nobody's.
enum StandardInput {
  /// How long a pipe may be silent until it counts as one that nobody writes to. Such pipes are what daemons and build
  /// servers leave as standard input.
  private static let patience = 3.0

  /// Whether there is something to read, or the end of what was written.
  /// - Parameter note: what is said of a silent pipe.
  static func hasCome(quietly isQuiet: Bool, _ note: String) -> Bool {
    switch Platform.standardInput {
    case .terminal, .nothing: return false
    case .unreadFile: return true
    case .stream:
      if Platform.isReadable(0, within: patience) { return true }
      if !isQuiet { Platform.writeToStandardError("storescope: \(note)\n") }
      return false
    }
  }

  /// All of it, to its end.
  static func text(limit: Int) throws -> String {
    var text: [UInt8] = []
    var piece = [UInt8](repeating: 0, count: 65_536)
    while true {
      let count = piece.withUnsafeMutableBytes { Platform.read(0, into: $0) }
      guard let count else {
        guard Platform.lastFailure == .interrupted else {
          throw StoreScopeError(.unreadable, "Standard input can't be read")
        }
        try Interruption.check()
        continue
      }
      guard count > 0 else { return String(decoding: text, as: UTF8.self) }
      text += piece[..<count]
      guard text.count <= limit else {
        throw StoreScopeError(.limit, "Standard input has more than the \(limit) bytes that are read")
      }
    }
  }
}

/// The SQL that `query` is given on standard input, as words of the command line.
enum InputSQL {
  private static let limit = 1 << 20

  /// What `query` is asked with its words, and the statements if there are several: they are for the shell, which runs
  /// one after the other.
  static func meant(_ words: [String]) throws -> (
    command: Command, words: [String], statements: ShellRequest.Script?
  ) {
    let query = Command.query
    // What is wrong with the words is said by the command.
    guard let parsed = try? ArgumentParser.parse(words, options: query.allOptions, command: query.name),
      ![OptionName.help, .list, .show, .views, .functions].contains(where: parsed.has),
      let isNamed = isNamed(parsed), isNamed || StandardInput.hasCome(quietly: parsed.has(.quiet), noted)
    else { return (query, words, nil) }
    let text = try StandardInput.text(limit: limit)
    guard text.contains(where: { !$0.isWhitespace }) else {
      guard !isNamed else { throw UsageError.conflict("There is no SQL on standard input.") }
      return (query, words, nil)
    }
    let others = withoutDash(words, isFile: parsed[.file] != nil)
    guard SeveralStatements.areIn(text) else {
      // A saved query's name has a line end, too.
      let sql =
        text.split(separator: "\n").count > 1 ? text : String(text.filter { $0 != "\n" && $0 != "\r\n" })
      return (query, others + (others.contains("--") ? [] : ["--"]) + [sql], nil)
    }
    try SeveralStatements.check(parsed, "on standard input")
    return (.shell, others, .statements(text, from: ShellRequest.standardInput))
  }

  private static let noted = "no SQL on standard input, so these are the saved queries; '--list' doesn't wait"

  /// Whether `-` stands for it; nil where something else is asked for.
  private static func isNamed(_ parsed: ParsedArguments) -> Bool? {
    switch (parsed.positionals.count, parsed[.file]) {
    case (1, nil): false
    case (1, "-"): true
    case (2, nil): parsed.positionals[1] == "-" ? true : nil
    default: nil
    }
  }

  private static func withoutDash(_ words: [String], isFile: Bool) -> [String] {
    guard let index = words.firstIndex(of: "-") else {
      return isFile ? words.filter { $0 != "--file=-" && $0 != "-f-" } : words
    }
    let first = isFile ? index - 1 : index
    return Array(words[..<first] + words[(index + 1)...])
  }
}
