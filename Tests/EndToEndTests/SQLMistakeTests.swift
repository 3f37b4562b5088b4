import TestSupport
import Testing

/// SQLite names the symptom of a mistake; people need its fix.
struct SQLMistakeTests {
  @Test(arguments: [
    ("SELECT title FROM Trip t JOIN Entry e ON e.trip = t.pk", "Write t.title or e.title."),
    ("SELECT pk FROM Trip JOIN Entry AS e ON e.trip = Trip.pk", "Write Trip.pk or e.pk."),
    ("SELECT title FROM Trip WHERE", "Something is missing after 'WHERE'."),
    // With a semicolon SQLite names that, and there was no hint.
    ("SELECT title FROM Trip WHERE;", "Something is missing after 'WHERE'."),
    ("SELECT title FROM Trip ORDER BY ;", "Something is missing after 'BY'."),
    ("SELECT title FROM Trip GROUP;", "Something is missing after 'GROUP'."),
    ("SELECT title FROM Trip WHERE (pk = 1;", "A parenthesis isn't closed"),
    ("SELECT title, FROM Trip", "Leave out the comma before 'FROM'."),
    ("SELECT (title FROM Trip", "A parenthesis isn't closed"),
    ("SELECT title FROM Trip)", "Leave out this ')'"),
    ("SELECT title FROM Trip GROUP title", "Write GROUP BY title."),
    ("SELECT title FROM Trip ORDER title", "Write ORDER BY title."),
    ("SELECT TOP 5 * FROM Trip", "Write LIMIT 5 at the end"),
    ("SELECT title FROM Trip LIMIT 1 ORDER BY title", "The order is WHERE, GROUP BY"),
    ("SELECT title FROM Trip WHERE COUNT(*) > 1", "Put this condition into HAVING"),
    ("SELECT SUM(COUNT(*)) FROM Trip", "into a subquery."),
    ("SELECT row_number() FROM Trip", "row_number() OVER (ORDER BY pk)"),
    ("SELECT title FROM Trip HAVING COUNT(*) > 1", "HAVING needs GROUP BY"),
    ("SELECT upper(title, 1) FROM Trip", "upper takes 1 argument."),
    ("SELECT substr(title) FROM Trip", "substr takes 2 or 3 arguments."),
    ("SELECT uper(title) FROM Trip", "Did you mean 'upper'?"),
    ("SELECT blob_jsn(cover) FROM Trip", "Did you mean 'blob_json'?"),
    // A text that is compared with a number is never equal to it.
    ("SELECT year(startDate) FROM Trip", "write CAST(strftime('%Y', startDate) AS INTEGER)"),
    // The month was suggested whatever was asked for.
    (
      "SELECT EXTRACT(YEAR FROM t.startDate) FROM Trip t",
      "write CAST(strftime('%Y', t.startDate) AS INTEGER)"
    ),
    ("SELECT date_part('day', startDate) FROM Trip", "write CAST(strftime('%d', startDate) AS INTEGER)"),
    // A view's columns were listed of entities only.
    (
      "SELECT person FROM Trip_participants",
      "Trip_participants has source, target, position, sourceURI, targetURI. For properties of Person, add JOIN Person ON Person.pk = Trip_participants.target."
    ),
    (
      "SELECT l.name FROM Trip t JOIN Trip_participants l ON l.source = t.pk",
      "add JOIN Person ON Person.pk = l.target."
    ),
    ("SELECT soruce FROM Trip_participants", "Did you mean 'source'?"),
    ("SELECT left(title, 2) FROM Trip", "substr(text, 1, 3)"),
    ("SELECT DATEDIFF(day, startDate, endDate) FROM Trip", "endDate - startDate"),
    ("SELECT title FROM Trip WHERE title REGEXP 'S.*'", "no regular expressions"),
    ("SELECT title FROM Trip WHERE title ~ 'S.*'", "no regular expressions"),
    ("SELECT title FROM Trip WHERE startDate > now() - interval '1 day'", "datetime('now', '-1 day')"),
    (
      "SELECT title FROM Trip WHERE startDate = DATE '2026-03-20'",
      "omit DATE before a date: write '2026-03-20'"
    ),
    ("SELECT title FROM Trip t WHERE Trip.title = 'x'", "calls Trip 't': write t.title."),
    ("SELECT x.title FROM Trip", "Nothing is called 'x' here: write Trip.title."),
    ("SELECT title FROM Trip WHERE pk IN (SELECT * FROM Entry)", "Select one column there"),
    ("FROM Trip LIMIT 1", "SELECT * FROM Trip LIMIT 1"),
    ("SHOW TABLES now", "A statement begins with SELECT"),
    ("SELECT title FROM Trip WHERE budget 3", "between 'budget' and '3'"),
    ("select * from Trip\nselect * from Entry", "';' is missing before 'select', where the second statement"),
    ("SELECT title FROM Trip > trips.txt;", "put ';' before it: SELECT title FROM Trip; > trips.txt"),
    ("SELECT id FROM Trip", "An object's number is pk, and its address is uri."),
    ("SELECT t.id FROM Trip t, Entry", "An object's number is pk, and its address is uri."),
    ("SELECT pk FROM Trip_people", "Trip has Trip_"),
    ("SELECT t.pk FROM Trip t JOIN t.participants", "JOIN Trip_participants l ON l.source = t.pk."),
    ("SELECT e.pk FROM Entry e JOIN Entry_trip", "write Entry.trip.PROPERTY"),
    ("SELECT title, mood.title FROM Trip", "'mood' of Trip is a value, not a relationship"),
    ("SELECT pk FROM Trip WHERE startDate > '20.03.2026'", "write '2026-03-20'"),
    ("SELECT pk FROM Trip WHERE startDate > 'Mar 25'", "-03-25'"),
    // Always false, with an answer that looked like one.
    ("SELECT Z_PK FROM ZTRIP WHERE ZSTARTDATE > '2026-03-21'", "compare Trip.startDate, or"),
    ("SELECT t.Z_PK FROM ZTRIP t WHERE '2026-03-21' < t.ZSTARTDATE", "ZSTARTDATE has seconds since 2001"),
    ("SELECT 1; SELECT 2", "pipe them all into 'storescope query "),
  ]) func theFixIsNamed(_ sql: String, _ fix: String) throws {
    let demo = try Demo()
    let result = try Tool.run(["query", demo.path, sql])
    #expect(result.status == 2 && result.output.isEmpty)
    #expect(result.errors.contains(fix), "\(result.errors)")
  }

  @Test(arguments: [
    ("COUNT(*) > 1", "(SELECT COUNT(*) FROM Trip_entries WHERE source = pk)"),
    ("title = 'a' budget = 1", "between ''a'' and 'budget'"), ("uper(title) = 'X'", "Did you mean 'upper'?"),
  ]) func theFixOfAConditionIsNamed(_ condition: String, _ fix: String) throws {
    let demo = try Demo()
    let result = try Tool.run(["rows", demo.path, "Trip", "--where", condition])
    #expect(result.status == 2 && result.output.isEmpty)
    #expect(result.errors.contains(fix), "\(result.errors)")
  }

  /// A day is midnight in SQL, so that an object of that day wasn't found, without a word.
  @Test(arguments: [
    ("date = '2026-03-20'", "write date(date) = '2026-03-20'"),
    ("date = '2026-03-20 16:31'", "= '2026-03-20 16:31' for the whole minute"),
    ("'title' = 'Arrival'", "'title' in single quotes is text"),
    ("title LIKE 'Arr*'", "LIKE takes % for any text"), ("title = 'x'", "(no objects)"),
  ]) func anEmptyResultSaysWhy(_ condition: String, _ reason: String) throws {
    let demo = try Demo()
    let rows = try Tool.run(["rows", demo.path, "Entry", "--where", condition])
    rows.expectDone()
    #expect(rows.output.contains(reason), "\(rows.output)")
    let query = try Tool.run(["query", demo.path, "SELECT title FROM Entry WHERE \(condition)"])
    query.expectDone()
    #expect(query.output.contains(reason.replacing("objects", with: "rows")), "\(query.output)")
  }

  /// Seconds that were made of a date were taken for days since 4714 B.C., and a Julian day for seconds since 2001.
  @Test(arguments: [
    ("date(startDate + 86400)", "2026-03-21"), ("datetime(startDate - 60)", "2026-03-19 23:59:00"),
    ("strftime('%d', startDate + 86400)", "21"), ("time(endDate - startDate + 60)", "00:01:00"),
    ("date(startDate, '+1 day')", "2026-03-21"),
    ("date(startDate + 0 + 978307200, 'unixepoch')", "2026-03-20"),
    ("startDate - julianday('2026-03-19')", "86400.0"), ("startDate > julianday('2026-03-19')", "1"),
    ("startDate > julianday('2026-03-21')", "0"),
    ("startDate > julianday('2026-03-22') - 3", "1"), ("startDate > julianday('2026-03-22') - 1", "0"),
    ("julianday(endDate) - julianday(startDate)", "4.0"),
    // A number of days that a function made of a date was taken for seconds.
    ("date(julianday(startDate) + 1)", "2026-03-21"), ("date(strftime('%J', startDate) + 1)", "2026-03-21"),
    ("startDate + 86400 > julianday('2026-03-22')", "0"),
    ("startDate + 60 - julianday('2026-03-20')", "60.0"),
    ("startDate IN (julianday('2026-03-20'))", "1"), ("date(startDate + (2 * 86400))", "2026-03-22"),
  ]) func datesStayDates(_ value: String, _ expected: String) throws {
    let sql = "SELECT \(value) AS v FROM Trip WHERE pk = 1"
    let demo = try Demo()
    let result = try Tool.run(["query", demo.path, sql, "--format", "csv"])
    result.expectDone(value)
    #expect(result.output.split(separator: "\n", omittingEmptySubsequences: false)[1] == expected)
  }

  @Test(arguments: [
    (["query", "SELECT weather FROM Entry"], "It has parts: \"weather.condition\""),
    (["query", "deleted-objects", "Trip"], "Did you mean '--param entity=Trip'?"),
    (["show", "titel=x"], "Did you mean 'title'?"), (["search", "true"], "Booleans aren't searched"),
    (["history", "--day", "2026-03-20"], "Did you mean '--at'?"),
    (["history", "--deletes"], "Did you mean '--change delete'?"),
    (["history", "--inserts"], "Did you mean '--change insert'?"),
    (["history", "--type", "delete"], "Did you mean '--change'?"),
    (["pending", "--type", "upload"], "Did you mean '--kind'?"),
    (["events", "--type", "export"], "SELECT * FROM events WHERE"),
    (
      ["rows", "Entry", "--where", "date BETWEEN '2026-04-14' AND '2026-04-14'"],
      "write date(date) = '2026-04-14' for the whole day"
    ),
    (["rows", "Trip", "--where", "budget > 1,000"], "--where \"budget > 1000\""),
    (["rows", "Entry", "rating=5"], "--where \"rating = 5\""),
    (["query", "SELECT title::text FROM Trip"], "CAST(title AS TEXT)"),
    (["history", "--today"], "Did you mean '--since today'?"),
    (["history", "2026-03-20"], "Did you mean '--at 2026-03-20'?"),
    // "No entity 'Apr'".
    (["history", "Apr 18"], "Did you mean '--at \"Apr 18\"'?"),
    (["rows", "Trip", "--sort", "nonsense"], "Properties: "),
  ]) func habitsGetTheRightWord(_ words: [String], _ advice: String) throws {
    let demo = try Demo()
    let result = try Tool.run([words[0], demo.path] + words.dropFirst())
    #expect((result.output + result.errors).contains(advice), "\(result.output)\(result.errors)")
  }

  /// Names in another case, SQL's `desc`, and names as screens print them.
  @Test(arguments: [
    (["rows", "Trip", "--columns", "TITLE, startdate", "--sort", "TITLE desc"], "Temples of Kyoto"),
    (["rows", "Trip", "--sort", "title:desc", "--columns", "title"], "Temples of Kyoto"),
    // A minus sign and `desc` took each other back.
    (["rows", "Trip", "--sort", "-title desc", "--columns", "title", "-n", "1"], "Temples of Kyoto"),
    (["query", "deleted-objects", "--format", "csv"], "/Trip/p4"),
    // Only the deletion had the title.
    (["history", "--object", "Entry/p1", "--change", "insert"], "Ideas"),
    (["show", "Trip \"Spring in Lisbon\""], "Trip/p1"),
    (["trace", "Trip/p1 \"Spring in Lisbon\""], "Trip/p1"),
    (["history", "--transaction", "1..5", "--change", "insert"], "Somewhere warm?"),
    (["query", "deleted-objects"], "Somewhere warm?"),
  ]) func namesAreTakenAsTyped(_ words: [String], _ answer: String) throws {
    let demo = try Demo()
    let result = try Tool.run([words[0], demo.path] + words.dropFirst())
    result.expectDone()
    #expect(result.output.contains(answer), "\(result.output)")
  }

  /// What is refused of a row left a heading, or half of a JSON document; a subquery was never tried before.
  @Test(arguments: ["table", "json", "ndjson", "csv", "markdown"]) func nothingIsHalfPrinted(_ format: String)
    throws
  {
    let demo = try Demo()
    for condition in ["date > 'x'", "pk IN (SELECT pk FROM Entry WHERE date > 'x')"] {
      let result = try Tool.run(["rows", demo.path, "Entry", "--where", condition, "--format", format])
      #expect(result.status == 2 && result.output.isEmpty, "\(condition): \(result.output)")
    }
  }
}
