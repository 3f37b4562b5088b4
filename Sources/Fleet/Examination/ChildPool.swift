import SystemCalls
import Values

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
    var deadline: Double

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
    defer {
      running.forEach { $0.child.kill() }
      running.forEach { _ = $0.child.wait() }
      if !running.isEmpty { PrivateFolder.removeLeftovers() }
    }
    var isOver = false
    while true {
      var source: Int32?
      filling: while !isOver, running.count < jobs {
        switch try next() {
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
      _ = ChildProcess.wait(for: running.map(\.child), input: source, seconds: waiting(running))
      try Interruption.check()
      progress()
      for run in running {
        guard let result = result(of: run) else { continue }
        running.removeAll { $0 === run }
        let start = Platform.monotonicSeconds()
        try done(run.item, result)
        // Whoever reads what is written may take as long as they like: that is no store's fault.
        let taken = Platform.monotonicSeconds() - start
        running.forEach { $0.deadline += taken }
      }
    }
  }

  /// How long to wait: Ctrl-C that comes just before must not be slept over.
  private func waiting(_ running: [Run]) -> Double {
    let first = running.map(\.deadline).min() ?? .infinity
    return max(0, min(0.2, first - Platform.monotonicSeconds()))
  }

  /// More than any store's rows; a made-up store must not fill this process.
  private static var mostBytes: Int { 256 << 20 }

  /// Nil while it goes on.
  private func result(of run: Run) -> Result<[UInt8], StoreFailure>? {
    func ended(_ failure: StoreFailure) -> Result<[UInt8], StoreFailure> {
      run.child.kill()
      _ = run.child.wait()
      PrivateFolder.removeLeftovers()
      return .failure(failure)
    }
    while ChildProcess.wait(for: [run.child], input: nil, seconds: 0).children[0] {
      if !run.child.receive() { return result(of: run.child) }
      guard run.child.output.count <= Self.mostBytes else {
        return ended(
          StoreFailure(.refused, "Its rows are more than \(Sentence.size(Int64(Self.mostBytes)))"))
      }
    }
    guard Platform.monotonicSeconds() >= run.deadline else { return nil }
    return ended(StoreFailure(.timedOut, "Timed out after \(Sentence.number(seconds)) s"))
  }

  /// Of one that has ended by itself.
  private func result(of child: ChildProcess) -> Result<[UInt8], StoreFailure> {
    let (end, used) = child.wait()
    if end == .exited(0) { return .success(child.output) }
    PrivateFolder.removeLeftovers()
    switch end {
    // What failed may have been one large piece.
    case .killed where end.isAborted && used >= memory / 4: return .failure(.outOfMemory(limit: memory))
    case .killed(let signal):
      return .failure(StoreFailure(.crashed, "Crashed (signal \(signal))", signal: signal))
    case .exited(let code):
      return .failure(StoreFailure(.crashed, "Ended with exit code \(code)", exitCode: code))
    }
  }
}
