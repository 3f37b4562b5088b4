import Base
import Operations
import Rendering

/// Asks a person, or takes what a script says.
enum Consent {
  /// The store's file name has to be typed; a script gives it with `--confirm`.
  /// - Parameters:
  ///   - reason: why consent is needed, for a script that gives none.
  ///   - purpose: what the name is typed for.
  ///   - document: shows a person what is consented to.
  /// - Throws: `StoreScopeError` where consent isn't given.
  static func get(
    _ path: String, because reason: String, to purpose: String, _ invocation: Invocation,
    showing document: Document? = nil
  ) throws {
    let name = Platform.fileName(path)
    if invocation.arguments.has(.confirm) { return try checkGiven([name], invocation) }
    guard Platform.isTerminal(0), Platform.isTerminal(2) else {
      throw StoreScopeError(
        .refused,
        "\(reason): pass --confirm \(ShellQuotes.word(name)), or run it in a terminal and type the name",
        outcome: .unchanged)
    }
    if let document { try show(invocation.worded(document)) }
    invocation.progress.finish()
    guard try ask("Type the store's file name, \(name), to \(purpose):") == name else {
      throw StoreScopeError(.refused, "Not confirmed", outcome: .unchanged)
    }
  }

  private static func show(_ document: Document) throws {
    let style = TextStyle(width: Platform.terminalSize(2)?.columns, hasUnicode: Terminal.localeHasUnicode)
    var ascii = ASCIIFilter()
    let output = OutputBuffer { bytes in
      guard !style.hasUnicode else { return Platform.write(bytes, to: 2) }
      return ascii.filtered(bytes).withUnsafeBytes { Platform.write($0, to: 2) }
    }
    try Renderer(output: output, options: Renderer.Options(style: style, isTerminal: true)).render(document)
  }

  /// What `--confirm` says, if anything, must be one of the names: a script that names another store is mistaken.
  static func checkGiven(_ names: [String], _ invocation: Invocation) throws {
    guard let word = invocation.arguments[.confirm], !names.contains(word) else { return }
    throw StoreScopeError(
      .refused, "'--confirm' is '\(word)', but the store's file is '\(names[0])'", outcome: .unchanged)
  }

  /// The one question more that a reset asks; nil where nobody can be asked.
  static func serverZone() throws -> Choices.ServerZone? {
    guard Platform.isTerminal(0), Platform.isTerminal(2) else { return nil }
    let answer = try ask(
      "Is the zone on the server emptied too? If not, every object is duplicated. (emptied/kept)")
    guard let zone = Choices.ServerZone(rawValue: answer) else {
      throw StoreScopeError(.invalid, answer, "is neither 'emptied' nor 'kept'", outcome: .unchanged)
    }
    return zone
  }

  private static func ask(_ question: String) throws -> String {
    let columns = Platform.terminalSize(2)?.columns ?? .max
    Platform.writeToStandardError(TerminalText.wrapped(TerminalText.escaped(question), to: columns) + " ")
    let answer = Platform.readLine()
    if answer == nil { Platform.writeToStandardError("\n") }
    try Interruption.check()
    return answer ?? ""
  }
}
