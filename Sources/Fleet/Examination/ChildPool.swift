import Base

/// Works on many things, each in a process of its own, several at a time. One that hangs, crashes or needs too much memory
/// costs its own result only.
package struct ChildPool<Item> {
  package enum Next {
    case item(Item)
    /// Nothing yet: more comes when one of those at work has ended, or when there is something to read there.
    case later(input: Int32?)
    case end
  }

  private let jobs: Int
  private let seconds: Int
  private let memory: Int64
  private let words: [String]

  /// - Parameters:
  ///   - words: the arguments with which this program is started for each.
  ///   - jobs: how many work at the same time.
  ///   - seconds: how long each may take.
  ///   - memory: bytes that each may have.
  ///     Each process sets this limit itself.
  package init(_ words: [String], jobs: Int, seconds: Int, memory: Int64) {
    self.words = words
    self.jobs = jobs
    self.seconds = seconds
    self.memory = memory
  }

  private final class Run {
    let item: Item
    let child: ChildProcess
    /// When it is ended, or given up.
    var deadline: Double
    /// Whether its process ends: by itself, or because of `failure`.
    var isEnding = false
    var failure: StoreFailure?

    init(_ item: Item, _ child: ChildProcess, deadline: Double) {
      self.item = item
      self.child = child
      self.deadline = deadline
    }
  }

  /// - Parameters:
  ///   - next: what to work on.
  ///   - input: what the process for each reads from standard input.
  ///   - done: called here with what came of each, in the order in which they end.
  ///   - progress: called again and again.
  /// - Throws: `InterruptedError`, `StoreScopeError`, what the others throw. No process is left then.
  package func run(
    next: () throws -> Next, input: (Item) -> [UInt8],
    done: (Item, Result<[UInt8], StoreFailure>) throws -> Void, progress: () -> Void
  ) throws {
    var running: [Run] = []
    /// Whose processes didn't end; the system keeps those that do until somebody asks.
    var givenUp: [ChildProcess] = []
    defer { end(running) }
    var isOver = false
    while true {
      var source: Int32?
      filling: while !isOver, running.count < jobs {
        switch try untimed(running, next) {
        case .item(let item):
          let child = try ChildProcess(words, input: input(item))
          running.append(Run(item, child, deadline: Platform.monotonicSeconds() + Double(seconds)))
        case .later(let descriptor):
          source = descriptor
          break filling
        case .end: isOver = true
        }
      }
      if running.isEmpty, isOver { return }
      let readers = running.filter { !$0.isEnding }
      _ = ChildProcess.wait(for: readers.map(\.child), input: source, seconds: waiting(running))
      try Interruption.check()
      progress()
      for run in running {
        guard let result = result(of: run) else { continue }
        running.removeAll { $0 === run }
        if run.child.end(within: 0) == nil { givenUp.append(run.child) }
        try untimed(running) { try done(run.item, result) }
      }
      givenUp.removeAll { $0.end(within: 0) != nil }
    }
  }

  /// Whoever gives or takes may need as long as they like: that is no store's fault.
  private func untimed<R>(_ running: [Run], _ body: () throws -> R) rethrows -> R {
    let start = Platform.monotonicSeconds()
    defer { running.forEach { $0.deadline += Platform.monotonicSeconds() - start } }
    return try body()
  }

  /// How long to wait: Ctrl-C that comes just before must not be slept over.
  private func waiting(_ running: [Run]) -> Double {
    let first = running.map(\.deadline).min() ?? .infinity
    let most = running.contains(where: \.isEnding) ? 0.01 : 0.2
    return max(0, min(most, first - Platform.monotonicSeconds()))
  }

  private func end(_ running: [Run]) {
    guard !running.isEmpty else { return }
    running.forEach { $0.child.kill() }
    let limit = Platform.monotonicSeconds() + Self.patience
    for run in running { _ = run.child.end(within: max(0, limit - Platform.monotonicSeconds())) }
    PrivateFolder.removeLeftovers()
  }

  // MARK: - Results

  /// In seconds. A process that is killed while the system waits for a disk or a network stays until that answers.
  private static var patience: Double { 5 }
  /// In seconds. One that has nothing more to say is gone by then.
  private static var glance: Double { 0.02 }

  /// Nil while it goes on.
  private func result(of run: Run) -> Result<[UInt8], StoreFailure>? {
    if !run.isEnding {
      read(run)
      guard run.isEnding else { return nil }
      _ = run.child.end(within: Self.glance)
    }
    if let end = run.child.end(within: 0) { return result(of: run, end) }
    guard Platform.monotonicSeconds() >= run.deadline else { return nil }
    guard let failure = run.failure else {
      stop(run, because: timedOut())
      return nil
    }
    return .failure(failure)
  }

  private func read(_ run: Run) {
    while ChildProcess.wait(for: [run.child], input: nil, seconds: 0).children[0] {
      if !run.child.receive() { return stop(run, because: nil) }
      guard run.child.output.count <= StoreRows.mostBytes else {
        let most = Sentence.size(Int64(StoreRows.mostBytes))
        return stop(run, because: StoreFailure(.refused, "Its rows are more than \(most)"))
      }
    }
    if Platform.monotonicSeconds() >= run.deadline { stop(run, because: timedOut()) }
  }

  private func timedOut() -> StoreFailure {
    StoreFailure(.timedOut, "Timed out after \(Sentence.number(seconds)) s")
  }

  /// - Parameter failure: why its process has to end; nil if it does by itself.
  private func stop(_ run: Run, because failure: StoreFailure?) {
    if failure != nil { run.child.kill() }
    run.isEnding = true
    run.failure = failure
    run.deadline = Platform.monotonicSeconds() + Self.patience
  }

  private func result(of run: Run, _ end: ChildProcess.End) -> Result<[UInt8], StoreFailure> {
    if end == .exited(0), run.failure == nil { return .success(run.child.output) }
    PrivateFolder.removeLeftovers()
    if let failure = run.failure { return .failure(failure) }
    switch end {
    case .outOfMemory: return .failure(.outOfMemory(limit: memory))
    case .unknown: return .failure(StoreFailure(.crashed, "Ended, and the system doesn't show how"))
    case .killed(let signal):
      return .failure(StoreFailure(.crashed, "Was killed by signal \(signal)", signal: signal))
    case .exited(let code):
      return .failure(StoreFailure(.crashed, "Ended with exit code \(code)", exitCode: code))
    }
  }
}
