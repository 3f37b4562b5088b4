import Foundation
import QueryCatalog
import SQLite
import TestSupport
import Testing

@testable import Commands

/// What people can find out about SQL here, and what a query of their own says when it is wrong.
final class QueryCommandTests: DemoSuite {
  @Test(arguments: QueryCatalog.all.map(\.name)) func savedQueryRuns(_ name: String) throws {
    let given = ["object-history": "uri=Trip/p1", "churn": "least=1"]
    let parameters = given[name].map { ["-p", $0] } ?? []
    let result = try demo.run(["query", name, "--json"] + parameters).expectDone(name)
    let rows = try result.json().list("rows")
    #expect(!rows.isEmpty, "\(name)")
    try demo.run("query", name, "--show").expectDone(name).expectOutput(begins: "-- Title: ", "SELECT")
  }

  /// A parameter takes an object as people write it; the long URI was needed, and all else found nothing.
  @Test(arguments: ["Trip/p1", "Trip 1", "URI", "Trip/p4", "Place/p1", "City/p1"])
  func objectsAreNamedAsElsewhere(_ word: String) throws {
    let object = word == "URI" ? "x-coredata://\(demo.uuid)/Trip/p1" : word
    let rows = try demo.json("query", "object-history", "-p", "uri=\(object)")["rows"]
    #expect((rows as? [Any])?.isEmpty == false)
  }

  @Test func datesAreTakenAsTyped() throws {
    for word in ["2026-04-15", "2026-04-15 00:00", "2026-04-15T00:00:00+00:00"] {
      let rows = try demo.json("query", "failed-exports", "-p", "since=\(word)")["rows"]
      #expect((rows as? [Any])?.count == 3, "\(word)")
    }
  }

  @Test func viewsAndFunctionsAreListed() throws {
    let views = try demo.json("query", "--views").list("views")
    #expect(
      views.contains { $0["name"] as? String == "Trip_participants" && $0["column"] as? String == "source" })
    #expect(views.allSatisfy { !($0["meaning"] as? String ?? "").isEmpty })
    try demo.run("query", "--views", "pending").expectDone().expectOutput(
      "one row per pending change", "recordName")
    try demo.run("query", "--functions").expectDone().expectOutput("blob_json(blob)")
  }

  private func run(own sql: String, _ words: String...) throws -> Tool.Result {
    let config = TemporaryFolder("config")
    try config.makeFolder("storescope/queries")
    try config.write(Array(sql.utf8), to: "storescope/queries/mine.sql")
    return try withExtendedLifetime(config) {
      try demo.run(["query", "mine"] + words, environment: ["XDG_CONFIG_HOME": config.path])
    }
  }

  /// An error in one's own file said neither which file nor where.
  @Test func ownFilesAreNamedWithTheLine() throws {
    try run(own: "-- Title: Trips\nSELECT title,\n  titel\nFROM Trip\n").expectErrors(
      status: 2, "storescope/queries/mine.sql:3: no such column: titel.", "Did you mean")
    try run(own: "-- Param a (dat): x, default 1\nSELECT :a\n", "-p", "a=2").expectErrors(
      status: 2, "mine.sql' gives the parameter 'a' the type 'dat'")
  }

  @Test func parametersHaveTypes() throws {
    let sql =
      "-- Param n (number): a number\n-- Param a (author): an author, default app\nSELECT :n + 1 AS n, :a AS a\n"
    let done = try run(own: sql, "-p", "n=41", "--format", "csv")
    #expect(done.output == "n,a\n42,app\n")
    #expect(try run(own: sql, "-p", "n=x").status == 64)
    try run(own: sql, "-p", "n=1", "-p", "a=widgit").expectErrors(status: 2, "Did you mean 'widget'?")
  }

  /// As a text it was equal to no number.
  @Test(arguments: [
    ("SELECT 1 = :n AS a", "1", "1"), ("SELECT 1.5 = :n AS a", "1.5", "1"),
    ("SELECT '007' = :n AS a", "007", "1"),
    ("SELECT typeof(:n) AS a", "1e5", "text"), ("SELECT typeof(:n) AS a", "-3", "integer"),
    ("SELECT COUNT(*) AS a FROM Trip WHERE title = :n", "1", "0"),
    ("SELECT COUNT(*) > 0 AS a FROM Entry WHERE trip = pk(:n)", "Trip/p1", "1"),
  ]) func anUndeclaredNumberIsOne(_ sql: String, _ value: String, _ answer: String) throws {
    let result = try demo.run("query", sql, "-p", "n=\(value)", "--format", "csv").expectDone()
    #expect(result.output == "a\n\(answer)\n")
  }

  /// Its comment was taken for an option.
  @Test func sqlMayBeginWithAComment() throws {
    let sql = "-- Title: One\n-- Param n (number): a number\nSELECT :n AS n"
    let result = try demo.run("query", sql, "-p", "n=1", "--format", "csv").expectDone()
    #expect(result.output == "n\n1\n")
  }

  /// `--where` and `--columns` took dotted names, and SQL refused them.
  @Test(arguments: [
    (
      "SELECT title, place.name FROM Entry WHERE trip.title = 'Spring in Lisbon' ORDER BY place.name DESC, title",
      ["title,place.name", "Arrival,Lisbon", "Miradouro,Lisbon", "Tram 28,Lisbon", "Pastéis,Belém Tower"]
    ),
    (
      "SELECT e.place.name, COUNT(*) AS n FROM Entry e GROUP BY e.place.name HAVING n > 1",
      ["e.place.name,n", "Lisbon,3"]
    ),
    (
      "SELECT title, mapStyle.scheme FROM Trip WHERE pk = 1",
      ["title,mapStyle.scheme", "Spring in Lisbon,terrain"]
    ),
    (
      "SELECT upper(trip.title) AS t, trip.title FROM Entry WHERE pk = 2",
      ["t,trip.title", "SPRING IN LISBON,Spring in Lisbon"]
    ),
    (
      "SELECT max(trip.startDate), upper(trip.title) || '!' t FROM Entry WHERE trip.pk = 1",
      ["max(trip.startDate),t", "2026-03-20 00:00:00.000000Z,SPRING IN LISBON!"]
    ),
    // A name behind a comma was taken for a table.
    (
      "SELECT title, trip.budget FROM Entry WHERE trip.budget > 1000 LIMIT 1",
      ["title,trip.budget", "Arrival,1312.4"]
    ),
    ("SELECT trip.isArchived AS a FROM Entry WHERE title = 'Tram 28'", ["a", "1"]),
    // Objects and UUIDs, as they can be written.
    (
      "SELECT title FROM Entry WHERE trip = pk('Trip/p1') AND trip_uri = uri('Trip/p1') LIMIT 1",
      ["title", "Arrival"]
    ),
    (
      "SELECT uri('Place/p1') = uri, pk(uri) FROM Place WHERE pk = 1",
      ["uri('Place/p1') = uri,pk(uri)", "1,1"]
    ),
    ("SELECT pk FROM Trip WHERE identifier IN ('0b6e8a523c1d4b7f8e256a4d9f01c3e7')", ["pk", "1"]),
    ("SELECT pk FROM Trip WHERE '0b6e8a52-3c1d-4b7f-8e25-6a4d9f01c3e7' = identifier", ["pk", "1"]),
  ]) func pathsAndObjectsAreUnderstood(_ sql: String, _ lines: [String]) throws {
    let result = try demo.run("query", sql, "--format", "csv").expectDone(sql)
    #expect(result.output.split(separator: "\n").map(String.init) == lines, "\(result.output)")
  }

  /// Statements in files could be run by the shell alone.
  @Test func aFileIsRun() throws {
    let folder = TemporaryFolder("statements")
    let file = folder.path("titles.sql")
    try "-- Param pk: which\nSELECT title FROM Trip\nWHERE pk = :pk;\n".write(
      toFile: file, atomically: true, encoding: .utf8)
    let words = ["-f", file, "--param", "pk=1", "--format", "csv"]
    #expect(try demo.run(["query"] + words).output == "title\nSpring in Lisbon\n")
    try demo.run("query", "SELECT 1", "-f", file).expectErrors(status: 64, "can't be combined")
    try demo.run("query", file).expectErrors(status: 64, " -f \(file)' runs the SQL in it.")
    try "SELECT pk,\nnope FROM Trip".write(toFile: file, atomically: true, encoding: .utf8)
    try demo.run("query", "-f", file).expectErrors("\(file):2: no such column")
  }

  /// Standard input ran several statements, and a file was refused, with another statement's line.
  @Test(arguments: ["", "'"]) func severalStatementsRunInOrder(_ quote: String) throws {
    let folder = TemporaryFolder("statements")
    func run(_ sql: String, _ words: String...) throws -> [Tool.Result] {
      let file = folder.path("all.sql")
      try sql.write(toFile: file, atomically: true, encoding: .utf8)
      let shell =
        quote.isEmpty ? [] : ["shell", demo.path, "-c", "query -f '\(file)' \(words.joined(separator: " "))"]
      let alone = try Tool.run(shell.isEmpty ? ["query", demo.path, "-f", file] + words : shell)
      let input = try Tool.run(
        "/bin/sh",
        ["-c", "\"$0\" query \"$1\" \(words.joined(separator: " ")) < \"$2\"", Tool.path, demo.path, file])
      return [alone, input]
    }
    for result in try run("SELECT 1;\n-- two\nSELECT 2;\n", "--format", "csv") {
      result.expectDone()
      #expect(result.output == "1\n1\n2\n2\n", "\(result.output)")
    }
    for (result, place) in zip(
      try run("SELECT 1;\n\nSELECT nope FROM Trip;"), ["all.sql:3: ", ": stdin:3: "])
    {
      #expect(
        result.status == 2 && result.errors.contains(place + "no such column: nope"), "\(result.errors)")
    }
    // Nothing in it is a command, or writes a file.
    for sql in ["SELECT 1;\npending;", "SELECT 1; > out.csv\n", "SELECT 1;\nDELETE FROM ZTRIP;"] {
      for result in try run(sql) {
        #expect(
          result.status == 2 && result.errors.contains(#/(?:all\.sql|stdin):[12]: /#), "\(result.errors)")
      }
    }
    #expect(try run("SELECT 1; SELECT 2", "--timeout", "5").allSatisfy { $0.status == 64 })
  }

  /// A title is a name for an object elsewhere.
  @Test func parametersTakeTitles() throws {
    let words = ["query", demo.path, "object-history", "-p", "uri=Spring in Lisbon"]
    let rows = try #require(try Tool.json(words)["rows"] as? [Any])
    #expect(rows.count == 8)
  }

  @Test func savedQueriesHaveHelp() throws {
    let help = try demo.run("query", "object-history", "--help").expectDone()
    for text in [
      "History of one object.", "object-history --param uri=VALUE", "--param uri=OBJECT", "required",
    ] {
      #expect(help.output.contains(text), "\(help.output)")
    }
    let list = try demo.run("query", "--list")
    #expect(list.output == (try demo.run("query").output) && list.output.contains("[least]"))
  }
}
