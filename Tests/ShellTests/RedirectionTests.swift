import Commands
import Testing

@testable import Shell

/// Where a result goes. What reaches a shell stands unquoted in the line itself, and nothing else does.
struct RedirectionTests {
  @Test(
    arguments: [
      ("rows Person", "rows Person", nil), ("rows Person | grep Ada", "rows Person ", .program("grep Ada")),
      ("rows Person|wc -l | cat", "rows Person", .program("wc -l | cat")),
      ("rows Person > 'a b'", "rows Person ", .file("a b", appends: false)),
      ("rows Person >>log", "rows Person ", .file("log", appends: true)),
      ("rows E --where \"a | b > 3\"", "rows E --where \"a | b > 3\"", nil),
      ("rows E --where 'it''s | x' > f", "rows E --where 'it''s | x' ", .file("f", appends: false)),
      ("rows E --where a||b='x'", "rows E --where a||b='x'", nil),
      ("rows E --where a>3", "rows E --where a>3", nil),
      ("rows E --where a\\|b", "rows E --where a\\|b", nil),
      ("rows \\\"a | wc", "rows \\\"a ", .program("wc")),
      ("rows E # | rm", "rows E # | rm", nil), ("", "", nil),
      ("rows E --where isDone > out.csv", "rows E --where isDone ", .file("out.csv", appends: false)),
      ("rows E --where name > ./Bo", "rows E --where name ", .file("./Bo", appends: false)),
      ("rows E > ./2026-03-01", "rows E ", .file("./2026-03-01", appends: false)),
      ("rows E > 'my file'", "rows E ", .file("my file", appends: false)),
    ] as [(String, String, Redirection?)])
  func isCut(_ line: String, _ command: String, _ target: Redirection?) throws {
    let split = try Redirection.split(line)
    #expect(split.command == command && split.target == target)
  }

  /// With its semicolon behind the program, a statement got "near "|": syntax error".
  @Test(
    arguments: [
      ("SELECT * FROM Trip | head -3;", "SELECT * FROM Trip ", .program("head -3")),
      (
        "SELECT name FROM Trip\n| grep 'a;' | wc -l ;", "SELECT name FROM Trip\n",
        .program("grep 'a;' | wc -l")
      ),
      ("SELECT 4 | 1;", "SELECT 4 | 1;", nil),
      ("SELECT 4 | head FROM Trip;", "SELECT 4 | head FROM Trip;", nil),
      ("SELECT * FROM Trip WHERE a | sort > 3;", "SELECT * FROM Trip WHERE a | sort > 3;", nil),
      ("SELECT '| head' FROM Trip;", "SELECT '| head' FROM Trip;", nil),
      ("SELECT * FROM Trip WHERE a | mask;", "SELECT * FROM Trip WHERE a | mask;", nil),
    ] as [(String, String, Redirection?)])
  func aStatementIsCut(_ typed: String, _ sql: String, _ target: Redirection?) {
    let split = Redirection.split(statement: typed)
    #expect(split.command == sql && split.target == target)
  }

  @Test(arguments: [
    "rows |", "rows | ", "rows >", "rows E --where a > 3", "rows > a b", "rows E --where a >= 3",
    // A condition typed without quotes replaced a file of that name, and printed nothing.
    "rows E --where birthday > '1990-01-01'", "rows E --where birthday > 1990-01-01", "rows E > 1990-01-01",
    "rows E --where name > Bo", "rows E --where name > 'Bo.b'", "rows E --where=name > \"Bo\"",
    "rows E --where name >> Bo",
  ])
  func halfOnesAreRefused(_ line: String) {
    #expect(throws: UsageError.self) { try Redirection.split(line) }
  }

  @Test func theConditionIsPutIntoQuotes() {
    let line = "rows Entry --where rating > 4 and title = \"Tram 28\" --columns title"
    let error = #expect(throws: UsageError.self) { try Redirection.split(line) }
    #expect(
      "\(error.map(String.init(describing:)) ?? "")".contains(
        "rows Entry --where \"rating > 4 and title = 'Tram 28'\" --columns title"))
  }

  /// Tab puts names from the store into the line: none may get behind an unquoted pipe.
  @Test(arguments: [
    "a|sh", "x >y", "a;b|c", "|rm", "'|\"|", "a\\|b", "& x", "$(rm)", "`rm`'", "a*?[b", "~a", "!a", "{a,b}",
    "a'$b",
  ]) func aNameIsQuoted(
    _ name: String
  ) throws {
    for quote in [nil, "'", "\""] as [Character?] {
      let typed = TypedWord.quoted(name, openQuote: quote, isWhole: true)
      let split = try Redirection.split("rows " + typed + " --exact")
      #expect(split.target == nil)
      #expect(try WordSplitter.split(split.command) == ["rows", name, "--exact"])
    }
  }
}
