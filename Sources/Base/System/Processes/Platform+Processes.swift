#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

extension Platform {
  /// Another program that reads what we write.
  package struct Pipe {
    private let stream: UnsafeMutablePointer<FILE>

    /// Runs the command line in a shell; nil where that can't be.
    package init?(to commandLine: String) {
      guard let stream = Platform.withDefaultPipeSignal({ popen(commandLine, "w") }) else { return nil }
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

  /// Runs the command line in a shell, on this terminal, and waits for its end.
  /// - Returns: its exit code; nil if it couldn't be started, or a signal ended it.
  package static func runProgram(_ commandLine: String) -> Int32? {
    let status = withDefaultPipeSignal { system(commandLine) }
    return status >= 0 && status & 0x7F == 0 ? status >> 8 & 0xFF : nil
  }

  /// We ignore SIGPIPE, and what we start would inherit that: `yes | head` would then never end.
  private static func withDefaultPipeSignal<R>(_ start: () -> R) -> R {
    let own = signal(SIGPIPE, SIG_DFL)
    defer { signal(SIGPIPE, own) }
    return start()
  }

  /// Whether a program of that name can be found and run.
  package static func hasProgram(_ name: String) -> Bool {
    if name.contains("/") { return access(name, X_OK) == 0 }
    return (environment("PATH") ?? "").split(separator: ":").contains { access("\($0)/\(name)", X_OK) == 0 }
  }

  /// `Journeys, process 412`, or `process 412` if the system doesn't report the name.
  package static func described(process id: Int32) -> String {
    (processName(id).map { "\($0), " } ?? "") + "process \(id)"
  }

  /// Whether another process runs this program.
  package static func isOurProgram(process id: Int32) -> Bool {
    processName(id).map { $0 == processName(processID) } ?? false
  }

  /// What a running process is called, also one without a window; nil if the system doesn't report it.
  package static func processName(_ id: Int32) -> String? {
    // https://opensource.apple.com/source/xnu/xnu-7195.81.3/bsd/sys/proc_info.h: a name and its end
    var name = [CChar](repeating: 0, count: 64)
    #if canImport(Darwin)
      guard proc_name(id, &name, UInt32(name.count)) > 0 else { return nil }
    #else
      // A line: https://man7.org/linux/man-pages/man5/proc_pid_comm.5.html
      guard let file = fopen("/proc/\(id)/comm", "re") else { return nil }
      defer { fclose(file) }
      guard fgets(&name, Int32(name.count), file) != nil else { return nil }
    #endif
    let bytes = name.prefix { $0 != 0 && $0 != 10 }.map(UInt8.init(bitPattern:))
    return LongName.cut(String(decoding: bytes, as: UTF8.self))
  }
}
