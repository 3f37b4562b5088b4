#if canImport(Darwin)
  package import Darwin
#else
  @preconcurrency package import Glibc
#endif

/// What differs between Linux and Apple's systems, and the few calls of the C library that several targets
/// share.
package enum Platform {
  /// Modification time in nanoseconds since 1970.
  package static func modified(_ status: stat) -> Int64 {
    #if canImport(Darwin)
      let time = status.st_mtimespec
    #else
      let time = status.st_mtim
    #endif
    return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
  }

  /// Seconds of a clock that never goes back.
  package static func monotonicSeconds() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }

  /// The processor time of this thread. https://man7.org/linux/man-pages/man3/clock_gettime.3.html
  package static func threadSeconds() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }

  /// Nanoseconds since 1970 by the clock that stamps files.
  package static func nanoseconds() -> Int64 {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
  }

  /// The time of day, for ages and "in the future".
  package static func now() -> CoreDataDate {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    return CoreDataDate(unixSeconds: Double(time.tv_sec) + Double(time.tv_nsec) / 1e9)
  }

  /// The time that a result bears: now, or what SOURCE_DATE_EPOCH says, so that one who needs it gets the same bytes in
  /// each run (https://reproducible-builds.org/docs/source-date-epoch/).
  package static func dateOfOutput() -> CoreDataDate {
    environment("SOURCE_DATE_EPOCH").flatMap(Int64.init).map { CoreDataDate(unixSeconds: Double($0)) }
      ?? now()
  }

  /// The last part of a path.
  package static func fileName(_ path: String) -> String {
    path.split(separator: "/").last.map(String.init) ?? path
  }

  /// A folder's path as shells complete it, without the slashes at its end.
  package static func withoutLastSlashes(_ path: String) -> String {
    var path = path
    while path.count > 1, path.hasSuffix("/") { path.removeLast() }
    return path
  }

  /// The path from the root on, without links; nil if there is nothing.
  package static func realPath(_ path: String) -> String? {
    guard let real = realpath(path, nil) else { return nil }
    defer { free(real) }
    return String(cString: real)
  }

  /// The path from the root on, links as they are.
  package static func absolutePath(_ path: String) -> String {
    if path.hasPrefix("/") { return path }
    guard let folder = getcwd(nil, 0) else { return path }
    defer { free(folder) }
    return String(cString: folder) + "/" + path
  }

  /// A line of standard input; nil at its end and where Ctrl-C came first. By read(2): a stream of the C library keeps an
  /// interrupted reading as an error for ever.
  package static func readLine(limit: Int = 4096) -> String? {
    var bytes: [UInt8] = []
    var byte: UInt8 = 0
    while bytes.count < limit {
      let count = read(0, &byte, 1)
      if count < 0, errno == EINTR, !Interruption.isRequested { continue }
      guard count == 1 else { return nil }
      if byte == 0x0A { break }
      bytes.append(byte)
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// What the C library says of the last failed call.
  package static func lastError() -> String { String(cString: strerror(errno)) }

  package static var lastErrorIsClosedPipe: Bool { errno == EPIPE }

  /// Writes everything; false where the reader went away or the medium is full.
  package static func write(_ bytes: UnsafeRawBufferPointer, to descriptor: Int32) -> Bool {
    #if canImport(Darwin)
      let write = Darwin.write
    #else
      let write = Glibc.write
    #endif
    var rest = bytes[...]
    while !rest.isEmpty {
      let written = write(descriptor, UnsafeRawBufferPointer(rebasing: rest).baseAddress, rest.count)
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

  /// Columns and rows of the terminal behind a descriptor, where there is one.
  package static func terminalSize(_ descriptor: Int32) -> (columns: Int, rows: Int)? {
    var size = winsize()
    guard ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return nil }
    return (Int(size.ws_col), Int(size.ws_row))
  }

  /// A variable of the environment; nil where it is unset.
  package static func environment(_ name: String) -> String? { getenv(name).map { String(cString: $0) } }

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
    var state = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
    return poll(&state, 1, 0) > 0 && Int32(state.revents) & Int32(POLLERR | POLLHUP) != 0
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
    var state = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
    return poll(&state, 1, Int32((seconds * 1000).rounded(.up))) > 0
  }

  /// The terminal behind a descriptor, opened once more so that writing to it never waits: O_NONBLOCK on the descriptor
  /// itself would hold for everybody who has inherited it. Nil if that can't be done.
  package static func openTerminalAgain(_ descriptor: Int32) -> Int32? {
    var name = [CChar](repeating: 0, count: 1024)
    guard ttyname_r(descriptor, &name, name.count) == 0 else { return nil }
    let again = open(name, O_WRONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC)
    guard again >= 0 else { return nil }
    var (one, other) = (stat(), stat())
    guard fstat(descriptor, &one) == 0, fstat(again, &other) == 0, one.st_rdev == other.st_rdev else {
      close(again)
      return nil
    }
    return again
  }

  package static func closeDescriptor(_ descriptor: Int32) { close(descriptor) }

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
    #if canImport(Darwin)
      let count = Darwin.write(descriptor, bytes.baseAddress, bytes.count)
    #else
      let count = Glibc.write(descriptor, bytes.baseAddress, bytes.count)
    #endif
    if count >= 0 { return count }
    return errno == EINTR || errno == EAGAIN ? 0 : nil
  }

  /// Where temporary files go.
  package static var temporaryFolder: String {
    environment("TMPDIR").flatMap { $0.isEmpty ? nil : withoutLastSlashes($0) } ?? "/tmp"
  }

  /// Whether a folder lies at a path; nil where nothing does.
  package static func isFolder(_ path: String) -> Bool? {
    var status = stat()
    guard stat(path, &status) == 0 else { return nil }
    return status.st_mode & S_IFMT == S_IFDIR
  }
}

// MARK: - Programs

extension Platform {
  /// Another program that reads what we write.
  package struct Pipe {
    private let stream: UnsafeMutablePointer<FILE>

    /// Runs the command line in a shell; nil where that can't be.
    package init?(to commandLine: String) {
      guard let stream = popen(commandLine, "w") else { return nil }
      self.stream = stream
    }

    /// Where the program reads from.
    package var descriptor: Int32 { fileno(stream) }

    /// Waits for the program's end.
    /// - Returns: its exit code; nil if a signal ended it.
    @discardableResult
    package func close() -> Int32? {
      let status = pclose(stream)
      return status & 0x7F == 0 ? status >> 8 & 0xFF : nil
    }
  }

  /// Whether a program of that name can be found and run.
  package static func hasProgram(_ name: String) -> Bool {
    if name.contains("/") { return access(name, X_OK) == 0 }
    return (environment("PATH") ?? "").split(separator: ":").contains { access("\($0)/\(name)", X_OK) == 0 }
  }

  package static func setEnvironment(_ name: String, _ value: String) { setenv(name, value, 1) }
}

extension Platform {
  /// Opens a file or folder to read it, without touching the time of its last access if the system lets that be: Linux
  /// lets the owner and the administrator; macOS has nothing like it.
  /// - Parameter flags: in addition to O_RDONLY and O_CLOEXEC.
  /// - Returns: a descriptor; -1, with `errno`, if it can't be opened.
  package static func openQuietly(_ path: String, _ flags: Int32, in folder: Int32 = AT_FDCWD) -> Int32 {
    let flags = flags | O_RDONLY | O_CLOEXEC
    #if os(Linux)
      let descriptor = openat(folder, path, flags | noAccessTime)
      if descriptor >= 0 || errno != EPERM { return descriptor }
    #endif
    return openat(folder, path, flags)
  }

  #if os(Linux)
    /// O_NOATIME, which Glibc's module leaves out: https://man7.org/linux/man-pages/man2/open.2.html
    package static let noAccessTime: Int32 = 0o1_000_000
  #endif
}

extension Platform {
  package static func exit(_ code: Int32) -> Never {
    #if canImport(Darwin)
      Darwin.exit(code)
    #else
      Glibc.exit(code)
    #endif
  }
}

extension Platform {
  /// Where the byte is first at or behind an offset. The C library's search looks at many bytes at once.
  package static func firstOffset(of byte: UInt8, in bytes: UnsafeRawBufferPointer, from offset: Int = 0)
    -> Int?
  {
    guard let start = bytes.baseAddress, offset < bytes.count else { return nil }
    return memchr(start + offset, Int32(byte), bytes.count - offset).map { UnsafeRawPointer($0) - start }
  }
}

extension Platform {
  package static func userID() -> Int { Int(getuid()) }
}
