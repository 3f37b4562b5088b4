import Base
import Diagnostics
import Evidence
import Lens
import Rendering
import SQLite
import StoreModel

/// One run of a command, from words to what is printed.
struct CommandRun {
  let command: Command
  let environment: CommandEnvironment
  private let arguments: ParsedArguments
  /// The stores', where the command takes any and the words or the shell name them.
  private let paths: [String]
  private let password: BackupPassword
  private let terminal: Terminal
  private let defaults: Defaults

  init(_ command: Command, _ words: [String], _ environment: CommandEnvironment) throws {
    self.command = command
    self.environment = environment
    var arguments = try command.parse(words)
    if command.store == .none {
      paths = []
    } else if let path = environment.storePath {
      paths = [path]
    } else if command.takesSeveralStores {
      paths = Self.stores(arguments.positionals)
      arguments.positionals = []
    } else {
      paths = arguments.positionals.popFirst().map { [$0] } ?? []
    }
    self.arguments = Self.understood(arguments, of: command)
    password = BackupPassword(arguments, environment.keyring)
    // One who asks for help, or to do without the file, must not stumble over it.
    let isConfigured =
      environment.storePath == nil && !command.printsText && arguments.options[.noConfig] == nil
      && !arguments.has(.help)
    defaults = isConfigured ? try Configuration.read() : environment.defaults
    terminal = Terminal(
      color: arguments.color ?? defaults.color, isRedirected: environment.output != nil)
  }

  /// The store, or the first of several.
  var path: String? { paths.first }

  /// Each once, however its path is spelled, without the files that belong to another one: `Fixtures/*` names them too.
  private static func stores(_ words: [String]) -> [String] {
    var known: Set<String> = []
    var places: Set<String> = []
    let all = Set(words)
    return words.filter { word in
      let isPart = SideFiles.owner(of: word).map(all.contains) ?? false
      return !isPart && known.insert(word).inserted
        && Platform.realPath(word).map { places.insert($0).inserted } ?? true
    }
  }

  /// With an address that stands alone, as in `history Person/p12`, where an option takes an object.
  private static func understood(_ arguments: ParsedArguments, of command: Command) -> ParsedArguments {
    let surplus = arguments.positionals.dropFirst(command.arguments.count)
    guard surplus.count == 1, let address = surplus.first, ObjectNumbers.isObject(address),
      !(command.arguments.last?.isRepeatable ?? false),
      let option = command.options.first(where: { $0.kind == .object }), !arguments.has(option.option)
    else { return arguments }
    var arguments = arguments
    arguments.positionals.removeLast()
    arguments.options[option.option] = [address]
    return arguments
  }

  /// A model in the store's place, where models are compared.
  private var modelInsteadOfStore: String? {
    guard environment.storePath == nil, isGiven(.diff) else { return nil }
    return paths.first.flatMap { StoreLookup.isModel($0) || StoreLookup.isBundle($0) ? $0 : nil }
  }

  private func isGiven(_ option: OptionName) -> Bool { arguments.options[option] != nil }

  /// The exit code; or the shell that the command asks for.
  func run(shell: Application.ShellStarter?) throws -> Int32 {
    Watchdog.begin(command.name)
    let isChanging = command.changes(arguments)
    // What was changed is printed on the screen itself, where it stays.
    let pages = defaults.pages && !isGiven(.noPager) && !isChanging
    let printer = ResultPrinter(terminal, pages: pages, output: environment.output)
    if arguments.has(.help) {
      let ofQuery =
        command.name == Command.query.name
        ? QueryHelp.text(of: arguments.positionals.first, width: Help.width) : nil
      let help = ofQuery ?? Help.text(for: command, width: Help.width)
      try printer.render(environment.isConversation ? wording.worded(help) : help)
      try printer.deliver()
      return Application.ExitCode.done
    }
    let options = try rendererOptions()
    let asOfCommit = try checkStore()
    // It looks for files of the names that were typed. What an assistant passes is checked as its tool wants it.
    if environment.assistant == nil {
      let named = environment.storePath == nil ? paths : []
      try ArgumentCheck(command: command, arguments: arguments, paths: named) {
        let store = try? path.map { try makeSession(source($0, nil), environment.asOfCommit).open().store }
        return store?.schema.entities.map(\.name) ?? []
      }.run()
    }
    // A command that changes something says what became of that, even to one who wanted to stop it.
    if isChanging, !Interruption.isWatched { Interruption.watch() }
    let progress = Progress(isShown: terminal.errorIsTerminal && !terminal.isDumb && !isQuiet)
    defer { progress.finish() }
    // What an operation was doing, it has said.
    defer { Watchdog.release() }
    if terminal.outputIsTerminal { printer.beforeFirstByte = progress.giveWay }
    let notes = Notes(
      progress, isQuiet: isQuiet, prefix: environment.isConversation ? "" : "storescope: ",
      aside: environment.aside)
    let output = RunOutput(
      printer: printer, options: options, progress: progress, notes: notes, numbers: environment.numbers,
      worded: worded)
    let opensShell = environment.opensShell && shell != nil
    let ending: Ending
    do {
      if let path, paths.count == 1, modelInsteadOfStore == nil {
        let source = try source(path, progress)
        // A shell doesn't end it.
        progress.finish()
        // The summary says so itself, the shell begins with it, and JSON has the store's path.
        let isNamed =
          [Command.summary.name, Command.shell.name].contains(command.name) || options.format == .json
        if environment.source == nil, source.wasSearchedFor, !isNamed {
          notes.add("the store is \(ShellQuotes.word(source.path))")
        }
        ending = try SecondLook.read(
          { makeSession(source, asOfCommit) }, mayRepeat: { !printer.hasBegun }
        ) { try compute($0, asOfCommit, output, opensShell: opensShell) }
      } else {
        ending = try compute(nil, asOfCommit, output, opensShell: opensShell)
      }
    } catch {
      // What was found until then is shown, unless it is two states in one.
      if error is StoreChangedError { printer.takeBack() }
      try? printer.deliver()
      throw explained(error, isChanging: isChanging)
    }
    switch ending {
    case .shown(let exitCode):
      try printer.deliver()
      return exitCode
    case .done(let document, let receipt, let failure):
      try output.tell(document, receipt, failure)
      if let failure { throw failure }
      return Application.ExitCode.done
    case .shell(var request):
      guard let shell else {
        throw StoreScopeError(.refused, "A shell can't be opened inside another shell")
      }
      request.environment = CommandEnvironment(of: request, arguments, defaults, environment.keyring)
      return try shell(request)
    }
  }

  /// Nothing that keeps the store open lives longer than this call.
  private func compute(
    _ session: Session?, _ asOfCommit: Int?, _ output: RunOutput, opensShell: Bool
  ) throws -> Ending {
    output.printer.takeBack()
    environment.numbers?.removeAll()
    let outcome = try command.run(
      Invocation(
        arguments: arguments, password: password, session: session,
        stores: paths.count > 1 ? paths : [], modelInsteadOfStore: modelInsteadOfStore,
        makeSession: { try makeSession(source($0, output.progress), asOfCommit) },
        opensShell: opensShell, isOnTerminal: output.options.isTerminal, defaults: defaults,
        openPath: environment.storePath, isInShell: environment.isConversation, isVerbose: isVerbose,
        assistant: environment.assistant,
        number: environment.numbers.map { numbers in { numbers.add($0) } }, dates: output.options.style.dates,
        progress: output.progress, worded: worded, note: output.notes.add))
    if let session { try (isVerbose ? session.notes() : session.warnings).forEach(output.notes.add) }
    switch outcome {
    case .document(let document, let exitCode):
      try output.print(document)
      try session?.finish()
      return .shown(exitCode)
    case .partial(let document, let error):
      try output.print(document)
      throw error
    case .done(let document, let receipt, let failure):
      return .done(document, receipt: receipt, failure: failure)
    case .shell(let request): return .shell(request)
    }
  }

  /// An outcome without what the store was read for.
  private enum Ending {
    case shown(Int32)
    case done(Document?, receipt: Receipt, failure: StoreScopeError?)
    case shell(ShellRequest)
  }

  private var isQuiet: Bool { isGiven(.quiet) || environment.isQuiet }
  private var isVerbose: Bool { isGiven(.verbose) || environment.isVerbose }

  /// How a shell's person types commands. In a script results quote them as they do alone.
  private var wording: CommandWording { CommandWording(place: .shell, store: environment.storePath) }

  /// Whose sentences are ours and quote commands. Others print what is in a store.
  private static let advising: Set = [
    "summary", "pending", "doctor", "explain", "rules", "repair", "resync", "reset", "restore", "redact",
    "trace", "search", "find",
  ]

  private func worded(_ document: Document) -> Document {
    environment.isConversation && Self.advising.contains(command.name) ? document.worded(wording) : document
  }

  /// What a command says that was stopped is about the stopping, unless it was about to change something.
  private func explained(_ error: any Error, isChanging: Bool) -> any Error {
    guard Interruption.isRequested else { return error }
    guard isChanging else { return InterruptedError() }
    let isStopped = (error as? StoreReadError)?.cause.isInterrupt ?? (error as? SQLiteError)?.isInterrupt
    return isStopped == true || error as? InterruptedError == InterruptedError()
      ? InterruptedError("nothing was changed") : error
  }

  /// - Returns: how many commits ago the state to be read is.
  private func checkStore() throws(UsageError) -> Int? {
    if command.store == .required, path == nil {
      throw .missingArgument(
        "a store, such as one that 'storescope find' lists", command: command.name)
    }
    guard arguments.options[.asOfCommit] != nil else { return environment.asOfCommit }
    return try arguments.number(.asOfCommit)
  }

  private func source(_ path: String, _ progress: Progress?) throws -> StoreSource {
    try environment.source ?? StoreSource(path, password: password) { progress?.phase($0) }
  }

  private func makeSession(_ source: StoreSource, _ asOfCommit: Int?) -> Session {
    let model = command.readsWithModel ? arguments.options[.model]?.last : nil
    return Session(
      source, modelPath: model ?? environment.modelPath, asOfCommit: asOfCommit,
      goesOn: Interruption.isWatched ? { !Interruption.isRequested } : nil,
      withheldBy: environment.assistant?.marks)
  }

  private func rendererOptions() throws(UsageError) -> Renderer.Options {
    var options = Renderer.Options(format: command.formats.contains(.table) ? .table : command.formats[0])
    options.style = terminal.style
    options.style.width = options.style.width ?? environment.outputWidth
    options.style.wrapsText = !environment.keepsLines
    let now = Platform.dateOfOutput()
    options.style.dates = DateText(
      isLocal: isGiven(.local) || defaults.isLocal, thisYear: DateText.year(of: now), now: now)
    options.columns = try arguments.columns()
    options.isTerminal = terminal.outputIsTerminal
    if let format: Format = arguments.choice(.format) {
      options.format = format
    } else if let format = defaults.format, command.formats.contains(format) {
      options.format = format
    }
    if terminal.outputIsTerminal, options.format == command.filesFormat { options.format = .table }
    if arguments.has(.json) {
      if arguments.has(.format), options.format != .json {
        throw .conflict(
          "'--json' and '--format \(options.format.rawValue)' can't be combined; give one of them.")
      }
      options.format = .json
    }
    options.offset = try isGiven(.offset) ? arguments.number(.offset) ?? 0 : 0
    options.limit = try isGiven(.limit) ? arguments.number(.limit) : defaults.limit
    if options.format == .table, defaults.isVertical, command.formats.contains(.vertical) {
      options.format = .vertical
    }
    return options
  }
}

extension [String] {
  fileprivate mutating func popFirst() -> String? { isEmpty ? nil : removeFirst() }
}
