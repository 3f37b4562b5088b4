import Forge
import Foundation
import SQLite
import TestSupport
import Testing

/// Stores that are made to cost time and memory. Each command answers within a generous deadline, and no process takes
/// more than 1 GiB. Why these exist: a table that a view without end replaces hung `rows`; an entity's name of 10 MB was
/// printed for each change, 515 MB in all; computed columns took gigabytes (C1); one file named by each row and packed
/// zeros took minutes (L11); a virtual table in another spelling made the store unreadable (L12).
struct HostileShapeTests {
  struct Case: CustomTestStringConvertible, Sendable {
    var testDescription: String
    var edit: @Sendable (Connection, String) throws -> Void

    init(_ name: String, _ edit: @escaping @Sendable (Connection, String) throws -> Void) {
      testDescription = name
      self.edit = edit
    }
  }

  static let cases: [Case] =
    [
      "ZTRIP", "ZENTRY", "Z_PRIMARYKEY", "Z_MODELCACHE", "ATRANSACTION", "ACHANGE", "ATRANSACTIONSTRING",
      "ANSCKRECORDMETADATA",
    ]
    .map { table in
      Case("endless view in place of \(table)") { connection, _ in try replace(table, connection) }
    }
    + [
      ("Z_PRIMARYKEY", "Z_NAME"), ("ATRANSACTIONSTRING", "ZNAME"), ("Z_METADATA", "Z_PLIST"),
      ("Z_METADATA", "Z_UUID"),
      ("Z_MODELCACHE", "Z_CONTENT"), ("ZTRIP", "ZTITLE"), ("ACHANGE", "ZCOLUMNS"),
      ("ANSCKRECORDMETADATA", "ZCKRECORDNAME"),
    ].map { table, column in
      Case("computed \(table).\(column)") { connection, _ in try compute(table, column, connection) }
    }
    + [
      name(
        "entity",
        "DELETE FROM Z_MODELCACHE; UPDATE Z_PRIMARYKEY SET Z_NAME = LONG WHERE Z_NAME IN ('Trip', 'Entry')"),
      name("author", "UPDATE ATRANSACTIONSTRING SET ZNAME = LONG || Z_PK"),
      name("store", "UPDATE Z_METADATA SET Z_UUID = LONG"),
      name("zone", "UPDATE ANSCKRECORDZONEMETADATA SET ZCKRECORDZONENAME = LONG, ZCKOWNERNAME = LONG"),
      name("error domain", "UPDATE ANSCKEVENT SET ZERRORDOMAIN = LONG WHERE Z_PK = 1"),
      Case("name of 10 MB: column") { connection, _ in
        try connection.execute("ALTER TABLE ZTRIP ADD COLUMN Z\(String(repeating: "X", count: 10_000_000))")
      },
      Case("name of 10 MB: table, without a model") { connection, _ in
        try connection.execute(
          "DELETE FROM Z_MODELCACHE; CREATE TABLE Z\(String(repeating: "X", count: 10_000_000))(Z_PK INTEGER PRIMARY KEY, Z_ENT)"
        )
      },
      Case("virtual table of another spelling") { connection, _ in
        try connection.execute(
          """
          PRAGMA writable_schema = ON;
          INSERT INTO sqlite_master VALUES('table', 'ft', 'ft', 0, 'CREATE/**/VIRTUAL TABLE ft USING nosuch(a)');
          PRAGMA writable_schema = OFF
          """)
      },
      Case("one sparse file named by each row") { connection, path in
        let name = "AAAAAAAA-0000-0000-0000-000000000000"
        let folder = URL(filePath: path).deletingLastPathComponent().appending(
          path: ".Journeys_SUPPORT/_EXTERNAL_DATA")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let file = folder.appending(path: name).path
        #expect(FileManager.default.createFile(atPath: file, contents: nil) && truncate(file, 255 << 20) == 0)
        try multiply(connection)
        try connection.execute("UPDATE ZTRIP SET ZCOVER = CAST(x'02' || '\(name)' || x'00' AS BLOB)")
      },
      Case("zeros of 40 MB packed in each row") { connection, _ in
        try multiply(connection)
        try connection.execute("UPDATE ZTRIP SET ZMAPSTYLE = ?", [.blob(zlib40MB)])
      },
    ]

  private static func name(_ what: String, _ sql: String) -> Case {
    Case("name of 10 MB: \(what)") { connection, _ in
      try connection.execute(
        sql.split(separator: "LONG", omittingEmptySubsequences: false).joined(
          separator: "replace(hex(zeroblob(5000000)), '0', 'x')"))
    }
  }

  private static func replace(_ table: String, _ connection: Connection) throws {
    let columns = try connection.columns(of: table).map { "i \($0.name)" }.joined(separator: ", ")
    try connection.execute(
      "DROP TABLE \(table); CREATE VIEW \(table) AS WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT \(columns) FROM n"
    )
  }

  private static func compute(_ table: String, _ column: String, _ connection: Connection) throws {
    let type = try connection.columns(of: table).first { $0.name == column }?.declaredType ?? ""
    let before = "\(column) \(type)"
    try connection.execute("PRAGMA writable_schema = ON")
    try connection.execute(
      "UPDATE sqlite_master SET sql = replace(sql, ?1, ?1 || ' AS (printf(''%.*c'', 99999999, ''x''))') WHERE name = ?2",
      [.text(before), .text(table)])
    try connection.execute("PRAGMA writable_schema = OFF")
  }

  private static func multiply(_ connection: Connection) throws {
    let columns = try connection.columns(of: "ZTRIP").map(\.name).filter { $0 != "Z_PK" }.joined(
      separator: ", ")
    while try connection.value("SELECT COUNT(*) < 300 FROM ZTRIP") == .integer(1) {
      try connection.execute("INSERT INTO ZTRIP(\(columns)) SELECT \(columns) FROM ZTRIP LIMIT 100")
    }
  }

  /// Zeros as DEFLATE is a run of zero bytes: see `DamagedContentTests.tenGibibytes`. Its checksum is missing, which costs
  /// as much as a right one.
  private static let zlib40MB: [UInt8] =
    [0x78, 0x9C] + DamagedContentTests.tenGibibytes.prefix(1 << 15)

  private static let readings: [[String]] = [
    ["summary"], ["entities", "--json"], ["rows", "Trip", "--json"],
    ["rows", "Entry", "--expand", "--format", "csv"],
    ["show", "Trip/p1"], ["history", "--json"], ["history", "--by", "author"], ["records", "--json"],
    ["events"],
    ["pending"], ["query", "SELECT * FROM changes"], ["doctor"],
  ]

  @Test(arguments: cases) func isAnsweredSoon(_ shape: Case) throws {
    let demo = try Demo { try shape.edit($0.connection, $0.path) }
    for reading in Self.readings {
      // Debug builds on busy machines are slow; a hang ends here as a kill.
      let result = try Tool.run(Readings.arguments(reading, demo.path), seconds: 120)
      #expect([0, 1, 2].contains(result.status), "\(reading): \(result.status) \(result.errors.prefix(300))")
      #expect(result.outputBytes.count < 50_000_000, "\(reading) prints \(result.outputBytes.count) bytes")
      #expect((1..<1 << 30).contains(result.memory), "\(reading) takes \(result.memory) bytes")
      if result.status == 2 {
        #expect(result.errors.hasPrefix("storescope: "), "\(reading): \(result.errors.prefix(300))")
      }
    }
  }

  /// The first hang: `rows` on a table that a view replaced says what it is.
  @Test func viewIsNamed() throws {
    let demo = try Demo { try Self.replace("ZTRIP", $0.connection) }
    for format in ["table", "csv"] {
      try demo.run("rows", "Trip", "--format", format).expectErrors(status: 2, "'ZTRIP' is a view")
    }
  }

  /// The second hang: a name is shown by its beginning and its length.
  @Test func longNameIsCut() throws {
    let demo = try Demo {
      try $0.connection.execute(
        "DELETE FROM Z_MODELCACHE; UPDATE Z_PRIMARYKEY SET Z_NAME = replace(hex(zeroblob(5000000)), '0', 'x') WHERE Z_NAME = 'Trip'"
      )
    }
    let result = try demo.run("history", "--json").expectOutput(status: 0, "… (10000000 bytes)")
    #expect(result.outputBytes.count < 5_000_000)
  }

  /// SQL that the user wrote may ask the store's views, and ends with its time.
  @Test func userSQLHasATimeout() throws {
    let demo = try Demo {
      try $0.connection.execute(
        "CREATE VIEW own AS SELECT 7 AS seven; CREATE VIEW endless AS WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT max(i) FROM n"
      )
    }
    try demo.run("query", "SELECT * FROM own", "--format", "csv").expectOutput(status: 0, "7")
    for arguments in [
      ["query", demo.path, "SELECT * FROM endless", "--timeout", "1"],
      ["rows", demo.path, "Trip", "--where", "pk IN (SELECT * FROM endless)", "--timeout", "1"],
    ] {
      try Tool.run(arguments).expectErrors(status: 2, "longer than 1 second of computing. --timeout")
    }
    // It was taken without SQL too, and then meant nothing.
    let plain = try demo.run("rows", "Trip", "--timeout", "1")
    #expect(
      plain.status != 0 && plain.errors.contains("'--timeout' is for --predicate and --where"),
      "\(plain.errors)")
  }

  /// Only what stays NULL is spoken of: an app's own table was called ignored and then could be asked.
  @Test func onlyIgnoredColumnsAreNamed() throws {
    let demo = try Demo {
      try $0.connection.execute(
        "CREATE TABLE albums(a, b AS (a + 1)); INSERT INTO albums(a) VALUES(41); ALTER TABLE ZTRIP ADD COLUMN ZMORE AS (1)"
      )
    }
    try demo.run("query", "SELECT b FROM albums", "--format", "csv").expectOutput("42").expectErrors(
      status: 0,
      "computes 1 column (ZTRIP.ZMORE) by expressions in its schema; Core Data doesn't use generated columns, so they're shown as NULL"
    )
  }
}

/// Stores whose schema has an expression that takes days in a single instruction of SQLite's. Why these exist: 30 kB in a
/// zip kept `find`, `summary`, the shell and others busy for good, and Ctrl-C didn't help (H1).
@Suite(.waiting) struct EndlessExpressionTests {
  static let endless = "instr(hex(zeroblob(15000000)), hex(zeroblob(7000000)) || '1')"

  enum Place: String, CaseIterable, Sendable {
    case column, check, index, partialIndex

    /// In place of what SQLite would refuse to make: it would compute it at once.
    func edit(_ connection: Connection) throws {
      let sql =
        switch self {
        case .column: "replace(sql, 'ZTEXT VARCHAR', 'ZTEXT VARCHAR AS (\(quoted))')"
        case .check: "rtrim(rtrim(sql), ')') || ', CHECK (\(quoted) >= 0))'"
        case .index: "'CREATE INDEX ZENTRY_ZTRIP_INDEX ON ZENTRY(\(quoted))'"
        case .partialIndex: "'CREATE INDEX ZENTRY_ZTRIP_INDEX ON ZENTRY(ZTRIP) WHERE \(quoted) > 0'"
        }
      let name = [.column, .check].contains(self) ? "ZENTRY" : "ZENTRY_ZTRIP_INDEX"
      try connection.execute("PRAGMA writable_schema = ON")
      try connection.execute("UPDATE sqlite_master SET sql = \(sql) WHERE name = '\(name)'")
      try connection.execute("PRAGMA writable_schema = OFF")
    }

    private var quoted: String { EndlessExpressionTests.endless.replacingOccurrences(of: "'", with: "''") }
  }

  @Test(arguments: Place.allCases) func commandsAnswer(_ place: Place) throws {
    let demo = try Demo(leaving: .nothing) { try place.edit($0.connection) }
    for words in [
      ["summary"], ["doctor"], ["doctor", "--thorough"], ["pending"], ["preflight"], ["entities"],
      ["history"],
      ["report", "-o", "-", "--format", "json"], ["resync", "--push", "--rehearse"], ["find"],
    ] {
      let target = words == ["find"] ? demo.folder.path : demo.path
      let result = try Tool.run([words[0], target] + words.dropFirst(), seconds: 100)
      #expect([0, 1].contains(result.status), "\(words): \(result.status) \(result.errors)")
    }
    let doctor = try Tool.run(["doctor", demo.path, "--thorough", "--verbose"], seconds: 100)
    switch place {
    case .column: #expect(doctor.output.contains("ZENTRY wasn't checked: generated"), "\(doctor.output)")
    case .check: #expect(!doctor.output.contains("ZENTRY wasn't"), "\(doctor.output)")
    case .index, .partialIndex:
      #expect(doctor.output.contains("ZENTRY wasn't compared with all indexes"), "\(doctor.output)")
    }
  }

  /// Nothing but the end of the process ends it.
  @Test func sqlThatDoesNotStopEndsTheProgram() throws {
    let demo = try Demo()
    let result = try Tool.run(["query", demo.path, "SELECT \(Self.endless)", "--timeout", "1"], seconds: 100)
      .expectStatus(2)
    expectText(
      result.errors,
      begins:
        "storescope: 'query' was ended: SQLite was still computing an expression of the SQL or of the tables in '\(demo.path)'"
    )
  }

  /// Of the shell as well, after Ctrl-C; the terminal is as it was.
  @Test func controlCEndsAShellThatDoesNotStop() throws {
    let demo = try Demo()
    let session = try TerminalSession(["shell", demo.path, "--private", "--quiet"], columns: 200)
    try session.waitForPrompt()
    session.type("SELECT \(Self.endless);\r")
    session.take(for: 1)
    session.type("\u{3}")
    #expect(try session.end(seconds: 60) == 2)
    #expect(session.transcript.contains("storescope: 'query' was ended"), "\(session.transcript)")
    #expect(session.echoes)
  }
}
