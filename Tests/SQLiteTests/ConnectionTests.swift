import SQLite
import TestSupport
import Testing

struct ConnectionTests {
  private let folder = TemporaryFolder()

  @Test(arguments: [
    "plain.sqlite", "100%25 of ?mode=rw&x=#frag.sqlite", "Ünï çødé 🍉.sqlite", "a b\tc\n.sqlite", "-wal",
    "file:x?vfs=none", "quote'\".sqlite",
  ])
  func anyFileNameOpens(name: String) throws {
    try Connection(path: folder.path(name), options: .readWrite(create: true)).execute("CREATE TABLE t(a)")
    #expect(try folder.names() == [name])
    #expect(try Connection(path: folder.path(name), options: .readOnly).hasTable("t"))
    #expect(try Connection(path: folder.path(name), options: .overlay()).hasTable("t"))
  }

  @Test func missingFileIsAnError() throws {
    for options in [OpenOptions.readOnly, .readWrite(), .overlay()] {
      let error = #expect(throws: SQLiteError.self) {
        try Connection(path: folder.path("none"), options: options)
      }
      #expect(error?.primaryCode == 14)
    }
    #expect(throws: SQLiteError.self) { try Connection(path: "nul\0", options: .readOnly) }
    #expect(try folder.names() == [])
  }

  @Test func readOnlyRefusesToWrite() throws {
    let path = folder.path("a")
    try Connection(path: path, options: .readWrite(create: true)).execute("CREATE TABLE t(a)")
    let reader = try Connection(path: path, options: .readOnly)
    #expect(throws: SQLiteError.self) { try reader.execute("INSERT INTO t VALUES(1)") }
  }

  @Test func aReaderMakesNoWAL() throws {
    let path = folder.path("a")
    try Connection(path: path, options: .readWrite(create: true)).execute(
      "PRAGMA journal_mode = wal; CREATE TABLE t(a)")
    let before = try FolderSnapshot(folder.path)
    let reader = try Connection(
      path: path, options: OpenOptions(.readOnly, parameters: [("readonly_shm", "1")]))
    #expect(throws: SQLiteError.self) { try reader.hasTable("t") }
    #expect(try FolderSnapshot(folder.path) == before)
  }

  @Test func statementKeepsAClosedConnectionAlive() throws {
    var connection: Connection? = try Connection(path: folder.path("a"), options: .readWrite(create: true))
    try connection?.execute("CREATE TABLE t(a); INSERT INTO t VALUES(5)")
    connection = try Connection(path: folder.path("a"), options: .overlay())
    let statement = try #require(try connection?.prepare("SELECT a FROM t"))
    connection?.close()
    connection = nil
    #expect(try statement.step())
    #expect(statement.integer(0) == 5)
  }

  @Test func schemaMayNotWriteShadowTablesUnlessTrusted() throws {
    let trusted = try Connection(
      path: folder.path("a"), options: OpenOptions(.readWrite(create: true), trustsSchema: true))
    try trusted.execute("CREATE VIRTUAL TABLE r USING rtree(id, a, b); INSERT INTO r VALUES(1, 2, 3)")
    try trusted.execute("UPDATE r_rowid SET nodeno = nodeno")
    let guarded = try Connection(path: folder.path("a"), options: .readWrite())
    #expect(throws: SQLiteError.self) { try guarded.execute("UPDATE r_rowid SET nodeno = nodeno") }
  }
}

/// What people read of an error that nothing else explains.
struct SQLiteErrorTests {
  /// Generated SQL was shown, cut off, with its line ends as `\\n`.
  @Test(arguments: [
    ("SELECT Z_PK FROM main.\"ZTRIP\"\nWHERE Z_ENT IN (9)", "reading ZTRIP failed. "),
    ("SELECT * FROM Trip t join Person ON 1", "reading Trip and Person failed. "),
    (
      "SELECT 1 FROM (SELECT 2 FROM a JOIN b ON 1 JOIN c ON 1 JOIN d ON 1), a",
      "reading a, b and 2 more failed. "
    ),
    // What looks up more about a row stands first.
    (
      "SELECT a FROM (SELECT (SELECT b FROM z) FROM main.ACHANGE WHERE d = ')')",
      "reading ACHANGE and z failed. "
    ),
    ("PRAGMA quick_check", ""),
  ]) func whatWasReadIsNamed(_ sql: String, _ place: String) {
    let error = SQLiteError(code: 11, message: "database disk image is malformed", sql: sql)
    let report = "\(place)SQLite reports 'database disk image is malformed' (code 11)"
    #expect(
      "\(error.failure(reading: "a.store"))".hasPrefix("'a.store' is damaged: \(report); 'storescope doctor"))
    let busy = SQLiteError(code: 5, message: "database is locked", sql: sql)
    #expect("\(busy.failure(reading: "a.store"))".hasPrefix("can't read 'a.store': \(place)SQLite"))
  }
}
