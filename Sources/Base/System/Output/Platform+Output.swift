#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// The ways in and out of the program: descriptors that somebody else opened.
extension Platform {
  /// A line of standard input; nil at its end and where Ctrl-C came first. By read(2): a stream of the C library keeps an
  /// interrupted reading as an error forever.
  package static func readLine(limit: Int = 4096) -> String? {
    var bytes: [UInt8] = []
    var byte: UInt8 = 0
    while bytes.count < limit {
      let count = systemRead(0, &byte, 1)
      if count < 0, errno == EINTR, !Interruption.isRequested { continue }
      guard count == 1 else { return nil }
      if byte == 0x0A { break }
      bytes.append(byte)
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Writes everything; false where the reader went away or the medium is full.
  package static func write(_ bytes: UnsafeRawBufferPointer, to descriptor: Int32) -> Bool {
    var rest = bytes[...]
    while !rest.isEmpty {
      let written = systemWrite(descriptor, UnsafeRawBufferPointer(rebasing: rest).baseAddress, rest.count)
      if written < 0 {
        if errno == EINTR { continue }
        return false
      }
      rest = rest.dropFirst(written)
    }
    return true
  }

  /// A message for people.
  package static func writeToStandardError(_ text: String) {
    var text = text
    _ = text.withUTF8 { write(UnsafeRawBufferPointer($0), to: STDERR_FILENO) }
  }

  package static func isTerminal(_ descriptor: Int32) -> Bool { isatty(descriptor) == 1 }

  /// What standard input is to a program that nobody asked to read it.
  package enum InputKind: Sendable {
    case terminal
    /// A file that has something in it, of which nobody has read anything.
    case unreadFile
    /// A pipe or a socket.
    case stream
    /// Nothing to be read: a device, an empty file, or one that somebody else is reading, as in a loop of `while read`.
    case nothing
  }

  package static var standardInput: InputKind {
    if isTerminal(STDIN_FILENO) { return .terminal }
    var status = stat()
    guard fstat(STDIN_FILENO, &status) == 0 else { return .nothing }
    switch status.st_mode & S_IFMT {
    case S_IFIFO, S_IFSOCK: return .stream
    case S_IFREG: return status.st_size > 0 && lseek(STDIN_FILENO, 0, SEEK_CUR) == 0 ? .unreadFile : .nothing
    default: return .nothing
    }
  }

  /// Whether reading would not wait, within so many seconds: there is something, or the end.
  package static func isReadable(_ descriptor: Int32, within seconds: Double) -> Bool {
    events(POLLIN, on: descriptor, within: seconds) != 0
  }

  /// Columns and rows of the terminal behind a descriptor, where there is one.
  package static func terminalSize(_ descriptor: Int32) -> (columns: Int, rows: Int)? {
    var size = winsize()
    guard ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return nil }
    return (Int(size.ws_col), Int(size.ws_row))
  }

  /// A closed pipe then shows as a failed write instead of ending the process.
  package static func ignoreBrokenPipes() { signal(SIGPIPE, SIG_IGN) }

  /// Fills what is closed of standard input, output and error, so that no store that is opened later gets such a number
  /// and then the messages: https://www.sqlite.org/howtocorrupt.html#_continuing_to_use_a_file_descriptor_after_it_has_been_closed
  package static func occupyStandardDescriptors() {
    for descriptor in Int32(0)...2 where fcntl(descriptor, F_GETFD) < 0 {
      // For the way in which nobody uses it: reading or writing fails as before.
      _ = open("/dev/null", descriptor == 0 ? O_WRONLY : O_RDONLY)
    }
  }

  /// Whether nobody will ever read what is written: the pipe's other end is closed, or the terminal is gone.
  package static func isReaderGone(_ descriptor: Int32) -> Bool {
    events(POLLOUT, on: descriptor, within: 0) & (POLLERR | POLLHUP) != 0
  }

  /// The next bytes, as many as come at once; 0 at the end, nil if there are none for `lastFailure`'s reason.
  package static func read(_ descriptor: Int32, into buffer: UnsafeMutableRawBufferPointer) -> Int? {
    let count = systemRead(descriptor, buffer.baseAddress, buffer.count)
    return count < 0 ? nil : count
  }

  /// Whether a write may wait for somebody: a pipe, a socket, a terminal, but no file.
  package static func canStall(_ descriptor: Int32) -> Bool {
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { return false }
    return [S_IFIFO, S_IFSOCK].contains(status.st_mode & S_IFMT) || isTerminal(descriptor)
  }

  /// Whether a write would not wait now, or within so many seconds. False if a signal came; true if the write would
  /// fail.
  package static func isWritable(_ descriptor: Int32, within seconds: Double = 0) -> Bool {
    events(POLLOUT, on: descriptor, within: seconds) != 0
  }

  /// The events that poll(2) reports for a descriptor within that many seconds; 0 if none.
  private static func events(_ wanted: Int32, on descriptor: Int32, within seconds: Double) -> Int32 {
    var state = pollfd(fd: descriptor, events: Int16(wanted), revents: 0)
    return poll(&state, 1, Int32((seconds * 1000).rounded(.up))) > 0 ? Int32(state.revents) : 0
  }

  /// The terminal behind a descriptor, opened again so that writing to it never waits: O_NONBLOCK on the descriptor
  /// itself would hold for everybody who has inherited it. Nil if that can't be done.
  package static func openTerminalAgain(_ descriptor: Int32) -> OpenFile? {
    var name = [CChar](repeating: 0, count: 1024)
    guard ttyname_r(descriptor, &name, name.count) == 0 else { return nil }
    let opened = open(name, O_WRONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC)
    guard opened >= 0 else { return nil }
    let again = OpenFile(opened)
    var (one, other) = (stat(), stat())
    guard fstat(descriptor, &one) == 0, fstat(opened, &other) == 0, one.st_rdev == other.st_rdev else {
      return nil
    }
    return again
  }

  /// How many bytes a pipe that `isWritable` takes without waiting: PIPE_BUF,
  /// https://man7.org/linux/man-pages/man7/pipe.7.html
  package static var pipeAtom: Int {
    #if canImport(Darwin)
      512
    #else
      4096
    #endif
  }

  /// One call of write(2).
  /// - Returns: how many bytes were written, 0 if none could be now; nil if writing failed.
  package static func writeSome(_ bytes: UnsafeRawBufferPointer, to descriptor: Int32) -> Int? {
    let count = systemWrite(descriptor, bytes.baseAddress, bytes.count)
    if count >= 0 { return count }
    return errno == EINTR || errno == EAGAIN ? 0 : nil
  }
}
