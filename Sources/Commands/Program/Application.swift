import Evidence
import Rendering
import SQLite
import SystemCalls
import Values

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
    do {
      // Swift finds them by /proc/self/maps, and has none without it, which isn't a request for help.
      guard !arguments.isEmpty else {
        throw UsageError.conflict(
          "The command line can't be read; see that /proc is mounted and readable, and run the command again."
        )
      }
      return try dispatch(Array(arguments.dropFirst()), shell)
    } catch { return complain(error) }
  }

  /// Runs one command, as the shell does.
  /// - Returns: the exit code.
  /// - Throws: what `complain` takes.
  package static func run(_ command: Command, _ words: [String], in environment: CommandEnvironment) throws
    -> Int32
  {
    try CommandRun(command, words, environment).run(shell: nil)
  }

  /// Prints text for people as results are printed.
  package static func print(_ text: String, in environment: CommandEnvironment) throws {
    let terminal = Terminal(
      noColor: !environment.defaults.hasColor, isRedirected: environment.output != nil)
    let printer = ResultPrinter(terminal, pages: environment.defaults.pages, output: environment.output)
    try printer.render(text)
    try printer.deliver()
  }

  /// Opens the store for a moment: whether it can be read, with its model.
  package static func check(_ environment: CommandEnvironment) throws {
    guard let path = environment.storePath else { return }
    try SecondLook.read({
      Session(path: path, modelPath: environment.modelPath, asOfCommit: environment.asOfCommit)
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
  package static func complain(_ error: any Error, at place: String? = nil) -> Int32 {
    let text = (error as? UsageError)?.description ?? "\(error)"
    // What SQLite and the decoders say of theirs is a clause.
    let prefix = place.map { $0 + ": " } ?? ""
    let message = "storescope: \(TerminalText.escaped(prefix + Sentence.ended(text)))"
    Platform.writeToStandardError(Terminal.wrapped(message) + "\n")
    return error is UsageError ? ExitCode.usage : ExitCode.failed
  }

  private static func dispatch(_ words: [String], _ shell: @escaping ShellStarter) throws -> Int32 {
    switch words.first {
    case nil, "--help", "-h", "help":
      if words.count > 1, let command = CommandTable.command(named: words[1]) {
        print(Help.text(for: command, width: Platform.terminalSize(1)?.columns))
      } else {
        print(Help.overview)
      }
      return ExitCode.done
    case "--version":
      print("storescope \(version)\n")
      return ExitCode.done
    case CompletionServer.name:
      print(CompletionServer.answer(Array(words.dropFirst())))
      return ExitCode.done
    case let word?:
      var environment = CommandEnvironment()
      // A person is there, and sees what is printed.
      environment.opensShell = Platform.isTerminal(0) && Platform.isTerminal(1)
      if let command = CommandTable.command(named: word) {
        return try CommandRun(command, Array(words.dropFirst()), environment).run(shell: shell)
      }
      if word.hasPrefix("-") {
        throw UsageError.unknownProgramOption(word, known: ["--help", "--version"])
      }
      // `storescope STORE`: a file, or something that is plainly meant as one.
      guard FileReader.kind(of: word) != nil || word.contains("/") || word.contains(".") else {
        throw UsageError.unknownCommand(word, known: CommandTable.all.map(\.name))
      }
      if let second = words.dropFirst().first, CommandTable.command(named: second) != nil {
        throw UsageError.conflict(
          "The command comes before the store: 'storescope \(([second, word] + words.dropFirst(2)).joined(separator: " "))'."
        )
      }
      let command = environment.opensShell && opensShell(words) ? Command.shell : .summary
      return try CommandRun(command, words, environment).run(shell: shell)
    }
  }

  /// Whether the words after a store are the shell's; `storescope STORE --json` is a question with one answer.
  private static func opensShell(_ words: [String]) -> Bool {
    let parsed = try? ArgumentParser.parse(words, options: Command.shell.allOptions, command: "shell")
    return parsed.map { !$0.has(.json) && !$0.has(.format) && $0.positionals.count == 1 } ?? false
  }

  private static func print(_ text: String) {
    let output = OutputBuffer(capacity: 4096) { Platform.write($0, to: 1) }
    output.text(text)
    output.flush()
  }
}
