import Values

#if canImport(Darwin)
  import Darwin
#else
  @preconcurrency import Glibc
#endif

/// Lines from a file descriptor as they come: pipes, files, and terminals that can't move their cursor.
final class PlainReader: LineReader {
  private let descriptor: Int32
  private let showsPrompt: Bool
  private var buffer: [UInt8] = []
  private var isAtEnd = false
  private var longestLine: Int { 16 << 20 }

  init(descriptor: Int32, showsPrompt: Bool) {
    self.descriptor = descriptor
    self.showsPrompt = showsPrompt
  }

  func read(prompt: String) -> LineReading {
    if showsPrompt { Platform.writeToStandardError(prompt) }
    while true {
      if let end = buffer.firstIndex(of: 0x0A) {
        let line = buffer[..<end]
        buffer.removeFirst(end + 1)
        return .line(String(decoding: line, as: UTF8.self))
      }
      if isAtEnd || buffer.count > longestLine {
        guard !buffer.isEmpty else { return .end }
        defer { buffer = [] }
        return .line(String(decoding: buffer, as: UTF8.self))
      }
      var piece = [UInt8](repeating: 0, count: 65_536)
      let count = systemRead(descriptor, &piece, piece.count)
      if Interruption.isRequested {
        buffer = []
        if showsPrompt { Platform.writeToStandardError("\n") }
        return .interrupted
      }
      if count < 0, errno == EINTR { continue }
      if count <= 0 { isAtEnd = true } else { buffer += piece[..<count] }
    }
  }

  func remember(_ text: String) {}
}

/// read(2), by a name that the readers' own methods don't hide.
func systemRead(_ descriptor: Int32, _ bytes: UnsafeMutableRawPointer, _ count: Int) -> Int {
  read(descriptor, bytes, count)
}
