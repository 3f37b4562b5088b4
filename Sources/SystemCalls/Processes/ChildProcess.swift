import CFork
import Values

#if canImport(Darwin)
  import Darwin
#else
  import CPrctl
  import Glibc
#endif

/// A copy of this process that computes something and writes it to a pipe. Whatever becomes of it, hanging, a crash, all
/// of the memory it may have, this process goes on. A copy is there in a fraction of the time that a new process takes,
/// and knows everything that was read before.
///
/// There must be one thread only: https://man7.org/linux/man-pages/man2/fork.2.html
package final class ChildProcess {
  package enum End: Sendable, Equatable {
    case exited(Int32)
    case killed(signal: Int32)
  }

  private let process: Int32
  private let pipe: OpenFile
  /// What it has written so far.
  package private(set) var output: [UInt8] = []

  /// - Parameters:
  ///   - memory: bytes that it may have, all told; nil for no limit. macOS knows no such limit for a process:
  ///     https://developer.apple.com/library/archive/documentation/System/Conceptual/ManPages_iPhoneOS/man2/getrlimit.2.html
  ///   - body: runs there. What it returns is what this process reads.
  /// - Throws: `StoreScopeError` if the system has no process left.
  package init(memory: Int64?, _ body: () -> [UInt8]) throws {
    var ends: [Int32] = [-1, -1]
    guard systemPipe(&ends) == 0 else { throw Self.problem() }
    let (reading, writing) = (OpenFile(ends[0]), OpenFile(ends[1]))
    let process = storescope_fork()
    guard process >= 0 else { throw Self.problem() }
    if process == 0 {
      reading.close()
      Self.begin(memory: memory)
      let isWritten = body().withUnsafeBytes(writing.write)
      _exit(isWritten ? 0 : 1)
    }
    writing.close()
    self.process = process
    pipe = reading
  }

  private static func problem() -> StoreScopeError {
    StoreScopeError(
      .failed, "No more processes can be started: \(Platform.lastError())", advice: "use fewer with --jobs")
  }

  /// What holds in the child before anything else.
  private static func begin(memory: Int64?) {
    #if !canImport(Darwin)
      // Nobody would read what it finds out.
      _ = storescope_die_with_parent()
    #endif
    // A crash prints where it happened; the parent says what became of it.
    let null = open("/dev/null", O_RDWR)
    for descriptor: Int32 in 0...2 { dup2(null, descriptor) }
    Platform.limit(.dumps, to: 0)
    if let memory { Platform.limit(.memory, to: memory) }
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
