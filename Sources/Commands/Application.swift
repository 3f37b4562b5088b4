import Rendering
import SQLite
import StoreModel
import Values

/// The program: words in, exit code out. Prints the one error there may be.
package enum Application {
  package enum ExitCode {
    package static let done: Int32 = 0
    package static let failed: Int32 = 2
    /// EX_USAGE of sysexits(3).
    package static let usage: Int32 = 64
  }

  package static let version = "0.1.0"

  package static func run(_ words: [String]) -> Int32 {
    Platform.ignoreBrokenPipes()
    do {
      return try dispatch(words)
    } catch let error as UsageError {
      complain(error.description)
      return ExitCode.usage
    } catch {
      complain("\(error)")
      return ExitCode.failed
    }
  }

  /// Some errors are clauses, which others put into longer sentences.
  private static func complain(_ text: String) {
    Platform.writeToStandardError("storescope: \(TerminalText.escaped(Sentence.ended(text)))\n")
  }

  private static func dispatch(_ words: [String]) throws -> Int32 {
    switch words.first {
    case nil, "--help", "-h", "help":
      if words.count > 1, let command = CommandTable.command(named: words[1]) {
        print(Help.text(for: command))
      } else {
        print(Help.overview)
      }
      return ExitCode.done
    case "--version":
      print("storescope \(version)\n")
      return ExitCode.done
    case let word?:
      if let command = CommandTable.command(named: word) { return try run(command, Array(words.dropFirst())) }
      if word.hasPrefix("-") {
        throw UsageError.unknownProgramOption(word, known: ["--help", "--version"])
      }
      // `storescope STORE`: a file, or something that is plainly meant as one.
      guard Platform.isFolder(word) != nil || word.contains("/") || word.contains(".") else {
        throw UsageError.unknownCommand(word, known: CommandTable.all.map(\.name))
      }
      if let second = words.dropFirst().first, CommandTable.command(named: second) != nil {
        throw UsageError.conflict(
          "The command comes before the store: 'storescope \(([second, word] + words.dropFirst(2)).joined(separator: " "))'."
        )
      }
      return try run(.summary, words)
    }
  }

  private static func run(_ command: Command, _ words: [String]) throws -> Int32 {
    var arguments = try ArgumentParser.parse(words, options: command.allOptions, command: command.name)
    if arguments.has("help") {
      print(Help.text(for: command))
      return ExitCode.done
    }
    let options = try rendererOptions(arguments)
    let terminal = Terminal(noColor: arguments.has("no-color"))
    var session: Session?
    if command.store == .required {
      guard !arguments.positionals.isEmpty else {
        throw UsageError.missingArgument("a store file", command: command.name)
      }
      session = Session(
        path: arguments.positionals.removeFirst(), modelPath: arguments["model"],
        asOfCommit: try arguments.number("as-of-commit"))
    }
    if let session, Platform.isFolder(session.path) == nil, let second = arguments.positionals.first,
      Platform.isFolder(second) == false
    {
      throw UsageError.conflict(
        "There is no file '\(session.path)'; the store comes first: 'storescope \(command.name) \(second) \(session.path)'."
      )
    }
    try checkArguments(of: command, arguments, session)

    let quiet = arguments.has("quiet")
    let progress = Progress(isShown: terminal.errorIsTerminal && !terminal.outputIsTerminal && !quiet)
    defer { progress.finish() }
    let invocation = Invocation(
      arguments: arguments, session: session, progress: progress,
      note: { text in
        guard !quiet else { return }
        progress.finish()
        Platform.writeToStandardError("storescope: \(TerminalText.escaped(text))\n")
      })
    do {
      let outcome = try command.run(invocation)
      if let session {
        try (arguments.has("verbose") ? session.notes() : session.warnings()).forEach(invocation.note)
      }
      try print(outcome.document, fitted(options, to: terminal), terminal, pages: !arguments.has("no-pager"))
      {
        try session?.finish()
      }
      return outcome.exitCode
    } catch let error as SQLiteError {
      throw StoreScopeError(error.sentence(about: session?.path ?? command.name))
    }
  }

  private static func rendererOptions(_ arguments: ParsedArguments) throws(UsageError) -> Renderer.Options {
    var options = Renderer.Options()
    if let format = arguments["format"].flatMap(Format.init(rawValue:)) { options.format = format }
    if arguments.has("json") {
      if arguments.has("format"), options.format != .json {
        throw .conflict(
          "'--json' and '--format \(options.format.rawValue)' exclude each other; give one of them.")
      }
      options.format = .json
    }
    options.limit = try arguments.number("limit")
    return options
  }

  private static func fitted(_ options: Renderer.Options, to terminal: Terminal) -> Renderer.Options {
    var options = options
    options.style = terminal.style
    options.isTerminal = terminal.outputIsTerminal
    return options
  }

  private static func checkArguments(
    of command: Command, _ arguments: ParsedArguments, _ session: Session?
  ) throws(UsageError) {
    let required = command.arguments.filter { !$0.isOptional }
    if arguments.positionals.count < required.count {
      let name = required[arguments.positionals.count].name
      throw .missingArgument(
        name, command: command.name, known: name == "ENTITY" ? entities(of: session) : [])
    }
    if arguments.positionals.count > command.arguments.count,
      !(command.arguments.last?.isRepeatable ?? false)
    {
      throw .surplusArgument(arguments.positionals[command.arguments.count], command: command.name)
    }
  }

  /// The names there are to choose from; none where the store can't be read, which is then said another time.
  private static func entities(of session: Session?) -> [String] {
    (try? session?.store().schema.entities.map(\.name)) ?? []
  }

  /// `whenPrinted` runs before anybody has read what the pager shows: the store must not stay open for that long.
  private static func print(
    _ document: Document, _ options: Renderer.Options, _ terminal: Terminal, pages: Bool,
    whenPrinted: () throws -> Void
  ) throws {
    let pager = options.format == .table && terminal.outputIsTerminal && pages ? Pager() : nil
    defer { pager?.close() }
    var failure: String?
    let output = OutputBuffer { bytes in
      if let pager { return pager.write(bytes) }
      if Platform.write(bytes, to: 1) { return true }
      // A reader that had enough, such as `head`, is no error.
      if !Platform.lastErrorIsClosedPipe { failure = Platform.lastError() }
      return false
    }
    try Renderer(output: output, options: options).render(document)
    if let failure {
      throw StoreScopeError("The output could not be written: \(failure). What was written is not whole.")
    }
    try whenPrinted()
  }

  private static func print(_ text: String) {
    let output = OutputBuffer(capacity: 4096) { Platform.write($0, to: 1) }
    output.text(text)
    output.flush()
  }
}
