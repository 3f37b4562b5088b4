import Testing

@testable import Shell

/// People ask an entity without a command's name, as in SQL or in speech.
struct EntityQuestionTests {
  @Test(arguments: [
    ("Trip where rating > 3", ["rows", "Trip", "--where", "rating > 3"]),
    ("rows trip WHERE title = 'a|b'", ["rows", "Trip", "--where", "title = 'a|b'"]),
    // As a statement it had no quotes around values, and dotted names had no meaning.
    (
      "Trip where place.name = Rome order by place.name desc, title limit 3",
      ["rows", "Trip", "--where", "place.name = Rome", "--sort", "-place.name,title", "--limit", "3"]
    ),
    ("Trip where rating > 3 order by title;", ["rows", "Trip", "--where", "rating > 3", "--sort", "title"]),
    (
      "Trip where rating > 3 order by length(title)",
      ["query", "SELECT * FROM \"Trip\" WHERE rating > 3 order by length(title)"]
    ),
    ("from Trip", ["query", "SELECT * FROM \"Trip\""]),
    ("from trip limit 2", ["query", "SELECT * FROM \"Trip\" limit 2"]),
    ("from Trip select title where a > 1", ["query", "SELECT title FROM \"Trip\" where a > 1"]),
    ("Trip order by title", ["query", "SELECT * FROM \"Trip\" order by title"]),
    ("Trip limit 2", ["query", "SELECT * FROM \"Trip\" limit 2"]),
    ("count Trip", ["query", "SELECT COUNT(*) FROM \"Trip\""]),
    ("count(trip)", ["query", "SELECT COUNT(*) FROM \"Trip\""]),
    // Options were a part of the condition.
    ("Trip where a > 1 --limit 1", ["rows", "Trip", "--where", "a > 1", "--limit", "1"]),
    ("Trip where a > 1 -n 1", ["rows", "Trip", "--where", "a > 1", "-n", "1"]),
    ("Trip where a > -1", ["rows", "Trip", "--where", "a > -1"]),
    (
      "Trip where a > 1 --columns 'title,a b' --reverse",
      ["rows", "Trip", "--where", "a > 1", "--columns", "title,a b", "--reverse"]
    ),
  ]) func isUnderstood(_ line: String, _ words: [String]) throws {
    #expect(try EntityQuestion(line, among: ["Trip"])?.words == words)
  }

  /// A '>' is a condition's own unless only a path can follow it.
  @Test(
    arguments: [
      ("Trip where a > 1 | head -3", "a > 1", .program("head -3")),
      ("Trip where a > 1 > out.csv", "a > 1", .file("out.csv", appends: false)),
      ("Trip where a > 1 >> /tmp/out", "a > 1", .file("/tmp/out", appends: true)),
      ("count Trip > n.csv", "SELECT COUNT(*) FROM \"Trip\"", .file("n.csv", appends: false)),
      ("count(Trip) | cat", "SELECT COUNT(*) FROM \"Trip\"", .program("cat")),
      ("Trip where a = 'x | y' | sort", "a = 'x | y'", .program("sort")),
      ("Trip where a || b = 'xy'", "a || b = 'xy'", nil),
      ("Trip where a > b", "a > b", nil), ("Trip where a > 3.5", "a > 3.5", nil),
      ("Trip where a > '2026-01-01'", "a > '2026-01-01'", nil),
      ("Trip where a > 'x/y.z'", "a > 'x/y.z'", nil),
      ("Trip where a > 2026/01/01", "a > 2026/01/01", nil), ("Trip where a>b.c", "a>b.c", nil),
      // A file of that name was replaced.
      ("Trip where endDate > Trip.startDate", "endDate > Trip.startDate", nil),
      ("Trip where a > cost/2", "a > cost/2", nil),
    ] as [(String, String, Redirection?)]) func endsWhereItsResultGoes(
      _ line: String, _ condition: String, _ target: Redirection?
    ) throws
  {
    let question = try #require(try EntityQuestion(line, among: ["Trip"]))
    #expect(question.words.last == condition)
    #expect(question.target == target)
  }

  @Test(arguments: [
    "Trip", "Trip where", "Other where a = 1", "from Other", "fromTrip", "show Trip where",
    "rows Trip --where x", "count Trip > 5",
  ]) func othersAreNot(_ line: String) throws {
    #expect(try EntityQuestion(line, among: ["Trip"]) == nil)
  }

  @Test func isShownAsItIsTyped() throws {
    #expect(
      try EntityQuestion("trip where a = 'b'", among: ["Trip"])?.meant == "rows Trip --where \"a = 'b'\"")
  }
}
