import Synchronization

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// Ctrl-C, which ends a command and not the program. A signal handler can't do more than set a flag; those
/// who work long look at it.
package enum Interruption {
  private static let flag = Atomic<Bool>(false)
  private static let watched = Atomic<Bool>(false)
  private static let ending = Atomic<Int32>(0)

  /// True from Ctrl-C to `clear()`. Always false if nobody watches.
  package static var isRequested: Bool { flag.load(ordering: .relaxed) }

  /// Whether SIGINT comes here instead of ending the program.
  package static var isWatched: Bool { watched.load(ordering: .relaxed) }

  /// Forgets Ctrl-C, but not that the program has to end.
  package static func clear() { flag.store(ending.load(ordering: .relaxed) != 0, ordering: .relaxed) }

  /// The signal by which the program has to end, also a shell for which Ctrl-C is no more than the end of a command;
  /// nil if there was none.
  package static var endingSignal: Int32? {
    let number = ending.load(ordering: .relaxed)
    return number == 0 ? nil : number
  }

  /// Does what Ctrl-C does.
  package static func request() { flag.store(true, ordering: .relaxed) }

  /// - Throws: `InterruptedError` after Ctrl-C.
  package static func check() throws(InterruptedError) {
    if isRequested { throw InterruptedError() }
  }

  /// Runs what must come to its end after Ctrl-C too, such as saying what was done. Only another Ctrl-C stops it.
  package static func postponed<R>(_ body: (_ wasRequested: Bool) throws -> R) rethrows -> R {
    let wasRequested = flag.exchange(false, ordering: .relaxed)
    defer { if wasRequested { flag.store(true, ordering: .relaxed) } }
    return try body(wasRequested)
  }

  /// Runs what only makes new files: what fails in it after Ctrl-C fails because of that, whatever SQLite calls it.
  package static func explaining<R>(_ body: () throws -> R) throws -> R {
    do { return try body() } catch {
      try check()
      throw error
    }
  }

  /// From here on SIGINT sets the flag. Calls that wait end with EINTR then. SIGTERM and SIGHUP do so too, for good, so that
  /// what was begun is taken back, and no copy of what is in a container stays.
  package static func watch() {
    // The handler must not be the first to use these, as that allocates.
    clear()
    watched.store(true, ordering: .relaxed)
    Watchdog.start()
    action.set(for: SIGINT)
    watchEnding()
  }

  /// Takes SIGTERM and SIGHUP back from a library that hands signals on only when it has time.
  package static func watchEnding() {
    for number in [SIGTERM, SIGHUP] where !SignalAction(of: number).ignores { action.set(for: number) }
  }

  private static var action: SignalAction {
    SignalAction { number in
      if number != SIGINT { Interruption.ending.store(number, ordering: .relaxed) }
      Interruption.flag.store(true, ordering: .relaxed)
      if number != SIGINT { Watchdog.wake() }
    }
  }

  /// Waits so long, or until Ctrl-C.
  package static func wait(seconds: Double) {
    let end = Platform.monotonicSeconds() + seconds
    while !isRequested, case let rest = end - Platform.monotonicSeconds(), rest > 0 {
      usleep(UInt32(min(rest, 0.05) * 1_000_000) + 1)
    }
  }
}

/// A command ended because its user wanted that.
package struct InterruptedError: Error, Equatable, CustomStringConvertible {
  /// What became of that which the command was about to change; nil for one that only reads.
  package var outcome: String?
  /// Lines printed below it.
  package var list: [String]

  package init(_ outcome: String? = nil, list: [String] = []) {
    self.outcome = outcome
    self.list = list
  }

  package var description: String { outcome.map { "interrupted: \($0)" } ?? "interrupted" }
}

/// What happens when a signal comes. https://man7.org/linux/man-pages/man7/signal.7.html
struct SignalAction {
  typealias Handler = @convention(c) (Int32) -> Void
  private var action = sigaction()

  /// Calls that wait end with EINTR then.
  init(_ handler: @escaping Handler) {
    #if canImport(Darwin)
      action.__sigaction_u.__sa_handler = handler
    #else
      action.__sigaction_handler.sa_handler = handler
    #endif
    // Without SA_RESTART.
    action.sa_flags = 0
  }

  /// What happens now.
  init(of signal: Int32) { sigaction(signal, nil, &action) }

  func set(for signal: Int32) {
    var action = action
    sigaction(signal, &action, nil)
  }

  /// As nohup(1) has it.
  var ignores: Bool {
    #if canImport(Darwin)
      let handler: Handler? = action.__sigaction_u.__sa_handler
    #else
      let handler: Handler? = action.__sigaction_handler.sa_handler
    #endif
    return unsafeBitCast(handler, to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self)
  }
}
