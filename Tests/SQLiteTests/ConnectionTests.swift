import SQLite
import TestSupport
import Testing

struct ConnectionTests {
  @Test(arguments: [
    "plain.sqlite", "100%25 of ?mode=rw&x=#frag.sqlite", "Ünï çødé 🍉.sqlite", "a b\tc\n.sqlite", "-wal",
    "file:x?vfs=none", "quote'\".sqlite",
  ])
  func anyFileNameOpens(name: String) throws {
    let folder = try TemporaryFolder()
    try Connection(path: folder.path(name), options: .readWrite(create: true)).execute("CREATE TABLE t(a)")
    #expect(try folder.names() == [name])
    #expect(try Connection(path: folder.path(name), options: .readOnly).hasTable("t"))
    #expect(try Connection(path: folder.path(name), options: .overlay()).hasTable("t"))
  }

  @Test func missingFileIsAnError() throws {
    let folder = try TemporaryFolder()
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
    let folder = try TemporaryFolder()
    let path = folder.path("a")
    try Connection(path: path, options: .readWrite(create: true)).execute("CREATE TABLE t(a)")
    let reader = try Connection(path: path, options: .readOnly)
    #expect(throws: SQLiteError.self) { try reader.execute("INSERT INTO t VALUES(1)") }
  }

  @Test func aReaderMakesNoWAL() throws {
    let folder = try TemporaryFolder()
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
    let folder = try TemporaryFolder()
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
    let folder = try TemporaryFolder()
    let trusted = try Connection(
      path: folder.path("a"), options: OpenOptions(.readWrite(create: true), trustsSchema: true))
    try trusted.execute("CREATE VIRTUAL TABLE r USING rtree(id, a, b); INSERT INTO r VALUES(1, 2, 3)")
    try trusted.execute("UPDATE r_rowid SET nodeno = nodeno")
    let guarded = try Connection(path: folder.path("a"), options: .readWrite())
    #expect(throws: SQLiteError.self) { try guarded.execute("UPDATE r_rowid SET nodeno = nodeno") }
  }
}
