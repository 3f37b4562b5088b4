import Base
import Evidence
import Rendering
import SQLite

/// The program: words in, exit code out. Prints the one error there may be.
package enum Application {
  package enum ExitCode {
    package static let done: Int32 = 0
    package static let failed: Int32 = 2
    /// EX_USAGE of sysexits(3).
    package static let usage: Int32 = 64
  }

  /// Opens a shell and comes back with its exit code.
  package typealias ShellStarter = (ShellRequest) throws -> Int32

  package static let version = "0.1.0"

  /// Runs the program once.
  /// - Parameters:
  ///   - arguments: the program's name, and the words.
  ///   - shell: called where the words ask for a shell.
  package static func run(_ arguments: [String], shell: @escaping ShellStarter) -> Int32 {
    Platform.occupyStandardDescriptors()
    Platform.ignoreBrokenPipes()
    PrivateFolder.removeLeftovers()
    Watchdog.endsProcess { Terminal.wrapped("storescope: \(TerminalText.escaped($0))") + "\n" }
    var wording = CommandWording(place: .program)
    do {
      // Swift finds them by /proc/self/maps, and has none without it, which isn't a request for help.
      guard !arguments.isEmpty else {
        throw UsageError.conflict(
          "The command line can't be read; see that /proc is mounted and readable, and run the command again."
        )
      }
      let words = Array(arguments.dropFirst())
      return try reassuring(words) { try dispatch(words, shell, &wording) }
    } catch { return complain(error, wording) }
  }

  /// Runs one command, as the shell does.
  /// - Parameter shell: runs the statements of a query that has several.
  /// - Returns: the exit code.
  /// - Throws: what `complain` takes.
  package static func run(
    _ command: Command, _ words: [String], in environment: CommandEnvironment, shell: ShellStarter? = nil
  ) throws -> Int32 {
    try reassuring(words) { try CommandRun(command, words, environment).run(shell: shell) }
  }

  /// Whoever asked for a change must read that there was none, even if only the words were wrong.
  private static func reassuring(_ words: [String], _ run: () throws -> Int32) throws -> Int32 {
    do { return try run() } catch let error as UsageError
      where words.contains("--\(OptionName.apply.rawValue)")
    {
      let unchanged = "Nothing was changed."
      throw UsageError.conflict(
        error.list.isEmpty ? "\(error) \(unchanged)" : "\(unchanged) \(error)", list: error.list)
    }
  }

  /// Prints text for people as results are printed.
  package static func print(_ text: String, in environment: CommandEnvironment) throws {
    let terminal = Terminal(
      color: environment.defaults.color, isRedirected: environment.output != nil)
    let printer = ResultPrinter(terminal, pages: environment.defaults.pages, output: environment.output)
    try printer.render(text)
    try printer.deliver()
  }

  /// Opens the store for a moment: whether it can be read, with its model.
  package static func check(_ environment: CommandEnvironment) throws {
    guard let path = environment.storePath else { return }
    let source = try environment.source ?? StoreSource(path)
    try SecondLook.read({
      Session(source, modelPath: environment.modelPath, asOfCommit: environment.asOfCommit)
    }) { session in
      _ = try session.open()
      try session.finish()
    }
  }

  /// Whether a command didn't succeed because the store was written meanwhile, so that it may be run again.
  package static func isStoreChange(_ error: any Error) -> Bool { error is StoreChangedError }

  /// Says on standard error what went wrong.
  /// - Parameter place: where, for example `script:3`.
  /// - Returns: the exit code for it.
  @discardableResult
  package static func complain(
    _ error: any Error, at place: String? = nil, _ wording: CommandWording,
    prefix name: String = "storescope: "
  ) -> Int32 {
    let text = wording.worded(Suggestion.description(of: error))
    // What SQLite and the decoders say of theirs is a clause.
    let prefix = place.map { $0 + ": " } ?? ""
    let sentence = "\(name)\(TerminalText.escaped(prefix + Sentence.ended(text)))"
    let list =
      (error as? StoreScopeError)?.list ?? (error as? InterruptedError)?.list ?? (error as? UsageError)?.list
      ?? []
    let lines =
      [Terminal.wrapped(sentence)]
      + list.map { line in
        let line = TerminalText.escaped(wording.worded(line))
        // Commands stay whole, so that they can be copied.
        return line.hasPrefix("• ") ? Terminal.wrapped(line, indent: 2) : "  \(line)"
      }
    Platform.writeToStandardError(lines.joined(separator: "\n") + "\n")
    return error is UsageError ? ExitCode.usage : ExitCode.failed
  }

  /// - Parameter wording: gets the store that the words name, as soon as that is known.
  private static func dispatch(
    _ words: [String], _ shell: @escaping ShellStarter, _ wording: inout CommandWording
  ) throws -> Int32 {
    switch words.first {
    case nil, "--help", "-h", "help":
      print(try help(words.count > 1 ? words[1] : nil))
      return ExitCode.done
    case "--version", "-V", "version":
      print("storescope \(version)\n")
      return ExitCode.done
    case CompletionServer.name:
      print(CompletionServer.answer(Array(words.dropFirst())))
      return ExitCode.done
    case let word?:
      var environment = CommandEnvironment()
      // A person is there, and sees what is printed.
      environment.opensShell = Platform.isTerminal(0) && Platform.isTerminal(1)
      func run(_ command: Command, _ words: [String], _ shell: @escaping ShellStarter) throws -> Int32 {
        let run = try CommandRun(command, words, environment)
        // Commands that are advised must not have a model in the store's place as well.
        wording.store = run.path.flatMap { StoreLookup.isModel($0) ? nil : $0 }
        return try run.run(shell: shell)
      }
      func runNamed(_ words: [String]) throws -> Int32? {
        guard let command = CommandTable.command(named: words[0]) else { return nil }
        let words = Array(words.dropFirst())
        guard command.name == Command.query.name else { return try run(command, words, shell) }
        let meant = try InputSQL.meant(words)
        return try run(meant.command, meant.words) { request in
          var request = request
          if let statements = meant.statements { request.scripts = [statements] }
          return try shell(request)
        }
      }
      if let exitCode = try runNamed(words) { return exitCode }
      if word.hasPrefix("-") {
        throw UsageError.unknownProgramOption(word, known: ["--help", "--version"])
      }
      // `storescope STORE`: a file, or something that is plainly meant as one.
      if FileReader.kind(of: word) == nil, !word.contains("/"), !word.dropFirst().contains(".") {
        let (command, words) = try meant(words)
        return try run(command, words, shell)
      }
      switch try BareStore(words, isTerminal: environment.opensShell) {
      case .summary: return try run(.summary, words, shell)
      case .shell: return try run(.shell, words, shell)
      case .input:
        return try run(.shell, words) { request in
          var request = request
          request.mayBeWithoutInput = true
          return try shell(request)
        }
      }
    }
  }

  /// A topic's page or a command's; without a word, the list of all commands.
  private static func help(_ word: String?) throws(UsageError) -> String {
    guard let word, !word.hasPrefix("-") else { return Help.overview(width: Help.width) }
    // `query` is a command and another word for SQL.
    if let command = CommandTable.command(named: word) { return Help.text(for: command, width: Help.width) }
    if let topic = HelpTopic.named(word) { return topic.text(width: Help.width) }
    if let answer = Words.answer(to: word, in: .program) { throw .conflict(answer) }
    guard let name = Words.command(for: word, in: .program)?.first,
      let command = CommandTable.command(named: name)
    else { throw .unknownTopic(word, known: CommandTable.all.map(\.name) + HelpTopic.all.map(\.name)) }
    return Help.text(for: command, width: Help.width)
  }

  /// The command that a word of another tool stands for, and the words behind it.
  private static func meant(_ words: [String]) throws(UsageError) -> (Command, [String]) {
    let (word, rest) = (words[0], Array(words.dropFirst()))
    if let answer = Words.answer(to: word, in: .program) { throw .conflict(answer) }
    guard let line = Words.command(for: word, in: .program),
      let command = CommandTable.command(named: line[0])
    else { throw .unknownCommand(word, known: CommandTable.all.map(\.name) + Words.known(in: .program)) }
    if !rest.contains("-q"), !rest.contains("--quiet") {
      let note = "'\(word)' is '\(line.joined(separator: " "))' here"
      Platform.writeToStandardError("storescope: \(TerminalText.escaped(note))\n")
    }
    return (command, line.dropFirst() + rest)
  }

  private static func print(_ text: String) {
    let output = OutputBuffer(capacity: 4096) { Platform.write($0, to: 1) }
    output.text(text)
    output.flush()
  }
}
