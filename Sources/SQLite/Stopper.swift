import Base
import CSQLite
import Synchronization

/// Decides whether the statements of a connection go on: Ctrl-C, the time that a user gave, and steps that never end.
///
/// SQLite asks it while statements run, on their thread, but never within an instruction of its machine, each of which may
/// take what a stranger's expression likes. So the watchdog looks at it too, from a thread of its own: it counts the
/// time, and ends a process whose statement doesn't stop. Neither costs anything per row.
final class Stopper: Watched {
  /// The connection's own thread asks it again and again; false ends the statement.
  nonisolated(unsafe) private(set) var goesOn: (() -> Bool)?
  /// Whether Ctrl-C ends statements; no other thread may touch `goesOn`.
  private let isStoppable = Atomic<Bool>(false)
  /// How often a statement was asked for its next row.
  private let steps = Atomic<Int>(0)
  /// How many statements are within a step: a function of ours may run others.
  private let depth = Atomic<Int>(0)
  /// The clock of the thread that runs statements.
  private let clock = Atomic<Int>(0)
  /// Whether there is a reason.
  private let hasEnded = Atomic<Bool>(false)
  private let limits = Mutex(Limits())
  /// The connection's `sqlite3`, until it is closed.
  private let handle = Atomic<UInt>(0)
  private let path: String
  private let isWriter: Bool
  /// How many seconds of the processor a step may take after it was interrupted.
  private let patience: Double
  private let secondsOfThread: @Sendable (ThreadClock) -> Double?

  private struct Limits {
    /// How many seconds of the processor all statements together may take, and what is said then; nil for any.
    var time: (seconds: Double, reason: String)?
    /// How many the way to the next row may take; nil for any.
    var stall: Double?
    var reason: String?
    var spent = 0.0
    /// What the last look saw; nil if nothing ran.
    var last: (clock: Int, seconds: Double)?
    /// The step that ran then, and the time at which it was first seen, and seen after it had to stop.
    var step = -1
    var stepStart = 0.0
    var stopStart: Double?
  }

  init(
    path: String, isWriter: Bool = false, patience: Double = 5,
    secondsOfThread: @escaping @Sendable (ThreadClock) -> Double? = \.seconds
  ) {
    (self.path, self.isWriter, self.patience) = (path, isWriter, patience)
    self.secondsOfThread = secondsOfThread
  }

  // MARK: - On the connection's thread

  /// From now on the watchdog looks.
  func open(_ connection: OpaquePointer) {
    handle.store(UInt(bitPattern: connection), ordering: .relaxed)
    Watchdog.watch(self)
  }

  func close() { Watchdog.forget(self) }

  func ask(_ goesOn: (() -> Bool)?) {
    self.goesOn = goesOn
    // Once this returns, a look that began before interrupts nothing any more, which may be a commit.
    limits.withLock { _ in isStoppable.store(goesOn != nil, ordering: .relaxed) }
  }

  /// From now on these limits hold and no others, and what ended earlier statements is forgotten.
  func limit(time: (seconds: Double, reason: String)? = nil, stall: Double? = nil) {
    limits.withLock { $0 = Limits(time: time, stall: stall) }
    hasEnded.store(false, ordering: .relaxed)
  }

  var stallLimit: Double? { limits.withLock(\.stall) }

  /// Why a statement was ended; then every other one that takes long ends as well.
  var reason: String? { limits.withLock(\.reason) }

  func beginRun() { clock.store(ThreadClock.own.number, ordering: .relaxed) }

  /// Only this thread changes these numbers, so that no addition needs to be atomic.
  @inline(__always) func beginStep() {
    steps.store(steps.load(ordering: .relaxed) &+ 1, ordering: .relaxed)
    depth.store(depth.load(ordering: .relaxed) &+ 1, ordering: .relaxed)
  }

  @inline(__always) func endStep() { depth.store(depth.load(ordering: .relaxed) &- 1, ordering: .relaxed) }

  func letsGoOn() -> Bool { !hasEnded.load(ordering: .relaxed) && goesOn?() ?? true }

  // MARK: - On the watchdog's

  func look() -> String? { look(isInterrupted: Interruption.isRequested) }

  func look(isInterrupted: Bool) -> String? {
    let clock = ThreadClock(number: clock.load(ordering: .relaxed))
    let (step, isRunning) = (steps.load(ordering: .relaxed), depth.load(ordering: .relaxed) > 0)
    guard let now = secondsOfThread(clock) else { return nil }
    return limits.withLock { limits in
      if let last = limits.last, last.clock == clock.number { limits.spent += now - last.seconds }
      if limits.step != step || limits.last?.clock != clock.number || !isRunning {
        (limits.step, limits.stepStart, limits.stopStart) = (isRunning ? step : -1, now, nil)
      }
      limits.last = (clock.number, now)
      guard isRunning else { return nil }
      if limits.reason == nil { limits.reason = exceeded(limits, now) }
      guard limits.reason != nil || isInterrupted && isStoppable.load(ordering: .relaxed) else { return nil }
      hasEnded.store(limits.reason != nil, ordering: .relaxed)
      // https://www.sqlite.org/c3ref/interrupt.html
      OpaquePointer(bitPattern: handle.load(ordering: .relaxed)).map(sqlite3_interrupt)
      let start = limits.stopStart ?? now
      limits.stopStart = start
      return now - start > patience ? problem : nil
    }
  }

  private func exceeded(_ limits: borrowing Limits, _ now: Double) -> String? {
    if let time = limits.time, limits.spent > time.seconds { return time.reason }
    guard let stall = limits.stall, now - limits.stepStart > stall else { return nil }
    return
      "a statement found no row for \(Int(stall)) seconds, longer than reading the whole file takes; no store of Core Data does that"
  }

  private var problem: String {
    let undone = isWriter ? "; nothing of what it was changing is committed" : ""
    return
      "SQLite was still computing an expression of the SQL or of the tables in '\(path)' \(Int(patience)) seconds after it had to stop\(undone)"
  }

  /// A commit that is under way.
  var isUnstoppable: Bool {
    isWriter && depth.load(ordering: .relaxed) > 0 && !isStoppable.load(ordering: .relaxed)
  }
}

extension Connection {
  /// Calls `body` about every so many instructions of SQLite's machine while statements run; if it returns false the
  /// statement ends as if interrupted. Ctrl-C ends it then as well. nil takes the callback away.
  package func onProgress(everyInstructions: Int32 = 10_000, _ body: (() -> Bool)?) {
    stopper.ask(body)
    watchProgress(everyInstructions: everyInstructions)
  }

  /// Some ten thousand instructions take about a millisecond. https://www.sqlite.org/c3ref/progress_handler.html
  func watchProgress(everyInstructions: Int32 = 10_000) {
    sqlite3_progress_handler(
      handle, max(1, everyInstructions),
      { context in
        guard let context else { return 0 }
        return Unmanaged<Stopper>.fromOpaque(context).takeUnretainedValue().letsGoOn() ? 0 : 1
      }, Unmanaged.passUnretained(stopper).toOpaque())
  }
}
