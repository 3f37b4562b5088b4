import SQLite
import Testing

struct StatementTests {
  let connection: Connection

  init() throws { connection = try Connection(path: ":memory:", options: .readWrite()) }

  static let values: [SQLiteValue] = [
    .null, .integer(0), .integer(.min), .integer(.max), .real(0.1), .real(-.infinity), .text(""),
    .text("plain"), .text("naïve 🍉 e\u{301}"), .text("nul\0inside"), .blob([]), .blob([0, 1, 255]),
  ]

  @Test(arguments: values) func valueComesBackAsItWent(value: SQLiteValue) throws {
    let statement = try connection.prepare("SELECT ?1, typeof(?1)")
    try statement.bind(value, at: 1)
    #expect(try statement.step())
    #expect(statement.value(0) == value)
    #expect(statement.cell(0).value == value)
    #expect(try statement.step() == false)
  }

  @Test func accessorsConvertAndKeepNulls() throws {
    let statement = try connection.prepare("SELECT 42, 1.5, 'text', x'00ff', NULL")
    #expect(try statement.step())
    #expect(statement.type(0) == .integer && statement.type(1) == .real && statement.type(2) == .text)
    #expect(statement.type(3) == .blob && statement.type(4) == .null)
    #expect(statement.integer(0) == 42 && statement.real(1) == 1.5)
    #expect(statement.text(0) == "42" && statement.text(2) == "text")
    #expect(statement.bytes(3) == [0, 255] && statement.bytes(4) == [])
    #expect(statement.optionalInteger(4) == nil && statement.optionalReal(4) == nil)
    #expect(statement.optionalText(4) == nil && statement.optionalBytes(4) == nil)
    #expect(statement.withBytes(2) { $0.count } == 4)
    #expect(statement.values.count == 5)
    #expect(statement.type(99) == .null && statement.text(-1) == "")
  }

  @Test func invalidTextIsRepaired() throws {
    let text = try connection.first("SELECT CAST(x'61ff62' AS TEXT)") { $0.text(0) }
    #expect(text == "a\u{FFFD}b")
  }

  @Test func textOfAUTF16DatabaseComesAsUTF8() throws {
    try connection.execute("PRAGMA encoding = 'UTF-16le'; CREATE TABLE t(x); INSERT INTO t VALUES('é🍉')")
    let statement = try connection.prepare("SELECT x FROM t")
    #expect(try statement.step())
    #expect(statement.withBytes(0) { Array($0) } == Array("é🍉".utf8))
    #expect(statement.text(0) == "é🍉")
  }

  @Test func parametersHaveNamesAndStayUntilBoundAnew() throws {
    let statement = try connection.prepare("SELECT :first, ?, $third")
    #expect(statement.parameterNames == [":first", nil, "$third"])
    try statement.bind([1, "two", 3.5])
    #expect(try statement.step())
    try statement.bind("new", at: 1)
    #expect(try statement.step())
    #expect(statement.values == [.text("new"), .text("two"), .real(3.5)])
    let error = #expect(throws: SQLiteError.self) { try statement.bind(1, at: 4) }
    #expect(error?.primaryCode == 25)
  }

  @Test(arguments: [
    ("SELECT 1; SELECT 2", "another one follows"), ("", "no statement"),
    ("-- only a comment", "no statement"),
    ("SELECT * FROM nowhere", "no such table: nowhere"), ("SELEC 1", "syntax error"),
    ("SELECT 1\0", "NUL"), ("SELECT \"mistyped\"", "no such column"),
  ])
  func prepareRefuses(sql: String, reason: String) throws {
    let error = #expect(throws: SQLiteError.self) { try connection.prepare(sql) }
    #expect(error?.description.contains(reason) == true)
  }

  @Test(arguments: ["SELECT 1;", "SELECT 1 ; -- the end", "SELECT 1;;; /* nothing */  \n"])
  func prepareTakesAComment(sql: String) throws {
    #expect(try connection.prepare(sql).step())
  }

  @Test func executeRunsAllStatements() throws {
    try connection.execute(
      "CREATE TABLE t(a INTEGER PRIMARY KEY, b VARCHAR); INSERT INTO t VALUES(1, 'x'), (7, 'y');")
    #expect(connection.changes == 2)
    #expect(try connection.value("SELECT last_insert_rowid()") == .integer(7))
    #expect(try connection.hasTable("T") && !connection.hasTable("u"))
    let columns = try connection.columns(of: "t")
    #expect(columns.map(\.name) == ["a", "b"] && columns.map(\.declaredType) == ["INTEGER", "VARCHAR"])
    #expect(columns.map(\.isPrimaryKey) == [true, false])
    #expect(try connection.columns(of: "u") == [])
    let statement = try connection.prepare("SELECT a AS key, b, 1 FROM t")
    #expect(statement.columnNames == ["key", "b", "1"])
    #expect(statement.isReadOnly)
    #expect(try connection.rows("SELECT b FROM t WHERE a > ?", [0]) { $0.text(0) } == ["x", "y"])
    #expect(try connection.value("SELECT count(*) FROM t") == .integer(2))
    #expect(try connection.value("SELECT b FROM t WHERE a = 3") == nil)
  }

  @Test func transactionIsRolledBackWhereTheBodyThrows() throws {
    try connection.execute("CREATE TABLE t(a)")
    try connection.inTransaction { try connection.execute("INSERT INTO t VALUES(?)", [1]) }
    #expect(throws: CancellationError.self) {
      try connection.inTransaction {
        try connection.execute("INSERT INTO t VALUES(2)")
        throw CancellationError()
      }
    }
    #expect(!connection.isInTransaction)
    #expect(try connection.value("SELECT sum(a) FROM t") == .integer(1))
  }

  @Test(arguments: [("name", "\"name\""), ("a\"b", "\"a\"\"b\""), ("", "\"\""), ("\"", "\"\"\"\"")])
  func identifierIsQuoted(name: String, quoted: String) throws {
    #expect(quotedIdentifier(name) == quoted)
  }

  @Test func endlessStatementEndsByProgress() throws {
    let endless = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT max(i) FROM n"
    var calls = 0
    connection.onProgress(everyInstructions: 1000) {
      calls += 1
      return calls < 10
    }
    let stopped = #expect(throws: SQLiteError.self) { try connection.value(endless) }
    #expect(stopped?.isInterrupt == true && calls == 10)
    connection.onProgress(everyInstructions: 0, nil)
    #expect(try connection.value("SELECT 1") == .integer(1))
  }

  /// To Swift a quote and the accent after it are one character: the name would end there.
  @Test(arguments: ["a\"b", "\"\u{301}", "'", "'\u{301}x", "", "é"])
  func namesAndTextsComeBackAsTheyWere(_ text: String) throws {
    let texts = try connection.rows("SELECT \(quotedText(text)) AS \(quotedIdentifier(text))") {
      $0.text(0)
    }
    #expect(texts == [text])
  }
}
