import Forge
import Foundation
import SQLite
import TestSupport
import Testing

/// `redact` as a user runs it: what the copy says must be what the original says, but for the values.
final class RedactTests: DemoSuite {
  private static func check(_ path: String, _ copy: String, _ options: [String] = [], _ commands: [String])
    throws
  {
    let made = try Tool.run(["redact", path, "-o", copy, "--json", "--quiet"] + options).expectStatus()
    let json = try made.json()
    expectMembers(json, ["schema": "storescope/redact/1", "copy": copy])
    #expect(json["problems"] as? [String] == [])
    for command in commands {
      #expect(try state(path, [command, "--json"]) == state(copy, [command, "--json"]), "\(command)")
    }
  }

  /// What of a command's result is state and structure.
  private static func state(_ path: String, _ arguments: [String]) throws -> [String] {
    let result = try Tool.run([arguments[0], path] + arguments.dropFirst() + ["--quiet"]).expectStatus()
    var lines: [String] = []
    collect(try result.json(), "", into: &lines)
    return lines
  }

  private static let states: Set<String> = Set([
    "state", "needsUpload", "needsCloudDelete", "acknowledged", "lastExported", "pendingExport",
    "objectExists", "recordType", "entity", "pk", "kind", "counts", "transaction", "timestamp", "change",
    "properties", "name", "number", "parent", "table", "rows", "type", "column", "destination", "inverse",
    "toMany", "ordered", "hasToken", "needsImport", "lastFetch", "scope", "layout", "started", "ended",
    "succeeded", "errorDomain", "errorCode", "affected", "finished", "since", "transactions", "changes",
    "first", "last", "journal", "pageSize", "identifiers",
  ]).union(MirrorTruth.Kind.allCases.flatMap { [$0.rawValue, $0.rawValue + "s"] })

  /// A line for each value whose member's name is one of the states, with the way to it.
  private static func collect(_ value: Any, _ way: String, into lines: inout [String]) {
    switch value {
    case let object as [String: Any]:
      for (name, value) in object.sorted(by: { $0.key < $1.key }) {
        if states.contains(name), !(value is [String: Any]), !(value is [[String: Any]]) {
          lines.append("\(way).\(name) = \(value)")
        } else {
          collect(value, "\(way).\(name)", into: &lines)
        }
      }
    case let list as [Any]:
      for (index, element) in list.enumerated() { collect(element, "\(way)[\(index)]", into: &lines) }
    default: break
    }
  }

  @Test(arguments: [[], ["--keep-lengths"], ["--keep", "numbers", "--keep", "dates"]])
  func theDemosCopyTellsTheSame(_ options: [String]) throws {
    let copy = demo.folder.path("Copy.store")
    try Self.check(
      demo.path, copy, options, ["records", "pending", "mirror", "history", "events", "summary"])
    let left = try OriginalValues(demo.path).found(inCopy: copy)
    #expect(left.isEmpty, "\(left)")
  }

  /// Booleans of the server's copy were replaced as numbers, so that objects seemed to differ from it that don't.
  @Test(arguments: ["a", "b", "c"]) func objectsStandAsTheyDid(_ salt: String) throws {
    let copy = demo.folder.path("Copy.store")
    #expect(try demo.run("redact", "-o", copy, "--salt", salt).status == 0)
    func standing(_ store: String, _ object: String) throws -> [String] {
      let json = try Tool.json(["trace", store, object])
      let differences = json["differences"] as? [[String: Any]] ?? []
      let state = (json["verdict"] as? [String: Any])?["state"] as? String
      return [state ?? "none"] + differences.compactMap { $0["property"] as? String }
    }
    let objects = ["Trip/p1", "Trip/p2", "Trip/p3"] + (6...9).map { "Landmark/p\($0)" } + ["PackingItem/p1"]
    for object in objects { #expect(try standing(copy, object) == standing(demo.path, object), "\(object)") }
  }

  @Test(.enabled(if: RealStores.arePresent), arguments: RealStores.all)
  func aRealStoresCopyTellsTheSame(_ name: String) throws {
    let (folder, path) = try RealStores.copy(name)
    let before = try FolderSnapshot(folder.path)
    try Self.check(path, folder.path("Copy.sqlite"), [], ["entities", "history", "summary"])
    let after = try FolderSnapshot(folder.path)
    #expect(
      after.entries.filter { $0.key != "." && !$0.key.hasPrefix("Copy") }
        == before.entries.filter { $0.key != "." })
  }

  @Test func earlierCommitsCanBeRedacted() throws {
    let copy = demo.folder.path("Copy.store")
    #expect(try demo.run("redact", "-o", copy, "--as-of-commit", "2").status == 0)
    let rows = ["summary", "--json"]
    #expect(
      try Self.state(copy, rows).filter { $0.contains(".rows") }
        == Self.state(demo.path, rows + ["--as-of-commit", "2"]).filter { $0.contains(".rows") })
  }

  @Test func whatIsMissingIsSaid() throws {
    try demo.run("redact").expectErrors(status: 64, "-o COPY")
    try demo.run("redact", "-o", demo.path).expectRefused("never overwritten")
    try demo.run("redact", "-o", demo.folder.path("none/Copy.store")).expectErrors(
      status: 2, "create it first")
    try demo.run("redact", "-o", "x", "--keep", "names").expectErrors(status: 64, "numbers")
  }

  /// Every property of every entity was listed: the summary had left the screen.
  @Test func theLargestTablesAreShown() throws {
    func text(_ name: String, _ options: String...) throws -> String {
      let words = ["redact", demo.path, "-o", demo.folder.path(name)] + options
      let result = try Tool.run(words, environment: ["COLUMNS": "80"]).expectStatus()
      return result.output
    }
    let short = try text("Short.store")
    #expect(short.split(separator: "\n").count < 26, "\(short)")
    expectText(short, "367 values replaced in 18 tables", "… 6 more tables; --verbose lists every property.")
    let one = try text("One.store", "--limit", "17")
    #expect(one.contains("… 1 more table; "), "\(one)")
    // It listed programs as authors, whose names it said are kept.
    #expect(short.contains("names in history"), "\(short)")
    #expect(short.replacing("\n", with: " ").contains("--keep programs keeps them"), "\(short)")
    #expect(try !text("Programs.store", "--keep", "programs").contains("--keep programs"))
    #expect(!short.contains("Attachment"))
    let whole = try text("Whole.store", "--verbose")
    #expect(whole.contains(/metadata +the app's own keys/) && whole.contains("Attachment"), "\(whole)")
  }

  /// Of a damaged store, either a copy or nothing and a sentence.
  @Test func aDamagedStoreLeavesNoHalfCopy() throws {
    let demo = try Demo(leaving: .nothing)
    try demo.damagePages()
    let result = try demo.run("redact", "-o", demo.folder.path("Copy.store")).expectStatus(2)
    #expect(
      result.errors.split(separator: "\n").count == 1 && result.errors.contains("damaged"), "\(result.errors)"
    )
    #expect(try demo.folder.names().allSatisfy { !$0.contains("Copy") })
  }

  /// A copy of a store whose -wal is there looked as if commits were missing.
  @Test(arguments: [true, false]) func theCopyHasAWALIfTheOriginalHas(_ hasWAL: Bool) throws {
    let demo = try Demo(leaving: hasWAL ? .wal : .nothing)
    let copy = demo.folder.path("Copy.store")
    try demo.run("redact", "-o", copy).expectDone()
    let original = FileManager.default.fileExists(atPath: demo.path + "-wal")
    #expect(original == hasWAL)
    #expect(FileManager.default.fileExists(atPath: copy + "-wal") == hasWAL)
    #expect(!FileManager.default.fileExists(atPath: copy + "-shm"))
    #expect(try Self.findings(copy) == Self.findings(demo.path))
    #expect(try Self.findings(copy)?.contains { $0.hasPrefix("wal-missing") } == !hasWAL)
    // All is in the main file, for those who pass on nothing else.
    try FileManager.default.copyItem(atPath: copy, toPath: demo.folder.path("Alone.store"))
    #expect((try Tool.json(["rows", demo.folder.path("Alone.store"), "Trip"])["rows"] as? [Any])?.count == 3)
  }

  /// Whatever the store holds: a copy of which the doctor says the same, or one sentence and nothing.
  @Test(arguments: DamagedContentTests.cases) func anyContentIsAnswered(_ damage: DamagedContentTests.Case)
    throws
  {
    let demo = try Demo { try damage.edit($0.connection) }
    let copy = demo.folder.path("Copy.store")
    let result = try demo.run("redact", "-o", copy)
    result.expectAnswer("redact")
    guard result.status == 0 else {
      #expect(try demo.folder.names().allSatisfy { !$0.contains("Copy") })
      return
    }
    #expect(try Self.findings(copy) == Self.findings(demo.path))
  }

  /// The doctor's rules with their counts, but for what it says of the file; nil where it can't say anything.
  private static func findings(_ path: String) throws -> [String]? {
    let result = try Tool.run(["doctor", path, "--json", "--quiet"])
    guard result.status <= 1 else { return nil }
    let findings = try result.json()["findings"] as? [[String: Any]] ?? []
    // The pages of a copy are in its file.
    return findings.map { "\($0["rule"] ?? "") \($0["count"] ?? "")" }
      .filter { !$0.hasPrefix("data-only-in-wal") }
  }

  /// A copy passed for a real store, and its dates and numbers for data.
  @Test func aCopySaysThatItIsOne() throws {
    let copy = demo.folder.path("copy.store")
    try demo.run("redact", "-o", copy).expectDone()
    let warning = "This is a redacted copy: values are placeholders."
    for words in [
      ["summary"], ["rows", "Trip"], ["rows", "Trip", "--columns", "budget"],
      ["rows", "Trip", "--format", "markdown"], ["show", "Trip/p1"], ["trace", "Trip/p1"], ["pending"],
      ["doctor"], ["repair"], ["history"], ["mirror"], ["records"], ["events"], ["entities"], ["size"],
      ["query", "SELECT SUM(budget) FROM Trip"], ["resync", "--pull"],
    ] {
      let shown = try Tool.run(Readings.arguments(words, copy))
      #expect(shown.output.hasPrefix(warning + "\n"), "\(words): \(shown.output)\(shown.errors)")
      #expect(try !demo.run(words).output.contains(warning), "\(words)")
      guard !words.contains("--format"), !words.contains("--columns") else { continue }
      let json = try Tool.json(Readings.arguments(words, copy))
      #expect((json["store"] as? [String: Any])?["redacted"] as? Bool == true, "\(words)")
      let original = try demo.json(words)
      #expect((original["store"] as? [String: Any])?["redacted"] == nil, "\(words)")
    }
  }

  @Test func aComparisonWithACopySaysSo() throws {
    let copy = demo.folder.path("copy.store")
    try demo.run("redact", "-o", copy).expectDone()
    try demo.run("diff", copy).expectOutput(begins: "The second store is a redacted copy: ")
    try Tool.run(["diff", copy, demo.path]).expectOutput(begins: "This is a redacted copy: ")
  }

  @Test func rowsForMachinesHaveItNextToThem() throws {
    let copy = demo.folder.path("copy.store")
    try demo.run("redact", "-o", copy).expectDone()
    for format in ["csv", "ndjson"] {
      try Tool.run(["rows", copy, "Trip", "--format", format]).expectOutput(lacks: "redacted copy")
        .expectErrors("This is a redacted copy")
    }
    let page = demo.folder.path("page.html")
    #expect(try Tool.run(["report", copy, "-o", page]).status == 0)
    #expect(try String(contentsOfFile: page, encoding: .utf8).contains("This is a redacted copy"))
  }

  /// Names in the mirror's rows that no entity or relationship has may be values, and a copy replaces them.
  @Test func namesThatTheModelLacksAreNotShared() throws {
    let demo = try Demo {
      try $0.connection.execute(
        """
        UPDATE ANSCKMIRROREDRELATIONSHIP SET ZCDENTITYNAME = 'NeedleOne', ZRELATEDENTITYNAME = 'NeedleTwo',
          ZRELATIONSHIPNAME = 'NeedleThree', ZISUPLOADED = 0, ZISPENDING = 0, ZRELATEDRECORDNAME = 'GONE'
        """)
    }
    for format in ["json", "html", "md"] {
      let path = demo.folder.path("report." + format)
      #expect(try demo.run("report", "-o", path).status == 0)
      let text = try String(contentsOfFile: path, encoding: .utf8)
      #expect(!text.contains("Needle"), "\(format)")
    }
    let fleet = demo.folder.path("fleet")
    _ = try demo.run("fleet", "--to", fleet)
    for case let name as String in FileManager.default.enumerator(atPath: fleet) ?? .init() {
      guard let bytes = FileManager.default.contents(atPath: fleet + "/" + name) else { continue }
      #expect(!String(decoding: bytes, as: UTF8.self).contains("Needle"), "\(name)")
    }
  }
}
