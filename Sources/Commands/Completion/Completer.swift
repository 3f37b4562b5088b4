import Rendering

/// Lists how a line, or a list of words, may continue. Knows nothing of terminals, and reads nothing but what its context
/// holds.
///
/// Matching ignores case; what is offered has the case of the model.
package struct Completer: Sendable {
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

  let builtins: [Builtin]
  let context: CompletionContext
  let place: CommandPlace

  package init(
    builtins: [Builtin] = [], context: CompletionContext, place: CommandPlace
  ) {
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
    // The beginning stays as it was typed, whatever its quotes.
    let keepsBeginning = !found.kept.isEmpty && line.hasSuffix(replaced)
    return Completion(
      start: keepsBeginning ? line.utf8.count - replaced.utf8.count : word.start,
      candidates: presentable(found.candidates).map { candidate in
        let (text, isWhole) = (candidate.value, candidate.isWhole)
        return Candidate(
          keepsBeginning
            ? TypedWord.continued(text, in: word.openQuote, isWhole: isWhole)
            : TypedWord.quoted(found.kept + text, openQuote: word.openQuote, isWhole: isWhole),
          isWhole: isWhole)
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
    // `explain` is SQL's and a command's: what follows decides.
    if opens(words[0]),
      CommandTable.command(named: words[0].text) == nil || opens(words[1])
        || words[1].text.uppercased() == "QUERY"
    {
      return words[0].start
    }
    guard let command = CommandTable.command(named: words[0].text), words.count > 2 else { return nil }
    let typed = TypedCommand(command, words: [words[1].text], takesStore: false)
    return command.arguments.first?.kind == .query && typed.positionals.count == 1 && opens(words[1])
      ? words[1].start : nil
  }

  func builtin(_ name: String) -> Builtin? { builtins.first { $0.names.contains(name) } }

  /// Those of the commands and of the shell.
  var names: [String] { CommandTable.all.map(\.name) + builtins.compactMap(\.names.first) }
}

/// One way in which the word that is being typed may go on.
package struct Candidate: Sendable, Hashable {
  /// The word as it is meant, without quotes: `Person`, `--format`, `Person/p`, `since=`.
  package var value: String
  /// Whether a blank may follow. False where the word is only begun, as behind `since=` or a folder's `/`.
  package var isWhole: Bool

  package init(_ value: String, isWhole: Bool = true) {
    self.value = value
    self.isWhole = isWhole
  }

  /// Names come out of strangers' stores: none that a terminal would take for more than a name is offered, nor one
  /// that is longer than people type.
  var isPresentable: Bool {
    value.utf8.count <= 500 && TerminalText.escaped(value) == value
  }
}

/// What may stand in a line from one place on.
package struct Completion: Sendable, Equatable {
  /// Bytes of the line, in UTF-8, that stay; what follows them is replaced.
  package var start: Int
  /// In the order in which they are best shown. Their values are quoted as the line needs it, the closing quote
  /// included where the word is whole.
  package var candidates: [Candidate]
}

extension Completion {
  /// What all candidates begin with, for a line editor to put in place of `typed`, the beginning that all fit. A letter
  /// that is large in one and small in another stays as it was typed: only a candidate of its own decides that.
  package static func common(_ candidates: [Candidate], typed: String) -> String {
    guard let first = candidates.first?.value else { return typed }
    var common = first.map { (letter: $0, isSame: true) }
    for candidate in candidates.dropFirst() {
      common = zip(common, candidate.value).prefix { $0.letter.lowercased() == $1.lowercased() }
        .map { ($0.letter, $0.isSame && $0.letter == $1) }
    }
    let typed = Array(typed)
    var text = ""
    for (index, next) in common.enumerated() {
      guard next.isSame || index < typed.count else { break }
      text.append(next.isSame ? next.letter : typed[index])
    }
    // Nothing that was typed goes away.
    return text.count < typed.count ? String(typed) : text
  }

  /// The candidates as a line editor lists them, behind a quote that is open: at their ends a closing one alone would look
  /// like a part of the name.
  package static func listed(_ candidates: [Candidate], behind quote: Character?) -> [String] {
    candidates.map { candidate in
      let isClosed = candidate.isWhole && quote.map { $0 == candidate.value.last } ?? false
      return isClosed ? String(candidate.value.dropLast()) : candidate.value
    }
  }

  /// The same for a line editor that replaces the text from another place on, because it cuts words elsewhere: at
  /// quotes or `=`. What replacing that part alone can't produce is left out.
  /// - Parameter start: offset in the line's UTF-8.
  package func candidates(in line: String, replacingFrom start: Int) -> [Candidate] {
    if start <= self.start {
      let kept = String(line.utf8.prefix(self.start).dropFirst(start)) ?? ""
      return candidates.map { Candidate(kept + $0.value, isWhole: $0.isWhole) }
    }
    let kept = String(line.utf8.prefix(start).dropFirst(self.start)) ?? ""
    return candidates.compactMap { candidate in
      guard candidate.value.lowercased().hasPrefix(kept.lowercased()) else { return nil }
      return Candidate(String(candidate.value.dropFirst(kept.count)), isWhole: candidate.isWhole)
    }
  }
}
