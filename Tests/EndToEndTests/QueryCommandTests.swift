import Forge
import Foundation
import QueryCatalog
import SQLite
import TestSupport
import Testing

@testable import Commands

/// What people can find out about SQL here, and what a query of their own says when it is wrong.
struct QueryCommandTests {
  @Test(arguments: QueryCatalog.all.map(\.name)) func savedQueryRuns(_ name: String) throws {
    let demo = try Demo()
    let given = ["object-history": "uri=Trip/p1", "churn": "least=1"]
    let parameters = given[name].map { ["-p", $0] } ?? []
    let result = try Tool.run(["query", demo.path, name, "--json"] + parameters)
    result.expectDone(name)
    let rows = try #require(try result.json()["rows"] as? [[String: Any]])
    #expect(!rows.isEmpty, "\(name)")
    let shown = try Tool.run(["query", demo.path, name, "--show"])
    shown.expectDone(name)
    #expect(shown.output.hasPrefix("-- Title: ") && shown.output.contains("SELECT"))
  }

  /// A parameter takes an object as people write it; the long URI was needed, and all else found nothing.
  @Test(arguments: ["Trip/p1", "Trip 1", "URI", "Trip/p4", "Place/p1", "City/p1"])
  func objectsAreNamedAsElsewhere(_ word: String) throws {
    let demo = try Demo()
    let object = word == "URI" ? "x-coredata://\(demo.uuid)/Trip/p1" : word
    let rows = try Tool.json(["query", demo.path, "object-history", "-p", "uri=\(object)"])["rows"]
    #expect((rows as? [Any])?.isEmpty == false)
  }

  @Test func datesAreTakenAsTyped() throws {
    let demo = try Demo()
    for word in ["2026-04-15", "2026-04-15 00:00", "2026-04-15T00:00:00+00:00"] {
      let rows = try Tool.json(["query", demo.path, "failed-exports", "-p", "since=\(word)"])["rows"]
      #expect((rows as? [Any])?.count == 3, "\(word)")
    }
  }

  @Test func viewsAndFunctionsAreListed() throws {
    let demo = try Demo()
    let views = try #require(try Tool.json(["query", demo.path, "--views"])["views"] as? [[String: Any]])
    #expect(
      views.contains { $0["name"] as? String == "Trip_participants" && $0["column"] as? String == "source" })
    #expect(views.allSatisfy { !($0["meaning"] as? String ?? "").isEmpty })
    let one = try Tool.run(["query", demo.path, "--views", "pending"])
    one.expectDone()
    #expect(one.output.contains("one row per pending change") && one.output.contains("recordName"))
    let functions = try Tool.run(["query", demo.path, "--functions"])
    functions.expectDone()
    #expect(functions.output.contains("blob_json(blob)"))
  }

  private func run(own sql: String, _ words: String...) throws -> Tool.Result {
    let demo = try Demo()
    let config = try TemporaryFolder("config")
    try FileManager.default.createDirectory(
      atPath: config.path("storescope/queries"), withIntermediateDirectories: true)
    try config.write(Array(sql.utf8), to: "storescope/queries/mine.sql")
    let result = try Tool.run(
      ["query", demo.path, "mine"] + words, environment: ["XDG_CONFIG_HOME": config.path])
    withExtendedLifetime(config) {}
    return result
  }

  /// An error in one's own file said neither which file nor where.
  @Test func ownFilesAreNamedWithTheLine() throws {
    let wrong = try run(own: "-- Title: Trips\nSELECT title,\n  titel\nFROM Trip\n")
    #expect(wrong.status == 2)
    #expect(wrong.errors.contains("storescope/queries/mine.sql:3: no such column: titel."), "\(wrong.errors)")
    #expect(wrong.errors.contains("Did you mean"))
    let type = try run(own: "-- Param a (dat): x, default 1\nSELECT :a\n", "-p", "a=2")
    #expect(
      type.status == 2 && type.errors.contains("mine.sql' gives the parameter 'a' the type 'dat'"),
      "\(type.errors)")
  }

  @Test func parametersHaveTypes() throws {
    let sql =
      "-- Param n (number): a number\n-- Param a (author): an author, default app\nSELECT :n + 1 AS n, :a AS a\n"
    let done = try run(own: sql, "-p", "n=41", "--format", "csv")
    #expect(done.output == "n,a\n42,app\n")
    #expect(try run(own: sql, "-p", "n=x").status == 64)
    let author = try run(own: sql, "-p", "n=1", "-p", "a=widgit")
    #expect(author.status == 2 && author.errors.contains("Did you mean 'widget'?"))
  }

  /// A to-one relationship is a number in SQL, so that comparing it with an address found nothing.
  @Test(arguments: [
    "trip = 'Trip/p1'", "trip == 'x-coredata://UUID/Trip/p1'", "'Trip/p1' = trip", "trip IN ('Trip/p1')",
    "trip IS 'Trip/p1'", "trip = '1'", "trip_uri = 'Trip/p1'", "trip_uri = 'x-coredata://UUID/Trip/p1'",
    "trip NOT IN ('Trip/p2', 'Trip/p3') AND trip IS NOT NULL", "trip = 'Trip/p1' AND date < 'now'",
    "uri IN (SELECT uri FROM Entry WHERE trip = 'Trip/p1')", "trip='Trip/p1'AND 1", "trip IS'Trip/p1'",
    "trip IS NOT DISTINCT FROM 'Trip/p1'", "'Trip/p1' IS NOT DISTINCT FROM trip",
    "NOT trip IS DISTINCT FROM 'Trip/p1' AND trip IS NOT NULL", "CASE trip WHEN 'Trip/p1' THEN 1 ELSE 0 END",
    "CASE 'Trip/p1' WHEN trip THEN 1 ELSE 0 END", "trip = 'Spring in Lisbon'",
    "trip = 'Trip/p1' COLLATE NOCASE", "trip COLLATE NOCASE = 'Trip/p1'", "+trip = 'Trip/p1'",
    "(trip) = ('Trip/p1')", "trip IN (+'Trip/p1')", "+trip = 'Spring in Lisbon'",
    // Neither was it equal to a URI that a column or a function gives.
    "trip = (SELECT uri FROM Trip WHERE pk = 1)", "(SELECT t.uri FROM Trip t WHERE t.pk = 1) = trip",
    "trip IN (SELECT uri FROM Trip WHERE pk < 2)", "trip IN (SELECT DISTINCT uri FROM Trip WHERE pk = 1)",
    "trip = object_uri('Trip', 1)", "trip_uri = (SELECT uri FROM Trip WHERE pk = 1)",
    "(SELECT pk FROM Trip WHERE pk = trip) = 'Trip/p1'",
  ]) func addressesAreValues(_ condition: String) throws {
    let demo = try Demo()
    let condition = condition.replacing("UUID", with: demo.uuid)
    let expected =
      try Tool.json(["rows", demo.path, "Entry", "--where", "trip = 1"])["rows"] as? [[String: Any]]
    let keys = expected?.compactMap { $0["pk"] as? Int } ?? []
    #expect(!keys.isEmpty)
    let rows = try Tool.json(["rows", demo.path, "Entry", "--where", condition])["rows"] as? [[String: Any]]
    #expect(rows?.compactMap { $0["pk"] as? Int } == keys)
    let sql = "SELECT pk FROM Entry WHERE \(condition) ORDER BY pk"
    let found = try Tool.json(["query", demo.path, sql])["rows"] as? [[String: Any]]
    #expect(found?.compactMap { $0["pk"] as? Int } == keys)
  }

  /// Each found nothing, without a word.
  @Test(arguments: [
    "SELECT t.pk FROM Trip t JOIN Entry e ON e.trip = t.uri WHERE e.title = 'Tram 28'",
    "SELECT t.pk FROM Trip t JOIN Entry e ON t.uri = e.trip WHERE e.title = 'Tram 28'",
    "SELECT pk FROM Trip WHERE pk = 'Trip/p1'", "SELECT pk FROM Trip WHERE pk IN ('Trip/p1', 'Person/p2')",
    "SELECT 1 AS pk FROM Trip_participants WHERE source = 'Trip/p1' AND target = 'Person/p1'",
    "SELECT t.pk FROM Trip t JOIN Trip_participants l ON l.source = t.uri WHERE l.target = 'Person/p1' AND t.pk = 1",
    // A result of the same name hid the column.
    "SELECT t.pk, t.title AS trip FROM Entry e JOIN Trip t ON e.trip = t.uri WHERE e.title = 'Tram 28'",
    "SELECT t.pk, t.title AS trip FROM Entry JOIN Trip t ON trip = t.uri WHERE Entry.title = 'Tram 28'",
    "SELECT 1 AS pk, e.title AS trip FROM Entry e WHERE e.trip IN (SELECT uri FROM Trip) LIMIT 1",
    "SELECT l.target AS pk, l.source AS source FROM Trip t JOIN Trip_participants l ON l.source = t.uri WHERE l.target = 1 AND t.pk = 1",
  ]) func keysCanBeComparedWithURIs(_ sql: String) throws {
    let demo = try Demo()
    let found = try Tool.json(["query", demo.path, sql])["rows"] as? [[String: Any]]
    #expect(found?.compactMap { $0["pk"] as? Int } == [1])
  }

  /// What has keys only can't be compared with URIs.
  @Test func aKeyWithoutURIIsRefused() throws {
    let demo = try Demo()
    let sql = "SELECT * FROM (SELECT trip FROM Entry) x JOIN Trip t ON x.trip = t.uri"
    try Tool.run(["query", demo.path, sql]).expectRefused(
      status: 2, "compare keys with pk, or URIs with uri")
  }

  /// As a text it was equal to no number.
  @Test(arguments: [
    ("SELECT 1 = :n AS a", "1", "1"), ("SELECT 1.5 = :n AS a", "1.5", "1"),
    ("SELECT '007' = :n AS a", "007", "1"),
    ("SELECT typeof(:n) AS a", "1e5", "text"), ("SELECT typeof(:n) AS a", "-3", "integer"),
    ("SELECT COUNT(*) AS a FROM Trip WHERE title = :n", "1", "0"),
    ("SELECT COUNT(*) > 0 AS a FROM Entry WHERE trip = :n", "Trip/p1", "1"),
  ]) func anUndeclaredNumberIsOne(_ sql: String, _ value: String, _ answer: String) throws {
    let demo = try Demo()
    let result = try Tool.run(["query", demo.path, sql, "-p", "n=\(value)", "--format", "csv"])
    result.expectDone()
    #expect(result.output == "a\n\(answer)\n")
  }

  /// Its comment was taken for an option.
  @Test func sqlMayBeginWithAComment() throws {
    let demo = try Demo()
    let sql = "-- Title: One\n-- Param n (number): a number\nSELECT :n AS n"
    let result = try Tool.run(["query", demo.path, sql, "-p", "n=1", "--format", "csv"])
    result.expectDone()
    #expect(result.output == "n\n1\n")
  }

  /// A name that was made of itself, or of another column of that name, was taken for seconds.
  @Test(arguments: [
    "SELECT title AS title, pk FROM Trip WHERE title = '2026-01-01' AND startDate > '2000-01-01'",
    "WITH t(title, pk, startDate) AS (SELECT title, pk, startDate FROM Trip) SELECT pk FROM t WHERE title = '2026-01-01' AND startDate > '2000-01-01'",
    "SELECT name AS name, pk FROM (SELECT title AS name, pk, startDate FROM Trip) WHERE name = '2026-01-01' AND startDate > '2000-01-01'",
    "SELECT w AS w, pk FROM (SELECT title AS w, pk, startDate FROM Trip) WHERE w = '2026-01-01' AND startDate > '2000-01-01'",
    "SELECT startDate - 5 AS title, pk FROM Trip WHERE Trip.title = '2026-01-01'",
    "SELECT pk FROM (SELECT startDate + 60 AS later, pk FROM Trip) x WHERE pk = 1 AND x.later > '2000-01-01'",
    "WITH RECURSIVE t(n) AS (SELECT startDate + 60 FROM Trip WHERE pk = 1 UNION ALL SELECT n + 60 FROM t LIMIT 2) SELECT 1 AS pk FROM t WHERE n > '2000-01-01' LIMIT 1",
  ]) func namesOfTextsAreNoSeconds(_ sql: String) throws {
    let demo = try Demo { try $0.connection.execute("UPDATE ZTRIP SET ZTITLE = '2026-01-01' WHERE Z_PK = 1") }
    let found = try Tool.json(["query", demo.path, sql])["rows"] as? [[String: Any]]
    #expect(found?.compactMap { $0["pk"] as? Int } == [1])
  }

  /// As tables print them, or as people type them, they found nothing.
  @Test(arguments: [
    "isArchived = 'true'", "isArchived = 'Yes'", "isArchived <> 'false'",
    "identifier = '0b6e8a52-3c1d-4b7f-8e25-6a4d9f01c3e7'",
    "identifier IN ('0b6e8a52-3c1d-4b7f-8e25-6a4d9f01c3e7')",
    "+identifier = '0b6e8a52-3c1d-4b7f-8e25-6a4d9f01c3e7'",
    "identifier COLLATE NOCASE = '0b6e8a52-3c1d-4b7f-8e25-6a4d9f01c3e7'",
    "identifier = '0b6e8a523c1d4b7f8e256a4d9f01c3e7'",
    // In a subquery they were those of the condition's entity only.
    "pk IN (SELECT trip FROM Entry WHERE title = 'Tram 28' AND trip_uri = 'Trip/p1')",
    "pk IN (SELECT source FROM Trip_participants WHERE targetURI = 'Person/p1') AND isArchived = 'yes'",
  ]) func booleansAndUUIDsMayBeWrittenOtherwise(_ condition: String) throws {
    let demo = try Demo()
    let rows = try Tool.json(["rows", demo.path, "Trip", "--where", condition])["rows"] as? [[String: Any]]
    #expect(rows?.compactMap { $0["pk"] as? Int } == [1])
    let sql = "SELECT pk FROM Trip WHERE \(condition)"
    let found = try Tool.json(["query", demo.path, sql])["rows"] as? [[String: Any]]
    #expect(found?.compactMap { $0["pk"] as? Int } == [1])
  }

  /// Each was an error that named no way out.
  @Test(arguments: [
    ("SELECT title FROM Entry WHERE trip = 'Lisbon'", "Did you mean Trip/p1 \"Spring in Lisbon\"?"),
    ("SELECT title FROM Entry WHERE trip = 'nowhere'", "compare it with an address such as Trip/p12"),
    // A budget was taken for the name of its trip.
    ("SELECT title FROM Entry WHERE trip = '4300.0'", "compare it with an address such as Trip/p12"),
    // Place has entries as well, and came first.
    ("SELECT entries FROM Trip", "'entries' of Trip is a to-many relationship: join the view Trip_entries"),
    ("SELECT population FROM Place", "'population' is a property of City."),
    ("SELECT p.Population FROM Place p", "is a property of City."),
    ("SELECT participants FROM Trip", "join the view Trip_participants"),
    ("SELECT titel FROM Trip", "Did you mean 'title'?"),
    // It was 1998 seconds after 2001, and every trip was later.
    ("SELECT title FROM Trip WHERE startDate > 2026-03-25", "write '2026-03-25'"),
    ("SELECT title FROM Trip WHERE startDate > 2026/03/25", "is a division, so nothing is compared"),
    ("SELECT title FROM Trip WHERE startDate > 2026-03-25T12:00", "write '2026-03-25T12:00'"),
    ("SELECT title FROM Trip WHERE startDate > 25.3.2026", "a date is written as '2026-03-25'"),
    ("SELECT title FROM Trip WHERE startDate > now()", "write 'now', in quotes"),
    ("SELECT title FROM Trip WHERE startDate > today", "write date('now'), without quotes around it"),
    // "can't be read to its end" was said of the store.
    (
      "SELECT title FROM Trip WHERE startDate > 'yesterday'",
      "storescope: a date can't be compared with 'yesterday'"
    ),
    ("SELECT title FROM Trip WHERE startDate > 'yesterday'", "write date('now', '-1 day')"),
    // What people know from NSPredicate ended in SQLite's syntax errors.
    ("SELECT title FROM Trip WHERE isArchived == YES", "write isArchived == 1"),
    ("SELECT title FROM Trip WHERE isArchived = NO", "write isArchived = 0"),
    ("SELECT title FROM Trip WHERE title != nil", "write title IS NOT NULL"),
    ("SELECT title FROM Trip WHERE title CONTAINS[cd] 'lisbon'", "write title LIKE '%lisbon%'"),
    ("SELECT title FROM Trip WHERE title contains \"50%\"", "title LIKE '%50^%%' ESCAPE '^'"),
    ("SELECT title FROM Trip WHERE title BEGINSWITH 'O''B'", "write title LIKE 'O''B%'"),
    ("SELECT title FROM Trip WHERE title LIKE[c] 'S*'", "write title LIKE 'S%'"),
    ("SELECT title FROM Trip WHERE title =[cd] 'x'", "write title = 'x' COLLATE NOCASE"),
    ("SELECT title FROM Trip WHERE title MATCHES 'S.*'", "there are no regular expressions"),
    ("SELECT title FROM Trip WHERE isArchived = 1 && budget > 3", "write AND"),
    ("SELECT title FROM Trip WHERE !isArchived", "write NOT"),
    // They ran, and found nothing or the wrong rows.
    ("SELECT title FROM Trip WHERE title = NULL", "title = NULL is never true: write title IS NULL"),
    ("SELECT title FROM Trip WHERE isArchived = 1 || budget > 3", "write OR"),
    // The year was subtracted from, and everything was found.
    (
      "SELECT title FROM Entry WHERE date > current_date - 30",
      "current_date - 30 is arithmetic with the year, as in 2026 - 30: write date('now', '-30 days')"
    ),
    (
      "SELECT title FROM Entry WHERE date > CURRENT_TIMESTAMP - 3600 * 24",
      "write datetime('now', '-1 second')"
    ),
    // A column became a text that no object has.
    (
      "SELECT e.title FROM Entry e JOIN Tag g ON e.tags = g.pk",
      "ON e.pk IN (SELECT source FROM Entry_tags WHERE target = g.pk)"
    ),
    (
      "SELECT e.title FROM Entry e JOIN Tag g ON e.tags = g.uri",
      "ON e.pk IN (SELECT source FROM Entry_tags WHERE target = g.uri)"
    ),
    (
      "SELECT title FROM Entry e WHERE e.tags = 3",
      "WHERE pk IN (SELECT source FROM Entry_tags WHERE target = 3)"
    ),
    ("SELECT e.title FROM Entry e JOIN Tag g ON e.tags = e.place", "join the view Entry_tags"),
    ("SELECT title FROM Entry e WHERE e.tags IN (SELECT pk FROM Tag)", "join the view Entry_tags"),
    // As it is called elsewhere.
    ("SELECT * FROM history", "History is in the views transactions and changes."),
    ("SELECT e.trip_id FROM Entry e", "Did you mean 'trip'?"),
    ("SELECT title FROM Entry WHERE trip.titel = 'x'", "which has no 'titel'. Did you mean 'title'?"),
    // The keys of one entity were compared with those of another.
    (
      "SELECT pk FROM Attachment WHERE tags.name = 'x'",
      "write entry IN (SELECT source FROM Entry_tags JOIN Tag ON Tag.pk = target WHERE name = 'x')"
    ),
    (
      "SELECT pk FROM Attachment WHERE trip.title = 'x'",
      "write entry IN (SELECT pk FROM Entry WHERE trip IN (SELECT pk FROM Trip WHERE title = 'x'))"
    ),
    ("SELECT name FROM Tag WHERE packingList.name = 'x'", "'packingList' is a relationship of Trip."),
    // It was taken for a name with a dot.
    ("SELECT name FROM ZPERSON", "'name' is a property of"),
    ("SELECT title FROM Trip WHERE title LIKE Spring", "in single quotes: 'Spring'"),
    ("SELECT title FROM Entry WHERE trip = Trip/p1", "write 'Trip/p1'"),
    ("SELECT title FROM Entry WHERE rating > 4,5", "write 4.5"),
    (
      "SELECT title FROM Entry WHERE tags.@count > 0",
      "SELECT COUNT(*) FROM ENTITY_RELATIONSHIP WHERE source = pk"
    ),
    ("SELECT title FROM Trip WHERE (pk = 1", "a parenthesis isn't closed"),
    (".schema Trip", "is a command, not SQL"),
    ("SELECT title FROM Trip WHERE title = 'foo", "the quote ' before 'foo' (character 38) isn't closed"),
    ("selct title FROM Trip", "Did you mean SELECT instead of 'selct'?"),
    ("SELECT title FROM Trip wher pk = 1", "Did you mean WHERE instead of 'wher'?"),
    ("SELECT 1; SELECT 2", "Only one statement runs at a time, and 'SELECT 2' follows the first."),
  ]) func mistakesHaveAHint(_ sql: String, _ hint: String) throws {
    let demo = try Demo()
    let result = try Tool.run(["query", demo.path, sql])
    #expect(result.status == 2 && result.errors.contains(hint), "\(result.errors)")
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
      ["max(trip.startDate),t", "2026-03-20T00:00:00.000000Z,SPRING IN LISBON!"]
    ),
    // A name behind a comma was taken for a table.
    (
      "SELECT title, trip.budget FROM Entry WHERE trip.budget > 1000 LIMIT 1",
      ["title,trip.budget", "Arrival,1312.4"]
    ),
    (
      "SELECT name FROM Person p WHERE p.birthday = 1988 OR p.birthday = '1991-11'",
      ["name", "Ada Lindqvist", "Mei Tanaka"]
    ),
    ("SELECT COUNT(*) AS n FROM Person WHERE birthday BETWEEN 1988 AND 1990", ["n", "2"]),
    ("SELECT COUNT(*) AS n FROM Person WHERE birthday <> 1988", ["n", "2"]),
    ("SELECT COUNT(*) AS n FROM Entry WHERE trip.startDate = 2026", ["n", "8"]),
  ]) func dottedNamesAndYearsAreUnderstood(_ sql: String, _ lines: [String]) throws {
    let demo = try Demo()
    let result = try Tool.run(["query", demo.path, sql, "--format", "csv"])
    result.expectDone(sql)
    #expect(result.output.split(separator: "\n").map(String.init) == lines, "\(result.output)")
  }

  /// These were answered with parts of statements, or with a stranger's.
  @Test(arguments: [
    ("SELECT title, tags.name FROM Entry WHERE pk = 4;", "Tram 28,sight"),
    (
      "SELECT e.title, e.trip.participants.name FROM Entry e WHERE e.pk = 4 ORDER BY 2",
      "Tram 28,Ada Lindqvist"
    ),
    // The join had another 'title', and no statement was listed.
    ("SELECT title, entries.title FROM Trip WHERE pk = 1 ORDER BY entries.title", "Spring in Lisbon,Arrival"),
    ("SELECT title FROM Trip WHERE participants CONTAINS 'Sofia Duarte' OR pk = 0", "A weekend in Porto"),
    ("SELECT title FROM Trip WHERE participants.name contains 'Sofia'", "A weekend in Porto"),
    ("SELECT t.title FROM Trip t WHERE t.participants.name LIKE 'Sofia%'", "A weekend in Porto"),
    ("SELECT title FROM Trip WHERE participants = 'Person/p3'", "A weekend in Porto"),
    ("SELECT title FROM Entry WHERE ANY tags.name = 'pastry'", "title\nPastéis"),
    ("SELECT title FROM Entry WHERE trip.title LIKE 'Sp%' AND tags.name = 'pastry'", "title\nPastéis"),
    ("SELECT title FROM Trip WHERE title BEGINSWITH 'Sp' && isArchived = 1", "title\nSpring in Lisbon"),
    (
      "SELECT title FROM Trip WHERE title BEGINSWITH '50%' OR title CONTAINS[cd] 'lisbon'",
      "title\nSpring in Lisbon"
    ),
  ]) func theStatementThatWasMeantIsListed(_ sql: String, _ output: String) throws {
    let demo = try Demo()
    let result = try Tool.run(["query", demo.path, sql])
    let command = try #require(
      result.errors.firstMatch(of: /\n +(storescope query .+)/)?.1, "\(result.errors)")
    let again = try Tool.run(
      "/bin/sh", ["-c", "storescope() { \"\(Tool.path)\" \"$@\" --format csv; }\n\(command)"])
    again.expectDone("\(command)")
    #expect(again.output.contains(output), "\(again.output)")
  }

  /// Statements in files could be run by the shell alone.
  @Test func aFileIsRun() throws {
    let demo = try Demo()
    let folder = try TemporaryFolder("statements")
    let file = folder.path("titles.sql")
    try "-- Param pk: which\nSELECT title FROM Trip\nWHERE pk = :pk;\n".write(
      toFile: file, atomically: true, encoding: .utf8)
    let words = ["-f", file, "--param", "pk=1", "--format", "csv"]
    #expect(try Tool.run(["query", demo.path] + words).output == "title\nSpring in Lisbon\n")
    let both = try Tool.run(["query", demo.path, "SELECT 1", "-f", file])
    #expect(both.status == 64 && both.errors.contains("can't be combined"))
    let bare = try Tool.run(["query", demo.path, file])
    #expect(bare.status == 64 && bare.errors.contains("query \(demo.path) -f \(file)'?"), "\(bare.errors)")
    try "SELECT pk,\nnope FROM Trip".write(toFile: file, atomically: true, encoding: .utf8)
    #expect(try Tool.run(["query", demo.path, "-f", file]).errors.contains("\(file):2: no such column"))
  }

  /// Standard input ran several statements, and a file was refused, with another statement's line.
  @Test(arguments: ["", "'"]) func severalStatementsRunInOrder(_ quote: String) throws {
    let demo = try Demo()
    let folder = try TemporaryFolder("statements")
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

  /// They were numbers, which `rows` prints as true and false.
  @Test(arguments: [
    ("SELECT isArchived AS a FROM Trip ORDER BY pk", "true false false"),
    (
      "SELECT t.isArchived a FROM Entry e JOIN Trip t ON t.pk = e.trip GROUP BY t.pk ORDER BY t.pk",
      "true false false"
    ),
    ("SELECT a FROM (SELECT isArchived AS a FROM Trip ORDER BY pk)", "true false false"),
    ("SELECT trip.isArchived AS a FROM Entry WHERE title = 'Tram 28'", "true"),
    // What is computed is a number in SQL, and what is stored shows as it is.
    ("SELECT SUM(isArchived) AS a FROM Trip", "1"),
    ("SELECT ZISARCHIVED AS a FROM ZTRIP ORDER BY 1", "0 0 1"),
    ("SELECT isArchived AS a FROM Trip WHERE pk = 1 UNION ALL SELECT pk FROM Tag WHERE pk = 1", "1 1"),
    ("SELECT isArchived = 1 AS a FROM Trip WHERE pk = 1", "1"),
  ]) func booleansPrintAsInRows(_ sql: String, _ values: String) throws {
    let demo = try Demo()
    let csv = try Tool.run(["query", demo.path, sql, "--format", "csv"])
    csv.expectDone()
    #expect(csv.output == "a\n" + values.split(separator: " ").map { $0 + "\n" }.joined(), "\(csv.output)")
    let json = try Tool.run(["query", demo.path, sql, "--json"]).output
    #expect(json.contains("{\"a\":\(values.split(separator: " ")[0])}"), "\(json)")
  }

  /// Each found nothing, without a word.
  @Test(arguments: [
    (["SELECT title FROM Entry WHERE trip = :t", "-p", "t=Some title"], "no Trip has the text 'Some title'"),
    (
      ["SELECT title FROM Entry WHERE pk = 'Some title'"], "'pk' is a primary key, and 'Some title' isn't one"
    ),
    (["SELECT title FROM Entry WHERE pk = :p", "-p", "p=x"], "'pk' is a primary key, and 'x' isn't one"),
    (["SELECT title FROM Entry WHERE 'x' = pk"], "'pk' is a primary key"),
    (
      ["SELECT * FROM Trip_participants WHERE target = 'Ada'"],
      "'target' is a primary key, and 'Ada' isn't one"
    ),
    (
      ["SELECT title FROM Entry WHERE uri = 'Some title'"],
      "'uri' holds addresses, and 'Some title' isn't one"
    ),
    (
      ["SELECT title FROM Entry WHERE trip_uri IN ('Trip/p1', 2)"],
      "'trip_uri' holds addresses, and '2' isn't one"
    ),
    (["SELECT * FROM changes WHERE uri = :u", "-p", "u=x"], "compare it with an address such as "),
    (["SELECT title FROM Entry WHERE uri = 'Trp/p1'"], "Did you mean 'Trip'?"),
    (
      ["SELECT title FROM Entry WHERE pk IN ('Entry/p1', 2)"],
      "write all of them as addresses, or all as primary keys"
    ),
  ]) func keysAndAddressesAreNoTexts(_ words: [String], _ says: String) throws {
    let demo = try Demo()
    let result = try Tool.run(["query", demo.path] + words)
    #expect(result.status == 2 && result.errors.contains(says), "\(result.errors)")
  }

  @Test(arguments: [
    (["SELECT COUNT(*) AS n FROM Entry WHERE trip = :t", "-p", "t=Spring in Lisbon"], "4"),
    (["SELECT COUNT(*) AS n FROM Entry WHERE :t = '%' OR trip = :t", "-p", "t=%"], "8"),
    (["SELECT COUNT(*) AS n FROM Entry WHERE pk = :p", "-p", "p=Entry/p2"], "1"),
    (["SELECT COUNT(*) AS n FROM Entry WHERE trip_uri = :p", "-p", "p=Trip/p1"], "4"),
    (
      [
        "-- Param t (object): a trip\nSELECT COUNT(*) AS n FROM Entry WHERE trip = :t", "-p",
        "t=Spring in Lisbon",
      ], "4"
    ),
    (
      [
        "-- Param t (object): a trip\nSELECT COUNT(*) AS n FROM Entry WHERE trip_uri = :t", "-p",
        "t=Spring in Lisbon",
      ], "4"
    ),
    (["SELECT COUNT(*) AS n FROM Entry WHERE uri <> ''"], "8"),
    (["SELECT COUNT(*) AS n FROM (SELECT name AS uri FROM Person) WHERE uri = 'x'"], "0"),
    (["WITH p(pk) AS (SELECT name FROM Person) SELECT COUNT(*) AS n FROM p WHERE pk = 'Jonas Weber'"], "1"),
  ]) func valuesOfParametersMeanObjects(_ words: [String], _ count: String) throws {
    let demo = try Demo()
    let result = try Tool.run(["query", demo.path] + words + ["--format", "csv"])
    result.expectDone()
    #expect(result.output == "n\n\(count)\n")
  }

  /// The advice was SQL, which a parameter doesn't take.
  @Test func aParametersDateIsWrittenOut() throws {
    let sql = "SELECT * FROM transactions WHERE timestamp > :since"
    let demo = try Demo()
    let result = try Tool.run(["query", demo.path, sql, "-p", "since=yesterday"])
    #expect(result.status == 2)
    #expect(result.errors.contains(/'yesterday': write -p since=20\d\d-\d\d-\d\d\./), "\(result.errors)")
  }

  /// Names of nothing but quotes ended the program.
  @Test(arguments: ["\"\".\"\"", "\".\".\".\"", "[].[]"]) func emptyNamesAreRefused(_ name: String) throws {
    try Tool.run(["query", try Demo().path, "SELECT \(name) FROM Trip"]).expectRefused(comment: name)
  }

  /// `.tables` was looked for among the saved queries.
  @Test(arguments: [".tables", "\\d Trip", "\\dt"]) func commandsOfOtherToolsAreNoQueries(_ word: String)
    throws
  {
    let demo = try Demo()
    let result = try Tool.run(["query", demo.path, word])
    #expect(result.status == 2 && result.errors.contains("Did you mean 'entities'?"), "\(result.errors)")
  }

  /// What looks like a habit and is SQL has to run.
  @Test(arguments: [
    "SELECT 'a' || 'b' = 'ab'", "SELECT title || '=' || pk = '' FROM Trip", "SELECT 1 AS yes, 0 AS today",
    "SELECT title FROM Trip WHERE title LIKE '%&&%' OR title = '= NULL'", "SELECT NULL IS NULL",
    "SELECT CASE WHEN title IS NULL THEN 1 ELSE 0 END FROM Trip", "SELECT coalesce(NULL, title) FROM Trip",
    "SELECT pk FROM Trip WHERE startDate > date('now', '-1 day')", "SELECT 2026/03/20 FROM Tag",
    "SELECT pk FROM Trip WHERE startDate > CURRENT_TIMESTAMP", "SELECT 'it''s' AS \"now\" /* ' */ -- \"",
  ]) func otherSQLRuns(_ sql: String) throws {
    let demo = try Demo()
    try Tool.run(["query", demo.path, sql]).expectDone(sql)
  }

  /// Printing began before the condition was refused, and the store was blamed.
  @Test func conditionsAreRefusedInTheirOwnWords() throws {
    let demo = try Demo()
    let result = try Tool.run(["rows", demo.path, "Trip", "--where", "startDate > 'someday'"])
    #expect(
      result.status == 2 && result.errors.hasPrefix("storescope: a date can't be compared with 'someday'"),
      "\(result.errors)")
    let open = try Tool.run(["rows", demo.path, "Trip", "--where", "title = \"x"])
    #expect(open.errors.contains("the quote \" before 'x' (character 9) isn't closed"), "\(open.errors)")
  }

  /// A title is a name for an object elsewhere.
  @Test func parametersTakeTitles() throws {
    let demo = try Demo()
    let words = ["query", demo.path, "object-history", "-p", "uri=Spring in Lisbon"]
    let rows = try #require(try Tool.json(words)["rows"] as? [Any])
    #expect(rows.count == 8)
  }

  @Test func savedQueriesHaveHelp() throws {
    let demo = try Demo()
    let help = try Tool.run(["query", demo.path, "object-history", "--help"])
    help.expectDone()
    for text in [
      "History of one object.", "object-history --param uri=VALUE", "--param uri=OBJECT", "required",
    ] {
      #expect(help.output.contains(text), "\(help.output)")
    }
    let list = try Tool.run(["query", demo.path, "--list"])
    #expect(list.output == (try Tool.run(["query", demo.path]).output) && list.output.contains("[least]"))
  }

  /// It was cut into tokens, twice, before anybody asked how long it is.
  @Test func longStatementsAreRefused() throws {
    let demo = try Demo()
    let script = demo.folder.path("long.sql")
    let list = String(repeating: "'Trip/p1',", count: 500_000)
    try Data("SELECT title FROM Entry WHERE trip IN (\(list)'Trip/p2')".utf8).write(to: URL(filePath: script))
    let result = try Tool.run([demo.path, "-f", script])
    #expect(result.status == 2 && result.errors.contains("longer than 4 MB"), "\(result.errors.prefix(300))")
  }

  @Test func textsInDoubleQuotesAreExplained() throws {
    let demo = try Demo()
    let result = try Tool.run(["query", demo.path, "SELECT pk FROM Trip WHERE title = \"Spring in Lisbon\""])
    #expect(result.errors.contains("in single quotes: 'Spring in Lisbon'"), "\(result.errors)")
  }

  /// Sub-entities share their keys: another object's rows were found.
  @Test(arguments: ["rows", "query"]) func anAddressOfAnotherEntityIsRefused(_ command: String) throws {
    let demo = try Demo()
    let words =
      command == "rows"
      ? ["Entry", "--where", "place = 'Landmark/p1'"]
      : ["SELECT title FROM Entry WHERE place = 'Landmark/p1'"]
    let result = try Tool.run([command, demo.path] + words)
    #expect(result.status == 2 && result.errors.contains("ask for City/p1"), "\(result.errors)")
  }

  /// A relationship with the name of another view's column made every comparison with that column an error.
  @Test func columnsOfOtherViewsAreTexts() throws {
    let folder = try TemporaryFolder("query")
    let forge = try StoreForge(path: folder.path("a.store"), model: FixtureModels.library)
    try forge.save(author: "app") { save in
      let author = try save.insert("Author", ["name": "Ann"])
      _ = try save.insert("Book", ["title": "One"], links: ["author": [author]])
    }
    try forge.close()
    let sql = "SELECT COUNT(*) FROM transactions WHERE author = 'app'"
    #expect(try Tool.run(["query", forge.path, sql, "--format", "csv"]).output.hasSuffix("\n1\n"))
    let books = "SELECT title FROM Book WHERE author = 'Author/p1'"
    #expect(try Tool.run(["query", forge.path, books, "--format", "csv"]).output == "title\nOne\n")
  }
}
