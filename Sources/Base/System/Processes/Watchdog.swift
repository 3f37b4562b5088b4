import Synchronization

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// What may run for ages without asking anybody.
package protocol Watched: AnyObject, Sendable {
  /// Called several times a second, by the watchdog's thread.
  /// - Returns: why nothing but the end of the process helps, a clause; nil as long as there's hope.
  func look() -> String?
  /// Whether it must come to its end, like a commit.
  var isUnstoppable: Bool { get }
}

/// Ends the process where nothing else does: what is watched doesn't stop though it must, or nobody answers SIGTERM and
/// SIGHUP, as a thread that waits for a stopped terminal.
///
/// One thread per process, which sleeps unless something is watched or a signal came.
package enum Watchdog {
  private struct State {
    var watched: [ObjectIdentifier: any Watched] = [:]
    /// The process whose thread runs: one that was forked has none.
    var process: Int32 = 0
    var task = ""
    /// Whether something is under way that no signal may cut off.
    var isHeld = false
    var message: (@Sendable (String) -> String)?
  }

  private static let state = Mutex(State())
  /// A pipe that wakes the thread, also from a signal handler.
  private static let sleeper = Atomic<Int32>(-1)
  private static let waker = Atomic<Int32>(-1)
  /// In seconds.
  private static let pause = 0.2
  /// How many seconds a process has to take back what it began, after SIGTERM or SIGHUP.
  private static let patience = 10.0

  /// From now on the process may be ended.
  /// - Parameter message: makes what is printed then from a sentence.
  package static func endsProcess(saying message: @escaping @Sendable (String) -> String) {
    state.withLock { $0.message = message }
  }

  /// Says what runs from now on, for the sentence at its end.
  package static func begin(_ task: String) { state.withLock { $0.task = task } }

  /// From now on the process goes on whatever happens, as in the middle of exchanging files, until `release()`.
  package static func hold() { state.withLock { $0.isHeld = true } }

  package static func release() { state.withLock { $0.isHeld = false } }

  package static func watch(_ watched: any Watched) {
    let isFirst = state.withLock { state in
      state.watched[ObjectIdentifier(watched)] = watched
      return state.watched.count == 1
    }
    start()
    if isFirst { wake() }
  }

  /// Nobody looks at it any more when this returns.
  package static func forget(_ watched: any Watched) {
    state.withLock { $0.watched[ObjectIdentifier(watched)] = nil }
  }

  /// Starts the thread, if it doesn't run.
  static func start() {
    state.withLock { state in
      guard state.process != getpid() else { return }
      var ends: [Int32] = [-1, -1]
      guard systemPipe(&ends) == 0 else { return }
      for end in ends {
        _ = fcntl(end, F_SETFD, FD_CLOEXEC)
        _ = fcntl(end, F_SETFL, O_NONBLOCK)
      }
      // Those of the process that this one was forked from.
      for end in [sleeper.load(ordering: .relaxed), waker.load(ordering: .relaxed)] where end >= 0 {
        systemClose(end)
      }
      sleeper.store(ends[0], ordering: .relaxed)
      waker.store(ends[1], ordering: .relaxed)
      if Threads.start(inBackground: run) { state.process = getpid() }
    }
  }

  /// May be called by a signal handler.
  static func wake() {
    let descriptor = waker.load(ordering: .relaxed)
    var byte: UInt8 = 0
    if descriptor >= 0 { _ = systemWrite(descriptor, &byte, 1) }
  }

  private static func run() {
    var deadline: Double?
    while true {
      let isIdle = state.withLock { $0.watched.isEmpty } && Interruption.endingSignal == nil
      var waiting = pollfd(fd: sleeper.load(ordering: .relaxed), events: Int16(POLLIN), revents: 0)
      if poll(&waiting, 1, isIdle ? -1 : Int32(pause * 1000)) > 0 {
        var bytes = (UInt64(0), UInt64(0))
        _ = withUnsafeMutableBytes(of: &bytes) {
          systemRead(waiting.fd, $0.baseAddress, $0.count)
        }
      }
      look(&deadline)
    }
  }

  private static func look(_ deadline: inout Double?) {
    let now = Platform.monotonicSeconds()
    if Interruption.endingSignal == nil { deadline = nil } else { deadline = deadline ?? now + patience }
    let (problem, isUnstoppable, task, message) = state.withLock { state in
      // Each is looked at: their counts begin with the first look.
      let problems = state.watched.values.compactMap { $0.look() }
      let isUnstoppable = state.isHeld || state.watched.values.contains { $0.isUnstoppable }
      return (state.isHeld ? nil : problems.first, isUnstoppable, state.task, state.message)
    }
    guard let message else { return }
    let subject = task.isEmpty ? "It" : "'\(task)'"
    if let problem {
      end(message("\(subject) was ended: \(problem)."))
    } else if let deadline, now > deadline, !isUnstoppable {
      end(
        message(
          "\(subject) was ended: it was still running \(Int(patience)) seconds after it had to stop."))
    }
  }

  private static func end(_ text: String) -> Never {
    TerminalSettings.restore()
    // A terminal that Ctrl-S stopped would keep this thread too.
    if Platform.isWritable(STDERR_FILENO) { Platform.writeToStandardError(text) }
    // Whatever else exit(3) would call may need what the thread that hangs holds.
    _exit(Interruption.endingSignal.map { 128 + $0 } ?? 2)
  }
}

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
