import Forge
import Foundation
import SQLite
import TestSupport
import Testing

/// `search`, `size`, and finding an object by a value of it, as commands.
struct SearchCommandTests {
  private let demo: Demo

  init() throws { demo = try Demo() }

  private func run(_ words: String...) throws -> Tool.Result {
    try Tool.run([words[0], demo.path] + words.dropFirst())
  }

  @Test func searchKeepsItsContract() throws {
    let json = try Tool.json(["search", demo.path, "lisbon"])
    #expect(json["schema"] as? String == "storescope/search/1")
    let matches = try #require(json["matches"] as? [[String: Any]])
    let trip = try #require(matches.first { $0["entity"] as? String == "Trip" })
    #expect(trip["uri"] as? String == "x-coredata://\(demo.uuid)/Trip/p1" && trip["pk"] as? Int == 1)
    #expect(trip["property"] as? String == "title" && trip["snippet"] as? String == "Spring in Lisbon")
    #expect(Set(matches.compactMap { $0["entity"] as? String }) == ["Attachment", "City", "Trip"])
    let city = try Tool.json(["search", demo.path, "lisbon", "--entity", "Place", "--entity", "Tag"])
    #expect((city["matches"] as? [[String: Any]])?.map { $0["entity"] as? String } == ["City"])
    for option in ["--exact", "--case-sensitive"] {
      let none = try Tool.json(["search", demo.path, "lisbon", option])
      let expected = option == "--exact" ? 0 : 1
      #expect((none["matches"] as? [Any])?.count == expected)
    }
    #expect(
      try run("search", "lisbon", "--format", "ndjson", "-n", "2").output.split(separator: "\n").count == 2)
    #expect(try run("search", "spring", "in", "lisbon").output.contains("Trip/p1"))
  }

  @Test func nearMatchesAreTold() throws {
    let result = try run("search", "lisbom")
    result.expectDone()
    #expect(result.output.hasPrefix("No value contains 'lisbom'. Similar: 'Lisbon'"), "\(result.output)")
    let json = try Tool.json(["search", demo.path, "lisbom"])
    #expect((json["matches"] as? [Any])?.isEmpty == true && (json["similar"] as? [Any])?.isEmpty == false)
    try Tool.run(["search", demo.path, ""]).expectRefused(status: 64, "TEXT")
    try run("search", "x", "--entity", "Trp").expectRefused("'Trip'")
  }

  @Test func sizeKeepsItsContract() throws {
    let json = try Tool.json(["size", demo.path])
    let bytes = try #require(json["bytes"] as? Int)
    #expect(bytes == (try demo.folder.read("Journeys.store").count))
    let parts = try #require(json["parts"] as? [[String: Any]])
    #expect(parts.reduce(0) { $0 + ($1["bytes"] as? Int ?? 0) } == bytes)
    let kinds = Set(parts.compactMap { $0["kind"] as? String })
    #expect(kinds.isSubset(of: ["entity", "links", "history", "mirror", "index", "other", "free"]))
    #expect(kinds.isSuperset(of: ["entity", "links", "history", "mirror", "index"]))
    #expect(
      parts.first { $0["name"] as? String == "Trip" }?["rows"] as? Int == demo.truth.objects(of: "Trip").count
    )
    #expect(json["wal"] as? Int == (try demo.folder.read("Journeys.store-wal").count))
    #expect(json["external"] as? Int ?? 0 > 100_000 && json["assets"] as? Int == 0)
    let blobs = try #require(json["properties"] as? [[String: Any]])
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
    Case(words: ["Trip", "mood.mood=grateful"], object: "Trip/p1"),
    Case(words: ["Trip mood = grateful"], object: "Trip/p1"),
    // Compared as text, these found nothing.
    Case(words: ["Trip", "startDate=2026-03-20"], object: "Trip/p1"),
    Case(words: ["Trip", "budget=1312.40"], object: "Trip/p1"),
    Case(words: ["Trip", "title=SPRING in lisbon"], object: "Trip/p1", note: "Trip/p1 \"Spring in Lisbon\""),
    Case(words: ["Trip", "title=spring"], object: "Trip/p1", note: "No Trip has title 'spring'"),
    // A quoted argument was split at its blanks.
    Case(words: ["Spring in Lisbon"], object: "Trip/p1"),
    Case(words: ["Trip", "Spring in Lisbon"], object: "Trip/p1"),
    Case(words: ["lisbon"], object: "City/p1", note: "City/p1 \"Lisbon\""),
    Case(words: ["Place", "1"], object: "City/p1"), Case(words: ["Trip/p1"], object: "Trip/p1"),
  ]

  @Test(arguments: found) func objectsAreFoundAsPeopleNameThem(_ example: Case) throws {
    let traced = try Tool.run(["trace", demo.path] + example.words + ["--json"])
    #expect(traced.status == 0, "\(traced.errors)")
    #expect(try traced.json()["object"] as? String == example.object)
    #expect(traced.errors.isEmpty == (example.note == nil), "\(traced.errors)")
    if let note = example.note { #expect(traced.errors.contains(note), "\(traced.errors)") }
    let shown = try Tool.run(["show", demo.path] + example.words + ["--json"])
    let object = try #require(try shown.json()["object"] as? [String: Any])
    #expect((object["uri"] as? String)?.hasSuffix("/" + example.object) == true)
  }

  @Test(arguments: [
    (["Entry", "rating=5"], ["2 objects have rating '5'", "Entry/p3 \"", "choose one of them"]),
    (["Trip", "title=spring in lisbom"], ["No Trip has title", "Similar: 'Spring in Lisbon' (Trip/p1)"]),
    (["Trip", "mod=x"], ["no attribute 'mod'", "'mood'"]), (["Trip", "entries=1"], ["is a relationship"]),
    (["Trp", "title=x"], ["no entity 'Trp'", "'Trip'"]),
    (["Trip"], ["is an entity, not an object", "Trip/p1"]),
    (["Chapter 12"], ["no entity 'Chapter'"]), (["Trip", "title=' OR 1=1 --"], ["No Trip has title"]),
    (["xyzzy"], ["has no object, record or text", "attribute=value"]),
  ])
  func whatIsNotFoundIsExplained(_ words: [String], _ says: [String]) throws {
    for command in ["trace", "show"] {
      let result = try Tool.run([command, demo.path] + words)
      result.expectRefused(comment: "\(words)")
      for text in says { #expect(result.errors.contains(text), "\(result.errors)") }
      #expect(!result.errors.contains("SQLite"))
    }
  }

  @Test func historyAndRecordsTakeTitles() throws {
    let history = try Tool.json(["history", demo.path, "--object", "Spring in Lisbon"])
    let changes = try #require(history["changes"] as? [[String: Any]])
    #expect(!changes.isEmpty && changes.allSatisfy { ($0["uri"] as? String)?.hasSuffix("/Trip/p1") == true })
    let records = try Tool.json(["records", demo.path, "--object", "Spring in Lisbon"])
    #expect((records["records"] as? [Any])?.count == 1)
  }

  @Test func explainLeadsToSizes() throws {
    for word in ["bloat", "size"] {
      let result = try Tool.run(["explain", word])
      result.expectDone()
      #expect(result.output.contains("storescope size") && result.output.contains("history-bloat"))
    }
    let all = try Tool.run(["explain"])
    all.expectDone()
    for word in ["Terms", "134419", "quotaExceeded", "history-bloat"] { #expect(all.output.contains(word)) }
  }

  /// The size of a blob that isn't loaded is a negative number, and the smallest of all has no opposite.
  @Test func anyNumberMayStandInPlaceOfABlob() throws {
    let hostile = try Demo {
      try $0.connection.execute("UPDATE ZATTACHMENT SET ZDATA = -9223372036854775808")
    }
    let result = try Tool.run(["search", hostile.path, "Spring"])
    #expect(result.status == 0 && result.output.contains("Trip/p1"), "\(result.errors)")
  }

  /// Counting the numbers of a range that has all of them ended the program.
  @Test func anyRangeOfTransactionsIsARange() throws {
    let range = try Tool.run(["history", demo.path, "--transaction=-9223372036854775808..-1"])
    #expect(range.status == 2 && range.errors.contains("has no transactions"), "\(range.errors)")
  }
}
