import Forge
import Foundation
import Lens
import SQLite
import StoreModel
import TestSupport
import Testing
import Values

/// `--offset`: pages put together are the whole.
struct OffsetTests {
  struct Listing: Sendable, CustomTestStringConvertible {
    var words: [String]
    var payload: String
    var testDescription: String { words.joined(separator: " ") }
  }

  private static let listings = [
    Listing(words: ["rows", "STORE", "Place"], payload: "rows"),
    Listing(words: ["rows", "STORE", "Entry", "--sort", "-rating,title"], payload: "rows"),
    Listing(words: ["rows", "STORE", "Entry", "--where", "rating > 1", "--reverse"], payload: "rows"),
    Listing(words: ["query", "STORE", "SELECT * FROM changes"], payload: "rows"),
    Listing(words: ["query", "STORE", "changes-by-author"], payload: "rows"),
    Listing(words: ["history", "STORE"], payload: "changes"),
    Listing(words: ["history", "STORE", "--reverse", "--author", "app"], payload: "changes"),
    Listing(words: ["history", "STORE", "--by", "day"], payload: "groups"),
    Listing(words: ["records", "STORE"], payload: "records"),
    Listing(words: ["events", "STORE"], payload: "events"),
    Listing(words: ["events", "STORE", "--failed"], payload: "events"),
  ]

  private func run(_ words: [String], on demo: Demo) throws -> Tool.Result {
    let result = try Tool.run(words.map { $0 == "STORE" ? demo.path : $0 })
    result.expectDone("\(words)")
    return result
  }

  @Test(arguments: listings, [1, 7, 1000]) func pagesAreTheWhole(_ listing: Listing, _ size: Int) throws {
    let demo = try Demo()
    func lines(_ options: String...) throws -> [Substring] {
      try run(listing.words + ["--format", "ndjson"] + options, on: demo).output.split(separator: "\n")
    }
    let whole = try lines()
    // One by one, the last ones are enough.
    let begin = size == 1 ? max(0, whole.count - 3) : 0
    var pages: [Substring] = []
    for offset in stride(from: begin, to: whole.count, by: size) {
      pages += try lines("--offset", String(offset), "-n", String(size))
    }
    #expect(pages == Array(whole[begin...]) && whole.count > 1)
  }

  @Test(arguments: listings) func nothingIsBehindTheEnd(_ listing: Listing) throws {
    let demo = try Demo()
    for offset in ["100000", "9223372036854775807"] {
      let json = try run(listing.words + ["--json", "--offset", offset], on: demo).json()
      #expect((json[listing.payload] as? [Any])?.isEmpty == true)
      let text = try run(listing.words + ["--offset", offset], on: demo).output
      #expect(text.contains("(no more rows"), "\(text)")
    }
  }

  @Test func theEndIsTold() throws {
    let demo = try Demo()
    let text = try run(["history", "STORE", "--offset", "98"], on: demo).output
    #expect(text.contains("(no more rows: there are 98)"), "\(text)")
  }

  /// When and who is said once per transaction: a page that began within one said it nowhere.
  @Test func aPageBeginsWithItsDate() throws {
    let demo = try Demo()
    let whole = try run(["history", "STORE", "--limit", "98"], on: demo).output
    #expect(whole.contains(#/\n +City/p1 /#), "\(whole)")
    for option in [[], ["--format", "markdown"]] {
      let text = try run(["history", "STORE", "--offset", "96"] + option, on: demo).output
      let first = text.split(separator: "\n").first { $0.contains("City/p2") }
      #expect(first?.contains(/2026-03-02 08:15|Mar  2 08:15/) == true, "\(text)")
      #expect(first?.contains("import") == true, "\(text)")
    }
  }

  /// A note that older changes are missing belongs to the end of the list, whichever page shows it.
  @Test func purgedHistoryIsTold() throws {
    let demo = try Demo {
      try $0.connection.execute(
        "DELETE FROM ACHANGE WHERE ZTRANSACTIONID < 15; DELETE FROM ATRANSACTION WHERE Z_PK < 15")
    }
    for words in [["-n", "2"], ["-n", "2", "--offset", "3"], ["--reverse"], ["--format", "markdown"]] {
      let text = try run(["history", "STORE"] + words, on: demo).output
      #expect(text.contains("Older history was purged."), "\(text)")
    }
    // What is asked for lies behind the purge.
    for words in [["--transaction", "16"], ["--since", "2026-04-16"]] {
      #expect(!(try run(["history", "STORE"] + words, on: demo).output.contains("purged")))
    }
    let empty = try run(["history", "STORE", "--until", "2026-03-01"], on: demo).output
    #expect(empty.contains(/\(no changes until .*; older history was purged\)/), "\(empty)")
  }

  /// Dates that no calendar has are in the order of their numbers, between the others' and those that are missing.
  @Test func datesBeyondTheCalendarAreSorted() throws {
    let folder = try TemporaryFolder("offset-dates")
    let model = ManagedObjectModel(entities: [
      EntityDescription(
        name: "Run",
        attributes: [
          AttributeDescription(name: "title", type: .string), AttributeDescription(name: "at", type: .date),
        ])
    ])
    let forge = try StoreForge(path: folder.path("Dates.store"), model: model)
    let seconds: [(String, Double?)] = [
      ("far", 1e15), ("none", nil), ("past", -1e15), ("early", 0), ("late", 1e9), ("further", 1e16),
    ]
    try forge.save { save in
      for (title, at) in seconds {
        _ = try save.insert(
          "Run", ["title": .text(title), "at": at.map { .date(CoreDataDate(seconds: $0)) } ?? .null])
      }
    }
    try forge.close()
    func titles(_ words: String...) throws -> [String] {
      let rows = try Tool.json(["rows", forge.path, "Run"] + words)["rows"] as? [[String: Any]]
      return (rows ?? []).compactMap { $0["title"] as? String }
    }
    let sorted = ["past", "early", "late", "far", "further"]
    #expect(try titles("--sort", "at") == sorted + ["none"])
    #expect(try titles("--sort", "-at") == sorted.reversed() + ["none"])
    #expect(try titles("--sort", "at", "--offset", "3", "-n", "2") == ["far", "further"])
  }
}
