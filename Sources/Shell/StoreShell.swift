import Base
package import Commands
import Rendering

/// The shell: commands and SQL on one store, each on a fresh view of it, with the same code and the same output as
/// when they are run alone.
package final class StoreShell {
  var environment: CommandEnvironment
  let isInteractive: Bool
  /// What was shown, and what the numbers on the screen stand for.
  var screens = Screens()
  /// What numbers behind `open` stand for, in whichever store one is by now.
  var foundStores: [String] = []
  private(set) var outputFile: OutputFile?
  /// Where the results of the line that runs go, as a `>` in it says.
  private var redirection: ResultOutput?
  /// Where the next result goes.
  var onceFile: OutputFile?
  var isOver = false
  /// What was typed, oldest first.
  private(set) var typed: [String] = []
  /// 1 once `doctor` has found something; errors end scripts at once.
  private var exitCode: Int32 = 0
  private let historyFile: HistoryFile?
  /// How many files read one another now.
  var scriptDepth = 0
  /// Whether what runs comes out of a script.
  var isInScript = false
  private var reader: (any LineReader)?
  /// What is typed on a terminal.
  private var assembler = InputAssembler()
  private let completion = ShellCompletion()

  private init(_ request: ShellRequest, isInteractive: Bool) {
    environment = request.environment
    self.isInteractive = isInteractive
    environment.isConversation = isInteractive
    let keepsHistory = isInteractive && !request.isPrivate
    historyFile = keepsHistory ? HistoryFile.standardPath.map(HistoryFile.init) : nil
  }

  /// Runs the shell to its end.
  /// - Returns: the exit code.
  package static func open(_ request: ShellRequest) throws -> Int32 {
    let isInteractive = request.scripts.isEmpty && Platform.isTerminal(0)
    let shell = StoreShell(request, isInteractive: isInteractive)
    defer { shell.outputFile?.close() }
    if isInteractive {
      try Application.check(shell.environment)
      shell.converse()
      // readline's completion keeps the shell as long as the process lives, and a copy out of a container must go with it.
      shell.environment.source = nil
      // As the system has it for a program that a signal ended.
      return Interruption.endingSignal.map { 128 + $0 } ?? 0
    }
    do {
      let commands = request.scripts.count { if case .command = $0 { true } else { false } }
      for (index, script) in request.scripts.enumerated() where !shell.isOver {
        switch script {
        case .command(let text):
          let name = commands > 1 ? "-c \(index + 1)" : "-c"
          try shell.run(script: text) { text.contains("\n") ? "\(name):\($0)" : name }
        case .file(let path): try shell.run(file: path)
        case .statements(let sql, let source): try shell.run(statements: sql, from: source)
        }
      }
      if request.scripts.isEmpty {
        try Application.check(shell.environment)
        let hasLines = try shell.runStandardInput(mayBeOthers: request.mayBeWithoutInput)
        if !hasLines, request.mayBeWithoutInput { try shell.run([Command.summary.name]) }
      }
    } catch let error as ScriptError {
      let isQuery = request.scripts.contains { if case .statements = $0 { true } else { false } }
      let wording = CommandWording(place: isQuery ? .program : .shell, store: request.storePath)
      return Application.complain(error.cause, at: error.place, wording)
    }
    return shell.exitCode
  }

  // MARK: - On a terminal

  private func converse() {
    TerminalSettings.remember()
    Interruption.watch()
    let locale = ShellLocale()
    let isDumb = !Platform.isTerminal(1) || Platform.environment("TERM") == "dumb"
    let reader: any LineReader =
      isDumb ? PlainReader(descriptor: 0, showsPrompt: true) : ReadlineReader(completer: offer)
    self.reader = reader
    typed = historyFile?.load() ?? []
    typed.forEach(reader.remember)
    printSummary()
    note("'help' lists the commands; SQL ends with ';'; 'quit' or Ctrl-D leaves")
    let prompt = Prompt(hasUnicode: locale.hasUnicode, hasEscapes: !isDumb)
    var entry: [String] = []
    while !isOver, !isOutputGone, Interruption.endingSignal == nil {
      Interruption.clear()
      let text = assembler.isContinuing ? prompt.continuation(of: assembler) : prompt.text(environment)
      Interruption.clear()
      let reading: LineReading
      do { reading = try reader.read(prompt: text) } catch {
        complain(error)
        continue
      }
      switch reading {
      case .end:
        isOver = true
        Platform.writeToStandardError("\n")
      case .interrupted:
        assembler.drop()
        entry = []
      case .line(let line):
        if assembler.isContinuing, ["\\e", "\\edit"].contains(line.filter { !$0.isWhitespace }) {
          answer {
            guard let edited = try edited(assembler.statement) else {
              return note("(unchanged; the statement continues, and ends with ';')")
            }
            assembler.drop()
            entry = []
            try run(edited: edited)
          }
          continue
        }
        if assembler.isContinuing, let command = command(inStatement: line) {
          answer { try command() }
          continue
        }
        entry.append(line)
        let wasOpen = assembler.openQuote != nil
        let inputs = assembler.feed(line)
        if !wasOpen { explain(line, inputs) }
        if !assembler.isContinuing {
          remember(entry.joined(separator: "\n"))
          entry = []
        }
        answer { try run(inputs) }
      }
    }
  }

  /// What a line does that can't be a part of the statement that goes on: psql's commands with a backslash run as they do
  /// alone. Nil for SQL.
  private func command(inStatement line: String) -> (() throws -> Void)? {
    let word = line.trimmed.prefix { !$0.isWhitespace && $0 != ";" }
    guard assembler.openQuote == nil, !assembler.isInComment else { return nil }
    if word.hasPrefix("\\"), !["\\g", "\\G", "\\gx", "\\watch"].contains(word) {
      if word == "\\r" || word == "\\reset" {
        return { [self] in
          assembler.drop()
          note("(the statement is dropped)")
        }
      }
      return { [self] in try run(.init(kind: .command, text: String(line.trimmed), line: 1)) }
    }
    // A command alone in its line is no part of a statement; psql says so of its own
    // (https://www.postgresql.org/docs/current/app-psql.html).
    guard ["quit", "exit", "help"].contains(line.trimmed) else { return nil }
    return { [self] in
      note("(in a statement: ';' ends it, Ctrl-C drops it; '\(word)' works after that)")
    }
  }

  /// Explains a line that runs nothing.
  private func explain(_ line: String, _ inputs: [InputAssembler.Input]) {
    if let quote = assembler.openQuote {
      note("(a \(quote) is open: \(quote); ends the statement, Ctrl-C drops it)")
    } else if inputs.isEmpty, !assembler.isContinuing,
      ["\\G", "\\g"].contains(line.filter { !$0.isWhitespace && $0 != ";" })
    {
      note("('\\G' ends a statement in place of ';', and prints one block per row)")
    } else if inputs.isEmpty, !assembler.isContinuing, line.contains(";"),
      line.allSatisfy({ $0.isWhitespace || $0 == ";" })
    {
      note("(nothing to run: ';' ends a statement, which can have several lines)")
    } else if assembler.isContinuing, Redirection.split(statement: assembler.statement).target != nil {
      note("(a statement goes on: ';' ends it)")
    }
  }

  /// The names of the store's entities; none if it isn't read quickly.
  var entities: [String] { completion.entities(in: environment) }

  private func offer(_ line: String, _ start: Int) -> [Candidate] {
    guard !assembler.isInComment else { return [] }
    return completion.candidates(line, from: start, before: assembler.statement, in: environment)
  }

  /// Runs what was typed, up to the first error, which ends nothing but these.
  private func answer(_ body: () throws -> Void) {
    Interruption.clear()
    do { try body() } catch let error as ScriptError {
      complain(error.cause, at: error.place)
    } catch {
      complain(error)
    }
  }

  private func run(_ inputs: [InputAssembler.Input]) throws {
    for input in inputs where !isOver {
      // One that was done nevertheless has said so; what follows was not wanted any more.
      if Interruption.isRequested { break }
      try run(input)
    }
  }

  /// What is in the store, for one who opens it. It is cut to what the screen shows; a pager would be in the way.
  func printSummary() {
    guard isInteractive, !environment.isQuiet else { return }
    let size = Platform.terminalSize(1)
    // Below it are a hint and the prompt.
    let most = max(5, (size?.rows ?? 24) - 3)
    answer {
      var bytes: [UInt8] = []
      var inner = environment
      inner.defaults.isVertical = false
      inner.defaults.color = environment.hasColor ? .always : .never
      inner.output = .memory { bytes += $0 }
      inner.outputWidth = size?.columns
      _ = try Application.run(.summary, ["--format", "table"], in: inner)
      var lines = String(decoding: bytes, as: UTF8.self).split(
        separator: "\n", omittingEmptySubsequences: false)
      if lines.last == "" { lines.removeLast() }
      if lines.count > most { lines = lines.prefix(most - 1) + ["  … 'summary' shows the rest"] }
      inner = environment
      inner.defaults.pages = false
      try Application.print(lines.joined(separator: "\n") + "\n", in: inner)
    }
  }

  func clearScreen() {
    guard Platform.isTerminal(1), Platform.environment("TERM") != "dumb" else { return }
    // ECMA-48, CUP and ED; 3 takes what was scrolled away, as clear(1) does.
    Platform.writeToStandardError("\u{1B}[H\u{1B}[2J\u{1B}[3J")
  }

  func printHelp(_ word: String?) throws {
    let width = Help.width
    guard let typed = word else { return try print(ShellHelp.overview(width: width)) }
    let word = ShellHelp.others[typed.lowercased()] ?? typed
    if word.hasPrefix("--"), let text = ShellHelp.text(forOption: word, width: width) {
      return try print(text)
    }
    if let builtin = Builtin.named(word) { return try print(ShellHelp.text(for: builtin, width: width)) }
    if let command = CommandTable.command(named: word) {
      return try print(wording.worded(Help.text(for: command, width: width)))
    }
    if let topic = HelpTopic.named(word) { return try print(wording.worded(topic.text(width: width))) }
    if let answer = Words.answer(to: word, in: .shell) { return note(wording.worded(answer)) }
    if let name = Words.command(for: word, in: .shell)?.first, name != word { return try printHelp(name) }
    if let entity = entities.first(where: { $0.lowercased() == word.lowercased() }) {
      return try run([Command.entities.name, entity])
    }
    // An error code or a term.
    do { try run([Command.explain.name, word]) } catch let error as StoreScopeError
      where error.kind == .notFound
    {
      throw UsageError.conflict(
        "There is no help for '\(word)'.\(Suggestion.sentence(for: word, in: CommandTable.all.map(\.name) + Builtin.all.map(\.name))) 'help' lists commands and topics, 'explain' terms and error codes."
      )
    }
  }

  // MARK: - Editing

  func editLast() throws {
    let own: Set = ["edit", "\\e", ".edit"]
    let text = typed.last { !own.contains($0.filter { !$0.isWhitespace }) } ?? ""
    guard let edited = try edited(text) else { return note("(unchanged, so nothing was run)") }
    try run(edited: edited)
  }

  /// The text as the user left it in the editor; nil if it is the same.
  private func edited(_ text: String) throws -> String? {
    guard isInteractive else { throw UsageError.conflict("'edit' needs a terminal.") }
    return try Editor.edit(text)
  }

  private func run(edited: String) throws {
    guard edited.contains(where: { !$0.isWhitespace }) else { return }
    remember(edited)
    note(edited)
    var assembler = InputAssembler()
    var inputs = assembler.feed(edited)
    if let last = assembler.finish() { inputs.append(last) }
    try run(inputs)
  }

  private func complain(_ error: any Error, at place: String? = nil) {
    if let error = error as? InterruptedError {
      let lines = ["(\(error))"] + error.list.map { "  \($0)" }
      Platform.writeToStandardError(lines.map { TerminalText.escaped($0) + "\n" }.joined())
    } else {
      Application.complain(error, at: place, wording, prefix: "")
    }
  }

  /// How messages quote commands.
  private var wording: CommandWording { CommandWording(place: .shell, store: environment.storePath) }

  private func remember(_ entry: String) {
    // As in bash with HISTCONTROL=ignoreboth: what begins with a blank isn't kept, and nothing twice in a row.
    guard entry.contains(where: { !$0.isWhitespace }), !entry.hasPrefix(" "), typed.last != entry else {
      return
    }
    typed.append(entry)
    if typed.count > 2 * HistoryFile.capacity { typed.removeFirst(HistoryFile.capacity) }
    reader?.remember(entry)
    if let historyFile, !historyFile.append(entry), !isHistoryLost {
      isHistoryLost = true
      note("typed commands can't be saved in \(historyFile.path): \(Platform.lastError())")
    }
  }
  private var isHistoryLost = false

  /// Says something that isn't a result, to a person.
  func note(_ text: String) {
    guard isInteractive, !environment.isQuiet else { return }
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    Platform.writeToStandardError(
      lines.map { Terminal.wrapped(TerminalText.escaped(String($0))) + "\n" }.joined())
  }

  /// Whether nobody reads any more what is printed, as behind `head`: then the shell ends, as one command alone does.
  var isOutputGone: Bool { environment.output == nil && Platform.isReaderGone(1) }

  /// The same of what takes the results of the line that runs.
  var hasReader: Bool {
    switch environment.output {
    case nil: !Platform.isReaderGone(1)
    // Nothing is opened before there is something to write.
    case .file where outputFile?.isOpen == false: true
    case .file(let descriptor): (try? descriptor()).map { !Platform.isReaderGone($0) } ?? false
    case .memory: true
    }
  }

  /// Where results go from now on; nil for the screen. Within a script whose results go elsewhere it holds for the rest of
  /// the script, too.
  func setOutput(_ file: OutputFile?) {
    outputFile?.close()
    outputFile = file
    environment.output = output
  }

  /// What `output` has set.
  private var output: ResultOutput? { outputFile.map { .file($0.descriptor) } }

  /// Runs what has its results going elsewhere.
  func redirect(to target: ResultOutput, _ body: () throws -> Void) rethrows {
    let outer = redirection
    redirection = target
    environment.output = target
    defer {
      redirection = outer
      // `output` may have been set, and the file that it named before closed.
      environment.output = outer ?? output
    }
    try body()
  }

  func remember(_ code: Int32) { exitCode = max(exitCode, code) }
}
