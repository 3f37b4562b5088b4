import Forge
import Foundation
import SQLite
import TestSupport
import Testing

/// `search`, `size`, and finding an object by a value of it, as commands.
final class SearchCommandTests: DemoSuite {
  /// Short dates leave out the year that it is.
  private static let clock = ["SOURCE_DATE_EPOCH": "1795000000"]

  private func run(_ words: String...) throws -> Tool.Result {
    try demo.run(words, environment: Self.clock)
  }

  @Test func searchKeepsItsContract() throws {
    let json = try demo.json("search", "lisbon")
    #expect(json["schema"] as? String == "storescope/search/1")
    let matches = try json.list("matches")
    let trip = try #require(matches.first { $0["entity"] as? String == "Trip" })
    #expect(trip["uri"] as? String == "x-coredata://\(demo.uuid)/Trip/p1" && trip["pk"] as? Int == 1)
    #expect(trip["property"] as? String == "title" && trip["snippet"] as? String == "Spring in Lisbon")
    #expect(Set(matches.compactMap { $0["entity"] as? String }) == ["Attachment", "City", "Trip"])
    let city = try demo.json("search", "lisbon", "--entity", "Place", "--entity", "Tag")
    #expect((city["matches"] as? [[String: Any]])?.map { $0["entity"] as? String } == ["City"])
    for option in ["--exact", "--case-sensitive"] {
      let none = try demo.json("search", "lisbon", option)
      let expected = option == "--exact" ? 0 : 1
      #expect((none["matches"] as? [Any])?.count == expected)
    }
    #expect(
      try run("search", "lisbon", "--format", "ndjson", "-n", "2").output.split(separator: "\n").count == 2)
    try run("search", "spring", "in", "lisbon").expectOutput("Trip/p1")
  }

  struct Found: Sendable, CustomTestStringConvertible {
    var testDescription: String { words.joined(separator: " ") }
    var words: [String]
    /// `Entity/pN property`
    var matches: [String]
  }

  /// Names of records, addresses, and values as tables print them or as people write them were found nowhere.
  @Test(arguments: [
    Found(words: ["423285F9-8042-6FF1-AC9E-E64F2E0DF532"], matches: ["City/p1 recordName"]),
    Found(words: ["423285f9"], matches: ["City/p1 recordName"]),
    Found(words: ["423285F980426FF1"], matches: ["City/p1 recordName"]),
    Found(words: ["423285F9", "--entity", "Trip"], matches: []),
    Found(words: ["423285F9", "--exact"], matches: []),
    Found(words: ["423285F9-8042-6FF1-AC9E-E64F2E0DF532", "--exact"], matches: ["City/p1 recordName"]),
    Found(words: ["Trip/p3"], matches: ["Trip/p3 uri"]), Found(words: ["Place/p1"], matches: ["City/p1 uri"]),
    Found(words: ["x-coredata://UUID/Trip/p3"], matches: ["Trip/p3 uri"]),
    Found(words: ["Trip/p99"], matches: []), Found(words: ["1,312.40"], matches: ["Trip/p1 budget"]),
    Found(words: ["1312,4"], matches: ["Trip/p1 budget"]),
    Found(words: ["4,75"], matches: ["Entry/p8 rating"]),
    Found(words: ["Mar", "20"], matches: ["Entry/p2 date", "Trip/p1 startDate"]),
    Found(words: ["mar 20 00:00"], matches: ["Trip/p1 startDate"]),
    Found(words: ["0b6e8a523c1d4b7f8e256a4d9f01c3e7"], matches: ["Trip/p1 identifier"]),
    Found(words: ["6A4D9F01C3E7"], matches: ["Trip/p1 identifier"]),
    Found(words: ["-9.1393"], matches: ["City/p1 longitude"]),
    // A year was a number only.
    Found(words: ["birthday=1988"], matches: ["Person/p1 birthday"]),
    Found(words: ["€1,312.40"], matches: ["Trip/p1 budget"]),
    // One property, as `show` takes it.
    Found(words: ["mood=grateful"], matches: ["Trip/p1 mood"]),
    Found(words: ["Trip", "title", "=", "lisbon"], matches: ["Trip/p1 title"]),
    Found(words: ["mapStyle.scheme=terrain"], matches: ["Trip/p1 mapStyle"]),
    Found(words: ["weather=cloud"], matches: ["Entry/p4 weather.condition"]),
    // Only that place in a decoded value: any hit in the archive was listed.
    Found(words: ["mapStyle.zoom=water"], matches: []), Found(words: ["mapStyle.none=terrain"], matches: []),
    Found(words: ["mapStyle.layers=water"], matches: ["Trip/p1 mapStyle"]),
    Found(words: ["isArchived=1"], matches: ["Trip/p1 isArchived"]),
    Found(words: ["mood", "==", "'grateful'"], matches: ["Trip/p1 mood"]),
    // As files and logs have dates.
    Found(words: ["1774024200"], matches: ["Entry/p2 date"]),
    Found(words: ["1774024200000"], matches: ["Entry/p2 date"]),
    Found(words: ["−9.1393"], matches: ["City/p1 longitude"]),
    Found(words: ["Trip", "1"], matches: ["Trip/p1 uri"]),
    // Thousands; it found a rating of 5.
    Found(words: ["5,000"], matches: []),
    Found(words: ["trip=Trip/p1"], matches: []), Found(words: ["Day 9"], matches: []),
    Found(words: ["May 5"], matches: []),
    Found(words: ["title="], matches: []),
    Found(words: ["-9 C"], matches: []), Found(words: ["10:30"], matches: []),
    // What stands between the words needn't be one blank.
    Found(words: ["six bridges one river"], matches: ["Entry/p6 text"]),
    // Taken for a relationship, and for words of a text.
    Found(words: ["Entry.title=Tram"], matches: ["Entry/p4 title"]),
    Found(words: ["Person", "Jonas"], matches: ["Person/p2 email", "Person/p2 name"]),
    Found(words: ["Spring\u{A0}in  Lisbon"], matches: ["Trip/p1 title"]),
  ]) func whatIsPrintedIsFound(_ example: Found) throws {
    let words = example.words.map { $0.replacing("UUID", with: demo.uuid) }
    let result = try demo.run(["search"] + words + ["--json"], environment: Self.clock)
    let matches = try result.json().list("matches")
    let found = matches.map { "\($0["entity"] ?? "")/p\($0["pk"] ?? "") \($0["property"] ?? "")" }
    #expect(found == example.matches)
    let text = try demo.run(["search"] + words, environment: Self.clock).output
    #expect(example.matches.isEmpty || text.contains(example.matches[0].prefix { $0 != " " }), "\(text)")
  }

  @Test func aRealPropertyIsSearchedWithoutANote() throws {
    let result = try run("search", "name=Jonas")
    #expect(result.output.contains("Person/p2") && result.errors.isEmpty, "\(result.errors)")
  }

  /// It was found within the UUID of a deleted object, and in no UUID of those that exist.
  @Test func aShortNumberIsNoPartOfAUUID() throws {
    let json = try demo.json("search", "12")
    #expect((json["deleted"] as? [Any])?.isEmpty == true)
  }

  /// With --local, times are printed in local time, and what was printed has to be found.
  @Test func printedTimesAreFoundInTheirZone() throws {
    let zone = Self.clock.merging(["TZ": "Asia/Tokyo"]) { one, _ in one }
    for (words, isFound) in [
      (["2026-03-20 09:00", "--local"], true), (["Mar 20 09:00", "--local"], true),
      (["2026-03-20 00:00", "--local"], false), (["2026-03-20 00:00Z", "--local"], true),
      (["2026-03-20 00:00"], true), (["2026-03-20 09:00"], false),
    ] {
      let result = try demo.run(["search"] + words, environment: zone)
      #expect(result.output.contains("Trip/p1") == isFound, "\(words): \(result.output)")
    }
  }

  /// An object that is gone was found neither by its address nor by its record's name.
  @Test func namesOfDeletedObjectsAreFound() throws {
    let json = try demo.json("search", "Trip/p4")
    #expect((json["matches"] as? [Any])?.isEmpty == true)
    let deleted = try json.list("deleted")
    #expect(
      deleted.first?["property"] as? String == "uri"
        && deleted.first?["title"] as? String == "Somewhere warm?")
    #expect(json["deletedCount"] as? Int == deleted.count)
    let records = try demo.json("records", "--object", "Trip/p4")["records"] as? [[String: Any]]
    let name = try #require(records?.first?["recordName"] as? String)
    let byName = try demo.json("search", name)["deleted"] as? [[String: Any]]
    #expect(byName?.first?["property"] as? String == "recordName")
  }

  /// `City/p5` isn't one: that row is a landmark.
  @Test func anAddressOfAnotherEntityIsSaid() throws {
    try run("search", "City/p5").expectErrors(status: 0, "Landmark/p5")
  }

  /// With the one next step.
  @Test(arguments: [
    ("mood=xyz", "No mood contains 'xyz'."), ("1/200", "No value contains '1/200'."),
    ("Trip.mapStyle.sheme=terrain", "No mapStyle.sheme contains 'terrain'."),
    ("rating > 4", "No value contains 'rating > 4'."), ("true", "No value contains 'true'."),
  ]) func whatIsNotFoundIsAskedOtherwise(_ text: String, _ says: String) throws {
    let result = try demo.run("search", text, environment: ["COLUMNS": "1000"])
    let command = "storescope rows \(demo.path) ENTITY --where CONDITION\n"
    #expect(result.status == 0 && result.output.hasPrefix(says), "\(result.output)")
    #expect(result.output.hasSuffix(command), "\(result.output)")
  }

  @Test func nearMatchesAreTold() throws {
    try run("search", "lisbom").expectStatus(0).expectOutput(
      begins: "No value contains 'lisbom'. Similar: 'Lisbon'")
    let json = try demo.json("search", "lisbom")
    #expect((json["matches"] as? [Any])?.isEmpty == true && (json["similar"] as? [Any])?.isEmpty == false)
    try demo.run("search", "").expectRefused(status: 64, "TEXT")
    try run("search", "x", "--entity", "Trp").expectRefused("'Trip'")
  }

  @Test func sizeKeepsItsContract() throws {
    let json = try demo.json("size")
    let bytes = try #require(json["bytes"] as? Int)
    #expect(bytes == (try demo.folder.read("Journeys.store").count))
    let parts = try json.list("parts")
    #expect(parts.reduce(0) { $0 + ($1["bytes"] as? Int ?? 0) } == bytes)
    let kinds = Set(parts.compactMap { $0["kind"] as? String })
    #expect(kinds.isSubset(of: ["entity", "links", "history", "mirror", "index", "other", "free"]))
    #expect(kinds.isSuperset(of: ["entity", "links", "history", "mirror", "index"]))
    #expect(
      parts.first { $0["name"] as? String == "Trip" }?["rows"] as? Int == demo.truth.objects(of: "Trip").count
    )
    #expect(json["wal"] as? Int == (try demo.folder.read("Journeys.store-wal").count))
    #expect(json["external"] as? Int ?? 0 > 100_000 && json["assets"] as? Int == 0)
    let blobs = try json.list("properties")
    #expect(blobs.contains { $0["entity"] as? String == "Attachment" && $0["property"] as? String == "data" })
    let text = try run("size", "--chart").output
    for word in ["in the WAL", "mirror", "objects", "history", "By size", "20 transactions, 98 changes"] {
      #expect(text.contains(word), "\(text)")
    }
  }

  struct Case: Sendable, CustomTestStringConvertible {
    var testDescription: String { words.joined(separator: " ") }
    var words: [String]
    var object: String
    /// What is said on standard error; nil for nothing.
    var note: String?
  }

  static let found = [
    // A composite, an enumeration: "has no attribute 'mood'", and an error of SQLite's.
    Case(words: ["Trip", "mood=grateful"], object: "Trip/p1"),
    Case(words: ["Trip mood = grateful"], object: "Trip/p1"),
    // Compared as text, these found nothing.
    Case(words: ["Trip", "startDate=2026-03-20"], object: "Trip/p1"),
    Case(words: ["Trip", "budget=1312.40"], object: "Trip/p1"),
    Case(words: ["Trip", "title=SPRING in lisbon"], object: "Trip/p1", note: "Trip/p1 \"Spring in Lisbon\""),
    Case(words: ["Trip", "title=spring"], object: "Trip/p1", note: "'spring' is taken for Trip/p1"),
    // A quoted argument was split at its blanks.
    Case(words: ["Spring in Lisbon"], object: "Trip/p1"),
    Case(words: ["Trip", "Spring in Lisbon"], object: "Trip/p1"),
    Case(words: ["lisbon"], object: "City/p1", note: "City/p1 \"Lisbon\""),
    // It may be a title, and is none here.
    Case(words: ["Place", "1"], object: "City/p1", note: "'Place 1' is taken for City/p1 \"Lisbon\""),
    Case(words: ["Trip/p1"], object: "Trip/p1"),
    // Only texts were looked at, and only of a named entity. Whose property it is may be a surprise.
    Case(
      words: ["0b6e8a52-3c1d-4b7f-8e25-6a4d9f01c3e7"], object: "Trip/p1",
      note: "is taken for Trip/p1 \"Spring in Lisbon\", found by identifier"),
    Case(words: ["1312.40"], object: "Trip/p1", note: "found by budget"),
    Case(words: ["4300"], object: "Trip/p2", note: "found by budget"),
    Case(words: ["budget=1312.4"], object: "Trip/p1"), Case(words: ["title = Tram 28"], object: "Entry/p4"),
    Case(words: ["1,312.40"], object: "Trip/p1", note: "found by budget"),
    Case(words: ["0b6e8a523c1d4b7f8e256a4d9f01c3e7"], object: "Trip/p1", note: "found by identifier"),
    // The name of a record, as tables cut it.
    Case(words: ["423285f9"], object: "City/p1", note: "City/p1 \"Lisbon\", found by recordName"),
    Case(words: ["423285F980426FF1AC9EE64F2E0DF532"], object: "City/p1"),
    // Taken for an entity and a number.
    Case(words: ["title=Tram 28"], object: "Entry/p4"),
    // In an archive, where only `search` found it.
    Case(words: ["mapStyle.scheme=terrain"], object: "Trip/p1"),
    // `search` took these, and `trace` and `show` didn't.
    Case(words: ["Trip.mood=grateful"], object: "Trip/p1"),
    Case(words: ["entry.title = Tram 28"], object: "Entry/p4"),
    Case(words: ["Trip.mapStyle.scheme=terrain"], object: "Trip/p1"),
  ]

  @Test(arguments: found) func objectsAreFoundAsPeopleNameThem(_ example: Case) throws {
    let traced = try demo.run(["trace"] + example.words + ["--json"]).expectStatus()
    #expect(try traced.json()["object"] as? String == example.object)
    #expect(traced.errors.isEmpty == (example.note == nil), "\(traced.errors)")
    if let note = example.note { #expect(traced.errors.contains(note), "\(traced.errors)") }
    let shown = try demo.run(["show"] + example.words + ["--json"])
    let object = try shown.json().object("object")
    #expect((object["uri"] as? String)?.hasSuffix("/" + example.object) == true)
  }

  /// Only its address stood above it.
  @Test(.enabled(if: RealStores.arePresent)) func anObjectOfAStoreWithoutMirrorHasItsTitle() throws {
    let (folder, path) = try RealStores.copy("MagicalRecord/Recipes.sqlite")
    let shown = try withExtendedLifetime(folder) { try Tool.run(["show", path, "Recipe/p1"]) }
    shown.expectDone()
    #expect(shown.output.hasPrefix("Recipe/p1 \"Chocolate Cake\"\n"), "\(shown.output)")
  }

  @Test(arguments: [
    (
      ["Entry", "rating=5"],
      ["2 objects may be meant by 'Entry rating=5'", "Entry/p3 \"", "by its address, such as Entry/p3"]
    ),
    (["2026-03-20"], ["2 objects may be meant by '2026-03-20'", "Entry/p2 \"", "Trip/p1 \""]),
    (["Trip", "title=spring in lisbom"], ["No object has title", "Similar: 'Spring in Lisbon' (Trip/p1)"]),
    (["Trip", "mod=x"], ["Did you mean 'mood'?"]), (["Trip.mod=x"], ["Did you mean 'mood'?"]),
    (["Trip", "mood=sad"], ["No object has mood 'sad'; use a URI"]),
    (["5"], ["2 objects may be meant by '5'", "Entry/p3"]),
    (["Trp", "title=x"], ["no object, record or value 'Trp title=x'. Did you mean 'Trip'?"]),
    (["Trip"], ["is an entity, not an object", "rows", "Trip' lists its objects"]),
    (["Chapter 12"], ["no object, record or value 'Chapter 12'; use a URI"]),
    (["Trip", "title=' OR 1=1 --"], ["No object has title"]),
    (["xyzzy"], ["has no object, record or value", "property=value"]),
  ])
  func whatIsNotFoundIsExplained(_ words: [String], _ says: [String]) throws {
    for command in ["trace", "show"] {
      let result = try demo.run([command] + words).expectRefused(comment: "\(words)")
      for text in says { #expect(result.errors.contains(text), "\(result.errors)") }
      #expect(!result.errors.contains("SQLite"))
    }
  }

  /// What history or a record's copy still has of a deleted object was no name for it.
  @Test(arguments: [
    (["Somewhere warm?"], "Trip/p4"), (["Trip", "title=Somewhere warm?"], "Trip/p4"),
    (["9f4a1d38-26be-4e0c-a7d3-c85e12f6b04b"], "Trip/p4"), (["Ideas"], "Entry/p1"),
    (["PackingItem", "film"], "PackingItem/p3"),
  ]) func deletedObjectsAreFoundByName(_ words: [String], _ object: String) throws {
    let traced = try demo.run(["trace"] + words + ["--json"]).expectStatus()
    let json = try traced.json()
    #expect(json["object"] as? String == object && json["exists"] as? Bool == false)
    let shown = try demo.run(["show"] + words, environment: Self.clock)
    let deleted = "anymore: it was deleted Apr 2 18:22 UTC by app"
    #expect(shown.status == 2 && shown.errors.contains(deleted), "\(shown.errors)")
    #expect(shown.errors.contains("trace \(demo.path) \(object)"))
  }

  @Test func searchFindsWhatIsLeftOfDeletedObjects() throws {
    let json = try demo.json("search", "somewhere")
    // Among `matches` they were taken for objects that exist.
    #expect((json["matches"] as? [Any])?.isEmpty == true)
    let matches = try json.list("deleted")
    let trip = try #require(matches.first)
    #expect(
      matches.count == 1 && trip["property"] as? String == "title"
        && trip["title"] as? String == "Somewhere warm?")
    #expect(trip["deletedBy"] as? String == "app")
    #expect((trip["deletedAt"] as? String)?.hasPrefix("2026-04-02T18:22:") == true)
    try run("search", "somewhere").expectOutput(
      begins: "No value contains 'somewhere' anymore. Deleted objects had it:", "Trip/p4", "Apr  2 18:22",
      "app")
    try run("search", "somewhere", "--entity", "Entry").expectOutput(lacks: "Trip/p4")
    let both = try demo.json("search", "ideas")["deleted"] as? [[String: Any]]
    #expect(both?.contains { ($0["uri"] as? String)?.hasSuffix("/Entry/p1") == true } == true)
    #expect(try run("search", "i", "-n", "1", "--format", "ndjson").output.split(separator: "\n").count == 1)
  }

  @Test func listsNameDeletedObjects() throws {
    let history = try run("history", "--change", "delete").output
    for title in ["\"Ideas\"", "\"Film rolls\"", "\"ticket.txt\"", "\"Somewhere warm?\""] {
      #expect(history.contains(title), "\(history)")
    }
    try run("pending").expectOutput("Trip/p4 Somewhere warm?")
    try run("pending", "--all").expectOutput("Film rolls")
  }

  /// The number that --transaction takes was nowhere in the list.
  @Test func transactionsHaveTheirNumbers() throws {
    try run("history", "-n", "1").expectOutput("transaction", " 20  app")
    try run("history", "--transaction", "20").expectOutput("3 changes in 1 transaction")
  }

  @Test func aForgottenOrMistypedStoreIsNamed() throws {
    for words in [["rows", "Trip"], ["show", "Spring in Lisbon"], ["search", "lisbon"]] {
      try Tool.run(words).expectRefused(
        status: 64, "the store comes first, as in 'storescope \(words[0]) App.store ")
    }
    let wrong = demo.path.replacing("Journeys", with: "Journey")
    try Tool.run(["summary", wrong]).expectRefused("no such file. Did you mean 'Journeys.store'?")
    try demo.folder.run("summary", "Journey.store").expectRefused("Did you mean 'Journeys.store'?")
    try Tool.run(["summary", demo.folder.path("x")]).expectRefused("check the name")
  }

  @Test func historyAndRecordsTakeTitles() throws {
    let history = try demo.json("history", "--object", "Spring in Lisbon")
    let changes = try history.list("changes")
    #expect(!changes.isEmpty && changes.allSatisfy { ($0["uri"] as? String)?.hasSuffix("/Trip/p1") == true })
    // The title had to stand behind --object, which no message said.
    for words in [["Spring in Lisbon"], ["Trip", "title=spring in lisbon"], ["Trip/p1"], ["Trip", "1"]] {
      let same = try demo.json(["history"] + words)["changes"] as? [Any]
      #expect(same?.count == changes.count, "\(words)")
    }
    for (word, meant) in [
      ("Entry", "--entity Entry"), ("insert", "--change insert"),
      ("day", "--by day"),
    ] {
      try demo.run("history", word).expectRefused(status: 64, "Did you mean '\(meant)'?")
    }
    try demo.run("history", "Trip/p1", "--object", "Trip/p2").expectRefused(status: 64, "both name an object")
    let records = try demo.json("records", "--object", "Spring in Lisbon")
    #expect((records["records"] as? [Any])?.count == 1)
  }

  @Test func explainLeadsToSizes() throws {
    for word in ["bloat", "size"] {
      try Tool.run(["explain", word]).expectDone().expectOutput("storescope size", "history-bloat")
    }
    let all = try Tool.run(["explain"]).expectDone()
    for word in ["Terms", "134419", "quotaExceeded", "history-bloat"] { #expect(all.output.contains(word)) }
  }

  /// The size of a blob that isn't loaded is a negative number, and the smallest of all has no opposite.
  @Test func anyNumberMayStandInPlaceOfABlob() throws {
    let hostile = try Demo {
      try $0.connection.execute("UPDATE ZATTACHMENT SET ZDATA = -9223372036854775808")
    }
    try hostile.run("search", "Spring").expectOutput(status: 0, "Trip/p1")
    // It looked like a blob of 70 MB.
    let honest = try Demo { try $0.connection.execute("UPDATE ZATTACHMENT SET ZDATA = -70000000") }
    let found = try honest.run("search", "-70000000")
    #expect(found.output.contains("Attachment/p1") && found.errors.isEmpty, "\(found.errors)")
  }

  /// Counting the numbers of a range that has all of them ended the program.
  @Test func anyRangeOfTransactionsIsARange() throws {
    try demo.run("history", "--transaction=-9223372036854775808..-1").expectErrors(
      status: 2, "has no transactions")
  }
}
