import Base
import Forge
import Lens
import SQLite
import StoreModel
import TestSupport
import Testing

@testable import Commands

/// A mistake is answered with SQLite's words, its place, and the nearest name or the word that SQL has.
struct SQLMistakeTests {
  @Test(arguments: [
    ("SELECT titel FROM Trip", "no such column: titel. Did you mean 'title'? Trip has pk, uri, ", 7),
    ("SELECT t.titel FROM Trip t, Tag", "Did you mean 'title'? Trip has pk, ", 7),
    ("SELECT x.title FROM Trip", "no such column: x.title", 7),
    ("SELECT soruce FROM Trip_participants", "Did you mean 'source'?", 7),
    ("SELECT e.trip_id FROM Entry e", "no such column: e.trip_id. Entry has pk, uri, ", 7),
    ("SELECT title FROM Entry WHERE trip.titel = 'x'", "Entry has pk, uri, entity", 30),
    ("SELECT * FROM Trips", "no such table: Trips. Did you mean 'Trip'?", 14),
    ("SELECT * FROM nowhere", "'storescope query STORE --views' lists the views.", 14),
    ("SELECT uper(title) FROM Trip", "no such function: uper. Did you mean 'upper'?", 7),
    ("SELECT title FROM Trip WHERE title = \"Spring\"", "A text is written in single quotes.", 37),
    ("SELECT title FROM Trip WHERE title = 'Spring", "unrecognized token", 37),
    ("SELECT title FROM Trip WHERE", "incomplete input", 28),
    ("SELECT (title FROM Trip", "near \"FROM\": syntax error", 14),
    ("SELECT title,\nFROM Trip", "near \"FROM\": syntax error", 0),
    ("SELECT title FROM Trip t JOIN Entry e ON e.trip = t.pk", "ambiguous column name: title", 7),
    ("selct title FROM Trip", "Did you mean SELECT?", 0),
    ("SELECT title FROM Trip wher pk = 1", "Did you mean WHERE?", nil),
    ("SELECT title FROM Trip WHERE COUNT(*) > 1", "misuse of aggregate", 29),
    ("SELECT title FROM Trip WHERE title ILIKE 's%'", "Instead of ILIKE, write LIKE", 35),
    ("SELECT title FROM Trip WHERE isArchived = 1 && budget > 3", "Instead of &&, write AND.", nil),
    ("SELECT title FROM Trip WHERE !isArchived", "Instead of !, write NOT.", nil),
    ("SELECT title FROM Trip WHERE startDate > NOW()", "Instead of NOW, write datetime('now').", nil),
    ("SELECT year(startDate) FROM Trip", "Instead of year, write strftime('%Y', COLUMN).", 7),
    ("SELECT TOP 5 * FROM Trip", "Instead of TOP, write LIMIT 5 at the end.", nil),
    ("SELECT title::text FROM Trip", "write CAST(COLUMN AS TEXT).", nil),
    ("SHOW TABLES", "Instead of SHOW, write SELECT * FROM views.", 0),
    ("SELECT title FROM Trip WHERE title = “x”", "write straight quotes.", nil),
  ]) func theAnswerHasThePlace(_ sql: String, _ answer: String, _ column: Int?) throws {
    let error = try Self.error(sql)
    #expect(error.description.contains(answer), "\(error)")
    guard let column else { return }
    #expect(error.list.last == String(repeating: " ", count: column) + "^", "\(error.list)")
    #expect(error.list.first.map { sql.contains($0) } == true)
  }

  private static func error(_ sql: String) throws -> StoreScopeError {
    let folder = TemporaryFolder("demo")
    let open = try OpenStore(at: try DemoStore.copy(in: folder.path("demo")))
    defer { withExtendedLifetime((folder, open)) {} }
    let store = try open.lens()
    store.connection.allowOnlyReading()
    let error = try #require(throws: SQLiteError.self) {
      _ = try UserSQL.compiled(sql, in: store) { sql, _ in try store.connection.prepare(sql) }
    }
    return SQLMistake(error, in: sql, store).error(about: "query")
  }

  @Test(arguments: [
    ("titel = 'x'", "Did you mean 'title'?", 0), ("title = 'x' AND", "incomplete input", 15),
    ("title = 'a' budget = 1", "near \"budget\"", 12), ("uper(title) = 'X'", "Did you mean 'upper'?", 0),
    ("startDate > 5", "startDate is a date, which is a text here", 0),
    // A misspelled name makes it no predicate of the entity either.
    ("titel CONTAINS 'x'", "near \"CONTAINS\": syntax error", 6),
  ]) func conditionsToo(_ condition: String, _ answer: String, _ column: Int) throws {
    let folder = TemporaryFolder("demo")
    let open = try OpenStore(at: try DemoStore.copy(in: folder.path("demo")))
    let store = try open.lens()
    let error = try #require(throws: StoreScopeError.self) {
      _ = try ObjectCondition.checked(condition, store.entity(named: "Trip"), in: store)
    }
    #expect(error.description.contains(answer), "\(error)")
    #expect(error.list == [condition, String(repeating: " ", count: column) + "^"])
    withExtendedLifetime((folder, open)) {}
  }

  @Test(arguments: [
    "title CONTAINS[cd] 'x'", "title BEGINSWITH 'S'", "title ==[c] 'x'", "isArchived == YES", "title != nil",
    "ANY entries.title LIKE '*x'",
  ]) func aPredicateIsNamedAsOne(_ condition: String) throws {
    let folder = TemporaryFolder("demo")
    let open = try OpenStore(at: try DemoStore.copy(in: folder.path("demo")))
    let store = try open.lens()
    let error = try #require(throws: StoreScopeError.self) {
      _ = try ObjectCondition.checked(condition, store.entity(named: "Trip"), in: store)
    }
    #expect(error.problem == "That is a predicate, not SQL", "\(error)")
    #expect(error.advice?.hasPrefix("Use --predicate: storescope rows ") == true)
    withExtendedLifetime((folder, open)) {}
  }

  /// Apps have entities called Order, Group or Transaction, and SQLite's message alone doesn't help.
  @Test(arguments: [
    ("SELECT name FROM Order", #"write "Order"."#),
    ("SELECT name FROM transaction t", #"write "transaction"."#),
    ("SELECT limit FROM \"Order\"", #"write "limit"."#),
    ("SELECT name FROM \"Order\" ORDER BY index", #"write "index"."#),
    ("SELECT name FROM WHERE", nil),
  ]) func aNameThatIsAWordOfSQLNeedsQuotes(_ sql: String, _ answer: String?) throws {
    let folder = TemporaryFolder("words")
    let texts = ["index", "limit", "name"].map { AttributeDescription(name: $0, type: .string) }
    let forge = try StoreForge(
      path: folder.path("A.sqlite"),
      model: .init(entities: ["Order", "Transaction"].map { .init(name: $0, attributes: texts) }))
    try forge.close()
    let open = try OpenStore(at: folder.path("A.sqlite"))
    let store = try open.lens()
    let error = try #require(throws: SQLiteError.self) {
      _ = try UserSQL.compiled(sql, in: store) { sql, _ in try store.connection.prepare(sql) }
    }
    let text = SQLMistake(error, in: sql, store).error(about: "query").description
    #expect(answer.map(text.contains) ?? !text.contains("is a word of SQL"), "\(text)")
    let condition = try #require(throws: StoreScopeError.self) {
      _ = try ObjectCondition.checked("limit = '3'", store.entity(named: "Order"), in: store)
    }
    #expect(
      condition.description.contains(#"limit is a word of SQL, too: as a name, write "limit"."#),
      "\(condition)")
    withExtendedLifetime((folder, open)) {}
  }

  /// A long line is shown around the place, and what would change the terminal is shown as it is called.
  @Test func theLineFits() throws {
    let error = try Self.error(
      "SELECT \(String(repeating: "title, ", count: 40))titel, '\u{1B}[2J' FROM Trip\nWHERE 1")
    #expect(error.list.count == 2 && error.list.allSatisfy { $0.count < 80 && !$0.contains("\u{1B}") })
    #expect(
      error.list[0].hasPrefix("…") && error.list[0].dropFirst(error.list[1].count - 1).hasPrefix("titel"))
  }
}
