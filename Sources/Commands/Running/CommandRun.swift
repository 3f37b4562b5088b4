import Rendering
import SQLite
import StoreModel
import Values

/// One run of a command, from words to what is printed.
struct CommandRun {
  let command: Command
  let environment: CommandEnvironment
  private var arguments: ParsedArguments
  private let terminal: Terminal
  private let defaults: Defaults

  init(_ command: Command, _ words: [String], _ environment: CommandEnvironment) throws {
    self.command = command
    self.environment = environment
    arguments = try ArgumentParser.parse(words, options: command.allOptions, command: command.name)
    // One who asks for help, or to do without the file, must not stumble over it.
    let isConfigured = environment.storePath == nil && !arguments.has("no-config") && !arguments.has("help")
    defaults = isConfigured ? try Configuration.read() : environment.defaults
    terminal = Terminal(
      noColor: arguments.has("no-color") || !defaults.hasColor, isRedirected: environment.output != nil)
  }

  /// The exit code; or the shell that the command asks for.
  func run(shell: Application.ShellStarter?) throws -> Int32 {
    var run = self
    return try run.start(shell)
  }

  private mutating func start(_ shell: Application.ShellStarter?) throws -> Int32 {
    var printer = ResultPrinter(
      terminal: terminal, pages: defaults.pages && !arguments.has("no-pager"), writer: environment.output)
    if arguments.has("help") {
      try printer.print(Help.text(for: command))
      return Application.ExitCode.done
    }
    let options = try rendererOptions()
    let session = try takeStore()
    try checkArguments(session)
    let quiet = arguments.has("quiet") || environment.isQuiet
    let progress = Progress(isShown: terminal.errorIsTerminal && !terminal.isDumb && !quiet)
    defer { progress.finish() }
    let invocation = Invocation(
      arguments: arguments, session: session, opensShell: environment.opensShell && shell != nil,
      progress: progress,
      note: { text in
        guard !quiet else { return }
        progress.finish()
        Platform.writeToStandardError("storescope: \(TerminalText.escaped(text))\n")
      })
    do {
      switch try command.run(invocation) {
      case .shell(var request):
        guard let shell else { throw StoreScopeError("A shell can't be opened inside of another one.") }
        request.environment = shellEnvironment(request)
        return try shell(request)
      case .finished(let exitCode):
        try tellNotes(session, invocation)
        return exitCode
      case .document(let document, let exitCode):
        // What has been done to a store is told, even to one who wanted to stop it.
        if arguments.has("apply") { Interruption.clear() }
        try tellNotes(session, invocation)
        if terminal.outputIsTerminal { printer.beforeFirstByte = progress.giveWay }
        try printer.print(document, options, numbers: environment.numbers) { try session?.finish() }
        return exitCode
      }
    } catch {
      // What a command says that was stopped is about the stopping.
      if Interruption.isRequested { throw InterruptedError() }
      if let error = error as? SQLiteError {
        throw StoreScopeError(error.sentence(about: session?.path ?? command.name))
      }
      throw error
    }
  }

  private func tellNotes(_ session: Session?, _ invocation: Invocation) throws {
    guard let session else { return }
    let verbose = arguments.has("verbose") || environment.isVerbose
    try (verbose ? session.notes() : session.warnings()).forEach(invocation.note)
  }

  private mutating func takeStore() throws -> Session? {
    guard command.store == .required else { return nil }
    guard environment.storePath != nil || !arguments.positionals.isEmpty else {
      throw UsageError.missingArgument("a store file", command: command.name)
    }
    return Session(
      path: environment.storePath ?? arguments.positionals.removeFirst(),
      modelPath: arguments["model"] ?? environment.modelPath,
      asOfCommit: try arguments.number("as-of-commit") ?? environment.asOfCommit,
      goesOn: Interruption.isWatched ? { !Interruption.isRequested } : nil)
  }

  private func rendererOptions() throws(UsageError) -> Renderer.Options {
    var options = Renderer.Options(format: command.formats.contains(.table) ? .table : command.formats[0])
    options.style = terminal.style
    options.isTerminal = terminal.outputIsTerminal
    if let format = arguments["format"].flatMap(Format.init(rawValue:)) {
      options.format = format
    } else if let format = defaults.format, command.formats.contains(format) {
      options.format = format
    }
    if arguments.has("json") {
      if arguments.has("format"), options.format != .json {
        throw .conflict(
          "'--json' and '--format \(options.format.rawValue)' exclude each other; give one of them.")
      }
      options.format = .json
    }
    options.limit = try arguments.number("limit") ?? defaultLimit
    return options
  }

  private var defaultLimit: Int? {
    switch defaults.limit {
    case .automatic: nil
    case .rows(let rows): rows
    case .none: .max
    }
  }

  private func checkArguments(_ session: Session?) throws(UsageError) {
    if environment.storePath == nil, let session, Platform.isFolder(session.path) == nil,
      let second = arguments.positionals.first, Platform.isFolder(second) == false
    {
      throw UsageError.conflict(
        "There is no file '\(session.path)'; the store comes first: 'storescope \(command.name) \(second) \(session.path)'."
      )
    }
    let required = command.arguments.filter { !$0.isOptional }
    if arguments.positionals.count < required.count {
      let name = required[arguments.positionals.count].name
      throw .missingArgument(
        name, command: command.name, known: name == "ENTITY" ? entities(of: session) : [])
    }
    if arguments.positionals.count > command.arguments.count, !(command.arguments.last?.isRepeatable ?? false)
    {
      throw .surplusArgument(arguments.positionals[command.arguments.count], command: command.name)
    }
    for (argument, word) in zip(command.arguments, arguments.positionals)
    where !argument.choices.isEmpty && !argument.choices.contains(word) {
      throw .badArgument(word, command: command.name, choices: argument.choices)
    }
  }

  /// The names there are to choose from; none where the store can't be read, which is then said another time.
  private func entities(of session: Session?) -> [String] {
    (try? session?.store().schema.entities.map(\.name)) ?? []
  }

  /// What the options of the command that opened the shell mean for those typed there.
  private func shellEnvironment(_ request: ShellRequest) -> CommandEnvironment {
    var inner = CommandEnvironment()
    inner.storePath = request.storePath
    inner.modelPath = arguments["model"]
    inner.asOfCommit = arguments["as-of-commit"].flatMap { Int($0) }
    inner.defaults = defaults
    if arguments.has("json") { inner.defaults.format = .json }
    if let format = arguments["format"].flatMap(Format.init(rawValue:)) { inner.defaults.format = format }
    if let limit = arguments["limit"].flatMap({ Int($0) }) { inner.defaults.limit = .rows(limit) }
    if arguments.has("no-color") { inner.defaults.hasColor = false }
    if arguments.has("no-pager") { inner.defaults.pages = false }
    inner.isQuiet = arguments.has("quiet")
    inner.isVerbose = arguments.has("verbose")
    return inner
  }
}
