#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

extension Platform {
  /// Asks on the terminal, which doesn't show what is typed. Nil if there is none, or it was given up.
  /// https://man7.org/linux/man-pages/man3/termios.3.html
  /// - Throws: `InterruptedError` after Ctrl-C, which has to be watched: it would leave the terminal as it is.
  package static func readPassword(prompt: String) throws(InterruptedError) -> [UInt8]? {
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
    while line.count < 4096 {
      let count = systemRead(terminal, &byte, 1)
      try Interruption.check()
      if count < 0, errno == EINTR { continue }
      guard count == 1 else { return nil }
      if byte == UInt8(ascii: "\n") { return line }
      line.append(byte)
    }
    return nil
  }

  /// Keeps what is in the memory out of files that the system writes when a program crashes.
  /// https://man7.org/linux/man-pages/man2/getrlimit.2.html
  package static func preventDumps() {
    var none = rlimit(rlim_cur: 0, rlim_max: 0)
    #if canImport(Darwin)
      setrlimit(RLIMIT_CORE, &none)
    #else
      setrlimit(__rlimit_resource_t(RLIMIT_CORE.rawValue), &none)
    #endif
  }

  /// Overwrites a secret where it is. Copies that were made of it stay.
  package static func wipe(_ bytes: inout [UInt8]) {
    bytes.withUnsafeMutableBytes { buffer in
      guard let start = buffer.baseAddress else { return }
      #if canImport(Darwin)
        _ = memset_s(start, buffer.count, 0, buffer.count)
      #else
        explicit_bzero(start, buffer.count)
      #endif
    }
  }
}
