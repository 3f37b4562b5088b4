import Base
import Rendering

/// What `storescope STORE` asks for, without a command's name: a shell for a person, the commands on standard input if
/// there are any, and else the summary.
enum BareStore: Equatable {
  case summary
  /// It reads from the terminal, or is given its commands.
  case shell
  case input

  /// - Parameters:
  ///   - words: the store, and what follows.
  ///   - isTerminal: whether a person is there.
  init(_ words: [String], isTerminal: Bool) throws(UsageError) {
    let parsed = try? ArgumentParser.parse(words, options: Command.shell.allOptions, command: "shell")
    if let word = parsed.map({ $0.positionals.dropFirst().first }) ?? Self.word(words) {
      throw Self.unexpected(word, words)
    }
    // The summary says what is wrong with its options.
    guard let parsed else {
      self = .summary
      return
    }
    // `storescope STORE --json` is a question with one answer, unless commands come.
    let asksOnce = parsed.has(.json) || parsed.has(.format) || parsed.has(.help)
    if parsed.has(.command) || parsed.has(.file) || isTerminal && !asksOnce {
      self = .shell
    } else {
      self =
        !parsed.has(.help) && StandardInput.hasCome(quietly: parsed.has(.quiet), Self.noted)
        ? .input : .summary
    }
  }

  /// The word behind the store, where options that only its command has keep the others from being sorted.
  private static func word(_ words: [String]) -> String? {
    words.dropFirst().first { !$0.hasPrefix("-") && CommandTable.command(named: $0) != nil }
      ?? words.dropFirst().first.flatMap { $0.hasPrefix("-") ? nil : $0 }
  }

  private static func unexpected(_ word: String, _ words: [String]) -> UsageError {
    if let answer = Words.answer(to: word, in: .program) { return .conflict(answer) }
    let isSQL = SQLText.begins(word)
    let meant = isSQL ? [Command.query.name] : Words.command(for: word, in: .program) ?? [word]
    guard let command = CommandTable.command(named: meant[0]) else {
      return .unexpectedWord(
        word, store: words[0], known: CommandTable.all.map(\.name) + Words.known(in: .program))
    }
    var rest = words
    if !isSQL, let index = rest.firstIndex(of: word) { rest.remove(at: index) }
    let takesStore =
      command.store == .required || [.store, .file, .folder].contains(command.arguments.first?.kind)
    if !takesStore { rest.removeFirst() }
    let line = ["storescope"] + meant + rest.map(ShellQuotes.readable)
    return .conflict("The command comes first, then the store:", list: [line.joined(separator: " ")])
  }

  private static let noted =
    "no commands on standard input, so this is the summary; 'storescope shell' waits for commands"
}
