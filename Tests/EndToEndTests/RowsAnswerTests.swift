import Forge
import SQLite
import TestSupport
import Testing

/// First tries at `rows`: each is answered, or corrected with a command that works.
struct RowsAnswerTests {
  private let demo: Demo

  init() throws { demo = try Demo() }

  /// Short dates leave out the year that it is.
  private static let environment = ["COLUMNS": "80", "SOURCE_DATE_EPOCH": "1795000000"]

  private func rows(_ words: [String], width: Int = 80) throws -> Tool.Result {
    var environment = Self.environment
    environment["COLUMNS"] = String(width)
    return try Tool.run(["rows", demo.path] + words, environment: environment)
  }

  struct Try: Sendable, CustomTestStringConvertible {
    var words: [String]
    /// What the command in the answer ends with.
    var command: String
    var testDescription: String { words.joined(separator: " ") }

    init(_ words: String..., command: String) { (self.words, self.command) = (words, command) }
  }

  /// "Unexpected argument 'where'" left people with nothing that works.
  @Test(arguments: [
    Try("Entry", "where", "rating=5", command: "Entry --where \"rating = 5\""),
    Try("Entry", "where", "rating", ">", "4", command: "--where \"rating > 4\""),
    Try("Entry", "rating=5", command: "--where \"rating = 5\""),
    Try(
      "Entry", "where", "title", "=", "Arrival", "and", "rating", ">", "3",
      command: "--where \"title = 'Arrival' AND rating > 3\""),
    Try("Entry", "where title = Rock and Roll", command: "--where \"title = 'Rock and Roll'\""),
    // A shell would put its own value there.
    Try("Entry", "where title = $HOME", command: "--where 'title = '\\''$HOME'\\'''"),
    // NOT became a part of a text.
    Try("Entry", "where", "title", "is", "not", "null", command: "--where \"title IS NOT NULL\""),
    Try("Entry", "where title is not Arrival", command: "--where \"title <> 'Arrival'\""),
    Try("Entry", "where title IS NULL", command: "--where \"title IS NULL\""),
    Try("Entry", "title", "rating", command: "--columns title,rating"),
    Try("Entry", "title,rating", command: "--columns title,rating"),
    Try("Entry", "title", "condition", command: "--columns title,weather.condition"),
    Try("Entry", "tittle", command: "--columns title"), Try("Entry.title", command: "Entry --columns title"),
    Try("Entry", "--columns", "title", "rating", command: "--columns title,rating"),
    Try("Entry", "order", "by", "date", "desc", command: "--sort -date"),
    Try("Entry", "--sort", "date", "desc", command: "--sort -date"),
    Try("Entry", "--sort", "date", "desc", "limit", "2", command: "--sort -date --limit 2"),
    Try("Entry", "--where", "title", "beginswith", "Tram", command: "--where \"title LIKE 'Tram%'\""),
    Try("Entry", "where", "title", "beginswith", "Tram", command: "--where \"title LIKE 'Tram%'\""),
    Try(
      "Entry", "where", "rating", ">", "4", "order", "by", "date", "limit", "3",
      command: "--where \"rating > 4\" --sort date --limit 3"),
    Try("Entry", "--columns", "title,", "rating", command: "--columns title,rating"),
    Try("Trip", "--columns", "title", "where", "isArchived", command: "--where isArchived"),
    Try("Trip order by title", command: "Trip --sort title"),
    Try("select * from Trip", command: "\"select * from Trip\""),
    // The options that were typed were lost.
    Try("Entry", "--where", "title", "=", "Arrival", command: "--where \"title = 'Arrival'\""),
    Try(
      "Entry", "title", "--where", "rating > 4", "--format", "csv",
      command: "--where \"rating > 4\" --format csv --columns title"),
    // These are asked with SQL.
    Try("Entry", "--columns", "ZTITLE,rating", command: "--columns title,rating"),
    Try("Entry", "--where", "title BEGINSWITH[c] 'Tram'", command: "--where \"title LIKE 'Tram%'\""),
    Try("Entry", "--where", "title ENDSWITH '28'", command: "--where \"title LIKE '%28'\""),
    Try("Entry", "--where", "title CONTAINS[cd] \"ram\"", command: "--where \"title LIKE '%ram%'\""),
    Try("Entry", "--where", "title LIKE[c] 'Tr*8'", command: "--where \"title LIKE 'Tr%8'\""),
    Try(
      "Entry", "--where", "ANY tags.name = 'food'",
      command:
        "--where \"pk IN (SELECT source FROM Entry_tags WHERE target IN (SELECT pk FROM Tag WHERE name = 'food'))\""
    ),
    Try(
      "Trip", "--where", "count(entries) > 3",
      command: "--where \"(SELECT COUNT(*) FROM Trip_entries WHERE source = pk) > 3\""),
    Try(
      "Trip", "--where", "budget > 400 || mood = 'relaxed'",
      command: "--where \"budget > 400 OR mood = 'relaxed'\""),
    Try(
      "Trip", "--where", "budget > 400 || isArchived == YES",
      command: "--where \"budget > 400 OR isArchived == 1\""),
    // LIKE's own signs in a value found more than begins with it.
    Try(
      "Trip", "--where", "title BEGINSWITH '50%_'", command: "--where \"title LIKE '50^%^_%' ESCAPE '^'\""),
    // What stands in quotes isn't a word of the condition.
    Try(
      "Trip", "--where", "title = 'ANY x ILIKE y && count(z)' && mood ILIKE 'x'",
      command: "--where \"title = 'ANY x ILIKE y && count(z)' AND mood LIKE 'x'\""),
    Try(
      "Trip", "--where", "title LIKE 'a => ZTITLE%' AND ZBUDGET > 1",
      command: "--where \"title LIKE 'a => ZTITLE%' AND budget > 1\""),
    Try(
      "Trip", "--where", "title IN {'O''Brien', \"It's\"}",
      command: "--where \"title IN ('O''Brien', 'It''s')\""),
    // A word of NSPredicate's in a value is the value's.
    Try("Trip", "--where", "title = Some Day", command: "--where \"title = 'Some Day'\""),
    Try("Entry", "--where", "ZRATING > 4", command: "--where \"rating > 4\""),
    Try(
      "Entry", "--where", "title NOT IN (\"Arrival\", \"Tram 28\") AND rating > 2",
      command: "--where \"title NOT IN ('Arrival', 'Tram 28') AND rating > 2\""),
    Try(
      "Entry", "--where", "tags IN ('food', 'art')",
      command:
        "--where \"pk IN (SELECT source FROM Entry_tags WHERE target IN (SELECT pk FROM Tag WHERE name IN ('food', 'art')))\""
    ),
    Try(
      "Trip", "--columns", "title,participants.name",
      command:
        "\"SELECT a.title, b.name FROM Trip a JOIN Trip_participants l ON l.source = a.pk JOIN Person b ON b.pk = l.target\""
    ),
    Try(
      "Entry", "--sort", "tags",
      command:
        "\"SELECT pk, title, (SELECT COUNT(*) FROM Entry_tags WHERE source = pk) AS count FROM Entry ORDER BY count DESC\""
    ),
    Try(
      "Trip", "--sort", "mapStyle.scheme",
      command:
        "'SELECT pk, title, blob_json(mapStyle) ->> '\\''$.scheme'\\'' AS value FROM Trip ORDER BY value DESC'"
    ),
  ]) func theCommandInTheAnswerWorks(_ example: Try) throws {
    let result = try rows(example.words)
    #expect(result.status == 64 || result.status == 2)
    let quoted = result.errors.firstMatch(of: /'(storescope (?:rows|query) .+)'(?:\?|\.| adds)/)?.1
    // A command with quotes of its own stands on a line below.
    let listed = result.errors.firstMatch(of: /\n +(storescope query .+)/)?.1
    // Or in no quotes but its own.
    let bare = result.errors.firstMatch(of: /Did you mean (storescope (?:rows|query) .+)\?/)?.1
    let command = try #require(quoted ?? listed ?? bare, "\(result.errors)")
    #expect(command.hasSuffix(example.command), "\(command)")
    let again = try Tool.run(
      "/bin/sh", ["-c", "storescope() { \"\(Tool.path)\" \"$@\"; }\n\(command)"],
      environment: Self.environment)
    again.expectDone("\(command)")
  }

  @Test func aNegationIsNoText() throws {
    let result = try rows(["Entry", "where title = not null"])
    #expect(result.status == 64 && !result.errors.contains("'not null'"), "\(result.errors)")
  }

  /// The explanation has stored values in it, which reached the terminal as they are.
  @Test(arguments: ["table", "vertical", "markdown"]) func anExplanationIsHarmless(_ format: String) throws {
    let folder = try TemporaryFolder("explained")
    let forge = try StoreForge(path: folder.path("a.store"), model: FixtureModels.library)
    try forge.save(author: "app") { save in
      for text in ["kind\u{1B}[31m of", "short", String(repeating: "long ", count: 300)] {
        _ = try save.insert("Book", ["title": .text(text)])
      }
    }
    try forge.close()
    let result = try Tool.run(
      ["rows", forge.path, "Book", "--where", "title = 'kind'", "--format", format])
    result.expectDone()
    #expect(result.output.contains("31m of"), "\(result.output)")
    #expect(!result.output.unicodeScalars.contains("\u{1B}"))
    // A list without those that are too long to be looked at would be wrong.
    let other = try Tool.run(["rows", forge.path, "Book", "--where", "title = 'xyzxyz'"])
    #expect(other.output.contains("(no objects)"), "\(other.output)")
  }

  /// A condition that SQL can't read, and the one that was meant.
  @Test(arguments: [
    ("Trip", "title = Spring in Lisbon", "title = 'Spring in Lisbon'"),
    ("Trip", "title=Lisbon", "title = 'Lisbon'"), ("Trip", "title like %Lisbon%", "title LIKE '%Lisbon%'"),
    ("Trip", "title like Spring*", "title LIKE 'Spring%'"),
    ("Trip", "title like Spring", "title LIKE '%Spring%'"),
    ("Trip", "title contains Lisbon", "title LIKE '%Lisbon%'"),
    ("Trip", "budget > 1,000", "budget > 1000"), ("Trip", "budget > €1000", "budget > 1000"),
    ("Landmark", "isFree = yes", "isFree = 1"), ("City", "country = \"Japan\"", "country = 'Japan'"),
    ("City", "country in (Japan, Sweden)", "country IN ('Japan', 'Sweden')"),
    ("Entry", "condition = 'rain'", "[weather.condition] = 'rain'"),
    ("Entry", "weather.condition=rain", "[weather.condition] = 'rain'"),
    ("Trip", "startDate = 'March 20'", "date(startDate) = '2026-03-20'"),
    ("Trip", "startDate > '20.03.2026'", "startDate > '2026-03-20'"),
    ("Trip", "entries > 3", "(SELECT COUNT(*) FROM Trip_entries WHERE source = pk) > 3"),
    ("Trip", "entries.@count > 3", "(SELECT COUNT(*) FROM Trip_entries WHERE source = pk) > 3"),
    (
      "Entry", "tags.name = 'food'",
      "pk IN (SELECT source FROM Entry_tags WHERE target IN (SELECT pk FROM Tag WHERE name = 'food'))"
    ),
    (
      "Entry", "tags = 'coffee'",
      "pk IN (SELECT source FROM Entry_tags WHERE target IN (SELECT pk FROM Tag WHERE name = 'coffee'))"
    ),
    (
      "Entry", "'coffee' IN tags",
      "pk IN (SELECT source FROM Entry_tags WHERE target IN (SELECT pk FROM Tag WHERE name = 'coffee'))"
    ),
    ("Trip", "participants IS NULL", "(SELECT COUNT(*) FROM Trip_participants WHERE source = pk) = 0"),
    ("Trip", "participants is not null", "(SELECT COUNT(*) FROM Trip_participants WHERE source = pk) > 0"),
    ("Entry", "trip.title = Spring in Lisbon", "trip.title = 'Spring in Lisbon'"),
    ("Trip", "mapStyle.scheme = terrain", "mapStyle.scheme = 'terrain'"),
    // What was copied from a mail, or written as in other languages.
    ("Entry", "rating => 4", "rating >= 4"), ("Entry", "title = “Arrival”", "title = 'Arrival'"),
    ("Entry", "title = ‘Tram 28’", "title = 'Tram 28'"), ("Entry", "title = `Arrival`", "title = 'Arrival'"),
    ("Entry", "title IN 'Arrival'", "title = 'Arrival'"), ("Trip", "Z_PK = 1", "pk = 1"),
    ("Entry", "title in (\"Arrival\",\"Salt\")", "title IN ('Arrival', 'Salt')"),
    ("Trip", "NOT (isArchived == YES)", "NOT (isArchived == 1)"),
    ("Trip", "NOT (title == nil)", "NOT (title IS NULL)"),
    // Only one relationship was followed, and a mistyped property was answered with its name alone.
    (
      "Entry", "ANY trip.participants.name = 'Mei Tanaka'",
      "trip IN (SELECT pk FROM Trip WHERE pk IN (SELECT source FROM Trip_participants WHERE target IN (SELECT pk FROM Person WHERE name = 'Mei Tanaka')))"
    ),
    (
      "Tag", "entries.trip.title = 'Spring in Lisbon'",
      "pk IN (SELECT source FROM Tag_entries WHERE target IN (SELECT pk FROM Entry WHERE trip IN (SELECT pk FROM Trip WHERE title = 'Spring in Lisbon')))"
    ),
    ("Entry", "word > 3", "wordCount > 3"),
    ("Trip", "titel = 'titel' OR budget > 5", "title = 'titel' OR budget > 5"),
    ("Entry", "weather.conditon = 'rain'", "[weather.condition] = 'rain'"),
    // These were answered with which forms there are.
    ("Entry", "title IN {'Arrival', \"Salt\"}", "title IN ('Arrival', 'Salt')"),
    (
      "Entry", "date BETWEEN {'2026-03-01', '2026-03-31'}", "date BETWEEN '2026-03-01' AND '2026-03-31'"
    ),
    ("Entry", "title MATCHES '.*ram.*'", "title LIKE '%ram%'"),
    ("Entry", "title MATCHES[c] 'tram.*'", "title LIKE 'tram%'"),
    ("Entry", "title ~ 'Tram'", "title LIKE '%Tram%'"), ("Entry", "title ~* '^tram'", "title LIKE 'tram%'"),
    ("Entry", "title ILIKE 'tram%'", "title LIKE 'tram%'"),
    ("Entry", "title REGEXP '28$'", "title LIKE '%28'"),
    (
      "Trip", "SUBQUERY(entries, $e, $e.wordCount > 10).@count > 0",
      "pk IN (SELECT source FROM Trip_entries WHERE target IN (SELECT pk FROM Entry WHERE wordCount > 10))"
    ),
    ("Entry", "tags = Tag/p7", "pk IN (SELECT source FROM Entry_tags WHERE target = 7)"),
  ]) func theConditionThatWasMeantWorks(_ entity: String, _ typed: String, _ meant: String) throws {
    let result = try rows([entity, "--where", typed])
    result.expectRefused("Did you mean 'storescope rows \(demo.path) \(entity) --where \"\(meant)\"'?")
    try rows([entity, "--where", meant]).expectDone()
  }

  /// "(no objects)" left open whether there are none, or the condition was wrong.
  @Test(arguments: [
    ("Trip", "companions LIKE '%Ada%'", "write blob_json(companions) LIKE '%Ada%'"),
    ("Trip", "companions = 'Ada'", "write blob_json(companions) LIKE '%Ada%'"),
    ("Entry", "title = 'arrival'", "write title = 'Arrival'"),
    ("Entry", "title = 'pasteis'", "write title = 'Pastéis'"),
    ("Entry", "title LIKE '%pasteis%'", "write title LIKE '%Pastéis%'"),
    ("Trip", "title = 'Lisbon'", "write title LIKE '%Lisbon%'"),
    ("Entry", "title = 'Tram 29'", "similar values of title: 'Tram 28'"),
    ("Trip", "mood = 'Curious'", "write mood = 'curious'"),
    ("Trip", "mood = 'happy'", "mood is one of 'grateful', 'curious', 'relaxed'"),
    ("Trip", "budget = '4,300'", "write budget = 4300"),
    ("Entry", "wordCount > 2 AND rating > 5", "rating is between 3.0 and 5.0"),
    ("Trip", "startDate > '2030-01-01'", "startDate is between 2026-03-20 and 2026-04-14"),
    ("Trip", "NOT budget > 0", "(no objects)"),
  ]) func anEmptyAnswerSaysWhatThereIs(_ entity: String, _ condition: String, _ reason: String) throws {
    let result = try rows([entity, "--where", condition], width: 1000)
    result.expectDone()
    #expect(result.output.contains(reason), "\(result.output)")
    if let meant = reason.firstMatch(of: /write (.+)/)?.1 {
      let again = try rows([entity, "--where", String(meant)])
      again.expectDone()
      #expect(!again.output.contains("(no objects"), "\(again.output)")
    }
    for line in try rows([entity, "--where", condition]).output.split(separator: "\n") {
      #expect(line.count <= 80, "\(line)")
    }
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
    guard let heading else { return result.expectRefused("weather.nothing") }
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

  /// Of a Decimal that is kept as whole numbers too, only the others counted.
  @Test func theRangeOfNumbersHasAllOfThem() throws {
    #expect(try rows(["Trip", "--where", "budget > 99999"]).output.contains("between 310.75 and 4300"))
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

  /// Without a model a relationship is a column of numbers, and there was no way through it.
  @Test(
    .enabled(if: RealStores.arePresent),
    arguments: [
      (
        "Ingredient", "recipe.name = 'Chocolate Cake'",
        "recipe IN (SELECT pk FROM Recipe WHERE name = 'Chocolate Cake')"
      ),
      ("Recipe", "type.name LIKE 'D%'", "type IN (SELECT pk FROM RecipeType WHERE name LIKE 'D%')"),
      ("Recipe", "type = 'RecipeType/p5'", "write type = 5"),
    ]) func guessedKeysLeadToTheirEntities(_ entity: String, _ condition: String, _ meant: String) throws
  {
    let (folder, path) = try RealStores.copy("MagicalRecord/Recipes.sqlite")
    let result = try withExtendedLifetime(folder) {
      try Tool.run(["rows", path, entity, "--where", condition], environment: Self.environment)
    }
    #expect((result.output + result.errors).contains(meant), "\(result.errors)")
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
    let joined = try Tool.run(["query", demo.path, sql, "--format", "csv"], environment: Self.environment)
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
    ("Entry", "trip.isArchived = 'true'", "Miradouro"),
    ("Entry", "title = 'Arrival' AND trip.identifier = '0b6e8a52-3c1d-4b7f-8e25-6a4d9f01c3e7'", "Arrival"),
    // What a condition means without them doesn't change.
    ("Trip", "Trip.title = 'Spring in Lisbon'", "Spring in Lisbon"),
    ("Trip", "WHERE budget > 1000;", "Spring in Lisbon"),
  ]) func dottedNamesAreConditions(_ entity: String, _ condition: String, _ title: String) throws {
    let result = try rows([entity, "--where", condition, "--columns", "title", "--format", "csv"])
    result.expectDone()
    #expect(result.output.contains(title), "\(result.output)\(result.errors)")
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
    let result = try Tool.run(["query", demo.path, sql, "--format", "csv"], environment: Self.environment)
    result.expectDone()
    #expect(result.output.hasPrefix("weather.condition\nrain\n"), "\(result.output)")
  }

  /// That day's entries were left out without a word.
  @Test(arguments: [
    ("date <= '2026-03-20'", "write date(date) <= '2026-03-20' to include them"),
    ("date > '2026-03-20'", "write date(date) > '2026-03-20' to leave them out"),
    (
      "date BETWEEN '2026-03-01' AND '2026-03-20'",
      "write date(date) BETWEEN '2026-03-01' AND '2026-03-20' to include them"
    ),
  ]) func aDayAsAnEndIsNoted(_ condition: String, _ note: String) throws {
    let result = try rows(["Entry", "--where", condition])
    #expect(result.status == 0)
    #expect(result.errors.contains(note) && !result.output.contains("is between"), "\(result.errors)")
    let later = try rows(["Entry", "--where", "date <= '2026-03-19'"])
    #expect(later.errors.isEmpty && later.output.contains("date is between 2026-03-20"))
  }

  /// SQLite's text of 34.967123… ended earlier, and the typed number seemed to be in between.
  @Test func boundsHaveAllTheirDigits() throws {
    let low = try Tool.run([
      "query", demo.path, "SELECT printf('%!.17g', MIN(latitude)) FROM Place", "--format", "csv",
    ])
    let digits = try #require(low.output.split(separator: "\n").last.flatMap { Double($0) })
    let result = try rows(["Place", "--where", "latitude = -1"], width: 1000)
    #expect(result.output.contains("latitude is between \(digits) and "), "\(result.output)")
  }

  /// "budget is between 1312.4 and 4300.0" was all that was said of a text.
  @Test func aTextForANumberIsAnsweredWithWhatItHolds() throws {
    let words = ["rows", demo.path, "Trip", "--where", "budget = 'much'"]
    #expect(try Tool.run(words).output.contains("budget holds numbers, "))
    let other = try Demo(leaving: .nothing)
    try Connection(path: other.path, options: .readWrite()).execute("DROP TABLE Z_MODELCACHE")
    let result = try Tool.run(
      ["rows", other.path, "Trip", "--where", "budget = 'much'"], environment: ["COLUMNS": "1000"])
    #expect(result.output.contains("its name is guessed from the tables"), "\(result.output)")
  }

  @Test func aPlainExpressionIsAPattern() throws {
    try rows(["Entry", "--where", "title REGEXP 'Tr.*8$'"]).expectRefused("--where \"title LIKE '%Tr%8'\"'?")
  }

  /// An entity of that name was offered, which doesn't exist.
  @Test func aWordBehindTheStoreIsSearched() throws {
    try Tool.run([demo.path, "Lisbon"]).expectRefused(status: 64, "'storescope search \(demo.path) Lisbon'")
  }

  @Test func severalConditionsWithoutQuotesAreUnderstood() throws {
    let words = ["Trip", "--columns", "title", "--where", "budget > 1000 and title like %Lisbon%"]
    try rows(words).expectRefused("--columns title --where \"budget > 1000 AND title LIKE '%Lisbon%'\"'?")
  }

  @Test func clausesBehindAConditionAreOptions() throws {
    try rows(["Entry", "--where", "rating > 4 order by date desc limit 2"])
      .expectRefused("Entry --where \"rating > 4\" --sort -date --limit 2'?")
  }

  /// In the shell an entity's name alone lists its objects.
  @Test func propertiesOfNoObjectAreColumns() throws {
    let result = try Tool.run(["show", demo.path, "Entry title rating"], environment: Self.environment)
    result.expectRefused("rows \(demo.path) Entry --columns title,rating'?")
  }

  /// It left out the program and the store.
  @Test func aConditionThatIsSearchedIsAnsweredWithACommand() throws {
    let result = try Tool.run(["search", demo.path, "rating > 4"], environment: ["COLUMNS": "1000"])
    #expect(
      result.output.contains("\nThese objects: storescope rows \(demo.path) Entry --where \"rating > 4\"\n"))
  }

  /// Only an app knows which word its numbers stand for.
  @Test func aWordForANumberIsAnsweredWithTheNumbers() throws {
    try rows(["Entry", "--where", "wordCount = many"]).expectRefused(
      "wordCount holds numbers: 4, 6, 7, 8, 13.")
  }

  @Test func aYearWithoutQuotesIsNoDate() throws {
    let result = try rows(["Trip", "--where", "startDate > 2027", "--columns", "title"])
    #expect(
      result.status == 0
        && result.errors.contains("2027 stands for the beginning of the year here, '2027-01-01'"))
    // "1990 stands for seconds since 2001" was said of an answer that took it for the year.
    let before = try rows(["Person", "--where", "birthday < 1990", "--columns", "name"])
    #expect(before.output.contains("Ada") && before.errors.isEmpty)
  }

  @Test func decodedMembersHaveColumns() throws {
    let words = ["Trip", "--columns", "mapstyle.scheme,companions[0],mapStyle.layers[1],mapStyle.none"]
    let result = try rows(words + ["--format", "ndjson"])
    result.expectDone()
    #expect(
      result.output.split(separator: "\n").first
        == "{\"mapStyle.scheme\":\"terrain\",\"companions[0]\":\"Ada\",\"mapStyle.layers[1]\":\"water\",\"mapStyle.none\":null}"
    )
  }

  @Test func anAsteriskIsAllColumns() throws {
    let result = try rows(["Person", "--columns", "*", "--format", "csv"])
    #expect(result.output.hasPrefix("uri,pk,entity,birthday,email,name,friends,trips\n"))
    let table = try rows(["Person", "--columns", "*"])
    table.expectDone()
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
    try rows([plural]).expectRefused("Did you mean 'storescope rows \(demo.path) \(entity)'?")
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
    let result = try Tool.run(["show", demo.path, "Trip/p2"], environment: Self.environment)
    #expect(result.output.contains(/\ncover +NULL\n/), "\(result.output)")
  }
}
