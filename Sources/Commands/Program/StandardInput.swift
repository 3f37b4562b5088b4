import SystemCalls
import Values

/// Standard input as a program meets it that wasn't asked to read it: it may be somebody else's, or nobody's.
enum StandardInput {
  /// How long a pipe may be silent until it counts as one that nobody writes to. Such pipes are what daemons and build
  /// servers leave as standard input.
  private static let patience = 3.0

  /// Whether there is something to read, or the end of what was written.
  /// - Parameter note: what is said of a silent pipe.
  static func hasCome(quietly isQuiet: Bool, _ note: String) -> Bool {
    switch Platform.standardInput {
    case .terminal, .nothing: return false
    case .unreadFile: return true
    case .stream:
      if Platform.isReadable(0, within: patience) { return true }
      if !isQuiet { Platform.writeToStandardError("storescope: \(note)\n") }
      return false
    }
  }

  /// All of it, to its end.
  static func text(limit: Int) throws -> String {
    var text: [UInt8] = []
    var piece = [UInt8](repeating: 0, count: 65_536)
    while true {
      let count = piece.withUnsafeMutableBytes { Platform.read(0, into: $0) }
      guard let count else {
        guard Platform.lastFailure == .interrupted else {
          throw StoreScopeError(.unreadable, "Standard input can't be read")
        }
        try Interruption.check()
        continue
      }
      guard count > 0 else { return String(decoding: text, as: UTF8.self) }
      text += piece[..<count]
      guard text.count <= limit else {
        throw StoreScopeError(.limit, "Standard input has more than the \(limit) bytes that are read")
      }
    }
  }
}
