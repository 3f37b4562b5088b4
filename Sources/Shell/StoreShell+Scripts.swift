import Base
import Commands

/// Commands that nobody types: of files, of options, and of standard input.
extension StoreShell {
  private static let deepestScript = 10

  /// Runs a file's lines, and stops at the first error.
  /// - Throws: `ScriptError`.
  func run(file path: String) throws {
    guard scriptDepth < Self.deepestScript else {
      throw StoreScopeError(
        .limit, path, "is the \(scriptDepth)th file that reads another one; that is too deep")
    }
    scriptDepth += 1
    defer { scriptDepth -= 1 }
    if path == "-" {
      _ = try runStandardInput()
      return
    }
    let bytes: [UInt8]
    do { bytes = try FileReader.bytes(of: path, limit: 16 << 20) } catch {
      throw StoreScopeError(
        .unreadable, "The commands in '\(path)' can't be run: \(error.clause)", about: path)
    }
    try run(script: String(decoding: bytes, as: UTF8.self)) { "\(path):\($0)" }
  }

  /// Finds where something is by its line's number, as errors do.
  typealias Place = (_ line: Int) -> String

  /// Runs SQL of `query`, in which nothing is a command.
  func run(statements sql: String, from source: String) throws {
    try run(script: sql, InputAssembler(takesSQLOnly: true)) { "\(source):\($0)" }
  }

  func run(script: String, _ assembler: InputAssembler = InputAssembler(), place: Place) throws {
    var assembler = assembler
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

  /// - Parameter mayBeOthers: whether standard input may be somebody else's, as in a loop that reads lines from it: then
  ///   no more than its first line is taken before that is found out.
  /// - Returns: whether there was any line.
  func runStandardInput(mayBeOthers: Bool = false) throws -> Bool {
    let reader = PlainReader(descriptor: 0, showsPrompt: false, takesFirstLineAlone: mayBeOthers)
    let place: Place = { "\(ShellRequest.standardInput):\($0)" }
    var assembler = InputAssembler()
    while !isOver {
      let reading: LineReading
      do { reading = try reader.read(prompt: "") } catch {
        throw ScriptError(place: place(assembler.lineCount + 1), cause: error)
      }
      guard case .line(let line) = reading else { break }
      if mayBeOthers, assembler.lineCount == 0 { try checkFirst(line, place(1)) }
      try run(assembler.feed(line), place)
    }
    try finish(&assembler, place)
    return assembler.lineCount > 0
  }

  /// - Throws: if the first line of standard input is no command, so that the rest is hardly meant for us.
  private func checkFirst(_ line: String, _ place: String) throws {
    var assembler = InputAssembler()
    guard let input = assembler.feed(line).first, input.kind == .command else { return }
    let word = String(input.text.prefix { !$0.isWhitespace && $0 != "|" && $0 != ">" })
    let isKnown =
      CommandTable.command(named: word) != nil || Builtin.named(word) != nil || Self.namesObject(word)
      || "'\"".contains(word.prefix(1)) && SQLText.begins(word.dropFirst())
      || Words.command(for: word, in: .shell) != nil || Words.answer(to: word, in: .shell) != nil
      || word.hasPrefix(".") || word.hasPrefix("\\")
    guard !isKnown else { return }
    throw ScriptError(
      place: place,
      cause: UsageError.conflict(
        "There is no command '\(word)'. Commands are read from standard input if there are any. In a loop that reads lines from it, name a command, such as summary, before STORE."
      ))
  }

  private func run(_ inputs: [InputAssembler.Input], _ place: Place) throws {
    let wasInScript = isInScript
    isInScript = true
    defer { isInScript = wasInScript }
    for input in inputs where !isOver {
      do {
        try Interruption.check()
        try run(input)
      } catch let error as ScriptError {
        // The innermost place is the one to fix.
        throw error
      } catch {
        throw ScriptError(place: place(input.line), cause: error)
      }
      if isOutputGone { isOver = true }
    }
  }
}

/// What stopped a script, and where.
struct ScriptError: Error {
  /// `FILE:LINE`, or `-c 2` for the second command.
  var place: String
  var cause: any Error
}
