package import Commands
import Rendering
import SystemCalls
import Values

/// The shell: commands and SQL on one store, each on a fresh view of it, with the same code and the same output as
/// when they are run alone.
package final class StoreShell {
  var environment: CommandEnvironment
  let isInteractive: Bool
  /// Objects that were shown, as the words that `show` was given; the last one is on the screen.
  var shownObjects: [[String]] = []
  /// What the numbers on the screen stand for.
  var numbers = ObjectNumbers()
  var outputFile: OutputFile?
  var isOver = false
  /// What was typed, oldest first.
  private(set) var typed: [String] = []
  /// 1 once `doctor` has found something; errors end scripts at once.
  private var exitCode: Int32 = 0
  private let historyFile: HistoryFile?
  private var scriptDepth = 0
  private static let deepestScript = 10
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
      return 0
    }
    do {
      let commands = request.scripts.count { if case .command = $0 { true } else { false } }
      for (index, script) in request.scripts.enumerated() where !shell.isOver {
        switch script {
        case .command(let text):
          let name = commands > 1 ? "-c \(index + 1)" : "-c"
          try shell.run(script: text) { text.contains("\n") ? "\(name):\($0)" : name }
        case .file(let path): try shell.run(file: path)
        }
      }
      if request.scripts.isEmpty {
        try shell.run(PlainReader(descriptor: 0, showsPrompt: false)) { "stdin:\($0)" }
      }
    } catch let error as ScriptError {
      return Application.complain(error.cause, at: error.place)
    }
    return shell.exitCode
  }

  // MARK: - On a terminal

  private func converse() {
    Interruption.watch()
    let locale = ShellLocale()
    let isDumb = !Platform.isTerminal(1) || Platform.environment("TERM") == "dumb"
    let reader: any LineReader =
      isDumb ? PlainReader(descriptor: 0, showsPrompt: true) : ReadlineReader(completer: offer)
    typed = historyFile?.load() ?? []
    typed.forEach(reader.remember)
    note("'help' lists what can be typed; SQL ends with ';'; 'quit' or Ctrl-D leaves")
    let prompt = Prompt(hasUnicode: locale.hasUnicode, hasEscapes: !isDumb)
    var entry: [String] = []
    while !isOver, !isOutputGone {
      Interruption.clear()
      let text = assembler.isContinuing ? prompt.continuation : prompt.text(environment)
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
        entry.append(line)
        let inputs = assembler.feed(line)
        if !assembler.isContinuing {
          remember(entry.joined(separator: "\n"), in: reader)
          entry = []
        }
        answer(inputs)
      }
    }
  }

  private func offer(_ line: String, _ start: Int) -> [Candidate] {
    guard !assembler.isInComment else { return [] }
    return completion.candidates(line, from: start, before: assembler.statement, in: environment)
  }

  /// Runs what was typed, up to the first error, which ends nothing but these.
  private func answer(_ inputs: [InputAssembler.Input]) {
    Interruption.clear()
    do {
      for input in inputs where !isOver {
        // One that was done nevertheless has said so; what follows was not wanted any more.
        if Interruption.isRequested { break }
        try run(input)
      }
    } catch let error as ScriptError {
      complain(error.cause, at: error.place)
    } catch {
      complain(error)
    }
  }

  private func complain(_ error: any Error, at place: String? = nil) {
    if error is InterruptedError {
      Platform.writeToStandardError(TerminalText.escaped("(\(error))") + "\n")
    } else {
      Application.complain(error, at: place)
    }
  }

  private func remember(_ entry: String, in reader: any LineReader) {
    // As in bash with HISTCONTROL=ignoreboth: what begins with a blank isn't kept, and nothing twice in a row.
    guard entry.contains(where: { !$0.isWhitespace }), !entry.hasPrefix(" "), typed.last != entry else {
      return
    }
    typed.append(entry)
    if typed.count > 2 * HistoryFile.capacity { typed.removeFirst(HistoryFile.capacity) }
    reader.remember(entry)
    if let historyFile, !historyFile.append(entry), !isHistoryLost {
      isHistoryLost = true
      note("what is typed can't be kept in \(historyFile.path): \(Platform.lastError())")
    }
  }
  private var isHistoryLost = false

  /// Says something that isn't a result, to a person.
  func note(_ text: String) {
    guard isInteractive, !environment.isQuiet else { return }
    Platform.writeToStandardError(TerminalText.escaped(text) + "\n")
  }

  // MARK: - Scripts

  /// Runs a file's lines, and stops at the first error.
  /// - Throws: `ScriptError`.
  func run(file path: String) throws {
    guard scriptDepth < Self.deepestScript else {
      throw StoreScopeError(
        .limit, path, "is the \(scriptDepth)th file that reads another one; that is too deep")
    }
    scriptDepth += 1
    defer { scriptDepth -= 1 }
    let bytes: [UInt8]
    do { bytes = try FileReader.bytes(of: path, limit: 16 << 20) } catch {
      throw StoreScopeError(
        .unreadable, "The commands in '\(path)' can't be run: \(error.clause)", about: path)
    }
    try run(script: String(decoding: bytes, as: UTF8.self)) { "\(path):\($0)" }
  }

  /// Tells where something stands from its line's number, as errors do.
  private typealias Place = (_ line: Int) -> String

  private func run(script: String, place: Place) throws {
    var assembler = InputAssembler()
    for line in InputAssembler.lines(of: script) where !isOver {
      try run(assembler.feed(String(line)), place)
    }
    try finish(&assembler, place)
  }

  /// A comment without an end has swallowed what follows it: no script means that.
  private func finish(_ assembler: inout InputAssembler, _ place: Place) throws {
    if assembler.isInComment, assembler.statement.isEmpty, !isOver {
      throw ScriptError(
        place: place(assembler.lineCount),
        cause: UsageError.conflict("A comment that begins with /* isn't closed."))
    }
    try run(assembler.finish().map { [$0] } ?? [], place)
  }

  private func run(_ reader: any LineReader, place: Place) throws {
    var assembler = InputAssembler()
    while !isOver {
      let reading: LineReading
      do { reading = try reader.read(prompt: "") } catch {
        throw ScriptError(place: place(assembler.lineCount + 1), cause: error)
      }
      guard case .line(let line) = reading else { break }
      try run(assembler.feed(line), place)
    }
    try finish(&assembler, place)
  }

  private func run(_ inputs: [InputAssembler.Input], _ place: Place) throws {
    for input in inputs where !isOver {
      do {
        try Interruption.check()
        try run(input)
      } catch let error as ScriptError {
        // The innermost place is the one to mend.
        throw error
      } catch {
        throw ScriptError(place: place(input.line), cause: error)
      }
      if isOutputGone { isOver = true }
    }
  }

  /// Whether nobody reads any more what is printed, as behind `head`: then the shell ends, as one command alone does.
  var isOutputGone: Bool { environment.output == nil && Platform.isReaderGone(1) }

  func remember(_ code: Int32) { exitCode = max(exitCode, code) }
}

/// What stopped a script, and where.
struct ScriptError: Error {
  /// `FILE:LINE`, or `-c 2` for the second command.
  var place: String
  var cause: any Error
}
