#if canImport(Darwin)
  import Darwin
#else
  import CLinux
  @preconcurrency import Glibc
#endif

/// This program, started again to find something out and to write it to a pipe. Whatever becomes of it, hanging, a crash,
/// more memory than it may have, this process goes on.
package final class ChildProcess {
  package enum End: Sendable, Equatable {
    case exited(Int32)
    case killed(signal: Int32)
    /// It got no more memory, and said so.
    case outOfMemory
    /// Nobody kept how it ended.
    case unknown
  }

  private let process: Int32
  private let pipe: OpenFile
  /// Nil once it has all of its input.
  private let input: OpenFile?
  /// What it writes to standard error.
  private let complaints: OpenFile
  private var known: End?
  /// What it has written so far.
  package private(set) var output: [UInt8] = []

  /// - Parameters:
  ///   - words: its arguments.
  ///   - input: what it reads from standard input.
  ///   - isWhole: whether that is all.
  /// - Throws: `StoreScopeError` if the system starts no more processes.
  package init(_ words: [String], input: [UInt8], isWhole: Bool = true) throws {
    let (request, answer, complaint) = try (Self.makePipe(), Self.makePipe(), Self.makePipe())
    // Nobody reads it before the end: of what a crash prints, what finds no space is lost.
    for end in [complaint.reading, complaint.writing] { _ = fcntl(end.descriptor, F_SETFL, O_NONBLOCK) }
    process = try Self.start(
      words, input: request.reading, output: answer.writing, errors: complaint.writing)
    (pipe, complaints) = (answer.reading, complaint.reading)
    for end in [answer.writing, complaint.writing, request.reading] { end.close() }
    self.input = isWhole ? nil : request.writing
    // One that is gone already shows by how it ended.
    _ = input.withUnsafeBytes(request.writing.write)
  }

  /// More for one whose input isn't whole; false if it doesn't read anymore.
  package func send(_ bytes: [UInt8]) -> Bool { bytes.withUnsafeBytes { input?.write($0) ?? false } }

  /// The first line of its output, taken off it; nil if there is none yet.
  package func takeLine() -> [UInt8]? {
    guard let end = output.firstIndex(of: 0x0A) else { return nil }
    defer { output.removeFirst(end + 1) }
    return Array(output[..<end])
  }

  private static func makePipe() throws -> (reading: OpenFile, writing: OpenFile) {
    var ends: [Int32] = [-1, -1]
    guard systemPipe(&ends) == 0 else { throw problem(Platform.lastError()) }
    // Else every process that is started later would keep them open.
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    return (OpenFile(ends[0]), OpenFile(ends[1]))
  }

  private static func problem(_ reason: String) -> StoreScopeError {
    StoreScopeError(.failed, "No more processes can be started: \(reason)", advice: "use fewer with --jobs")
  }

  private static func start(
    _ words: [String], input: OpenFile, output: OpenFile, errors: OpenFile
  ) throws -> Int32 {
    #if canImport(Darwin)
      var (actions, attributes): (posix_spawn_file_actions_t?, posix_spawnattr_t?)
    #else
      var (actions, attributes) = (posix_spawn_file_actions_t(), posix_spawnattr_t())
    #endif
    // Else nobody would keep how it ended, if whoever started this process wanted that:
    // https://pubs.opengroup.org/onlinepubs/9799919799/functions/sigaction.html
    _ = signal(SIGCHLD, SIG_DFL)
    posix_spawn_file_actions_init(&actions)
    posix_spawnattr_init(&attributes)
    defer {
      posix_spawn_file_actions_destroy(&actions)
      posix_spawnattr_destroy(&attributes)
    }
    posix_spawn_file_actions_adddup2(&actions, input.descriptor, 0)
    posix_spawn_file_actions_adddup2(&actions, output.descriptor, 1)
    posix_spawn_file_actions_adddup2(&actions, errors.descriptor, 2)
    // Ctrl-C reaches this process only, which ends them all: one that it ended first would look like a crash.
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETPGROUP))
    posix_spawnattr_setpgroup(&attributes, 0)
    let program = try ownProgram()
    var arguments = (["storescope"] + words).map { strdup($0) } + [nil]
    defer { arguments.forEach { free($0) } }
    var process: pid_t = 0
    let code = posix_spawn(&process, program, &actions, &attributes, &arguments, environment)
    guard code == 0 else { throw problem(Platform.text(ofError: code)) }
    return process
  }

  private static var environment: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?> {
    #if canImport(Darwin)
      _NSGetEnviron().pointee
    #else
      environ
    #endif
  }

  private static func ownProgram() throws -> String {
    #if canImport(Darwin)
      // PROC_PIDPATHINFO_MAXSIZE
      var path = [UInt8](repeating: 0, count: 4096)
      let count = proc_pidpath(getpid(), &path, UInt32(path.count))
      guard count > 0 else { throw problem(Platform.lastError()) }
      return String(decoding: path[..<Int(count)], as: UTF8.self)
    #else
      return "/proc/self/exe"
    #endif
  }

  /// What holds in such a process before anything else.
  /// - Parameters:
  ///   - memory: bytes of address space that it may have. macOS has no such limit:
  ///     https://developer.apple.com/library/archive/documentation/System/Conceptual/ManPages_iPhoneOS/man2/getrlimit.2.html
  ///   - seconds: after which it ends, should nobody be there anymore to end it.
  package static func limitThisProcess(memory: Int64, seconds: Int) {
    #if !canImport(Darwin)
      _ = storescope_die_with_parent()
    #endif
    Platform.limit(.dumps, to: 0)
    Platform.limit(.memory, to: memory)
    alarm(seconds: seconds)
  }

  /// When this process ends, should nobody be there anymore to end it; 0 for never.
  package static func alarm(seconds: Int) { _ = systemAlarm(UInt32(clamping: seconds)) }

  /// What was written meanwhile; false at its end.
  package func receive() -> Bool {
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    guard let count = buffer.withUnsafeMutableBytes({ Platform.read(pipe.descriptor, into: $0) }) else {
      return Platform.lastFailure == .interrupted
    }
    output += buffer[..<count]
    return count > 0
  }

  package func kill() { _ = systemKill(process, SIGKILL) }

  /// Waits for its end, so long at most: one that is killed stays while the system waits for a disk or a network.
  /// - Returns: how it ended; nil if it hasn't.
  package func end(within seconds: Double) -> End? {
    let limit = Platform.monotonicSeconds() + seconds
    var pause: UInt32 = 50
    while known == nil {
      var status: Int32 = 0
      let result = waitpid(process, &status, WNOHANG)
      if result == process {
        known = end(status)
      } else if result < 0, errno != EINTR {
        known = .unknown
      } else {
        guard Platform.monotonicSeconds() < limit else { break }
        usleep(pause)
        pause = min(pause * 2, 5000)
      }
    }
    return known
  }

  private func end(_ status: Int32) -> End {
    let signal = status & 0x7F
    if signal == 0 { return .exited(status >> 8 & 0xFF) }
    return signal == SIGABRT && lacksMemory ? .outOfMemory : .killed(signal: signal)
  }

  /// Whether its last words are those with which Swift's runtime, or C++'s, aborts when it gets no more memory:
  /// https://github.com/swiftlang/swift/blob/main/stdlib/public/runtime/Errors.cpp
  private var lacksMemory: Bool {
    var buffer = [UInt8](repeating: 0, count: 1 << 12)
    let count = buffer.withUnsafeMutableBytes { complaints.next(into: $0) } ?? 0
    let words = String(decoding: buffer[..<count], as: UTF8.self)
    return ["failed to allocate", "bad_alloc"].contains(where: words.contains)
  }

  /// Waits until one of them has written something or ended, so long at most.
  /// - Parameter input: another descriptor that is waited for; nil for none.
  /// - Returns: for each whether it has, and whether the input has.
  package static func wait(
    for children: [ChildProcess], input: Int32?, seconds: Double
  ) -> (children: [Bool], input: Bool) {
    var states = (children.map(\.pipe.descriptor) + (input.map { [$0] } ?? [])).map {
      pollfd(fd: $0, events: Int16(POLLIN), revents: 0)
    }
    let count = poll(&states, nfds_t(states.count), Int32((seconds * 1000).rounded(.up)))
    guard count > 0 else { return (children.map { _ in false }, false) }
    let ready = states.map { $0.revents != 0 }
    return (Array(ready.prefix(children.count)), input != nil && ready[children.count])
  }
}

extension Platform {
  enum LimitedResource { case dumps, memory }

  static func limit(_ resource: LimitedResource, to most: Int64) {
    var limits = rlimit(rlim_cur: rlim_t(most), rlim_max: rlim_t(most))
    let number = resource == .dumps ? RLIMIT_CORE : RLIMIT_AS
    #if canImport(Darwin)
      setrlimit(number, &limits)
    #else
      setrlimit(__rlimit_resource_t(number.rawValue), &limits)
    #endif
  }
}
