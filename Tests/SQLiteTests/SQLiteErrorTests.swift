import SQLite
import Testing

/// What people read of an error that nothing else explains.
struct SQLiteErrorTests {
  /// Generated SQL was shown, cut off, with its line ends as `\\n`.
  @Test(arguments: [
    ("SELECT Z_PK FROM main.\"ZTRIP\"\nWHERE Z_ENT IN (9)", "reading ZTRIP failed. "),
    ("SELECT * FROM Trip t join Person ON 1", "reading Trip and Person failed. "),
    (
      "SELECT 1 FROM (SELECT 2 FROM a JOIN b ON 1 JOIN c ON 1 JOIN d ON 1), a",
      "reading a, b and 2 more failed. "
    ),
    // What looks up more about a row stands first.
    (
      "SELECT a FROM (SELECT (SELECT b FROM z) FROM main.ACHANGE WHERE d = ')')",
      "reading ACHANGE and z failed. "
    ),
    ("PRAGMA quick_check", ""),
  ]) func whatWasReadIsNamed(_ sql: String, _ place: String) {
    let error = SQLiteError(code: 11, message: "database disk image is malformed", sql: sql)
    let report = "\(place)SQLite reports 'database disk image is malformed' (code 11)"
    #expect(
      "\(error.failure(reading: "a.store"))".hasPrefix("'a.store' is damaged: \(report); 'storescope doctor"))
    let busy = SQLiteError(code: 5, message: "database is locked", sql: sql)
    #expect("\(busy.failure(reading: "a.store"))".hasPrefix("can't read 'a.store': \(place)SQLite"))
  }
}
