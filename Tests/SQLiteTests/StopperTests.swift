import Base
import Foundation
import Synchronization
import TestSupport
import Testing

@testable import SQLite

/// What ends statements, and the process where one doesn't end. Why these exist: SQLite asks nobody within an instruction
/// of its machine, and a generated column of `instr` kept `find`, the shell and `mcp` for days (H1); a gap of 100 seconds
/// counted as one, so that `--timeout 5` ran for minutes (M1).
struct StopperTests {
  private final class Clock: Sendable {
    private let seconds = Mutex(0.0)
    var value: Double { seconds.withLock { $0 } }
    func go(_ more: Double) { seconds.withLock { $0 += more } }
  }

  private let clock = Clock()

  private func stopper(isWriter: Bool = false) -> Stopper {
    Stopper(path: "a.store", isWriter: isWriter) { [clock] _ in clock.value }
  }

  /// A query whose output waited in a pager, or that was stopped by Ctrl-Z, had used up its time when it went on: only the
  /// processor's time counts, and all of it.
  @Test func allTimeOfTheProcessorCounts() {
    let stopper = stopper()
    stopper.limit(time: (10, "too long"))
    stopper.beginStep()
    #expect(stopper.look(isInterrupted: false) == nil && stopper.letsGoOn())
    clock.go(9)
    #expect(stopper.look(isInterrupted: false) == nil && stopper.letsGoOn())
    stopper.endStep()
    stopper.beginStep()
    clock.go(2)
    #expect(stopper.look(isInterrupted: false) == nil)
    #expect(!stopper.letsGoOn() && stopper.reason == "too long")
    // What ended that query ended the next one as well.
    stopper.limit(stall: 15)
    #expect(stopper.reason == nil && stopper.letsGoOn())
  }

  @Test func aStepThatFindsNoRowEnds() {
    let stopper = stopper()
    stopper.limit(stall: 15)
    for _ in 0..<10 {
      stopper.beginStep()
      _ = stopper.look(isInterrupted: false)
      clock.go(10)
      #expect(stopper.look(isInterrupted: false) == nil && stopper.letsGoOn())
      stopper.endStep()
    }
    stopper.beginStep()
    _ = stopper.look(isInterrupted: false)
    clock.go(16)
    #expect(stopper.look(isInterrupted: false) == nil)
    #expect(!stopper.letsGoOn() && stopper.reason?.contains("no row for 15 seconds") == true)
    // It may still be within the same instruction.
    clock.go(4)
    #expect(stopper.look(isInterrupted: false) == nil)
    clock.go(2)
    #expect(
      stopper.look(isInterrupted: false)?.contains("in 'a.store' 5 seconds after it had to stop") == true
    )
  }

  @Test func whatDoesNotAnswerAnInterruptEnds() {
    let stopper = stopper(isWriter: true)
    stopper.ask { true }
    stopper.beginStep()
    for _ in 0..<3 {
      #expect(stopper.look(isInterrupted: true) == nil)
      clock.go(2)
    }
    #expect(
      stopper.look(isInterrupted: true)?.contains("nothing of what it was changing is committed") == true)
    // Another step answered.
    stopper.endStep()
    stopper.beginStep()
    #expect(stopper.look(isInterrupted: true) == nil)
    stopper.endStep()
    clock.go(60)
    #expect(stopper.look(isInterrupted: true) == nil)
  }

  /// A commit comes to its end, however long it takes.
  @Test func aCommitIsLeftAlone() {
    let stopper = stopper(isWriter: true)
    stopper.ask(nil)
    stopper.beginStep()
    for _ in 0..<10 {
      #expect(stopper.look(isInterrupted: true) == nil)
      clock.go(60)
    }
    #expect(stopper.isUnstoppable)
    stopper.endStep()
    #expect(!stopper.isUnstoppable)
  }

  /// Each row takes a tenth of a second in a single instruction, and SQLite asks after thousands.
  @Test func costlyRowsCount() throws {
    let connection = try Connection(path: ":memory:", options: .readWrite(create: true))
    connection.limitTime(seconds: 0.5, reason: "too long")
    let error = #expect(throws: SQLiteError.self) {
      try connection.value(
        """
        WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT 100000)
        SELECT COUNT(*) FROM n WHERE length(hex(zeroblob(31000000 + i % 2))) = 1
        """)
    }
    #expect(error?.isLimit == true && error?.message == "too long")
  }

  @Test func aThreadHasItsClock() {
    let clock = ThreadClock.own
    let start = clock.seconds ?? .infinity
    // https://man7.org/linux/man-pages/man3/clock_gettime.3.html
    var time = timespec()
    while Double(time.tv_sec) + Double(time.tv_nsec) / 1e9 < start + 0.01 {
      clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    }
    #expect((clock.seconds ?? 0) - start >= 0.01)
  }
}
