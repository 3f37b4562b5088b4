import Commands
import Testing

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
}
