import CSQLite
import SystemCalls
import Values

/// Decides, while statements run, whether they go on: Ctrl-C, the time that a user gave, and steps that never end.
final class Stopper {
  /// Asked again and again; false ends the statement.
  var goesOn: (() -> Bool)?
  /// How often a statement was asked for its next row. Nothing else touches it meanwhile, and the check of that took more
  /// time than all the rest of `Statement.step()`.
  /// https://github.com/swiftlang/swift-evolution/blob/main/proposals/0176-enforce-exclusive-access-to-memory.md
  @exclusivity(unchecked) var steps = 0
  /// Why a statement was ended; then every other one that takes long ends as well.
  private(set) var reason: String?

  /// How many seconds all statements together may take; nil for any.
  private var timeLimit: Int?
  private var spent = 0.0
  private var lastCall = 0.0
  /// How many seconds of the processor the way to the next row may take; nil for any. Neither a slow disk nor Ctrl-Z
  /// spends any.
  private(set) var stallLimit: Double?
  private var lastSteps = -1
  private var stepStart = 0.0

  private let clock: () -> Double
  private let processorClock: () -> Double

  init(
    clock: @escaping () -> Double = Platform.monotonicSeconds,
    processorClock: @escaping () -> Double = Platform.threadSeconds
  ) {
    self.clock = clock
    self.processorClock = processorClock
  }

  /// From now on these limits hold and no others, and what ended earlier statements is forgotten.
  func limit(seconds: Int? = nil, stall: Double? = nil) {
    (timeLimit, stallLimit, reason) = (seconds, stall, nil)
    (spent, lastCall, lastSteps) = (0, clock(), -1)
  }

  func letsGoOn() -> Bool {
    if let goesOn, !goesOn() { return false }
    guard reason == nil else { return false }
    if let timeLimit {
      let now = clock()
      // This is asked every millisecond. A longer gap is mostly no work: the process was stopped, or its output waits for
      // somebody who reads.
      spent += min(now - lastCall, 1)
      lastCall = now
      if spent > Double(timeLimit) {
        reason =
          "the SQL took longer than \(Sentence.count(timeLimit, "second")). --timeout SECONDS gives it more time, --timeout 0 as much as it needs"
      }
    }
    if let stallLimit {
      let now = processorClock()
      // Within one step the count doesn't change.
      if steps != lastSteps {
        (lastSteps, stepStart) = (steps, now)
      } else if now - stepStart > stallLimit {
        reason =
          "a statement found no row for \(Int(stallLimit)) seconds, longer than reading the whole file takes; no store of Core Data does that"
      }
    }
    return reason == nil
  }
}

extension Connection {
  /// Calls `body` about every so many instructions of SQLite's machine while statements run; if it returns false the
  /// statement ends as if interrupted. nil takes the callback away.
  package func onProgress(everyInstructions: Int32 = 10_000, _ body: (() -> Bool)?) {
    stopper.goesOn = body
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
