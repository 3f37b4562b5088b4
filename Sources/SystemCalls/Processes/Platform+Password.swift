#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

extension Platform {
  /// Asks on the terminal, which doesn't show what is typed. Nil if there is none, or it was given up.
  /// https://man7.org/linux/man-pages/man3/termios.3.html
  package static func readPassword(prompt: String) -> [UInt8]? {
    let terminal = open("/dev/tty", O_RDWR | O_CLOEXEC | O_NOCTTY)
    guard terminal >= 0 else { return nil }
    defer { close(terminal) }
    var before = termios()
    guard tcgetattr(terminal, &before) == 0 else { return nil }
    var silent = before
    silent.c_lflag &= ~tcflag_t(ECHO)
    tcsetattr(terminal, TCSAFLUSH, &silent)
    defer { tcsetattr(terminal, TCSAFLUSH, &before) }
    func show(_ text: String) {
      _ = Array(text.utf8).withUnsafeBytes { systemWrite(terminal, $0.baseAddress, $0.count) }
    }
    show(prompt)
    defer { show("\n") }
    var line: [UInt8] = []
    var byte: UInt8 = 0
    while line.count < 4096, systemRead(terminal, &byte, 1) == 1 {
      if byte == UInt8(ascii: "\n") { return line }
      line.append(byte)
    }
    return nil
  }
}
