internal import CSQLite
internal import Values

/// Decides, while statements run, whether they go on: Ctrl-C, the time that a user gave, and steps that never end.
final class Stopper {
  /// Asked again and again; false ends the statement.
  var goesOn: (() -> Bool)?
  /// By the clock of `Platform.monotonicSeconds()`.
  var deadline: Double?
  /// How many seconds the deadline stood for.
  var timeLimit: Int?
  /// How many seconds the way to the next row may take; nil for any.
  var stallLimit: Double?
  /// How often a statement was asked for its next row.
  var steps = 0
  /// Why a statement was ended; then every other one that takes long ends as well.
  private(set) var reason: String?

  private var lastSteps = -1
  private var lastStart = 0.0

  func letsGoOn() -> Bool {
    if let goesOn, !goesOn() { return false }
    guard reason == nil else { return false }
    guard deadline != nil || stallLimit != nil else { return true }
    let now = Platform.monotonicSeconds()
    if let deadline, now > deadline {
      reason =
        "the SQL took longer than \(Sentence.count(timeLimit ?? 0, "second")). --timeout SECONDS gives it more time, --timeout 0 as much as it needs"
      return false
    }
    // Within one step the count doesn't change.
    if steps != lastSteps {
      lastSteps = steps
      lastStart = now
    } else if let stallLimit, now - lastStart > stallLimit {
      reason =
        "a statement found no row for \(Int(stallLimit)) seconds, longer than reading the whole file takes; no store of Core Data does that"
      return false
    }
    return true
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
