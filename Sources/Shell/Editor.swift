import Base
import Commands

/// `$VISUAL`, `$EDITOR` or vi, for a statement that was typed.
enum Editor {
  private static var commandLine: String {
    [Platform.environment("VISUAL"), Platform.environment("EDITOR")].compactMap { $0 }.first { !$0.isEmpty }
      ?? "vi"
  }

  /// - Returns: the text as it was left; nil if it is the same.
  static func edit(_ text: String) throws -> String? {
    let path = "\(Platform.temporaryFolder)/storescope-\(Platform.userID())-\(Platform.nanoseconds()).sql"
    // Fails where something has that name already.
    guard let file = OpenFile(path, for: .making), file.write(text + "\n") else {
      throw StoreScopeError.unwritable(path, Platform.lastError(), advice: "set TMPDIR to another folder")
    }
    file.close()
    defer { Files.remove(path) }
    let code = Platform.runProgram("\(commandLine) \(ShellQuotes.word(path))")
    // Who leaves an editor with an error doesn't want the text: vi's `:cq`.
    if let code, code != 0, ![126, 127].contains(code) {
      throw StoreScopeError(.refused, "The editor ended with \(code), so nothing was run")
    }
    guard code == 0 else {
      throw StoreScopeError(
        .failed, "The editor '\(commandLine)' can't be run", advice: "Set VISUAL or EDITOR to another program"
      )
    }
    let edited = String(decoding: try FileReader.bytes(of: path, limit: 1 << 20), as: UTF8.self)
    let result = edited.hasSuffix("\n") ? String(edited.dropLast()) : edited
    return result == text ? nil : result
  }
}
