import SystemCalls
import Values

/// `$PAGER`, or `less` set to leave at once what fits the screen.
struct Pager {
  private let pipe: Platform.Pipe
  private let commandLine: String

  /// Nil where paging isn't wanted or there is no such program.
  init?() {
    let commandLine = Platform.environment("PAGER") ?? "less"
    let program = commandLine.split(separator: " ").first.map(String.init) ?? ""
    guard !program.isEmpty, program != "cat", Platform.hasProgram(program) else { return nil }
    Platform.setEnvironment("LESS", Self.lessOptions(Platform.environment("LESS")))
    // Data from a stranger's store is on the screen: the pager must not run commands (less's manual, SECURITY).
    Platform.setEnvironment("LESSSECURE", "1")
    guard let pipe = Platform.Pipe(to: commandLine) else { return nil }
    self.pipe = pipe
    self.commandLine = commandLine
  }

  /// What less gets through its environment: colors have to reach the terminal (`-R`), whatever else a person
  /// has set. Without that less shows escapes as text.
  static func lessOptions(_ own: String?) -> String {
    guard let own, !own.isEmpty else { return "FRX" }
    // Words of their own, so that nothing that was set is read in another way: `-P` and the like take the rest of
    // their word. A dollar ends such a string (less's manual, OPTIONS).
    return "-R " + own
  }

  /// Where it reads from.
  var descriptor: Int32 { pipe.descriptor }

  /// Waits for its end.
  /// - Throws: `StoreScopeError` if the shell couldn't run it, so that nothing was shown:
  ///   https://pubs.opengroup.org/onlinepubs/9799919799/utilities/V3_chap02.html#tag_19_08_02
  func close() throws {
    guard let code = pipe.close(), [126, 127].contains(code) else { return }
    throw StoreScopeError(
      .failed, "The pager '\(commandLine)' can't be run, so the result wasn't shown",
      advice: "Set PAGER to another program, or give --no-pager")
  }
}
