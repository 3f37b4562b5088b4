/// Tells how a line, or a list of words, may go on. Knows nothing of terminals, and reads nothing but what its context
/// holds.
///
/// Matching ignores case; what is offered has the case of the model.
package struct Completer: Sendable {
  package enum Place: Sendable {
    /// Behind `storescope`: commands are followed by a store.
    case program
    /// In the shell: commands take no store, SQL and objects stand for themselves.
    case shell
  }

  /// A word of the shell that is no command of the table.
  package struct Builtin: Sendable {
    /// The first one is offered; the others, and all with a dot before them, mean the same.
    package var names: [String]
    package var arguments: [Command.Argument]
    /// They may stand anywhere behind the name.
    package var options: [OptionDefinition]
    /// A command with its own words follows, as behind `watch`.
    package var takesCommand: Bool

    package init(
      _ names: [String], arguments: [Command.Argument] = [], options: [OptionDefinition] = [],
      takesCommand: Bool = false
    ) {
      self.names = names
      self.arguments = arguments
      self.options = options
      self.takesCommand = takesCommand
    }
  }

  let commands: [Command]
  let builtins: [Builtin]
  let context: CompletionContext
  let place: Place

  package init(
    commands: [Command] = CommandTable.all, builtins: [Builtin] = [], context: CompletionContext, place: Place
  ) {
    self.commands = commands
    self.builtins = builtins
    self.context = context
    self.place = place
  }

  /// Readline asks before it lists more than a hundred; beyond this nobody reads on.
  private static let longestList = 2000

  /// - Parameter line: what stands before the cursor, without the program's name. A statement that began in earlier
  ///   lines is given with them.
  package func complete(line: String) -> Completion {
    let words = TypedWord.words(of: line)
    let word = words[words.count - 1]
    if let sql = sqlBegin(words) {
      let result = SQLCompleter(context: context).complete(String(line.utf8.dropFirst(sql)) ?? "")
      return Completion(
        start: line.utf8.count - result.replaced.utf8.count,
        candidates: presentable(result.words.map { Candidate($0, isWhole: !$0.hasSuffix("(")) }))
    }
    let found = suggestions(words.map(\.text))
    let replaced = String(word.text.dropFirst(found.kept.count))
    if !found.kept.isEmpty, line.hasSuffix(replaced) {
      // The beginning stays as it was typed, whatever its quotes.
      return Completion(
        start: line.utf8.count - replaced.utf8.count,
        candidates: presentable(found.candidates).map { candidate in
          Candidate(
            TypedWord.continued(candidate.value, in: word.openQuote, isWhole: candidate.isWhole),
            isWhole: candidate.isWhole)
        })
    }
    return Completion(
      start: word.start,
      candidates: presentable(found.candidates).map { candidate in
        Candidate(
          TypedWord.quoted(
            found.kept + candidate.value, openQuote: word.openQuote, isWhole: candidate.isWhole),
          isWhole: candidate.isWhole)
      })
  }

  /// - Parameter words: those behind the program's name, without quotes; the last one is being typed.
  /// - Returns: the whole words that may stand in its place.
  package func candidates(words: [String]) -> [Candidate] {
    let found = suggestions(words.isEmpty ? [""] : words)
    return presentable(found.candidates.map { Candidate(found.kept + $0.value, isWhole: $0.isWhole) })
  }

  private func presentable(_ candidates: [Candidate]) -> [Candidate] {
    Array(candidates.filter(\.isPresentable).prefix(Self.longestList))
  }

  /// Where SQL begins that stands in the line without quotes: as a command of its own, or behind `query`.
  private func sqlBegin(_ words: [TypedWord]) -> Int? {
    guard place == .shell, words.count > 1 else { return nil }
    if builtin(words[0].text)?.takesCommand ?? false { return sqlBegin(Array(words.dropFirst())) }
    func opens(_ word: TypedWord) -> Bool { SQLWords.openings.contains(word.text.uppercased()) }
    // `explain` is SQL's and a command's: what follows tells.
    if opens(words[0]),
      command(words[0].text) == nil || opens(words[1]) || words[1].text.uppercased() == "QUERY"
    {
      return words[0].start
    }
    guard let command = command(words[0].text), words.count > 2 else { return nil }
    let typed = TypedCommand(command, words: [words[1].text], takesStore: false)
    return command.arguments.first?.kind == .query && typed.positionals.count == 1 && opens(words[1])
      ? words[1].start : nil
  }

  func command(_ name: String) -> Command? { commands.first { $0.name == name } }

  func builtin(_ name: String) -> Builtin? { builtins.first { $0.names.contains(name) } }

  /// Those of the commands and of the shell.
  var names: [String] { commands.map(\.name) + builtins.compactMap(\.names.first) }
}
