import Base
import TestSupport
import Testing

@testable import SQLite

/// What a stranger's schema may cost while it is read. Why these exist: a store of 400 kB made every command take
/// gigabytes (C1), and a view in place of a table never ended.
///
/// One after the other: the limit of memory is the whole process's, and two of them at once want more than it is. On
/// threads of their own, as on the common ones each would get its turn after all other tests, when nothing runs next to it.
@Suite(.serialized, .waiting)
struct LimitsTests {
  let folder = TemporaryFolder()
  let path: String

  init() throws {
    path = folder.path("a.sqlite")
    let writer = try Connection(path: path, options: .readWrite(create: true))
    try writer.execute(
      """
      CREATE TABLE ZTRIP(Z_PK INTEGER PRIMARY KEY, ZKEPT, ZTITLE AS (printf('%.*c', 99999999, 'x')), ZSTORED AS (1) STORED);
      CREATE TABLE own(a, b AS (a + 1));
      CREATE TABLE albums(a, b AS (a + 1));
      INSERT INTO albums(a) VALUES(1);
      INSERT INTO ZTRIP(ZKEPT) VALUES(7);
      INSERT INTO own(a) VALUES(1);
      CREATE VIEW ZENTRY AS WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT i Z_PK FROM n;
      CREATE VIEW two AS SELECT 2 AS two;
      """)
  }

  private func guarded() throws -> Connection {
    let connection = try Connection(path: path, options: .readOnly)
    _ = try connection.ignoreSchemaExpressions()
    return connection
  }

  @Test func computedColumnsReadAsNULL() throws {
    let connection = try Connection(path: path, options: .readOnly)
    #expect(try connection.ignoreSchemaExpressions() == ["ZTRIP.ZTITLE"])
    #expect(try connection.value("SELECT ZTITLE FROM ZTRIP") == .null)
    #expect(try connection.value("SELECT t.ztitle FROM main.ZTRIP t") == .null)
    #expect(try connection.value("SELECT ZKEPT FROM ZTRIP") == .integer(7))
    #expect(try connection.value("SELECT ZSTORED FROM ZTRIP") == .integer(1))
    // The guard of user SQL comes and goes without lifting it.
    #expect(try connection.onlyReading { try connection.value("SELECT ZTITLE FROM ZTRIP") } == .null)
    #expect(try connection.value("SELECT ZTITLE FROM ZTRIP") == .null)
    // The app's own tables are the user's to ask; Core Data's stay as they are.
    connection.allowSchemaExpressions()
    #expect(try connection.value("SELECT b FROM own") == .integer(2))
    // Its name begins as those of Core Data's history do, in small letters: it was taken for one, and NULL came silently.
    #expect(try connection.value("SELECT b FROM albums") == .integer(2))
    #expect(try connection.value("SELECT ZTITLE FROM ZTRIP") == .null)
  }

  @Test func viewsAreNotTables() throws {
    let connection = try guarded()
    let refused = #expect(throws: SQLiteError.self) {
      try connection.value("SELECT Z_PK FROM main.\"ZENTRY\"")
    }
    #expect(refused?.isLimit == true && refused?.message.contains("'ZENTRY' is a view") == true)
    try connection.execute("CREATE TEMP VIEW ours AS SELECT ZKEPT FROM main.ZTRIP")
    #expect(try connection.value("SELECT * FROM ours") == .integer(7))
    connection.allowSchemaExpressions()
    #expect(try connection.value("SELECT two FROM two") == .integer(2))
  }

  @Test func userSQLEndsWithItsTime() throws {
    let connection = try guarded()
    connection.allowSchemaExpressions()
    connection.limitTime(seconds: 1, reason: "it took longer")
    let stopped = #expect(throws: SQLiteError.self) { try connection.value("SELECT max(Z_PK) FROM ZENTRY") }
    #expect(stopped?.isInterrupt == true && stopped?.isLimit == true)
    #expect(
      stopped?.failure(reading: "a").problem.contains("it took longer") == true,
      "\(stopped as Any)")
  }

  @Test(arguments: [
    ("SELECT length(hex(zeroblob(900000000)))", "made a value of more than 64 MB"),
    (
      "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT 20) SELECT group_concat(hex(zeroblob(30000000))) FROM n",
      "made a value of more than 64 MB"
    ),
  ])
  func computedValuesAreBounded(sql: String, says: String) throws {
    let error = #expect(throws: SQLiteError.self) { try guarded().value(sql) }
    #expect(error?.isLimit == true && error?.message.contains(says) == true, "\(error as Any)")
  }

  /// A value that is in the file can be read, whatever its size.
  @Test func storedValuesAreNot() throws {
    let writer = try Connection(path: path, options: .readWrite())
    try writer.execute("INSERT INTO own(a) VALUES(zeroblob(70000000))")
    #expect(try guarded().value("SELECT length(a) FROM own WHERE typeof(a) = 'blob'") == .integer(70_000_000))
    #expect(
      try guarded().first("SELECT a FROM own WHERE typeof(a) = 'blob'") { $0.bytes(0).count } == 70_000_000)
  }

  /// 512 MB for whatever store made an export with eight threads fail on large values, and any value of 600 MB.
  @Test func memoryGrowsWithTheStore() throws {
    let megabyte: Int64 = 1 << 20
    #expect(MemoryLimit.bytes(forStoreOf: 0) == 512 * megabyte)
    #expect(MemoryLimit.bytes(forStoreOf: 100 * megabyte) == 512 * megabyte)
    #expect(MemoryLimit.bytes(forStoreOf: 800 * megabyte) == 3200 * megabyte)
    #expect(MemoryLimit.bytes(forStoreOf: .max) == 4096 * megabyte)
    // A smaller store that is opened later takes nothing away.
    MemoryLimit.raise(forStoreOf: 200 * megabyte)
    MemoryLimit.raise(forStoreOf: 0)
    #expect(MemoryLimit.current >= 800 * megabyte)
    let writer = try Connection(path: path, options: .readWrite())
    try writer.execute("INSERT INTO own(a) VALUES(zeroblob(280000000))")
    let sizes = try guarded().first("SELECT a, a FROM own WHERE typeof(a) = 'blob'") { row in
      (0...1).map { row.withBytes($0) { $0.count } }
    }
    #expect(sizes == [280_000_000, 280_000_000])
  }

  /// L12: only SQLite's own spelling was known.
  @Test(arguments: [
    ("CREATE VIRTUAL TABLE a USING b", true), ("CREATE/**/VIRTUAL TABLE a USING b", true),
    ("create -- TABLE\n\tVirtual/* a */TABLE a USING b", true), ("/**/ CREATE VIRTUAL TABLE a USING b", true),
    ("CREATE TABLE a(VIRTUAL)", false), ("CREATE TABLE VIRTUAL(a)", false),
    ("CREATE/* VIRTUAL */TABLE a(b)", false),
    ("CREATE VIRTUALLY", false), ("CREATE/*", false), ("", false),
  ])
  func virtualTablesAreKnownHoweverSpelled(sql: String, expected: Bool) {
    #expect(Array(sql.utf8).withUnsafeBytes(isVirtualTable) == expected)
  }
}
