import SQLite
import TestSupport
import Testing

/// What `rows` takes as conditions and columns.
final class RowsAnswerTests: DemoSuite {
  /// Short dates leave out the year that it is.
  private static let environment = ["COLUMNS": "80", "SOURCE_DATE_EPOCH": "1795000000"]

  private func rows(_ words: [String], width: Int = 80) throws -> Tool.Result {
    var environment = Self.environment
    environment["COLUMNS"] = String(width)
    return try demo.run(["rows"] + words, environment: environment)
  }

  @Test(
    arguments: [
      ("title,weather.condition", "title,weather.condition", "Arrival,rain"),
      ("WEATHER.condition", "weather.condition", "rain"), ("weather.hourly[1]", "weather.hourly[1]", "14"),
      ("weather.nothing", nil, "can't"), ("title,tags", "title,tags", "Arrival,\"[\"\"x-coredata:"),
    ] as [(String, String?, String)]) func partsHaveColumns(
      _ columns: String, _ heading: String?, _ first: String
    ) throws
  {
    let result = try rows(["Entry", "--columns", columns, "--format", "csv"])
    guard let heading else {
      result.expectRefused("weather.nothing")
      return
    }
    result.expectDone()
    let lines = result.output.split(separator: "\n")
    #expect(lines[0] == heading && lines[1].hasPrefix(first), "\(result.output)")
  }

  /// SQLite took them for NULL, and nothing was found without a word.
  @Test(arguments: ["budget > :min", "budget > ?", "budget > $min"])
  func placeholdersAreRefused(_ condition: String) throws {
    let result = try rows(["Trip", "--where", condition, "--format", "csv"])
    #expect(
      result.status != 0 && result.errors.contains("stands for a value, and has none"), "\(result.errors)")
  }

  /// `--where` took what a to-one relationship leads to; `--columns` and `--sort` refused it.
  @Test(
    arguments: [
      ("Entry", "title,trip.title", "trip.title", "title,trip.title\n"),
      ("Entry", "TRIP.Budget", "-trip.budget,title", "trip.budget\n"),
      ("Entry", "title,trip.weather", "title", nil),
      ("Tag", "name,parent.parent", "parent.name", "name,parent.parent\n"),
      ("Entry", "trip.mapStyle.scheme,trip.pk", "trip.pk", "trip.mapStyle.scheme,trip.pk\n"),
      ("Entry", "trip.nothing", "title", nil), ("Entry", "title", "trip.entries", nil),
    ] as [(String, String, String, String?)])
  func columnsFollowRelationships(
    _ entity: String, _ columns: String, _ order: String, _ heading: String?
  ) throws {
    let result = try rows([entity, "--columns", columns, "--sort=\(order)", "--format", "csv"])
    guard let heading else { return #expect(result.status == 2, "\(result.output)") }
    result.expectDone()
    #expect(result.output.hasPrefix(heading), "\(result.output)")
  }

  /// What subqueries over the tables read is what a join of the views has.
  @Test func relatedColumnsAreThoseOfAJoin() throws {
    let mine = try rows([
      "Entry", "--columns", "title,trip.title,trip.budget", "--sort", "trip.budget,title", "--format", "csv",
    ])
    let sql = """
      SELECT e.title, t.title AS "trip.title", t.budget AS "trip.budget" FROM Entry e LEFT JOIN Trip t ON t.pk = e.trip
      ORDER BY t.budget IS NULL, t.budget, e.title COLLATE NOCASE
      """
    let joined = try demo.run("query", sql, "--format", "csv", environment: Self.environment)
    #expect(mine.output == joined.output)
    #expect(mine.output.contains("1312.4"))
  }

  /// `--columns` and `--sort` took dotted names, and `--where` refused them.
  @Test(arguments: [
    ("Entry", "weather.condition = 'rain'", "Arrival"),
    ("Entry", "Entry.weather.condition = 'rain'", "Arrival"),
    ("Entry", "weather.hourly[1] = 14", "Arrival"),
    ("Trip", "mapStyle.scheme = 'terrain'", "Spring in Lisbon"),
    ("Trip", "companions[0] = 'Ada'", "Spring in Lisbon"),
    ("Entry", "trip.title LIKE 'Spring%' AND title = 'Arrival'", "Arrival"),
    ("Entry", "title = 'Arrival' AND trip.startDate = '2026-03-20'", "Arrival"),
    ("Entry", "title = 'Arrival' AND trip.mapStyle.scheme = 'terrain'", "Arrival"),
    // Values that are stored in another way than they are written.
    ("Entry", "trip.isArchived = true", "Miradouro"),
    ("Entry", "title = 'Arrival' AND trip.identifier = '0b6e8a52-3c1d-4b7f-8e25-6a4d9f01c3e7'", "Arrival"),
    // What a condition means without them doesn't change.
    ("Trip", "Trip.title = 'Spring in Lisbon'", "Spring in Lisbon"),
  ]) func dottedNamesAreConditions(_ entity: String, _ condition: String, _ title: String) throws {
    try rows([entity, "--where", condition, "--columns", "title", "--format", "csv"])
      .expectDone().expectOutput(title)
  }

  /// Both views have a column of each name in it.
  @Test func aPathThroughTheSameEntityIsItsParents() throws {
    let words = ["--columns", "name", "--format", "csv"]
    let paths = try rows(["Tag", "--where", "parent.name IS NOT NULL"] + words)
    #expect(try paths.output == rows(["Tag", "--where", "parent IS NOT NULL"] + words).output)
    #expect(paths.output.split(separator: "\n").count > 1)
    try rows(["Tag", "--where", "parent.nme = 'x'"]).expectRefused("Did you mean 'name'?")
  }

  @Test func statementsHavePartsOfComposites() throws {
    let sql = "SELECT weather.condition FROM Entry e WHERE e.weather.condition = 'rain'"
    try demo.run("query", sql, "--format", "csv", environment: Self.environment).expectDone().expectOutput(
      begins: "weather.condition\nrain\n")
  }

  /// An entity of that name was offered, which doesn't exist.
  @Test func aWordBehindTheStoreIsSearched() throws {
    try Tool.run([demo.path, "Lisbon"]).expectRefused(status: 64, "'storescope search \(demo.path) Lisbon'")
  }

  @Test func decodedMembersHaveColumns() throws {
    let words = ["Trip", "--columns", "mapstyle.scheme,companions[0],mapStyle.layers[1],mapStyle.none"]
    let result = try rows(words + ["--format", "ndjson"]).expectDone()
    #expect(
      result.output.split(separator: "\n").first
        == "{\"mapStyle.scheme\":\"terrain\",\"companions[0]\":\"Ada\",\"mapStyle.layers[1]\":\"water\",\"mapStyle.none\":null}"
    )
  }

  @Test func anAsteriskIsAllColumns() throws {
    let result = try rows(["Person", "--columns", "*", "--format", "csv"])
    #expect(result.output.hasPrefix("uri,pk,entity,birthday,email,name,friends,trips\n"))
    let table = try rows(["Person", "--columns", "*"]).expectDone()
    #expect(table.output.contains("friends  Person/p2, Person/p4") && !table.output.contains("Not shown"))
  }

  @Test(arguments: ["date,desc", "date desc", "-date", "date:DESC", "+date,desc"])
  func sortIsUnderstood(_ order: String) throws {
    let words = ["Entry", "--columns", "date", "--format", "csv", "-n", "1"]
    #expect(try rows(words + ["--sort=\(order)"]).output.contains("2026-04-16T06:20:00"))
  }

  /// On a terminal of 80 columns, other properties were shown in their place.
  @Test(arguments: [
    ("--where", "isArchived = 0", "isArchived"), ("--where", "thumbnail IS NOT NULL", "thumbnail"),
    ("--sort", "wordCount", "wordCount"), ("--where", "[weather.condition] = 'rain'", "weather"),
  ]) func whatIsAskedForStays(_ option: String, _ value: String, _ column: String) throws {
    let entity = value.contains("isArchived") ? "Trip" : "Entry"
    let result = try rows([entity, option, value])
    let lines = result.output.split(separator: "\n")
    #expect(lines[1].contains(column) && result.output.contains("Not shown"), "\(result.output)")
  }

  @Test(arguments: [("entries", "Entry"), ("Trips", "Trip"), ("Cities", "City"), ("persons", "Person")])
  func aPluralIsCorrected(_ plural: String, _ entity: String) throws {
    try rows([plural]).expectRefused("Did you mean '\(entity)'?")
  }

  @Test(arguments: [["--columns", "wea"], ["--sort", "word"]])
  func theBeginningOfANameIsCorrected(_ words: [String]) throws {
    let name = words[1] == "wea" ? "weather" : "wordCount"
    try rows(["Entry"] + words).expectRefused("Did you mean '\(name)'?")
  }

  /// "Did you mean 'landmarks'?" was the answer to `landmarks`, which only a sub-entity has.
  @Test func toManyRelationshipsOfSubentitiesHaveNoOrder() throws {
    let result = try rows(["Place", "--sort", "landmarks"])
    #expect(result.status == 2 && result.errors.contains("FROM City_landmarks WHERE source = pk"))
  }

  @Test func anUnknownEntityIsAnsweredWithThoseThereAre() throws {
    try rows(["nothing"]).expectRefused("Entities: Attachment, Entry, ")
  }

  @Test func anEmptyConditionIsNone() throws {
    try rows(["Trip", "--where", " "]).expectRefused(status: 64, "'--where' is empty")
  }

  /// An empty line looked like an empty text.
  @Test func showPrintsNull() throws {
    let result = try demo.run("show", "Trip/p2", environment: Self.environment)
    #expect(result.output.contains(/\ncover +NULL\n/), "\(result.output)")
  }
}
