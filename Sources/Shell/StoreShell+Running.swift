import Commands
import Rendering
import SystemCalls
import Values

/// From a line to the command it means.
extension StoreShell {
  func run(_ input: InputAssembler.Input) throws {
    let start = Platform.monotonicSeconds()
    switch input.kind {
    case .sql: try query(input.text)
    case .command: try run(line: input.text)
    }
    guard environment.defaults.showsTiming, !isOver else { return }
    Platform.writeToStandardError("(\(Self.milliseconds(since: start)) ms)\n")
  }

  private static func milliseconds(since start: Double) -> Int {
    Int(((Platform.monotonicSeconds() - start) * 1000).rounded())
  }

  private func run(line: String) throws {
    if line.hasPrefix("!") {
      throw UsageError.conflict("'!' runs no program here: what a store says must never reach a shell.")
    }
    if line.hasPrefix(".") || line.hasPrefix("\\") {
      let own = try ForeignWords.translated(line)
      if let hint = own.hint { note(hint) }
      return try run(line: own.line)
    }
    let words = try WordSplitter.split(line)
    guard let name = words.first else { return }
    if let builtin = Builtin.named(name) {
      return try builtin.run(self, Array(words.dropFirst()), Self.rest(of: line))
    }
    try run(words)
  }

  /// Runs what `watch` was given: a command, SQL, or either of them in quotes.
  func runWatched(_ text: String) throws {
    let words = SQLText.begins(text) ? [text] : try WordSplitter.split(text)
    let line = words.count == 1 ? words.first ?? "" : text
    if SQLText.begins(line) { return try query(line) }
    let own = try WordSplitter.split(line)
    if let name = own.first, Builtin.named(name) != nil {
      throw UsageError.conflict("'watch' runs commands that read the store, and '\(name)' is none.")
    }
    try run(own)
  }

  /// What follows the first word, as typed.
  private static func rest(of line: String) -> String {
    String(line.drop { !$0.isWhitespace }.drop(while: \.isWhitespace))
  }

  /// Runs one of the tool's commands, or shows the object that the words name.
  func run(_ words: [String]) throws {
    guard let name = words.first else { return }
    if let command = CommandTable.command(named: name) {
      try run(command, try resolved(Array(words.dropFirst()), of: command))
    } else if ObjectName.isPlain(name), words.count == 1 {
      try run(.show, words)
    } else {
      let known =
        CommandTable.all.map(\.name) + Builtin.all.flatMap(\.names)
        + SQLWords.openings.sorted().map { $0.lowercased() }
      throw UsageError.conflict(
        "There is no command '\(name)'.\(Suggestion.sentence(for: name, in: known)) 'help' lists them all.")
    }
  }

  func query(_ sql: String) throws {
    // A word without blanks would be a saved query's name.
    try run(.query, [sql.contains(where: \.isWhitespace) ? sql : sql + "\n"])
  }

  private func run(_ command: Command, _ words: [String]) throws {
    guard command.name != Command.shell.name else {
      throw UsageError.conflict("This is the shell already; 'open FILE' opens another store.")
    }
    var inner = environment
    let fresh = ObjectNumbers()
    if isInteractive, environment.output == nil { inner.numbers = fresh }
    remember(try Application.run(command, words, in: inner))
    // Numbers that are still on the screen stay good after a result that has none.
    if !fresh.objects.isEmpty { numbers = fresh }
    if command.name == Command.show.name, isInteractive, shownObjects.last != words {
      shownObjects.append(words)
    }
  }

  /// `show 3` and `trace 3` mean the third object on the screen.
  private func resolved(_ words: [String], of command: Command) throws -> [String] {
    guard isInteractive, [Command.show.name, Command.trace.name].contains(command.name),
      let first = words.first,
      let number = Int(first), words.count == 1 || words[1].hasPrefix("-")
    else { return words }
    guard numbers.objects.indices.contains(number - 1) else {
      let range =
        numbers.objects.isEmpty ? "no object has one yet" : "they go from 1 to \(numbers.objects.count)"
      throw UsageError.conflict(
        "There is no number \(number) on the screen: \(range). 'rows ENTITY' shows objects.")
    }
    return [numbers.objects[number - 1]] + words.dropFirst()
  }

  /// Shows the object before the one that is shown.
  func goBack() throws {
    guard shownObjects.count > 1 else { throw UsageError.conflict("There is no object to go back to.") }
    shownObjects.removeLast()
    guard let words = shownObjects.last else { return }
    try run(.show, words)
  }
}

/// Words that name an object by themselves.
enum ObjectName {
  /// `Entity/p3`, a URI, or a UUID as the framework makes record names.
  static func isPlain(_ word: String) -> Bool {
    if ObjectNumbers.isObject(word) || word.hasPrefix("x-coredata:") { return true }
    let groups = word.split(separator: "-", omittingEmptySubsequences: false)
    return groups.map(\.count) == [8, 4, 4, 4, 12] && groups.allSatisfy { $0.allSatisfy(\.isHexDigit) }
  }
}
