import Testing

@testable import Shell

/// A statement without its semicolon swallowed the commands that were typed behind it.
struct ForgottenEndTests {
  @Test(arguments: [
    ("SELECT title FROM Trip", "pending"), ("SELECT title FROM Trip", "rows Person"),
    ("SELECT title FROM Trip", "  pending --all"), ("SELECT title FROM Trip", "trace Entry/p9"),
    ("SELECT title FROM Trip WHERE a = 'b'", "history"), ("SELECT COUNT(*) FROM Trip t", "settings"),
    ("SELECT max(a)", "records"), ("SELECT * FROM", "help"), ("SELECT", "QUIT"),
  ]) func aCommandIsNoPartOfAStatement(_ statement: String, _ line: String) {
    #expect(ForgottenEnd.isCommand(line, after: statement))
  }

  /// Views are called like commands, and some words are SQL's.
  @Test(arguments: [
    ("SELECT * FROM", "records"), ("SELECT * FROM changes,", "pending"), ("SELECT a +", "size"),
    ("SELECT * FROM changes JOIN", "records ON 1"), ("SELECT * FROM changes c WHERE", "history = 1"),
    ("SELECT * FROM Trip", "limit 5"), ("SELECT * FROM Trip", "LIMIT 5"),
    ("SELECT * FROM changes", "history WHERE 1"), ("SELECT title", "FROM Trip"), ("SELECT a", ", b"),
    ("SELECT *", "records"), ("SELECT 1", ""), ("SELECT 1", "pending\nrows Trip"),
    ("SELECT (SELECT a FROM", "events)"),
  ]) func whatMayBeSQLStays(_ statement: String, _ line: String) {
    #expect(!ForgottenEnd.isCommand(line, after: statement))
  }
}
