import Base
import Evidence
import Forge
import Foundation
import Redaction
import SQLite
import StoreModel
import TestSupport
import Testing

/// Tables that Core Data didn't make, and what an app adds to those it did.
struct SchemaTests {
  private static let name = AttributeDescription(name: "name", type: .string)

  struct Example: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var sql: [String]
    /// What must come out of the copy.
    var query = "SELECT 1"
    var result: [SQLiteValue] = [1]
    var problems = 0
  }

  private static let examples = [
    Example(
      testDescription: "a trigger that writes doesn't fire",
      sql: [
        "CREATE TABLE log (id INTEGER PRIMARY KEY, text TEXT)",
        "CREATE TRIGGER noticed AFTER INSERT ON ZPERSON BEGIN INSERT INTO log (text) VALUES (new.ZNAME); END",
      ], query: "SELECT COUNT(*) FROM log", result: [0]),
    Example(
      testDescription: "a trigger that calls what isn't there",
      sql: [
        "CREATE TRIGGER counted AFTER UPDATE ON ZPERSON BEGIN SELECT NSCoreDataDATriggerUpdate(new.Z_PK); END"
      ]),
    Example(
      testDescription: "a view", sql: ["CREATE VIEW names AS SELECT ZNAME FROM ZPERSON"],
      query: "SELECT COUNT(*) FROM names", result: [2]),
    Example(
      testDescription: "an index over an expression, and one of some rows",
      sql: [
        "CREATE INDEX lowered ON ZPERSON (LOWER(ZNAME))",
        "CREATE INDEX some ON ZPERSON (ZNAME) WHERE ZNAME > 'a'",
      ]),
    Example(
      testDescription: "a table without row numbers",
      sql: [
        "CREATE TABLE words (word TEXT PRIMARY KEY, count INT) WITHOUT ROWID",
        "INSERT INTO words VALUES ('secret word', 4)",
      ],
      query: "SELECT word LIKE 'text-%' FROM words", result: [1]),
    Example(
      testDescription: "a generated column",
      sql: [
        "CREATE TABLE long (text TEXT, twice TEXT GENERATED ALWAYS AS (text || text) STORED, size AS (LENGTH(text)))",
        "INSERT INTO long (text) VALUES ('secret text')",
      ], query: "SELECT twice = text || text AND text LIKE 'text-%' FROM long", result: [1]),
    Example(
      testDescription: "row numbers that no column shows",
      sql: [
        "CREATE TABLE plain (rowid TEXT)", "INSERT INTO plain (_rowid_, rowid) VALUES (77, 'secret row')",
      ],
      query: "SELECT _rowid_ FROM plain", result: [77]),
    Example(
      testDescription: "numbers handed out once",
      sql: [
        "CREATE TABLE queue (id INTEGER PRIMARY KEY AUTOINCREMENT, text TEXT)",
        "INSERT INTO queue VALUES (9, 'secret task')", "DELETE FROM queue",
      ], query: "SELECT seq FROM sqlite_sequence WHERE name = 'queue'", result: [9]),
    Example(
      testDescription: "what ANALYZE leaves", sql: ["CREATE INDEX named ON ZPERSON (ZNAME)", "ANALYZE"],
      query: "SELECT COUNT(*) > 0 FROM sqlite_stat1", result: [1]),
    Example(
      testDescription: "an index of rectangles",
      sql: [
        "CREATE VIRTUAL TABLE places USING rtree(id, west, east)", "INSERT INTO places VALUES (1, 2.5, 3.5)",
      ],
      query: "SELECT COUNT(*) FROM places", result: [0]),
    Example(
      testDescription: "full-text search",
      sql: ["CREATE VIRTUAL TABLE search USING fts5(text)", "INSERT INTO search VALUES ('secret words')"],
      query: "SELECT COUNT(*) FROM search", result: [0]),
    Example(
      testDescription: "checks that marks pass, and don't",
      sql: [
        "CREATE TABLE colors (name TEXT CHECK (LENGTH(name) > 1), kind TEXT CHECK (kind IN ('dark', 'light')))",
        "INSERT INTO colors VALUES ('secret blue', NULL), ('secret red', 'dark')",
      ], query: "SELECT name LIKE 'text-%' FROM colors", result: [1], problems: 1),
    Example(
      testDescription: "links between tables",
      sql: [
        "CREATE TABLE parent (key TEXT PRIMARY KEY)", "CREATE TABLE child (key TEXT REFERENCES parent)",
        "INSERT INTO parent VALUES ('secret key')", "INSERT INTO child VALUES ('secret key')",
      ], query: "SELECT COUNT(*) FROM child JOIN parent USING (key)", result: [1]),
    Example(
      testDescription: "a strict table",
      sql: [
        "CREATE TABLE strict (a INT, b REAL, c TEXT, d BLOB) STRICT",
        "INSERT INTO strict VALUES (1, 2, 'secret', x'0102')",
      ]
    ),
    // Core Data doesn't name join tables so, and what isn't a key is a value.
    Example(
      testDescription: "a table that only looks like a join table",
      sql: [
        "CREATE TABLE Z2FA (Z_2CODE INTEGER, text TEXT, at REAL)",
        "INSERT INTO Z2FA VALUES (77665544332211, 'secret code', 77665544.332211)",
      ], query: "SELECT COUNT(*) FROM Z2FA WHERE Z_2CODE = 77665544332211 OR at = 77665544.332211",
      result: [0]),
    Example(
      testDescription: "what an older model's join table holds besides keys",
      sql: [
        "CREATE TABLE Z_9PEOPLE (Z_9PEOPLE INTEGER, Z_8GROUPS INTEGER, code INTEGER)",
        "INSERT INTO Z_9PEOPLE VALUES (5, 6, 77665544332211)",
      ], query: "SELECT COUNT(*) FROM Z_9PEOPLE WHERE Z_9PEOPLE = 5 AND code != 77665544332211", result: [1]),
    Example(
      testDescription: "a framework's table that isn't known",
      sql: [
        "CREATE TABLE ANSCKUNHEARD (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, ZCODE INTEGER)",
        "INSERT INTO ANSCKUNHEARD VALUES (7, 17001, 77665544332211)",
      ],
      query: "SELECT COUNT(*) FROM ANSCKUNHEARD WHERE Z_PK = 7 AND Z_ENT = 17001 AND ZCODE != 77665544332211",
      result: [1]),
    // Samples are values: https://www.sqlite.org/fileformat2.html#the_sqlite_stat2_table
    Example(
      testDescription: "samples of an older SQLite's planner",
      sql: [
        "PRAGMA writable_schema = ON", "CREATE TABLE sqlite_stat2 (tbl, idx, sampleno, sample)",
        "INSERT INTO sqlite_stat2 VALUES ('ZPERSON', 'named', 0, 'Ann Secret')",
      ], query: "SELECT COUNT(*) FROM sqlite_stat2", result: [0]),
    Example(
      testDescription: "links in unique texts, with other words or a store in small letters",
      sql: [
        "CREATE TABLE seen (link TEXT UNIQUE)",
        """
        INSERT INTO seen VALUES ('see x-coredata://7D3B51C4-0F2E-4C55-9A61-5E2C8D40B7A9/Person/p5'),
        ('also x-coredata://7D3B51C4-0F2E-4C55-9A61-5E2C8D40B7A9/Person/p5'),
        ('x-coredata://7D3B51C4-0F2E-4C55-9A61-5E2C8D40B7A9/Person/p5'),
        ('x-coredata://7d3b51c4-0f2e-4c55-9a61-5e2c8d40b7a9/Person/p5')
        """,
      ], query: "SELECT COUNT(*) FROM seen WHERE link GLOB '*x-coredata://*/Person/p5*'", result: [4]),
    Example(
      testDescription: "names that need quotes",
      sql: [#"CREATE TABLE "a ""b" ("c d" TEXT, "e'f" INT)"#, #"INSERT INTO "a ""b" VALUES ('secret', 1)"#]),
  ]

  @Test(arguments: examples) func isCopied(_ example: Example) throws {
    let fixture = try RedactionFixture(
      [Self.name], objects: [["name": "Ann Secret"], ["name": "Ben Secret"]]
    ) { connection in try example.sql.forEach { try connection.execute($0) } }
    let result = try fixture.redact()
    #expect(result.problems.count == example.problems)
    #expect(try Self.schema(fixture.copyPath) == Self.schema(fixture.path))
    #expect(try fixture.values(example.query) == example.result)
    let left = try OriginalValues(fixture.path).found(inCopy: fixture.copyPath)
    #expect(left.isEmpty, "\(left)")
  }

  /// Its content has the values, and its triggers would keep everybody from writing to the copy, which was damaged by its
  /// line in the schema.
  @Test func aFullTextIndexOfIOS27IsLeftOut() throws {
    let fixture = try RedactionFixture(
      [Self.name], objects: [["name": "Ann Secret"], ["name": "Ben Secret"]]
    ) {
      try $0.execute(
        """
        CREATE VIRTUAL TABLE Z_FTS_PERSON USING fts5(zname, content='');
        INSERT INTO Z_FTS_PERSON(rowid, zname) VALUES (1, 'secret');
        CREATE TRIGGER Z_FTS_PERSON_INSERT AFTER INSERT ON ZPERSON
        BEGIN INSERT INTO Z_FTS_PERSON(rowid, zname) VALUES (new.Z_PK, new.ZNAME); END;
        PRAGMA writable_schema = ON;
        UPDATE sqlite_master SET sql = replace(sql, ')', ', tokenize = ''_CoreDataTokenizer'')')
        WHERE name = 'Z_FTS_PERSON';
        PRAGMA writable_schema = OFF
        """)
    }
    #expect(try fixture.redact().problems.count == 1)
    #expect(!(try Self.schema(fixture.copyPath)).contains { $0.contains("Z_FTS") })
    #expect(try OriginalValues(fixture.path).found(inCopy: fixture.copyPath).isEmpty)
  }

  /// The text of all there is in the schema, in the order of the names. Throws where the file isn't whole.
  private static func schema(_ path: String) throws -> [String] {
    let opened = try StoreOpener.open(path: path)
    defer { try? opened.finish() }
    let problems = try opened.connection.rows("PRAGMA integrity_check") { $0.text(0) }
    guard problems == ["ok"] else { throw StoreScopeError(.failed, problems.joined(separator: "; ")) }
    return try opened.connection.rows(
      "SELECT type || ' ' || name || ' ' || COALESCE(sql, '') FROM main.sqlite_master ORDER BY type, name"
    ) { $0.text(0) }
  }

  @Test func theFileIsOfTheSameKind() throws {
    for sql in ["PRAGMA user_version = 7", "PRAGMA application_id = 99", "PRAGMA journal_mode = DELETE"] {
      let fixture = try RedactionFixture([Self.name], objects: [["name": "Ann"]]) { try $0.execute(sql) }
      try fixture.redact()
      let (one, other) = try (Self.header(fixture.path), Self.header(fixture.copyPath))
      #expect(one == other, "\(sql)")
      #expect(try fixture.folder.names().filter { $0.hasPrefix("Copy") } == ["Copy.store"])
    }
  }

  /// Page size, journal, auto-vacuum, encoding, user version and application.
  private static func header(_ path: String) throws -> [ArraySlice<UInt8>] {
    let bytes = [UInt8](try Data(contentsOf: URL(filePath: path)).prefix(100))
    return [bytes[16..<20], bytes[52..<72]]
  }

  /// As frameworks before 10.9 left stores: nothing but the tables says what is what. In another encoding, too.
  @Test(arguments: ["UTF-8", "UTF-16le", "UTF-16be"]) func aStoreWithoutAModelKeepsProvableKeys(
    _ encoding: String
  )
    throws
  {
    let folder = TemporaryFolder("redaction")
    let path = folder.path("Old.store")
    let connection = try Connection(path: path, options: .readWrite(create: true))
    try connection.execute(
      """
      PRAGMA encoding = '\(encoding)';
      CREATE TABLE Z_METADATA (Z_VERSION INTEGER PRIMARY KEY, Z_UUID VARCHAR(255), Z_PLIST BLOB);
      CREATE TABLE Z_PRIMARYKEY (Z_ENT INTEGER PRIMARY KEY, Z_NAME VARCHAR, Z_SUPER INTEGER, Z_MAX INTEGER);
      CREATE TABLE ZNOTE (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZSTARS INTEGER, ZOWNER INTEGER, ZPARENT INTEGER, Z1_PARENT INTEGER, ZTEXT VARCHAR);
      CREATE INDEX ZNOTE_ZOWNER_INDEX ON ZNOTE (ZOWNER);
      INSERT INTO Z_METADATA VALUES (1, '7D3B51C4-0F2E-4C55-9A61-5E2C8D40B7A9', NULL);
      INSERT INTO Z_PRIMARYKEY VALUES (1, 'Note', 0, 2);
      INSERT INTO ZNOTE VALUES (1, 1, 1, 5, 12, 2, 1, 'a secret note'), (2, 1, 1, 5, 12, 1, 1, 'ein süßes Geheimnis');
      """)
    connection.close()
    let fixture = RedactionFixture(folder: folder, path: path)
    try fixture.redact()
    // A column of its own for the target's entity is a proof, an index isn't.
    #expect(try fixture.values("SELECT ZPARENT FROM ZNOTE ORDER BY Z_PK") == [2, 1])
    #expect(try fixture.values("SELECT Z1_PARENT FROM ZNOTE") == [1, 1])
    #expect(try fixture.values("SELECT DISTINCT ZOWNER FROM ZNOTE") != [12])
    #expect(try fixture.values("SELECT DISTINCT ZSTARS FROM ZNOTE") != [5])
    #expect(try fixture.values("PRAGMA encoding") == [.text(encoding)])
    #expect(try OriginalValues(path).found(inCopy: fixture.copyPath).isEmpty)
  }
}
