import Base
import Evidence
import Foundation
import SQLite
import TestSupport
import Testing

/// Reading next to another process.
@Suite(.enabled(if: LiveWriter.isAvailable, "the sqlite3 shell is not installed"), .waiting) struct LiveTests
{
  let folder = TemporaryFolder()
  let writer: LiveWriter
  var path: String { folder.path("s.sqlite") }

  init() throws {
    writer = try LiveWriter(folder.path("s.sqlite"))
  }

  private func make(_ mode: String) throws {
    try writer.run(
      """
      PRAGMA journal_mode = \(mode); PRAGMA wal_autocheckpoint = 0;
      CREATE TABLE t(a INTEGER PRIMARY KEY, b INTEGER, c);
      WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 200)
      INSERT INTO t SELECT i, 1000, zeroblob(400) FROM n
      """)
  }

  @Test func storeHeldByAnIdleProcess() throws {
    try make("wal")
    let before = try FolderSnapshot(folder.path)
    do {
      let opened = try StoreOpener.open(path: path)
      #expect(opened.way == .shared)
      #expect(opened.holder?.processID == writer.processID && opened.holder?.isExclusive == false)
      #expect(try opened.connection.value("SELECT sum(b) FROM t") == .integer(200_000))
      try opened.finish()
    }
    try StoreOpener.withStore(path: path, asOfCommit: 1) {
      let found = try $0.connection.value("SELECT count(*) FROM t")
      #expect(found == .integer(0))
    }
    #expect(try FolderSnapshot(folder.path) == before)
    #expect(try writer.finish() == "")
  }

  @Test func aProcessThatWasKilledLeavesAllReadable() throws {
    try make("wal")
    kill(writer.processID, SIGKILL)
    _ = try writer.finish()
    #expect(try folder.names() == ["s.sqlite", "s.sqlite-shm", "s.sqlite-wal"])
    let before = try FolderSnapshot(folder.path)
    try StoreOpener.withStore(path: path) {
      #expect($0.holder == nil)
      let found = try $0.connection.value("SELECT sum(b) FROM t")
      #expect(found == .integer(200_000))
    }
    #expect(try FolderSnapshot(folder.path) == before)
  }

  @Test func aReaderKeepsItsSnapshotFromBeingCheckpointedAway() throws {
    try make("wal")
    let opened = try StoreOpener.open(path: path)
    // Were the reader's lock dropped (by closing a descriptor of the file, say), this would not be refused.
    #expect(try writer.run("PRAGMA busy_timeout = 100; PRAGMA wal_checkpoint(TRUNCATE)").contains("1|"))
    try writer.run("UPDATE t SET b = 0; PRAGMA wal_checkpoint(PASSIVE)")
    #expect(try opened.connection.value("SELECT sum(b) FROM t") == .integer(200_000))
    try opened.finish()
    #expect(try writer.run("PRAGMA wal_checkpoint(TRUNCATE)") == "0|0|0\n")
    #expect(try writer.finish() == "")
  }

  /// Threads read through connections of their own. All of them see what the first one does, whatever is written
  /// meanwhile; there are none that might see another state.
  @Test func connectionsForThreadsSeeOneState() throws {
    try make("wal")
    // A file that was written just now may be written again without a sign of it.
    Thread.sleep(forTimeInterval: 0.1)
    let opened = try StoreOpener.open(path: path)
    let threads = try opened.moreConnections(2)
    #expect(opened.way == .shared && threads.count == 2)
    try writer.run("UPDATE t SET b = 0; INSERT INTO t SELECT a + 1000, b, c FROM t")
    for connection in [opened.connection] + threads {
      #expect(try connection.value("SELECT sum(b) FROM t") == .integer(200_000))
    }
    #expect(try opened.moreConnections(2).isEmpty)
    try writer.run("PRAGMA wal_checkpoint(PASSIVE)")
    #expect(try opened.moreConnections(2).isEmpty)
    for connection in [opened.connection] + threads {
      #expect(try connection.value("SELECT count(*) FROM t") == .integer(200))
    }
    try opened.finish()
    #expect(try writer.finish() == "")
  }

  @Test(arguments: ["wal", "delete"]) func exclusiveHolderIsNamed(mode: String) throws {
    try make(mode)
    try writer.run("PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE; UPDATE t SET b = 5 WHERE a = 1; COMMIT")
    let before = try FolderSnapshot(folder.path)
    let error = #expect(throws: StoreScopeError.self) { try StoreOpener.open(path: path) }
    #expect(
      error?.description.contains("process \(writer.processID) has it open exclusively") == true,
      "\(error?.description ?? "")")
    #expect(try FolderSnapshot(folder.path) == before)
  }

  @Test func exclusiveHolderWithoutShmIsNamed() throws {
    try writer.run(
      "PRAGMA locking_mode = EXCLUSIVE; PRAGMA journal_mode = wal; CREATE TABLE t(a); INSERT INTO t VALUES(1)"
    )
    #expect(try folder.names() == ["s.sqlite", "s.sqlite-wal"])
    let error = #expect(throws: StoreScopeError.self) { try StoreOpener.open(path: path) }
    #expect(error?.description.contains("process \(writer.processID) has it open exclusively") == true)
  }

  @Test func aTransactionInTheMiddleIsNotTakenForACrash() throws {
    try make("delete")
    try writer.run("BEGIN IMMEDIATE; UPDATE t SET b = 0")
    #expect(try folder.names() == ["s.sqlite", "s.sqlite-journal"])
    let before = try FolderSnapshot(folder.path)
    try StoreOpener.withStore(path: path) {
      #expect($0.way == .locked)
      let found = try $0.connection.value("SELECT sum(b) FROM t")
      #expect(found == .integer(200_000))
    }
    #expect(try FolderSnapshot(folder.path) == before)
    try writer.run("COMMIT")
    try StoreOpener.withStore(path: path) {
      let found = try $0.connection.value("SELECT sum(b) FROM t")
      #expect(found == .integer(0))
    }
    #expect(try writer.finish() == "")
  }
}

#if os(Linux)
  import Evidence
  import Foundation
  import SQLite
  import TestSupport
  import Testing
  import Base

  /// A4: every reading moved the time of last access of the store's files, though "no time stamp" is promised. The owner
  /// can read without that on Linux.
  struct AccessTimeTests {
    private static func accessed(_ path: String) -> Int {
      var status = stat()
      return lstat(path, &status) == 0 ? status.st_atim.tv_sec : -1
    }

    @Test(arguments: ForgedStore.State.allCases) func readingLeavesIt(_ state: ForgedStore.State) throws {
      let store = try ForgedStore(state)
      let paths = [store.folder.path] + (try store.folder.names()).map(store.folder.path)
      let long = timespec(tv_sec: 978_307_200, tv_nsec: 0)
      // UTIME_OMIT, which Glibc's module leaves out: the time of the last change stays.
      let times = [long, timespec(tv_sec: 0, tv_nsec: (1 << 30) - 2)]
      for path in paths { try #require(utimensat(AT_FDCWD, path, times, 0) == 0) }
      let opened = try StoreOpener.open(path: store.path)
      #expect(try opened.connection.value("SELECT count(*) FROM t") == .integer(state.rowCount))
      _ = try FileReader.names(in: store.folder.path)
      try opened.finish()
      for path in paths { #expect(Self.accessed(path) == long.tv_sec, "\(path)") }
    }
  }
#endif
