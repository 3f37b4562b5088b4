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
}
