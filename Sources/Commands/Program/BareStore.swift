import Lens
import QueryCatalog
import Rendering
import StoreModel
import SystemCalls
import Values

/// What `storescope STORE …` asks for, without a command's name.
enum BareStore: Equatable {
  case summary
  /// The words behind `query`.
  case query([String])
  /// The words behind `shell`: it reads from the terminal, or is given its commands.
  case shell([String])
  /// A command that was typed behind the store: its name and the words behind that.
  case command([String])
  /// The commands on standard input, if there are any.
  case input

  /// - Parameters:
  ///   - words: the store, and what follows.
  ///   - isTerminal: whether a person is there.
  init(_ words: [String], isTerminal: Bool) throws {
    if let text = Self.text(in: words) {
      self = try Self.ask(text, words)
      return
    }
    guard let parsed = try? ArgumentParser.parse(words, options: Command.shell.allOptions, command: "shell"),
      parsed.positionals.count == 1
    else {
      if let line = Self.rearranged(words) {
        throw UsageError.conflict("The command comes first, then the store:", list: [line])
      }
      self = .summary
      return
    }
    // `storescope STORE --json` is a question with one answer, unless commands come.
    let asksOnce = parsed.has(.json) || parsed.has(.format) || parsed.has(.help)
    if parsed.has(.command) || parsed.has(.file) || isTerminal && !asksOnce {
      self = .shell(words)
    } else {
      self =
        !parsed.has(.help) && StandardInput.hasCome(quietly: parsed.has(.quiet), Self.noted)
        ? .input : .summary
    }
  }

  /// The word behind the store. What follows it may be any command's options.
  private static func text(in words: [String]) -> String? {
    if let word = words.dropFirst().first, !word.hasPrefix("-") { return word }
    let options = Command.query.options + Command.shell.allOptions
    let parsed = try? ArgumentParser.parse(words, options: options, command: "query")
    return parsed.flatMap { $0.positionals.count > 1 ? $0.positionals[1] : nil }
  }

  /// The words with the command that stands somewhere behind the store in front; nil if there is none.
  private static func rearranged(_ words: [String]) -> String? {
    line(words) { CommandTable.command(named: $0)?.store == .required }
  }

  /// The words with the command or the store in front of the option that they begin with; nil if that has no such option.
  static func withoutLeadingOptions(_ words: [String]) -> String? {
    let name = words[0].drop { $0 == "-" }.prefix { $0 != "=" }
    func option(of command: Command) -> OptionDefinition? {
      command.allOptions.first {
        words[0].hasPrefix("--") ? $0.name == name : $0.short.map(String.init) == String(name)
      }
    }
    func takes(_ command: Command) -> Bool { option(of: command) != nil }
    // A value may be a file's name, too.
    let hasValue = !words[0].contains("=") && option(of: .shell)?.value != nil
    return line(words) { CommandTable.command(named: $0).map(takes) ?? false }
      ?? (takes(.shell)
        ? line(words, from: hasValue ? 2 : 1) { !$0.hasPrefix("-") && FileReader.kind(of: $0) != nil } : nil)
  }

  private static func line(
    _ words: [String], from start: Int = 1, beginningWith isFirst: (String) -> Bool
  ) -> String? {
    guard let index = words.indices.dropFirst(start).first(where: { isFirst(words[$0]) }) else { return nil }
    let line = [words[index]] + words[..<index] + words[(index + 1)...]
    return (["storescope"] + line.map(ShellQuotes.readable)).joined(separator: " ")
  }

  /// SQL, a saved query, or a command with its words in one, as sqlite3 takes them.
  private static func ask(_ text: String, _ words: [String]) throws -> BareStore {
    let store = words[0]
    let opening = text.prefix { $0.isLetter }
    let isUppercase = opening == opening.uppercased()
    let isMistyped =
      text.contains(" ") && CommandTable.command(named: String(opening)) == nil
      && Suggestion.nearest(
        to: String(opening), in: isUppercase ? ["SELECT", "EXPLAIN", "PRAGMA"] : ["SELECT"])
        != nil
      && (isUppercase || entity(String(opening), in: store) == nil)
    if isMistyped || SQLText.begins(text) || text.hasPrefix("/*") || text.hasPrefix("--") {
      return .query(words)
    }
    let first = String(text.prefix { !$0.isWhitespace })
    let command = CommandTable.command(named: first)
    let index = words.dropFirst().firstIndex(of: text) ?? 1
    let others = Array(words[..<index] + words[(index + 1)...])
    if let command, first == text {
      guard command.store == .required else {
        // A store is what 'restore' lists the backups of, and a backup is a folder.
        let rest = command.name == Command.restore.name ? others[...] : others.dropFirst()
        let line = (["storescope", first] + rest.map(ShellQuotes.word)).joined(separator: " ")
        guard rest.count < others.count else {
          throw UsageError.conflict("'\(first)' comes first:", list: [line])
        }
        throw UsageError.conflict("'\(first)' takes no store: '\(line)'.")
      }
      return .command([first] + others)
    }
    if command != nil || first.hasPrefix(".") || first.hasPrefix("\\") {
      return .shell(Array(words[..<index]) + ["-c"] + words[index...])
    }
    if try SavedQueries.has(text) { return .query(words) }
    if ObjectNumbers.isObject(text.replacing(" ", with: "/p", maxReplacements: 1)) {
      return .command([Command.show.name] + words)
    }
    if let entity = entity(text, in: store) {
      // As in the shell: with words behind it, one of its objects is meant.
      let isOne = others.count > 1 && !others[1].hasPrefix("-")
      return .command([(isOne ? Command.show : .rows).name, store, entity] + others.dropFirst())
    }
    if Synonym.meaning(of: text, in: .program) != nil { return .command([text] + others) }
    if FileReader.kind(of: text) == .file {
      throw UsageError.conflict(
        "Only one store can be open at a time. 'storescope diff STORE OTHER' compares two."
      )
    }
    let known = CommandTable.all.map(\.name) + Synonym.words(in: .program)
    let quotedStore = ShellQuotes.word(store)
    let search =
      " 'storescope search \(quotedStore) \(ShellQuotes.readable(text))' looks for it in all values."
    throw UsageError.conflict(
      "'\(text)' isn't SQL, a saved query or a command.\(Suggestion.sentence(for: text, in: known))\(search) 'storescope query \(quotedStore)' lists the saved queries, 'storescope --help' the commands."
    )
  }

  /// The store's entity of that name; nil if it has none, or can't be read, which is then said another time.
  private static func entity(_ name: String, in path: String) -> String? {
    guard let source = try? StoreSource(path) else { return nil }
    let session = Session(source, modelPath: nil, asOfCommit: nil)
    let names = (try? session.open().store.schema.entities.map(\.name)) ?? []
    try? session.finish()
    return names.first { $0.lowercased() == name.lowercased() }
  }

  private static let noted =
    "no commands on standard input, so this is the summary; 'storescope shell' waits for commands"
}
