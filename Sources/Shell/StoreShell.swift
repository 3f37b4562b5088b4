package import Commands
import Rendering
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
      for (index, script) in request.scripts.enumerated() where !shell.isOver {
        switch script {
        case .command(let text): try shell.run(script: text, named: "-c", firstLine: index + 1)
        case .file(let path): try shell.run(file: path)
        }
      }
      if request.scripts.isEmpty {
        try shell.run(PlainReader(descriptor: 0, showsPrompt: false), named: "stdin")
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
    while !isOver {
      Interruption.clear()
      let text = assembler.isContinuing ? prompt.continuation : prompt.text(environment)
      Interruption.clear()
      switch reader.read(prompt: text) {
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
    completion.candidates(line, from: start, before: assembler.statement, in: environment)
  }

  /// Runs what was typed, up to the first error, which ends nothing but these.
  private func answer(_ inputs: [InputAssembler.Input]) {
    Interruption.clear()
    do {
      for input in inputs where !isOver { try run(input) }
    } catch let error as ScriptError {
      complain(error.cause, at: error.place)
    } catch {
      complain(error)
    }
  }

  private func complain(_ error: any Error, at place: String? = nil) {
    if error is InterruptedError {
      Platform.writeToStandardError("(interrupted)\n")
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
        "'\(path)' is the \(scriptDepth)th file that reads another one; that is too deep.")
    }
    scriptDepth += 1
    defer { scriptDepth -= 1 }
    let bytes: [UInt8]
    do { bytes = try FileReader.bytes(of: path, limit: 16 << 20) } catch {
      throw StoreScopeError("The commands in '\(path)' can't be run: \(error.description).")
    }
    try run(script: String(decoding: bytes, as: UTF8.self), named: path, firstLine: 1)
  }

  private func run(script: String, named name: String, firstLine: Int) throws {
    var assembler = InputAssembler()
    for line in InputAssembler.lines(of: script) where !isOver {
      try run(assembler.feed(String(line)), named: name, offset: firstLine - 1)
    }
    try run(assembler.finish().map { [$0] } ?? [], named: name, offset: firstLine - 1)
  }

  private func run(_ reader: any LineReader, named name: String) throws {
    var assembler = InputAssembler()
    while !isOver, case .line(let line) = reader.read(prompt: "") {
      try run(assembler.feed(line), named: name, offset: 0)
    }
    try run(assembler.finish().map { [$0] } ?? [], named: name, offset: 0)
  }

  private func run(_ inputs: [InputAssembler.Input], named name: String, offset: Int) throws {
    for input in inputs where !isOver {
      do { try run(input) } catch let error as ScriptError {
        // The innermost place is the one to mend.
        throw error
      } catch {
        throw ScriptError(place: "\(name):\(input.line + offset)", cause: error)
      }
    }
  }

  func remember(_ code: Int32) { exitCode = max(exitCode, code) }
}

/// What stopped a script, and where.
struct ScriptError: Error {
  /// `FILE:LINE`
  var place: String
  var cause: any Error
}
