import Operations
import Rendering
import Values

/// Asks a person, or takes what a script says.
enum Consent {
  /// The plan is shown, and the store's file name has to be typed; a script gives it with `--confirm`.
  /// - Throws: `StoreScopeError` where consent isn't given.
  static func get(
    _ report: PlanReport, _ identity: StoreIdentity, command: String, _ invocation: Invocation
  ) throws {
    let name = identity.path.split(separator: "/").last.map(String.init) ?? identity.path
    if let word = invocation.arguments["confirm"] {
      guard word == name else {
        throw StoreScopeError(
          "'--confirm' says '\(word)', but the store's file is '\(name)'; nothing was changed.")
      }
      return
    }
    guard Platform.isTerminal(0), Platform.isTerminal(2) else {
      throw StoreScopeError(
        "'--apply' needs consent: a script gives --confirm \(name), a person types the name on a terminal; nothing was changed."
      )
    }
    let style = TextStyle(width: Platform.terminalSize(2)?.columns, hasUnicode: Terminal.localeHasUnicode)
    var ascii = ASCIIFilter()
    let output = OutputBuffer { bytes in
      guard !style.hasUnicode else { return Platform.write(bytes, to: 2) }
      return ascii.filtered(bytes).withUnsafeBytes { Platform.write($0, to: 2) }
    }
    try Renderer(output: output, options: Renderer.Options(style: style, isTerminal: true)).render(
      report.document(identity, command: command, asksForConsent: true))
    invocation.progress.finish()
    guard ask("Type the store's file name, \(name), to go on: ") == name else {
      throw StoreScopeError("The name was not typed; nothing was changed.")
    }
  }

  /// The one question more that a reset asks; nil where nobody can be asked.
  static func serverZone() throws -> Choices.ServerZone? {
    guard Platform.isTerminal(0), Platform.isTerminal(2) else { return nil }
    let answer = ask(
      "Is the zone on the server emptied too? Without that every object is doubled. (emptied/kept) ")
    guard let zone = Choices.ServerZone(rawValue: answer) else {
      throw StoreScopeError("'\(answer)' is neither 'emptied' nor 'kept'; nothing was changed.")
    }
    return zone
  }

  static func ask(_ question: String) -> String {
    Platform.writeToStandardError(TerminalText.escaped(question))
    return Platform.readLine() ?? ""
  }
}
