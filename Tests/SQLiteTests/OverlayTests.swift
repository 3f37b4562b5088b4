import Foundation
import SQLite
import TestSupport
import Testing

struct OverlayTests {
  let folder = TemporaryFolder()
  var path: String { folder.path("s.sqlite") }

  private func make(_ mode: String, pageSize: Int = 4096) throws -> Connection {
    let connection = try Connection(path: path, options: .readWrite(create: true))
    try connection.execute(
      """
      PRAGMA page_size = \(pageSize); PRAGMA journal_mode = \(mode); PRAGMA wal_autocheckpoint = 0;
      CREATE TABLE t(a INTEGER PRIMARY KEY, b);
      WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 500)
      INSERT INTO t SELECT i, randomblob(300) FROM n;
      """)
    return connection
  }

  /// The files as a writer that died now would leave them, in a folder of their own.
  private func dead(_ names: [String]) throws -> TemporaryFolder {
    let copy = TemporaryFolder()
    for name in names { try copy.write(try folder.read(name), to: name) }
    return copy
  }

  /// All that a repair could do, with nothing of it on disk.
  private func rehearse(_ folder: TemporaryFolder, rows: Int64) throws {
    let before = try FolderSnapshot(folder.path)
    do {
      let connection = try Connection(path: folder.path("s.sqlite"), options: .overlay())
      #expect(try connection.value("SELECT count(*) FROM t") == .integer(rows))
      #expect(try connection.value("PRAGMA integrity_check") == .text("ok"))
      try connection.execute(
        "INSERT INTO t SELECT a + 10000, randomblob(700) FROM t; DELETE FROM t WHERE a < 11")
      let left = rows * 2 - 10
      #expect(try connection.value("SELECT count(*) FROM t") == .integer(left))
      _ = try connection.value("PRAGMA wal_checkpoint(TRUNCATE)")
      try connection.execute("VACUUM")
      #expect(try connection.value("PRAGMA integrity_check") == .text("ok"))
      #expect(try connection.value("SELECT count(*) FROM t") == .integer(left))
      for mode in ["delete", "wal", "persist", "memory", "truncate"] {
        #expect(try connection.value("PRAGMA journal_mode = \(mode)") == .text(mode))
        try connection.execute(
          "UPDATE t SET b = zeroblob(2000) WHERE a % 3 = 0; BEGIN; DELETE FROM t; ROLLBACK")
        #expect(try connection.value("SELECT count(*) FROM t") == .integer(left))
      }
      #expect(try connection.value("PRAGMA integrity_check") == .text("ok"))
      let second = try Connection(path: folder.path("s.sqlite"), options: .overlay())
      #expect(try second.value("SELECT count(*) FROM t") == .integer(rows))
      #expect(try FolderSnapshot(folder.path) == before)
    }
    #expect(try FolderSnapshot(folder.path) == before)
  }

  @Test(arguments: [512, 4096, 65536]) func rollbackStore(pageSize: Int) throws {
    try make("delete", pageSize: pageSize).close()
    try rehearse(folder, rows: 500)
  }

  @Test(arguments: [512, 4096, 65536]) func walStoreWithItsSideFiles(pageSize: Int) throws {
    let writer = try make("wal", pageSize: pageSize)
    try rehearse(try dead(["s.sqlite", "s.sqlite-wal", "s.sqlite-shm"]), rows: 500)
    try rehearse(try dead(["s.sqlite", "s.sqlite-wal"]), rows: 500)
    writer.close()
    #expect(try folder.names() == ["s.sqlite"])
    try rehearse(folder, rows: 500)
  }

  @Test func tornWALEndsAtItsLastWholeCommit() throws {
    let writer = try make("wal")
    try writer.execute("DELETE FROM t")
    let torn = try dead(["s.sqlite", "s.sqlite-wal"])
    try torn.write(try folder.read("s.sqlite-wal").dropLast(2000), to: "s.sqlite-wal")
    try rehearse(torn, rows: 500)
  }

  @Test func emptyWALAndEmptyJournalCountAsNone() throws {
    try make("wal").close()
    for name in ["s.sqlite-wal", "s.sqlite-journal", "s.sqlite-shm"] { try folder.write([], to: name) }
    try rehearse(folder, rows: 500)
  }

  @Test(arguments: ["delete", "persist", "truncate"]) func hotJournalIsRolledBackInMemory(mode: String) throws
  {
    let writer = try make(mode)
    try writer.execute(
      "PRAGMA cache_size = 5; BEGIN; UPDATE t SET b = zeroblob(900); DELETE FROM t WHERE a > 9")
    let hot = try dead(["s.sqlite", "s.sqlite-journal"])
    try writer.execute("ROLLBACK")
    // Without the journal the file is of no use, so it was hot indeed.
    let bare = TemporaryFolder()
    try bare.write(try hot.read("s.sqlite"), to: "s.sqlite")
    let count = try? Connection(path: bare.path("s.sqlite"), options: .overlay())
      .value("SELECT count(*) FROM t WHERE length(b) = 300")
    #expect(count != .integer(500))
    try rehearse(hot, rows: 500)
  }

  @Test func walEndsAtTheGivenByte() throws {
    let writer = try make("wal")
    var sizes: [Int64] = [0]
    for row in 1...5 as ClosedRange<Int64> {
      sizes.append(Int64(try folder.read("s.sqlite-wal").count))
      try writer.execute("INSERT INTO t VALUES(?, 'later')", [.integer(1000 + row)])
    }
    let copy = try dead(["s.sqlite", "s.sqlite-wal"])
    let before = try FolderSnapshot(copy.path)
    for (index, size) in sizes.enumerated() where index > 0 {
      let past = try Connection(path: copy.path("s.sqlite"), options: .overlay(walLimit: size))
      #expect(try past.value("SELECT count(*) FROM t") == .integer(500 + Int64(index) - 1))
    }
    let main = try Connection(path: copy.path("s.sqlite"), options: .overlay(walLimit: 0))
    #expect(try main.hasTable("t") == false)
    #expect(try FolderSnapshot(copy.path) == before)
  }

  @Test func bytesBeyondFourGibibytes() throws {
    let pageSize = 65536
    let pages: UInt32 = 70_000
    try make("delete", pageSize: pageSize).close()
    // Pages that nothing refers to make a file of 4.3 GiB that takes no room on disk.
    let file = try #require(FileHandle(forUpdatingAtPath: path))
    try file.truncate(atOffset: UInt64(pages) * UInt64(pageSize))
    try file.seek(toOffset: 28)
    try file.write(contentsOf: withUnsafeBytes(of: pages.bigEndian) { Data($0) })
    try file.close()
    let insert = "INSERT INTO t VALUES(?, CAST(zeroblob(200000) || 'far' AS BLOB))"
    try Connection(path: path, options: .readWrite()).execute(insert, [5000])
    let size = try #require(
      try FileManager.default.attributesOfItem(atPath: path)[.size] as? Int64)
    #expect(size > 4 << 30)
    let overlay = try Connection(path: path, options: .overlay())
    try overlay.execute(insert, [5001])
    try overlay.execute("DELETE FROM t WHERE a < 100")
    #expect(
      try overlay.rows("SELECT substr(b, -3) FROM t WHERE a >= 5000") { $0.text(0) } == ["far", "far"])
    let attributes = try FileManager.default.attributesOfItem(atPath: path)
    #expect(attributes[.size] as? Int64 == size)
    #expect(try Connection(path: path, options: .readOnly).value("SELECT count(*) FROM t") == .integer(501))
  }

  @Test func thingsThatAreNoFilesAreNotOpened() throws {
    mkfifo(folder.path("pipe"), 0o600)
    for name in [folder.path("pipe"), folder.path, "/dev/zero"] {
      #expect(throws: SQLiteError.self) { try Connection(path: name, options: .overlay()).hasTable("t") }
    }
  }

  @Test func descriptorsAreClosed() throws {
    let writer = try make("wal")
    let open = { (try? FileManager.default.contentsOfDirectory(atPath: "/dev/fd"))?.count ?? 0 }
    let copy = try dead(["s.sqlite", "s.sqlite-wal"])
    let before = open()
    for _ in 0..<300 {
      let reader = try Connection(path: copy.path("s.sqlite"), options: .overlay())
      _ = try reader.value("SELECT count(*) FROM t")
    }
    // Other tests run next to this one and have files open too.
    #expect(open() < before + 200)
    writer.close()
  }
}
