import Base
import Commands
import Rendering

/// From a line to the command it means.
extension StoreShell {
  func run(_ input: InputAssembler.Input) throws {
    let start = Platform.monotonicSeconds()
    let wasVertical = environment.defaults.isVertical
    if input.isVertical { environment.defaults.isVertical = true }
    defer { if input.isVertical { environment.defaults.isVertical = wasVertical } }
    let (rest, target) = try Redirection.split(input.tail)
    guard rest.allSatisfy(\.isWhitespace) else {
      throw UsageError.conflict(
        "Unexpected '\(input.tail.drop(while: \.isWhitespace))' after ';'. '| PROGRAM' and '> FILE' send a result elsewhere."
      )
    }
    var hasResult = true
    switch input.kind {
    case .sql where input.interval != nil:
      try send(to: target) {
        try Watcher(WatchArguments(input.text, every: input.interval ?? "")).run(in: self)
      }
    case .sql:
      let (sql, own) = Redirection.split(statement: input.text)
      try send(to: only(own, target)) { try query(sql) }
    case .command: hasResult = try run(line: input.text, to: target)
    }
    guard hasResult, environment.defaults.showsTiming, !isOver else { return }
    Platform.writeToStandardError("(\(Self.milliseconds(since: start)) ms)\n")
  }

  private static func milliseconds(since start: Double) -> Int {
    Int(((Platform.monotonicSeconds() - start) * 1000).rounded())
  }

  /// - Parameter target: where a `>` or `|` behind the line's semicolon sends its result.
  /// - Returns: false where the shell itself was spoken to.
  private func run(line: String, to target: Redirection?) throws -> Bool {
    let line = try translated(line)
    if let (words, options) = Self.condition(in: line) {
      let (rest, own) = try Redirection.split(options)
      try send(to: only(own, target)) { try run(words + WordSplitter.split(rest)) }
      return true
    }
    let rest = Self.rest(of: line)
    // SQL may have a '>' or '|' of its own.
    let isSQL = try Self.hasSQL(line, rest)
    let (command, own) = isSQL ? (line, nil) : try Redirection.split(line)
    let target = try only(own, target)
    if isSQL, line.hasPrefix(Command.query.name) {
      try send(to: target) { try query(rest) }
      return true
    }
    let words = try WordSplitter.split(command)
    guard let name = words.first else {
      guard target == nil else { throw UsageError.conflict("A command is missing before '|' or '>'.") }
      return false
    }
    guard let builtin = Builtin.named(name) else {
      // SQL in quotes, as the command line takes it.
      let isQuoted = words.count == 1 && name.contains(where: \.isWhitespace) && SQLText.begins(name)
      try send(to: target) { try isQuoted ? query(name) : run(words) }
      return true
    }
    guard target == nil || builtin.prints else {
      throw UsageError.conflict(
        "'\(name)' prints no result. Put '|' or '>' after the command whose result you want.")
    }
    try send(to: target) { try builtin.run(self, Array(words.dropFirst()), Self.rest(of: command)) }
    return builtin.takesCommand
  }

  /// `rows ENTITY predicate …` and `rows ENTITY where …`: a condition as it is typed, without quotes, up to the options
  /// or a pipe.
  /// - Returns: the words that make it, and the rest of the line; nil for any other line.
  private static func condition(in line: String) -> (words: [String], rest: String)? {
    let words = line.split(maxSplits: 3, whereSeparator: \.isWhitespace)
    let options = [OptionName.predicate, .where].map(\.rawValue)
    guard words.count == 4, words[0] == Command.rows.name,
      let option = options.first(where: { $0 == words[2] })
    else { return nil }
    var quote: Character?
    var end = words[3].endIndex
    var isEscaped = false
    for index in words[3].indices {
      let character = words[3][index]
      // SQL has no such sign.
      defer { isEscaped = character == "\\" && !isEscaped && option == OptionName.predicate.rawValue }
      if isEscaped { continue }
      if quote == character {
        quote = nil
      } else if quote == nil, "'\"".contains(character) {
        quote = character
      }
      if quote == nil, character.isWhitespace, ends(words[3][index...].dropFirst()) {
        end = index
        break
      }
    }
    let condition = words[3][..<end].trimmed
    return ([Command.rows.name, String(words[1]), "--\(option)=\(condition)"], String(words[3][end...]))
  }

  /// Whether a pipe begins there, or an option of `rows`.
  private static func ends(_ text: Substring) -> Bool {
    let word = text.prefix { !$0.isWhitespace && $0 != "=" }
    return word == "|"
      || Command.rows.allOptions.contains {
        "--\($0.name)" == word || $0.short.map { "-\($0)" == word } ?? false
      }
  }

  private func only(_ one: Redirection?, _ other: Redirection?) throws(UsageError) -> Redirection? {
    guard one == nil || other == nil else {
      throw .conflict("A result can go to one place only: give one '|' or '>'.")
    }
    return one ?? other
  }

  /// Whether what follows the first word is SQL as it stands, or a line with a condition, without quotes around it.
  private static func hasSQL(_ line: String, _ rest: String) throws(UsageError) -> Bool {
    if line.hasPrefix(Command.query.name + " ") { return SQLText.begins(rest) }
    guard line.hasPrefix(Builtin.watch.name + " ") else { return false }
    let watched = try WatchArguments(rest).line
    return SQLText.begins(watched) || condition(in: watched) != nil
  }

  /// The line in our words where its first one is another tool's, which is said.
  private func translated(_ line: String) throws -> String {
    let word = line.hasPrefix("!") ? "!" : String(line.prefix { !$0.isWhitespace && $0 != "|" && $0 != ">" })
    let rest = line.dropFirst(word.count)
    let isOurs = Builtin.named(word) != nil || CommandTable.command(named: word) != nil
    // An entity may be called like a word of another tool.
    guard !isOurs, !entities.contains(where: { $0.lowercased() == word.lowercased() }) else { return line }
    if let answer = Words.answer(to: word, in: .shell) { throw UsageError.conflict(answer) }
    if let words = Words.command(for: word, in: .shell) {
      // `\\x` alone turns it on or off.
      let isAlone = rest.allSatisfy(\.isWhitespace)
      let meant = words.filter { isAlone || $0 != "toggle" }.joined(separator: " ")
      // To one who leaves it is no news.
      if meant != Builtin.quit.name { note("(\(word) is '\(meant)' here)") }
      return meant + rest
    }
    guard word.hasPrefix(".") || word.hasPrefix("\\") else { return line }
    let own = String(word.dropFirst())
    guard word.hasPrefix("."), Builtin.named(own) != nil || CommandTable.command(named: own) != nil else {
      throw unknown(word)
    }
    return own + rest
  }

  private func unknown(_ word: String) -> UsageError {
    let known = CommandTable.all.map(\.name) + Builtin.all.flatMap(\.names) + Words.known(in: .shell)
    let listed =
      known + known.map { "." + $0 } + SQLWords.openings.sorted().map { $0.lowercased() } + entities
    let search =
      ".\\".contains(word.prefix(1))
      ? "." : "; 'search \(ShellQuotes.readable(word))' looks for it in all values."
    return .conflict(
      "There is no command '\(word)'.\(Suggestion.sentence(for: word, in: listed)) 'help' lists them all\(search)"
    )
  }

  /// Runs what was typed with its results going elsewhere.
  private func send(to target: Redirection?, _ body: () throws -> Void) throws {
    guard let target else { return try body() }
    switch target {
    case .program(let commandLine):
      // A script may come from anywhere; only what a person types is for a shell.
      guard isInteractive, !isInScript else {
        throw UsageError.conflict(
          "A pipe to a program works in typed lines only. Write to a file with '>', or pipe storescope's own output."
        )
      }
      var pipe: Platform.Pipe?
      defer { pipe?.close() }
      func descriptor() throws -> Int32 {
        if let pipe { return pipe.descriptor }
        guard let started = Platform.Pipe(to: commandLine) else {
          throw StoreScopeError(.failed, "'\(commandLine)' can't be run: \(Platform.lastError())")
        }
        pipe = started
        return started.descriptor
      }
      // What only cuts or pages lines puts them on the screen as they are.
      let program = commandLine.prefix { !$0.isWhitespace }
      let outerWidth = environment.outputWidth
      if ["head", "tail", "less", "more"].contains(program),
        !commandLine.contains(where: { "|>".contains($0) }), !commandLine.contains("-S")
      {
        environment.outputWidth = Platform.terminalSize(1)?.columns ?? outerWidth
      }
      defer { environment.outputWidth = outerWidth }
      try redirect(to: .file(descriptor), body)
      // An empty result is one, too.
      _ = try descriptor()
    case .file(let path, let appends):
      let file = try OutputFile(path, keeping: environment.storePath, appends: appends)
      defer { file.close() }
      try redirect(to: .file(file.descriptor), body)
      _ = try file.descriptor()
    }
  }

  /// Runs what `watch` was given: a command, SQL, or either of them in quotes.
  func runWatched(_ text: String) throws {
    if let (words, options) = Self.condition(in: String(text.trimmed)) {
      return try run(words + WordSplitter.split(options))
    }
    // psql's words, such as `\d`, have a backslash, which splitting takes away.
    let text = SQLText.begins(text) ? text : try translated(String(text.trimmed))
    let words = SQLText.begins(text) ? [text] : try WordSplitter.split(text)
    let line = words.count == 1 ? words.first ?? "" : text
    if SQLText.begins(line) { return try query(line) }
    let own = try WordSplitter.split(line)
    if let name = own.first, Builtin.named(name) != nil {
      throw UsageError.conflict("'watch' runs commands that read the store, and '\(name)' isn't one.")
    }
    try run(own)
  }

  /// What follows the first word, as typed.
  private static func rest(of line: String) -> String {
    String(line.drop { !$0.isWhitespace }.drop(while: \.isWhitespace))
  }

  /// Runs one of the tool's commands, or shows the object that the words name.
  /// - Parameters:
  ///   - opened: the number by which the words were made from the screen before.
  ///   - rest: the screens to which this one is added when it's shown; nil for those there are.
  func run(_ words: [String], opened: Int? = nil, after rest: Screens? = nil) throws {
    guard let name = words.first else { return }
    if let command = CommandTable.command(named: name) {
      if command.name == Command.find.name {
        let typed = Array(words.dropFirst())
        let places = try foundStores(typed, of: command)
        // A copy of one of them leaves the others their numbers.
        let known = places == typed ? [] : foundStores
        return try run(command, places, opened: opened, numbered: known, after: rest)
      }
      let (words, number) = try resolved(Array(words.dropFirst()), of: command)
      try run(command, words, opened: number ?? opened, after: rest)
    } else if try SavedQueries.has(name) {
      note("(query \(words.joined(separator: " ")))")
      try run(.query, words)
    } else if words.count == 1, Self.namesObject(name) || Int(name) != nil {
      // As an address, so a number on the screen stands for its object.
      try run([Command.show.name, name])
    } else if let entity = entities.first(where: { $0.lowercased() == name.lowercased() }) {
      // As an object stands for itself, so does an entity; with words behind it one of its objects is meant.
      let isOne = words.count > 1 && !words[1].hasPrefix("-")
      try run(isOne ? .show : .rows, [entity] + words.dropFirst())
    } else {
      throw unknown(name)
    }
  }

  /// `Entity/p3`, a URI, or a UUID as the framework makes record names.
  static func namesObject(_ word: String) -> Bool {
    if ObjectNumbers.isObject(word) || word.hasPrefix("x-coredata:") { return true }
    let groups = word.split(separator: "-", omittingEmptySubsequences: false)
    return groups.map(\.count) == [8, 4, 4, 4, 12] && groups.allSatisfy { $0.allSatisfy(\.isHexDigit) }
  }

  func query(_ sql: String) throws {
    // A word without blanks would be a saved query's name.
    try run(.query, [sql.contains(where: \.isWhitespace) ? sql : sql + "\n"])
  }

  private func run(
    _ command: Command, _ words: [String], opened: Int? = nil, numbered: [String] = [],
    after rest: Screens? = nil
  ) throws {
    guard command.name != Command.shell.name else {
      throw UsageError.conflict("This is the shell already; 'open FILE' opens another store.")
    }
    var inner = environment
    let file = onceFile
    if let file, inner.output == nil {
      inner.output = .file(file.descriptor)
      onceFile = nil
    }
    defer { if onceFile == nil { file?.close() } }
    let isOnScreen = isInteractive && inner.output == nil
    let numbers = ObjectNumbers(stores: numbered)
    if isOnScreen { inner.numbers = numbers }
    func show() {
      if let rest { screens = rest }
      screens.show([command.name] + words, numbers.objects, opened: opened)
    }
    var hasEnded = false
    defer {
      // What was stopped partway is on the screen, too.
      if isOnScreen, !numbers.objects.isEmpty { show() }
    }
    defer {
      // One that failed leaves those that are still on the screen.
      if isOnScreen, command.name == Command.find.name, hasEnded || !numbers.stores.isEmpty {
        foundStores = numbers.stores
      }
    }
    remember(
      try Application.run(command, words, in: inner) { [self, output = inner.output] in
        try run($0, to: output)
      })
    hasEnded = true
    if isOnScreen, numbers.objects.isEmpty { show() }
  }

  /// Runs the statements of a file that `query` was given, printed as its options say.
  private func run(_ request: ShellRequest, to output: ResultOutput?) throws -> Int32 {
    let outer = environment
    let inner = request.environment
    (environment.defaults, environment.output) = (inner.defaults, output)
    environment.asOfCommit = inner.asOfCommit ?? outer.asOfCommit
    environment.modelPath = inner.modelPath ?? outer.modelPath
    environment.isQuiet = inner.isQuiet || outer.isQuiet
    environment.isVerbose = inner.isVerbose || outer.isVerbose
    defer { environment = outer }
    for script in request.scripts {
      if case .statements(let sql, let source) = script { try run(statements: sql, from: source) }
    }
    return Application.ExitCode.done
  }

  /// `show 3` and `trace 3` mean the third object on the screen.
  private func resolved(
    _ words: [String], of command: Command
  ) throws -> (words: [String], number: Int?) {
    guard isInteractive, [Command.show.name, Command.trace.name].contains(command.name),
      let first = words.first, let number = Int(first), words.count == 1 || words[1].hasPrefix("-")
    else { return (words, nil) }
    if screens.objects.isEmpty, let format = environment.defaults.format,
      ![.table, .vertical].contains(format)
    {
      throw UsageError.conflict(
        "There is no number \(number): objects are numbered in tables, and the format is \(format.rawValue). 'format table' returns to tables."
      )
    }
    return ([try screens.object(number)] + words.dropFirst(), number)
  }

  /// The words with the stores that numbers among them stand for, as in `find 1 --copy-to FOLDER`.
  private func foundStores(_ words: [String], of command: Command) throws(UsageError) -> [String] {
    guard let places = try? ArgumentParser.parse(words, options: command.allOptions, command: command.name)
    else { return words }
    var left = places.positionals
    var stores: [String] = []
    for word in words.reversed() {
      let isPlace = left.last == word
      if isPlace { left.removeLast() }
      stores.append(isPlace ? try foundStore(word) ?? word : word)
    }
    return stores.reversed()
  }

  /// Prints the list or object before the one that is shown.
  func goBack() throws {
    let (words, rest) = try screens.back()
    try run(words, after: rest)
  }

  /// Shows another object of the list from which this one was opened.
  func go(by step: Int) throws {
    let (words, number, rest) = try screens.neighbor(step)
    try run(words, opened: number, after: rest)
  }
}
