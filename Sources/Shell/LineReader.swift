import Base
import Commands

/// Where the shell's lines come from.
protocol LineReader: AnyObject {
  /// Waits for a line; what was typed comes without its end. With bracketed paste it may hold more than one line.
  func read(prompt: String) throws(StoreScopeError) -> LineReading
  /// From here on the text can be called up again.
  func remember(_ text: String)
}

enum LineReading: Equatable {
  case line(String)
  /// Ctrl-C: what was typed so far is dropped.
  case interrupted
  /// Ctrl-D, or the end of the file.
  case end
}

/// How the word at the cursor may go on: the line up to the cursor, and the byte from which readline replaces.
typealias LineCompleter = (_ line: String, _ start: Int) -> [Candidate]

/// Lines from a file descriptor as they come: pipes, files, and terminals that can't move their cursor.
final class PlainReader: LineReader {
  private let descriptor: Int32
  private let showsPrompt: Bool
  private var buffer: [UInt8] = []
  /// Where the next line begins in the buffer, and up to where no line end was found.
  private var (start, searched) = (0, 0)
  private var isAtEnd = false
  private static let longestLine = 16 << 20

  /// How many bytes are read at once; one until the first line has come, if more might be another reader's.
  private var piece = 65_536

  /// - Parameter takesFirstLineAlone: whether nothing behind the first line is read before that is asked for.
  init(descriptor: Int32, showsPrompt: Bool, takesFirstLineAlone: Bool = false) {
    if takesFirstLineAlone { piece = 1 }
    self.descriptor = descriptor
    self.showsPrompt = showsPrompt
  }

  /// - Throws: where a line is longer than any that is typed; nothing behind it is read.
  func read(prompt: String) throws(StoreScopeError) -> LineReading {
    if showsPrompt { Platform.writeToStandardError(prompt) }
    while true {
      let end = buffer.withUnsafeBytes { Platform.firstOffset(of: 0x0A, in: $0, from: searched) }
      if let end {
        defer { (start, searched, piece) = (end + 1, end + 1, 65_536) }
        return .line(String(decoding: buffer[start..<end], as: UTF8.self))
      }
      buffer.removeFirst(start)
      (start, searched) = (0, buffer.count)
      if isAtEnd {
        guard !buffer.isEmpty else { return .end }
        defer { drop() }
        return .line(String(decoding: buffer, as: UTF8.self))
      }
      guard buffer.count <= Self.longestLine else {
        drop()
        isAtEnd = true
        throw StoreScopeError(
          .limit, "The line has more than \(Self.longestLine >> 20) MB, so the rest wasn't read",
          advice: "break it into shorter ones")
      }
      var bytes = [UInt8](repeating: 0, count: piece)
      let count = bytes.withUnsafeMutableBytes { Platform.read(descriptor, into: $0) }
      let isCut = count == nil && Platform.lastFailure == .interrupted
      if Interruption.isRequested {
        drop()
        if showsPrompt { Platform.writeToStandardError("\n") }
        return .interrupted
      }
      if isCut { continue }
      if let count, count > 0 { buffer += bytes[..<count] } else { isAtEnd = true }
    }
  }

  private func drop() {
    buffer = []
    (start, searched) = (0, 0)
  }

  func remember(_ text: String) {}
}
