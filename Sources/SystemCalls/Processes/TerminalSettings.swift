import Synchronization

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// The terminal as it was before the program changed it, for one who has to end the program at once.
package enum TerminalSettings {
  private static let before = Mutex<termios?>(nil)

  /// To be called before the first change.
  package static func remember() {
    var settings = termios()
    guard tcgetattr(STDIN_FILENO, &settings) == 0 else { return }
    before.withLock { $0 = settings }
  }

  static func restore() {
    guard var settings = before.withLock({ $0 }) else { return }
    // In the background it would be stopped.
    signal(SIGTTOU, SIG_IGN)
    tcsetattr(STDIN_FILENO, TCSANOW, &settings)
  }
}
