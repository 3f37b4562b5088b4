import Forge
import Lens
import StoreModel
import TestSupport
import Testing
import Values

/// Dates in SQL and `--where` as people type them, on the command line.
struct DateTests {
  struct Case: Sendable, CustomTestStringConvertible {
    var sql: String
    var expected: String
    var testDescription: String { sql }
    init(_ sql: String, _ expected: String) { (self.sql, self.expected) = (sql, expected) }
  }

  private static let model = ManagedObjectModel(entities: [
    EntityDescription(
      name: "Run",
      attributes: [
        AttributeDescription(name: "title", type: .string), AttributeDescription(name: "at", type: .date),
        AttributeDescription(name: "ended", type: .date), AttributeDescription(name: "text", type: .string),
      ])
  ])

  /// `early` is at 2026-03-22 14:59:59.5, `late` at 15:00:00.5; `early` has ended then, `late` hasn't.
  private func run(_ words: [String]) throws -> Tool.Result {
    let folder = try TemporaryFolder("dates")
    defer { withExtendedLifetime(folder) {} }
    let path = folder.path + "/Dates.store"
    let forge = try StoreForge(path: path, model: Self.model)
    try forge.save { save in
      _ = try save.insert(
        "Run",
        [
          "title": "early", "at": .date(CoreDataDate(seconds: 795_884_399.5)),
          "ended": .date(CoreDataDate(seconds: 795_884_400.5)), "text": "2026-03-22 14:59:59.5",
        ])
      _ = try save.insert(
        "Run",
        [
          "title": "late", "at": .date(CoreDataDate(seconds: 795_884_400.5)), "text": "2026-03-22",
        ])
    }
    try forge.close()
    return try Tool.run([words[0], path] + words.dropFirst())
  }

  /// Texts and numbers that an expression is compared with, from which SQLite has taken the column's order.
  @Test(arguments: [
    Case("SELECT title FROM Run WHERE COALESCE(ended, at) > '2026-03-22 15:00:00.4'", "early late"),
    Case("SELECT title FROM Run WHERE COALESCE(at, ended) > '2026-03-22 15:00'", "late"),
    Case("SELECT title FROM Run WHERE '2026-03-22 15:00' < COALESCE(at, ended)", "late"),
    Case("SELECT title FROM Run WHERE COALESCE(at, ended) = '2026-03-22T16:00:00.5+01:00'", "late"),
    Case(
      "SELECT title FROM Run WHERE COALESCE(at, ended) BETWEEN '2026-03-22 14:00' AND '2026-03-22 15:00'",
      "early"),
    Case("SELECT title FROM Run WHERE COALESCE(at, ended) IN ('2026-03-22 15:00:00.5')", "late"),
    // Seconds that arithmetic makes of a date were less than every text once they had a name.
    Case(
      "WITH t(n, d) AS (SELECT title, at + 60 FROM Run) SELECT n FROM t WHERE d > '2026-03-22 15:01'", "late"),
    Case(
      "WITH t AS (SELECT title, at + 60 AS d FROM Run) SELECT title FROM t WHERE d > '2026-03-22 15:01'",
      "late"),
    Case("SELECT title FROM (SELECT title, at + 60 d FROM Run) WHERE d < '2026-03-22 15:01'", "early"),
    Case(
      "WITH t(n, d) AS (SELECT title, at + 60 FROM Run), u(m, e) AS (SELECT n, d FROM t) SELECT m FROM u WHERE e + 60 > '2026-03-22 15:02'",
      "late"),
    Case(
      "WITH RECURSIVE t(d) AS (SELECT MIN(at) + 0 FROM Run UNION SELECT d + 60 FROM t WHERE d < '2026-03-22 15:02') SELECT COUNT(*) FROM t",
      "4"),
    Case("SELECT title FROM Run WHERE at IS NOT DISTINCT FROM '2026-03-22 15:00:00.5'", "late"),
    Case("SELECT title FROM Run WHERE at IS DISTINCT FROM '2026-03-22 15:00:00.5'", "early"),
    Case("SELECT title FROM Run WHERE COALESCE(at, ended) NOT IN ('2026-03-22 15:00:00.5')", "early"),
    Case("SELECT title FROM Run WHERE '2026-03-22 15:00:00.5' IN (at, ended)", "early late"),
    Case("SELECT title FROM Run WHERE CASE WHEN pk > 0 THEN at END > '2026-03-22 15:00'", "late"),
    Case("SELECT title FROM Run WHERE CASE COALESCE(at, 0) WHEN '2026-03-22 15:00:00.5' THEN 1 END", "late"),
    Case("SELECT title FROM Run r WHERE (SELECT at FROM Run WHERE pk = r.pk) > '2026-03-22 15:00'", "late"),
    Case("SELECT title FROM Run GROUP BY title HAVING MAX(at) > '2026-03-22 15:00'", "late"),
    Case("SELECT title FROM Run GROUP BY title HAVING MAX(at) > datetime('2026-03-22 15:00')", "late"),
    Case("SELECT title FROM Run GROUP BY title HAVING datetime('2026-03-22 15:00') < MAX(at)", "late"),
    Case("SELECT title FROM Run GROUP BY title HAVING MAX(at) < 'now'", "early late"),
    Case(
      "SELECT title FROM (SELECT title, MAX(at) AS last FROM Run GROUP BY title) WHERE last > '2026-03-22 15:00'",
      "late"),
    Case(
      "WITH x AS MATERIALIZED (SELECT title, MAX(at) OVER (PARTITION BY pk) last FROM Run) SELECT title FROM x WHERE last > '2026-03-22 15:00'",
      "late"),
    Case(
      "SELECT title FROM (SELECT NULL title, NULL d UNION ALL SELECT title, at FROM Run) WHERE d > '2026-03-22 15:00'",
      "late"),
    Case("WITH x(t, d) AS (SELECT title, at FROM Run) SELECT t FROM x WHERE d > '2026-03-22 15:00'", "late"),
    Case("SELECT title FROM Run WHERE text = at", "early"),
    Case("SELECT r.title FROM (SELECT '2026-03-22 15:00:00.5' AS w) x JOIN Run r ON x.w = r.at", "late"),
    Case("SELECT title FROM Run WHERE unixepoch(COALESCE(at, ended)) = 1774191600", "late"),
    // Texts that are no dates stay what they are.
    Case("SELECT title FROM Run WHERE COALESCE(ended, 'none') = 'none'", "late"),
    Case("SELECT title FROM Run WHERE at IS NOT NULL AND text = '2026-03-22'", "late"),
    Case("SELECT title FROM Run WHERE at IS NOT NULL AND text LIKE '2026-03-22 14%'", "early"),
    Case("SELECT title FROM Run GROUP BY title HAVING MAX(pk) > 1 AND MAX(at) IS NOT NULL", "late"),
    Case(
      "SELECT title FROM Run WHERE (SELECT COUNT(*) FROM Run WHERE at > '2026-03-22 15:00') = 1", "early late"
    ),
    Case(
      "SELECT title FROM Run WHERE date(at) = '2026-03-22' AND at < datetime('now', '-1 day')", "early late"),
    Case("SELECT title FROM Run WHERE at > :since AND title <> :no", "late"),
    Case("SELECT title FROM Run GROUP BY title HAVING MAX(at) > :since AND MAX(title) <> :no", "late"),
    Case("SELECT title FROM Run GROUP BY title HAVING :seconds < MAX(at) AND pk < :seconds", "late"),
    Case("SELECT title FROM Run GROUP BY title HAVING MAX(at) > $seconds", "late"),
  ]) func ordersComputedDates(_ test: Case) throws {
    let values = ["since": "2026-03-22 15:00", "no": "x", "seconds": "795884400"]
    let parameters = values.filter { test.sql.contains(":" + $0.key) || test.sql.contains("$" + $0.key) }
      .flatMap { ["-p", "\($0)=\($1)"] }
    let result = try run(["query", test.sql, "--format", "csv"] + parameters)
    let titles = result.output.split(separator: "\n").dropFirst().filter { $0 != "\"\"" }
    #expect(titles.joined(separator: " ") == test.expected, "\(result.errors)")
  }

  /// A number is less than any text, so that the answer was all rows or none. What is a date for certain is compared with
  /// seconds since 2001, as a date column is.
  @Test(arguments: [
    Case("COALESCE(at, ended) > 795884400", "late"), Case("795884400 < COALESCE(at, ended)", "late"),
    Case("MAX(at, ended) < -1", ""), Case("(SELECT MAX(at) FROM Run) > 795884400", "early late"),
    Case("(SELECT at FROM Run) > 1.5", "early late"),
    Case("CASE WHEN pk > 0 THEN at END BETWEEN 795884400 AND 795884401", "late"),
    Case(
      "pk IN (SELECT pk FROM (SELECT pk, MAX(at) AS last FROM Run GROUP BY pk) WHERE last > 795884400)",
      "late"),
    Case("COALESCE(at, ended) > core_data_date('2026-03-22 15:00')", "late"),
    Case("(at) > 795884400", "late"), Case("+at > 795884400", "late"), Case("likely(at) > 795884400", "late"),
    Case("((COALESCE(at, ended))) > (795884400)", "late"),
    Case("MAX(at, at) > CAST('795884400' AS INTEGER)", "late"),
    Case("COALESCE(at, ended) IN (795884400.5)", "late"), Case("795884400.5 IN (at, '2026')", "late"),
    Case("COALESCE(at, ended) IN (SELECT 795884400.5)", "late"),
    Case("COALESCE(at, ended) IS NOT DISTINCT FROM 795884400.5", "late"),
    Case("text > at AND pk > 0", ""), Case("at < ended", "early"),
    Case("at < COALESCE(ended, 'now')", "early late"),
    // Arithmetic took the year for a date, so that a difference was 0.
    Case("ended - at = 1", "early"), Case("at + 1 > 795884401", "late"), Case("-at < -795884400", "late"),
    Case("at - '2026-03-22 15:00' = 0.5", "late"),
    Case("(SELECT SUM(ended - at) FROM Run) = 1", "early late"),
    Case("(SELECT AVG(at) FROM Run) = 795884400", "early late"), Case("at < ended - 0.5", "early"),
    Case("CAST(at AS INTEGER) = 795884400", "late"), Case("ROUND(ended - at) = 1", "early"),
  ]) func comparesComputedDatesWithNumbers(_ test: Case) throws {
    for words in [
      ["query", "SELECT title FROM Run WHERE \(test.sql)"], ["rows", "Run", "--where", test.sql],
    ] {
      let result = try run(words + ["--format", "csv"])
      let expected = test.expected.split(separator: " ").map(String.init)
      #expect(
        ["early", "late"].filter(result.output.contains) == expected, "\(result.errors)\(result.output)")
      #expect(result.status == 0)
    }
  }

  /// If it is a date in some rows only, nobody can tell what a number means.
  @Test(arguments: [
    ("CASE WHEN pk > 0 THEN at ELSE title END > 700000000", "can't be compared with a number"),
    ("700000000 < COALESCE(at, 'none')", "can't be compared with a number"),
    ("COALESCE(at, 0) > unixepoch('now')", "can't be compared with a number"),
    ("datetime(at) > unixepoch('now')", "can't be compared with a number"),
    ("MAX(at, 5) > '2026'", "can't be compared with a number"),
    ("COALESCE(at, title) BETWEEN pk + 1 AND 2", "can't be compared with a number"),
    (
      "pk IN (SELECT b FROM (WITH x(a, b) AS (SELECT MAX(at), pk FROM Run) SELECT * FROM x WHERE a > unixepoch('now')))",
      "1970"
    ),
    ("COALESCE(at, ended) > unixepoch('now')", "1970"), ("MAX(at, ended) > 'last week'", "'last week'"),
    ("at - 'x' > 5", "'x' can't be"),
    // A number that looks like a date in another spelling was taken for seconds since 2001.
    ("at > 20260410", "'2026-04-10'"), ("COALESCE(at, ended) > 20260410", "write '2026-04-10'"),
    ("at > 1774191600000", "datetime(1774191600000 / 1000, 'unixepoch')"),
    ("at > 1774191600000000", "too large"),
  ]) func refusesNumbersForDates(_ condition: String, _ sentence: String) throws {
    for words in [
      ["query", "SELECT title FROM Run WHERE \(condition)"], ["rows", "Run", "--where", condition],
    ] {
      let result = try run(words)
      #expect(result.status == 2)
      #expect(result.errors.contains(sentence), "\(result.errors)\(result.output)")
    }
  }

  /// A text that looks like a date stays a text, and other values stay what they are.
  @Test(arguments: [
    Case("text = '2026-03-22 14:59:59.50' AND at IS NOT NULL", ""),
    Case("text = '2026-03-22' AND at < 'now'", "late"),
    Case("text IN ('2026-03-22T00:00') AND at < 'now'", ""),
    Case("COALESCE(text, at) = '2026-03-22T00:00' AND pk > 0", ""),
    Case("COALESCE(ended, title) = 'late'", "late"), Case("COALESCE(title, ended) <> 'late'", "early"),
    Case("COALESCE(pk, at) > 1", "late"), Case("COALESCE(pk, at) IN (1, 5)", "early"),
    Case("(pk, text) = (2, '2026-03-22') AND at IS NOT NULL", "late"),
    Case("title || at LIKE 'late2026%'", "late"), Case("pk * 2 - 1 = 3 AND at IS NOT NULL", "late"),
    Case("at COLLATE BINARY > '2026-03-22 15:00'", "early late"),
    Case("at IN (VALUES('2026-03-22T15:00:00.5Z'))", "late"),
  ]) func leavesOtherValuesAlone(_ test: Case) throws {
    let result = try run(["rows", "Run", "--where", test.sql, "--format", "csv"])
    let expected = test.expected.split(separator: " ").map(String.init)
    #expect(["early", "late"].filter(result.output.contains) == expected, "\(result.errors)\(result.output)")
  }

  /// Scripts know a column by what they wrote.
  @Test func columnsKeepTheirNames() throws {
    let result = try run([
      "query", "SELECT ended - at, MAX(at, at) > 5 FROM Run WHERE pk = 1", "--format", "csv",
    ])
    #expect(result.output == "ended - at,\"MAX(at, at) > 5\"\n1.0,1\n", "\(result.errors)")
  }

  /// SQL of 64 kB or more was not looked at.
  @Test func longStatementsFollowTimeToo() throws {
    let list = (0..<20_000).map(String.init).joined(separator: ",")
    let result = try run([
      "query", "SELECT title FROM Run WHERE pk IN (\(list)) AND COALESCE(at, ended) > '2026-03-22 15:00'",
      "--format", "csv",
    ])
    #expect(result.output == "title\nlate\n", "\(result.errors)")
  }

  /// Arithmetic makes seconds of a date, which were compared with a date's text: all rows, or none, without a word.
  @Test(arguments: [
    Case("at - 86400 >= '2026-03-21 15:00'", "late"), Case("'2026-03-21 15:00' <= at - 86400", "late"),
    Case("at > '2026-03-23 15:00' - 86400", "late"),
    Case("at BETWEEN '2026-03-23 15:00' - 86400 AND '2026-03-23'", "late"),
    Case("(at + 86400) < '2026-03-23 15:00'", "early"), Case("abs(at) > '2026-03-22 15:00'", "late"),
    Case("at + 0 IN ('2026-03-22 15:00:00.5')", "late"), Case("at - 86400 >= 795798000", "late"),
    // A call with a name isn't a list of columns.
    Case(
      "pk IN (SELECT pk FROM (SELECT MAX(at) AS m, (SELECT 1) AS n, pk FROM Run) WHERE at > 795884400 OR 1)",
      "late"),
  ]) func computedSecondsAreComparedWithDates(_ test: Case) throws {
    let result = try run(["rows", "Run", "--where", test.sql, "--format", "csv"])
    let titles = ["early", "late"].filter { result.output.contains($0) }
    #expect(titles == test.expected.split(separator: " ").map(String.init), "\(result.errors)")
  }

  /// `--where` is SQL like any other.
  @Test(arguments: [
    Case("at > '2026-03-22T15:00:00Z' AND at < '2026-03-23'", "late"),
    Case("at > '2026-03-22 15:00'", "late"),
    Case("COALESCE(at, ended) > '2026-03-22 15:00' -- a remark", "late"), Case("at > 795884400", "late"),
  ]) func conditionsFollowTime(_ test: Case) throws {
    let rows = try run(["rows", "Run", "--where", test.sql, "--json"]).json()["rows"] as? [[String: Any]]
    #expect(
      rows?.map { $0["title"] as? String ?? "" } == test.expected.split(separator: " ").map(String.init))
  }

  /// The three that gave wrong answers, or all rows, without a word.
  @Test func theDemosDates() throws {
    let demo = try Demo()
    let entries =
      try Tool.run([
        "rows", demo.path, "Entry", "--where", "date > '2026-03-22T15:00:00Z' and date < '2026-03-23'",
        "--json",
      ]).json()["rows"] as? [[String: Any]]
    #expect(entries?.compactMap { $0["date"] as? String } == ["2026-03-22T15:00:00.500000Z"])
    let trips = "SELECT title FROM Trip WHERE startDate > "
    let noon = try Tool.run(["query", demo.path, trips + "datetime('2026-03-20 12:00')", "--format", "csv"])
    #expect(!noon.output.contains("Spring in Lisbon"), "\(noon.errors)")
    let seconds = try Tool.run(["query", demo.path, trips + "795657600", "--format", "csv"])
    let text = try Tool.run(["query", demo.path, trips + "'2026-03-20'", "--format", "csv"])
    #expect(seconds.output == text.output && seconds.status == 0)
    let unix = try Tool.run(["query", demo.path, trips + "1774000000"])
    #expect(unix.status == 2 && unix.errors.contains("datetime(1774000000, 'unixepoch')"))
  }

  /// One format per column for machines, fewer digits for people, and no guess for what is no date.
  @Test func datesOfEachFormat() throws {
    let folder = try TemporaryFolder("dates")
    let path = folder.path + "/Dates.store"
    let forge = try StoreForge(path: path, model: Self.model)
    try forge.save {
      _ = try $0.insert(
        "Run", ["at": .date(CoreDataDate(seconds: 1e15)), "ended": .date(CoreDataDate(seconds: 0))])
    }
    try forge.close()
    func output(_ words: String...) throws -> String {
      try Tool.run([words[0], path] + words.dropFirst()).output
    }
    let ndjson = try output("rows", "Run", "--format", "ndjson")
    #expect(
      ndjson.contains(
        #""at":null,"at.raw":1000000000000000.0,"ended":"2001-01-01T00:00:00.000000Z""#))
    // CSV lost the number.
    let csv = try output("rows", "Run", "--format", "csv").split(separator: "\n")
    #expect(
      csv[0].contains(",at,at.raw,ended,")
        && csv[1].contains(",,1000000000000000.0,2001-01-01T00:00:00.000000Z,"))
    #expect(
      try output("rows", "Run", "--columns", "ended,at", "--format", "csv").hasPrefix("ended,at,at.raw\n2001")
    )
    #expect(try !output("rows", "Run", "--columns", "ended", "--format", "csv").contains("raw"))
    // A column of days shows days only.
    let table = try output("rows", "Run", "--format", "table")
    #expect(table.contains("2001-01-01") && !table.contains(".000000"))
    #expect(
      try output("query", "SELECT at, ended FROM Run", "--format", "csv").hasSuffix(
        "\n,2001-01-01T00:00:00.000000Z\n"))
    let rows = try output("query", "SELECT at, ended FROM Run", "--format", "table")
    #expect(rows.contains("2001-01-01") && !rows.contains(".000000"))
    withExtendedLifetime(folder) {}
  }
}
