import Evidence
import Foundation
import SQLite
import TestSupport
import Testing

/// A reader next to a process that commits, and checkpoints, without a pause. Each transaction moves an amount from
/// one row to another, so the sum over all rows is the same in every state that ever was.
/// `STORESCOPE_LONG=1` makes it run for half a minute a case.
@Suite(.enabled(if: LiveWriter.isAvailable, "the sqlite3 shell is not installed"), .serialized, .waiting)
struct StressTests {
  static let seconds: Double = ProcessInfo.processInfo.environment["STORESCOPE_LONG"] == "1" ? 30 : 0.6

  private final class Feeder: @unchecked Sendable {
    private let lock = NSLock()
    private var stopped = false
    let ended = DispatchSemaphore(value: 0)
    var isStopped: Bool { lock.withLock { stopped } }
    func stop() { lock.withLock { stopped = true } }
  }

  @Test(
    arguments: [
      ("wal", "PASSIVE", nil), ("wal", "TRUNCATE", nil), ("wal", "RESTART", nil), ("delete", "PASSIVE", nil),
      ("wal", "none", 3),
    ] as [(String, String, Int?)])
  func everyReadingIsConsistent(mode: String, checkpoint: String, ago: Int?) throws {
    let folder = TemporaryFolder()
    let path = folder.path("s.sqlite")
    let writer = try LiveWriter(path)
    try writer.run(
      """
      PRAGMA journal_mode = \(mode); PRAGMA synchronous = off; PRAGMA wal_autocheckpoint = 0;
      CREATE TABLE t(a INTEGER PRIMARY KEY, b INTEGER, c);
      WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < 299)
      INSERT INTO t SELECT i, 1000, zeroblob(700) FROM n;
      UPDATE t SET c = zeroblob(701); UPDATE t SET c = zeroblob(702); UPDATE t SET c = zeroblob(703)
      """)
    let feeder = Feeder()
    // A thread of its own: the tests' thread pool may have none to spare.
    let feeding = Thread {
      var round = 0
      while !feeder.isStopped {
        round += 1
        var text = """
          BEGIN IMMEDIATE; UPDATE t SET b = b - 7 WHERE a = \(round * 37 % 300);
          UPDATE t SET b = b + 7 WHERE a = \((round * 101 + 5) % 300); COMMIT;\n
          """
        if checkpoint != "none", round % 5 == 0 {
          text += ".output /dev/null\nPRAGMA wal_checkpoint(\(checkpoint));\n.output\n"
        }
        guard (try? writer.send(text)) != nil else { break }
        // A WAL that is never begun anew would outgrow the reader.
        if checkpoint == "none" { usleep(3000) }
      }
      feeder.ended.signal()
    }
    feeding.start()
    var readings = 0
    var retries = 0
    var seen: Set<SQLiteValue> = []
    let end = Date(timeIntervalSinceNow: Self.seconds)
    while Date() < end {
      var attempts = 0
      try StoreOpener.withStore(path: path, asOfCommit: ago, attempts: 10) { opened in
        attempts += 1
        let sum = "SELECT sum(b) || '/' || count(*) FROM t"
        let pairs = "SELECT group_concat(b) FROM t"
        let first = try opened.connection.value(pairs)
        #expect(try opened.connection.value(sum) == .text("300000/300"))
        usleep(10_000)
        #expect(try opened.connection.value(sum) == .text("300000/300"))
        #expect(try opened.connection.value(pairs) == first)
        if let first { seen.insert(first) }
      }
      readings += 1
      retries += attempts - 1
    }
    feeder.stop()
    feeder.ended.wait()
    #expect(try writer.finish() == "", "the writer failed")
    #expect(readings > 0, "\(readings) readings saw \(seen.count) states")
    print("\(mode) \(checkpoint): \(readings) readings, \(seen.count) states, \(retries) retries")
  }

  /// Each process opens the store, changes it, and takes the -wal with it when it goes.
  @Test func everyReadingIsConsistentWhileProcessesComeAndGo() throws {
    let folder = TemporaryFolder()
    let path = folder.path("s.sqlite")
    let first = try LiveWriter(path)
    try first.run("PRAGMA journal_mode = wal; CREATE TABLE t(a INTEGER PRIMARY KEY, b INTEGER)")
    try first.run(
      "WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < 299) INSERT INTO t SELECT i, 1000 FROM n"
    )
    #expect(try first.finish() == "")
    let feeder = Feeder()
    let feeding = Thread {
      var round = 0
      while !feeder.isStopped {
        round += 1
        let row = round * 37 % 299
        let writer = try? LiveWriter(path)
        try? writer?.send("UPDATE t SET b = b + iif(a = \(row), 7, -7) WHERE a IN (\(row), \(row + 1));\n")
        let failure = try? writer?.finish()
        #expect(failure == "", "the writer failed")
        usleep(5000)
      }
      feeder.ended.signal()
    }
    feeding.start()
    var readings = 0
    var changed = 0
    let end = Date(timeIntervalSinceNow: Self.seconds * 2)
    while Date() < end {
      do {
        let sum = try StoreOpener.withStore(path: path, attempts: 20) {
          try $0.connection.value("SELECT sum(b) || '/' || count(*) FROM t")
        }
        #expect(sum == .text("300000/300"))
        readings += 1
      } catch is StoreChangedError { changed += 1 }
    }
    feeder.stop()
    feeder.ended.wait()
    #expect(readings > 0)
    // SQLite leaves the -wal if a reader still has the store open when the last writer goes, and the next process takes
    // it along. Whether that happens to the very last of them is chance, which made this test fail under load.
    let left = try folder.names()
    let last = try LiveWriter(path)
    #expect(try last.run("SELECT count(*) FROM t") == "300\n")
    #expect(try last.finish() == "")
    #expect(try folder.names() == ["s.sqlite"], "a reader left a file, or a lock")
    let sum = try StoreOpener.withStore(path: path) {
      try $0.connection.value("SELECT sum(b) || '/' || count(*) FROM t")
    }
    #expect(sum == .text("300000/300"))
    #expect(try folder.names() == ["s.sqlite"], "a reader made a file")
    print("coming and going: \(readings) readings, \(changed) given up, left for the next: \(left)")
  }
}
