import Synchronization

#if canImport(Darwin)
  import Darwin
#else
  import CLinux
  import Glibc
#endif

/// A password or a key. Its bytes are in one place, which is overwritten when this value goes.
package final class Secret: Sendable {
  private nonisolated(unsafe) let bytes: UnsafeMutableBufferPointer<UInt8>
  package let count: Int

  /// - Parameters:
  ///   - longest: how many bytes it may have.
  ///   - fill: puts them there, and returns how many there are.
  package init(longest: Int, _ fill: (UnsafeMutableBufferPointer<UInt8>) throws -> Int) rethrows {
    let bytes = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: max(longest, 1))
    bytes.initialize(repeating: 0)
    self.bytes = bytes
    do { count = try fill(bytes) } catch {
      Self.wipe(UnsafeMutableRawBufferPointer(bytes))
      bytes.deallocate()
      throw error
    }
  }

  deinit {
    Self.wipe(UnsafeMutableRawBufferPointer(bytes))
    bytes.deallocate()
  }

  package func withBytes<R>(_ body: (UnsafeBufferPointer<UInt8>) throws -> R) rethrows -> R {
    try body(UnsafeBufferPointer(rebasing: bytes[..<count]))
  }

  /// Overwrites what a compiler would otherwise leave as it is, since nobody reads it anymore.
  static func wipe(_ bytes: UnsafeMutableRawBufferPointer) {
    guard let start = bytes.baseAddress else { return }
    #if canImport(Darwin)
      _ = memset_s(start, bytes.count, 0, bytes.count)
    #else
      explicit_bzero(start, bytes.count)
    #endif
  }

  /// Keeps the memory out of files that the system writes when a program crashes. On Linux also away from other programs of
  /// the same user, and from helpers that take such files in place of the system: those don't care for the limit.
  /// https://man7.org/linux/man-pages/man5/core.5.html
  package static func preventDumps() {
    Platform.limit(.dumps, to: 0)
    #if !canImport(Darwin)
      _ = storescope_prevent_dumps()
    #endif
  }
}

extension Platform {
  /// Asks on the terminal, which doesn't show what is typed. Nil if there is none. Whoever stops the
  /// program meanwhile gets the terminal as it was, and is asked again when it goes on.
  /// https://man7.org/linux/man-pages/man3/termios.3.html
  /// - Throws: `InterruptedError` after Ctrl-C, which has to be watched: it would leave the terminal as it is;
  ///   `StoreScopeError` if no line of up to `longest` bytes was typed.
  package static func readPassword(prompt: String, longest: Int) throws -> Secret? {
    let terminal = open("/dev/tty", O_RDWR | O_CLOEXEC | O_NOCTTY)
    guard terminal >= 0 else { return nil }
    defer { systemClose(terminal) }
    while true {
      let (answer, signalNumber) = try ask(prompt, longest, on: terminal)
      guard let number = signalNumber else {
        guard case .typed(let password) = answer else { return nil }
        guard let password else { throw StoreScopeError(.invalid, "No password was entered") }
        return password
      }
      // Swift's own handler would show where the program is, and let it go on.
      if number == SIGQUIT { signal(SIGQUIT, SIG_DFL) }
      raise(number)
      // Ctrl-C while it was stopped.
      try Interruption.check()
    }
  }

  private enum Answer {
    case noTerminal
    /// Nil if the line didn't end, as after Ctrl-D.
    case typed(Secret?)
  }

  /// - Returns: also the signal that it waited with, if one came.
  private static func ask(
    _ prompt: String, _ longest: Int, on terminal: Int32
  ) throws(InterruptedError) -> (Answer, Int32?) {
    let pause = Pause()
    // Also after Ctrl-C: a shell goes on, and its next command has to stop at Ctrl-Z.
    defer { pause.end() }
    var before = termios()
    guard tcgetattr(terminal, &before) == 0 else { return (.noTerminal, nil) }
    var silent = before
    silent.c_lflag &= ~tcflag_t(ECHO)
    tcsetattr(terminal, TCSAFLUSH, &silent)
    defer { tcsetattr(terminal, TCSAFLUSH, &before) }
    func show(_ text: String) {
      _ = Array(text.utf8).withUnsafeBytes { systemWrite(terminal, $0.baseAddress, $0.count) }
    }
    show(prompt)
    defer { show("\n") }
    var isWhole = false
    let password = Secret(longest: longest + 1) { bytes in
      var count = 0
      while count < bytes.count {
        if Interruption.isRequested || pause.signal != nil { break }
        // A signal that comes right here would be noticed with the next key only.
        guard Platform.isReadable(terminal, within: 0.1) else { continue }
        let read = systemRead(terminal, bytes.baseAddress.map { $0 + count }, 1)
        if Interruption.isRequested || pause.signal != nil { break }
        if read < 0, errno == EINTR { continue }
        guard read == 1 else { break }
        if bytes[count] == UInt8(ascii: "\n") {
          bytes[count] = 0
          isWhole = true
          break
        }
        count += 1
      }
      return count
    }
    try Interruption.check()
    return (.typed(isWhole ? password : nil), pause.signal)
  }
}

extension Secret {
  /// What stands before the first end of a line of a file, also in a pipe or on a terminal, for which it waits.
  /// - Throws: `InterruptedError` after Ctrl-C; `StoreScopeError` if it can't be read, or has more than `longest` bytes.
  package convenience init(firstLineOf path: String, longest: Int) throws {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY)
    guard descriptor >= 0 else {
      try Interruption.check()
      throw StoreScopeError.failed("can't open", path, Platform.lastError())
    }
    defer { systemClose(descriptor) }
    // With the two bytes that end it.
    try self.init(longest: longest + 2) { bytes in
      var count = 0
      while true {
        let read = systemRead(descriptor, bytes.baseAddress.map { $0 + count }, 1)
        try Interruption.check()
        if read < 0, errno == EINTR { continue }
        guard read >= 0 else { throw StoreScopeError.failed("can't read", path, Platform.lastError()) }
        if read == 0 || bytes[count] == UInt8(ascii: "\n") { break }
        count += 1
        guard count < bytes.count else { break }
      }
      if count > 0, bytes[count - 1] == UInt8(ascii: "\r") { count -= 1 }
      guard count <= longest else {
        throw StoreScopeError(
          .limit, plain: path, "has a first line of more than the \(longest) bytes that are read")
      }
      return count
    }
  }
}

/// The signals of Ctrl-Z and Ctrl-\, which wait until the terminal is as it was.
private struct Pause {
  private static let arrived = Atomic<Int32>(0)
  private let before: [(signal: Int32, action: SignalAction)]

  init() {
    // The handler must not be the first to use it, as that allocates.
    Self.arrived.store(0, ordering: .relaxed)
    before = [SIGTSTP, SIGQUIT].map { ($0, SignalAction(of: $0)) }.filter { !$0.1.ignores }
    for (signal, _) in before {
      SignalAction { Self.arrived.store($0, ordering: .relaxed) }.set(for: signal)
    }
  }

  /// The one that came.
  var signal: Int32? {
    let number = Self.arrived.load(ordering: .relaxed)
    return number == 0 ? nil : number
  }

  func end() {
    for (signal, action) in before { action.set(for: signal) }
  }
}
