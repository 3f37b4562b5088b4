import Foundation
import TestSupport
import Testing

/// `--predicate` where it is taken. What predicates find is tested in LensTests.
final class PredicateCommandTests: DemoSuite {
  private let folder = TemporaryFolder("predicate-commands")

  private func titles(_ words: String...) throws -> [String?] {
    let rows = try #require(try demo.json(["rows", "Entry"] + words)["rows"] as? [[String: Any]])
    return rows.map { $0["title"] as? String }
  }

  @Test func rowsAreThoseThatItMatches() throws {
    #expect(
      try titles("--predicate", "rating > 4.5 AND trip.title LIKE[c] 'temples*'") == [
        "A thousand gates", "Golden Pavilion",
      ])
    // With SQL, both hold.
    #expect(try titles("--predicate", "rating > 4.5", "--where", "title LIKE 'P%'") == ["Pastéis"])
    #expect(try titles("--predicate", "title == $t", "--param", "t=Tram 28") == ["Tram 28"])
    // The property that is asked for is among the columns of a narrow table.
    let table = try demo.run("rows", "Entry", "--predicate", "wordCount > 12")
    #expect(table.output.contains("wordCount") && table.output.contains("(1 row)"), "\(table.output)")
  }

  @Test(arguments: [
    (
      ["--predicate", "titel == 'x'"],
      "Entry has no property 'titel'. Did you mean 'title'?\n  titel == 'x'\n  ^"
    ),
    (["--predicate", " "], "'--predicate' is empty"), (["--param", "a=b"], "'--param' needs --predicate"),
    (["--predicate", "title == 'x'", "--param", "a=b"], "$a doesn't occur here. Leave out --param a=…"),
    (["--where", "title BEGINSWITH 'x'"], "That is a predicate, not SQL. Use --predicate: storescope rows "),
  ]) func mistakesHaveAPlace(_ words: [String], _ error: String) throws {
    try demo.run(["rows", "Entry"] + words).expectErrors(
      status: words[1] == " " || words[0] == "--param" ? 64 : 2, error)
  }

  @Test func whatAnAppCantFetchIsNoted() throws {
    let result = try demo.run("rows", "Trip", "--predicate", "ALL entries.rating > 1", "--verbose")
    #expect(result.status == 0)
    #expect(result.errors.contains("your app can't fetch with this: the SQLite store has no ALL"))
    #expect(result.errors.contains("the predicate runs as: Z_PK IN (SELECT object.Z_PK FROM main.\"ZTRIP\""))
  }

  @Test func anExportHasTheirRows() throws {
    let words = ["--to", folder.path("out"), "--entity", "Entry", "--predicate", "rating > 4.5"]
    #expect(try demo.run(["export"] + words).status == 0)
    let file = try String(contentsOfFile: folder.path("out/entities/Entry.ndjson"), encoding: .utf8)
    #expect(file.split(separator: "\n").count == 3)
    #expect(
      try String(contentsOfFile: folder.path("out/manifest.json"), encoding: .utf8).contains(
        "Objects of Entry that rating > 4.5 doesn't match."))
    // Each thread has a connection of its own, which lacked the functions.
    let two = [
      "--to", folder.path("two"), "--entity", "Entry", "--entity", "Trip", "--jobs", "4", "--predicate",
      "title CONTAINS[c] 'S'",
    ]
    #expect(try demo.run(["export"] + two).status == 0)
    try demo.run("export", "--to", folder.path("all"), "--predicate", "rating > 4.5")
      .expectErrors(status: 64, "'--predicate' needs --entity NAME")
  }

  @Test func aComparisonShowsWhatDiffersOfThem() throws {
    let other = folder.path("Other.store")
    try FileManager.default.copyItem(atPath: demo.path, toPath: other)
    for suffix in ["-wal", "-shm"] where FileManager.default.fileExists(atPath: demo.path + suffix) {
      try FileManager.default.copyItem(atPath: demo.path + suffix, toPath: other + suffix)
    }
    try Demo.execute("UPDATE ZENTRY SET ZWORDCOUNT = 99; DELETE FROM ZENTRY WHERE Z_PK IN (3, 4)", at: other)
    let document = try demo.json(
      "diff", other, "--only", "objects", "--entity", "Entry", "--predicate", "rating > 4.5")
    let entity = try #require((document["entities"] as? [[String: Any]])?.first)
    func keys(_ list: String) -> [String] {
      (entity[list] as? [Any] ?? []).compactMap {
        ($0 as? String) ?? ($0 as? [String: Any])?["uri"] as? String
      }
      .compactMap { $0.split(separator: "/").last.map(String.init) }
    }
    #expect(keys("removed") == ["p3"] && keys("changed") == ["p8", "p9"], "\(entity)")
    try demo.run("diff", other, "--predicate", "rating > 4.5").expectErrors(
      status: 64, "needs --only objects")
  }

  /// The text is taken as it is typed, so that it needs no quotes, and may have signs that send results elsewhere.
  @Test func theShellTakesTheRestOfTheLine() throws {
    let file = folder.path("out.txt")
    let result = try demo.run(
      "shell", "-c", "rows Entry predicate rating > 4.5 && title CONTAINS \"a\" --columns title",
      "-c", "rows Entry where rating > 4.5 OR title = 'Tram 28' --columns title --format csv > \(file)",
      "-c", "rows Entry predicate title CONTAINS ' --x'")
    #expect(result.status == 0, "\(result.errors)")
    #expect(result.output.contains("A thousand gates") && result.output.contains("(no objects)"))
    #expect(try String(contentsOfFile: file, encoding: .utf8).split(whereSeparator: \.isNewline).count == 5)
  }
}
