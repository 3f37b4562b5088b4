import Testing

@testable import Shell

/// People ask an entity without a command's name, as in SQL or in speech.
struct EntityQuestionTests {
  @Test(arguments: [
    ("Trip where rating > 3", ["rows", "Trip", "--where", "rating > 3"]),
    ("rows trip WHERE title = 'a|b'", ["rows", "Trip", "--where", "title = 'a|b'"]),
    (
      "Trip where rating > 3 order by title",
      ["query", "SELECT * FROM \"Trip\" WHERE rating > 3 order by title"]
    ),
    ("from Trip", ["query", "SELECT * from Trip"]),
    ("from Trip limit 2", ["query", "SELECT * from Trip limit 2"]),
  ]) func isUnderstood(_ line: String, _ words: [String]) throws {
    #expect(try EntityQuestion(line, among: ["Trip"])?.words == words)
  }

  @Test(arguments: [
    "Trip", "Trip where", "Other where a = 1", "from Other", "fromTrip", "show Trip where",
    "rows Trip --where x",
  ]) func othersAreNot(_ line: String) throws {
    #expect(try EntityQuestion(line, among: ["Trip"]) == nil)
  }

  @Test func isShownAsItIsTyped() throws {
    #expect(
      try EntityQuestion("trip where a = 'b'", among: ["Trip"])?.meant == "rows Trip --where \"a = 'b'\"")
  }
}
