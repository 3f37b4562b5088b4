import SQLite
import TestSupport
import Testing

struct ReadOnlyGuardTests {
  let folder = TemporaryFolder()
  let connection: Connection

  init() throws {
    connection = try Connection(path: folder.path("a"), options: .readWrite(create: true))
    try connection.execute(
      """
      CREATE TABLE t(a INTEGER PRIMARY KEY, b); INSERT INTO t VALUES(1, 'x');
      CREATE INDEX i ON t(b); CREATE VIRTUAL TABLE r USING rtree(id, low, high);
      INSERT INTO r VALUES(1, 2, 3);
      """)
  }

  @Test(arguments: [
    "SELECT * FROM t", "SELECT count(*), upper(b) FROM t GROUP BY b", "SELECT * FROM seen",
    "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 9) SELECT * FROM n",
    "PRAGMA table_info(t)", "SELECT * FROM pragma_table_info('t')", "PRAGMA index_list('t')",
    "PRAGMA integrity_check", "PRAGMA user_version", "SELECT * FROM r WHERE low < 9",
    "SELECT * FROM json_each('[1]')", "EXPLAIN QUERY PLAN SELECT * FROM t", "VALUES (1)",
    "SELECT * FROM sqlite_schema",
  ])
  func readingIsAllowed(sql: String) throws {
    // Opened anew, so that nothing is known of the tables yet when the guard goes on.
    let reader = try Connection(path: folder.path("a"), options: .readWrite())
    try reader.execute("CREATE TEMP VIEW seen AS SELECT a FROM t")
    reader.allowOnlyReading()
    _ = try reader.rows(sql) { $0.values }
  }

  @Test(arguments: [
    ("DELETE FROM t", "DELETE FROM t"), ("INSERT INTO t VALUES(2, 3)", "INSERT INTO t"),
    ("UPDATE t SET b = 1", "UPDATE t"), ("ATTACH ':memory:' AS other", "ATTACH"),
    ("DROP TABLE t", "changing the schema"), ("CREATE TABLE u(a)", "changing the schema"),
    ("CREATE TEMP VIEW v AS SELECT 1", "changing the schema"),
    ("CREATE TEMP TABLE u(a)", "changing the schema"),
    ("PRAGMA journal_mode = DELETE", "PRAGMA journal_mode with a value"),
    ("PRAGMA wal_checkpoint", "PRAGMA wal_checkpoint"),
    ("PRAGMA writable_schema = 1", "PRAGMA writable_schema"),
    ("SELECT load_extension('x')", "load_extension"), ("BEGIN", "transaction"), ("COMMIT", "transaction"),
    ("SAVEPOINT s", "SAVEPOINT"), ("VACUUM", "this statement"), ("REINDEX", "REINDEX"),
    ("ANALYZE", "refused"),
    ("EXPLAIN DELETE FROM t", "DELETE FROM t"), ("INSERT INTO r VALUES(2, 3, 4)", "INSERT INTO r"),
    ("SELECT * FROM pragma_optimize", "PRAGMA optimize"), ("ALTER TABLE t RENAME TO u", "refused"),
    ("WITH x AS (SELECT 1) DELETE FROM t", "DELETE FROM t"),
    ("VACUUM INTO '/tmp/storescope-must-not-exist'", "refused"),
  ])
  func writingIsRefusedInASentence(sql: String, what: String) throws {
    connection.allowOnlyReading()
    let error = #expect(throws: SQLiteError.self) { try connection.execute(sql) }
    #expect(error?.message.contains(what) == true, "\(error?.message ?? "")")
    #expect(error?.message.contains("only reading is allowed here") == true, "\(error?.message ?? "")")
    connection.allowEverything()
    #expect(try connection.value("SELECT count(*) FROM t") == .integer(1))
  }

  @Test func theSchemaTableStaysAsItIs() throws {
    connection.allowOnlyReading()
    let error = #expect(throws: SQLiteError.self) {
      try connection.execute("UPDATE sqlite_master SET type = 1")
    }
    #expect(error?.message.contains("may not be modified") == true)
  }

  @Test func theGuardGoesWithItsScope() throws {
    let error = #expect(throws: SQLiteError.self) {
      try connection.onlyReading { try connection.execute("DELETE FROM t") }
    }
    #expect(error?.isRefusal == true)
    try connection.execute("DELETE FROM t")
    // An error of another kind is not laid at the guard's door.
    connection.allowOnlyReading()
    #expect(throws: SQLiteError.self) { try connection.execute("DELETE FROM t") }
    let other = #expect(throws: SQLiteError.self) { try connection.execute("SELECT absent FROM t") }
    #expect(other?.message == "no such column: absent")
  }
}
