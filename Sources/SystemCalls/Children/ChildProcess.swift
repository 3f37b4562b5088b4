import Values

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

    /// Whether it ended as a process does that gets no more memory: by itself, or by the system.
    package var isAborted: Bool { [.killed(signal: SIGABRT), .killed(signal: SIGKILL)].contains(self) }
  }

  private let process: Int32
  private let pipe: OpenFile
  /// What it has written so far.
  package private(set) var output: [UInt8] = []

  /// - Parameters:
  ///   - words: its arguments.
  ///   - input: what it reads from standard input.
  /// - Throws: `StoreScopeError` if the system starts no more processes.
  package init(_ words: [String], input: [UInt8]) throws {
    let (request, answer) = try (Self.makePipe(), Self.makePipe())
    process = try Self.start(words, input: request.reading, output: answer.writing)
    pipe = answer.reading
    answer.writing.close()
    request.reading.close()
    // One that is gone already shows by how it ended.
    _ = input.withUnsafeBytes(request.writing.write)
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

  private static func start(_ words: [String], input: OpenFile, output: OpenFile) throws -> Int32 {
    #if canImport(Darwin)
      var (actions, attributes): (posix_spawn_file_actions_t?, posix_spawnattr_t?)
    #else
      var (actions, attributes) = (posix_spawn_file_actions_t(), posix_spawnattr_t())
    #endif
    posix_spawn_file_actions_init(&actions)
    posix_spawnattr_init(&attributes)
    defer {
      posix_spawn_file_actions_destroy(&actions)
      posix_spawnattr_destroy(&attributes)
    }
    posix_spawn_file_actions_adddup2(&actions, input.descriptor, 0)
    posix_spawn_file_actions_adddup2(&actions, output.descriptor, 1)
    // A crash prints where it happened; this process reports what became of it.
    posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0)
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
    alarm(UInt32(clamping: seconds))
  }

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

  /// Waits for its end.
  /// - Returns: how it ended, and the most memory that it used, in bytes.
  package func wait() -> (end: End, memory: Int64) {
    var (status, usage): (Int32, rusage) = (0, rusage())
    while wait4(process, &status, 0, &usage) < 0, errno == EINTR {}
    #if canImport(Darwin)
      let memory = Int64(usage.ru_maxrss)
    #else
      let memory = Int64(usage.ru_maxrss) * 1024
    #endif
    let signal = status & 0x7F
    return (signal == 0 ? .exited(status >> 8 & 0xFF) : .killed(signal: signal), memory)
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
