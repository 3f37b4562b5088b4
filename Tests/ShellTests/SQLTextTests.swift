import Testing

@testable import Shell

struct SQLTextTests {
  @Test(arguments: [
    "SELECT 1", "select(1)", "  with a as (select 1) select * from a", "VALUES (1)",
    "EXPLAIN QUERY PLAN SELECT 1",
    "explain select 1", "DELETE FROM ZTRIP", "pragma journal_mode", "Select\t1",
  ]) func begins(line: String) { #expect(SQLText.begins(line)) }

  @Test(arguments: [
    "", "rows Trip", "explain 134419", "explain zone", "selector", "show SELECT", "query 'SELECT 1'",
    ".tables",
    "reset", "explain", "5", "'SELECT'", "history --since 2026",
  ]) func doesNotBegin(line: String) { #expect(!SQLText.begins(line)) }

  @Test(arguments: [
    ("SELECT 1;", "SELECT 1;"), ("SELECT ';' ; x", "SELECT ';' ;"), ("SELECT \";\";", "SELECT \";\";"),
    ("SELECT [;] ;", "SELECT [;] ;"), ("SELECT `;`;", "SELECT `;`;"),
    ("SELECT 'it''s;';", "SELECT 'it''s;';"),
    ("SELECT 1 -- ; no\n;", "SELECT 1 -- ; no\n;"), ("SELECT /* ; */ 1;", "SELECT /* ; */ 1;"),
    ("SELECT 'é;日';", "SELECT 'é;日';"), ("SELECT 2 - 1 / 1;", "SELECT 2 - 1 / 1;"),
  ]) func ends(text: String, statement: String) throws {
    let end = try #require(SQLText.end(of: text))
    #expect(text[..<end] == statement)
  }

  @Test(arguments: [
    "SELECT 1", "SELECT ';", "SELECT \";", "SELECT /* ;", "SELECT 1 -- ;", "SELECT [;", "/*/;",
  ])
  func doesNotEnd(text: String) { #expect(SQLText.end(of: text) == nil) }
}
