import Archives
import Bulk
import Forge
import Foundation
import SQLite
import StoreModel
import TestSupport
import Testing

/// `report` on the demo store and on forged ones.
final class ReportTests: DemoSuite {
  private let folder = TemporaryFolder()

  private static let environment = ["SOURCE_DATE_EPOCH": "1776556800"]

  /// In the demo's folder, so that its path is the same in each run.
  private func report(_ demo: Demo, _ file: String, _ more: String...) throws -> String {
    let result = try demo.folder.run(
      ["report", "Journeys.store", "-o", file, "--salt", "test"] + more, environment: Self.environment)
    #expect(result.status == 0 && result.output.isEmpty, "\(result.errors)")
    // And the headline, which people would open the file for.
    #expect(result.errors.hasPrefix("storescope: wrote \(file)\n  "))
    #expect(result.errors.split(separator: "\n").count == 2, "\(result.errors)")
    return try demo.folder.text(file)
  }

  @Test func markdownOfTheDemo() throws {
    let text = try report(Demo(), "report.md")
    #expect(text.split(separator: "\n", omittingEmptySubsequences: false).count < 120)
    // People read times to the minute.
    #expect(!text.contains(/\d{2}:\d{2}:\d{2}\.\d/))
    try expectSnapshot(text, named: "report.md")
  }

  /// One destroyed page, the root of a table for instance, and the report stopped with an error where the doctor
  /// answered: nobody was handed the doctor's findings.
  @Test(arguments: 0..<4) func aDestroyedPageLeavesAReport(_ part: Int) throws {
    let demo = try Demo(leaving: .nothing)
    let bytes = try demo.folder.read("Journeys.store")
    func report() throws -> (result: Tool.Result, figures: NSDictionary, omissions: [String]) {
      let result = try demo.run("report", "-o", "-", "--format", "json", "--salt", "test", "--quiet")
      guard result.status == 0 else { return (result, [:], []) }
      let json = try result.json()
      let lists = ["history", "records", "events", "pending", "entities"].map { name -> Any in
        guard let object = json[name] as? [String: Any] else { return json[name] ?? NSNull() }
        return object["changes"] ?? object["count"] ?? object["counts"] ?? NSNull()
      }
      let about = json["report"] as? [String: Any]
      return (result, ["lists": lists], about?["omissions"] as? [String] ?? [])
    }
    let whole = try report()
    #expect(whole.omissions.isEmpty)
    let size = 4096
    for page in stride(from: 1 + part, to: bytes.count / size, by: 4) {
      var damaged = bytes
      damaged.replaceSubrange(page * size..<(page + 1) * size, with: repeatElement(0xFF, count: size))
      try demo.folder.write(damaged, to: "Journeys.store")
      let doctor = try demo.run("doctor", "--json", "--quiet")
      guard doctor.status != 2 else { continue }
      let found = try report()
      // Without all of the list of tables, only the doctor opens it.
      if found.result.errors.contains("can't open") { continue }
      #expect(found.result.status == 0, "page \(page + 1): \(found.result.errors)")
      guard found.result.status == 0 else { continue }
      let rules = try [doctor, found.result].map { result in
        (try result.json()["findings"] as? [[String: Any]] ?? []).compactMap { $0["rule"] as? String }
      }
      #expect(rules[0] == rules[1], "page \(page + 1)")
      // Without the model, entities have other names; without the store's identifier, its token can't be compared.
      let reasons: Set = ["model-cache-damaged", "metadata-unreadable"]
      let isExplained = !found.omissions.isEmpty || !reasons.isDisjoint(with: rules[0])
      #expect(found.figures == whole.figures || isExplained, "page \(page + 1)")
    }
  }

  /// It said that the server had 23 records as they are here, of which four were saved later.
  @Test func claimsNoMoreThanPendingDoes() throws {
    let json = try demo.json("pending")
    let counts = try #require(json["counts"] as? [String: Int])
    let records = try demo.json("records").list("records")
    let known = records.count {
      $0["acknowledged"] as? Bool == true && $0["state"] as? String != "deleteLeftover"
    }
    let flagged = counts["uploads", default: 0] + counts["cloudDeletes", default: 0]
    #expect(
      try report(demo, "report.html").contains(
        """
        The server is known to have \(known) of \(records.count) records; \(flagged) are flagged for upload or \
        deletion. \(counts["unanalyzed", default: 0]) objects were saved later
        """))
  }

  @Test func jsonOfTheDemo() throws {
    let text = try report(demo, "report.json")
    #expect(try report(demo, "again.json") == text)
    // The WAL begins with a number of SQLite's choice.
    try expectSnapshot(text.replacing(/[0-9a-f]{64}/, with: "…"), named: "report.json")
    let json = try demo.run("report", "-o", "-", "--format", "json", environment: Self.environment).json()
    #expect(json["schema"] as? String == "storescope/report/1")
    let pending = try json.object("pending")
    let own = try demo.json("pending")
    #expect(pending["counts"] as? NSObject == own["counts"] as? NSObject)
    #expect((json["history"] as? [String: Any])?["transactions"] as? Int == demo.truth.transactions.count)
  }

  // MARK: - The page

  private func elements(_ element: XMLElement) -> [XMLElement] {
    [element] + element.children.flatMap(elements)
  }

  private func checkPage(_ text: String) throws -> [XMLElement] {
    let all = elements(try XMLReader.read(Array(text.utf8)))
    let policy = try #require(
      all.first { $0.attributes["http-equiv"] == "Content-Security-Policy" }?.attributes["content"])
    #expect(policy.hasPrefix("default-src 'none'; style-src 'sha256-") && !policy.contains("unsafe"))
    // Nothing is fetched, and no style or handler stands at an element.
    for element in all {
      for (name, value) in element.attributes {
        #expect(!["src", "srcset", "style", "action", "data"].contains(name) && !name.hasPrefix("on"))
        if name == "href" { #expect(value.hasPrefix("#"), "\(value)") }
      }
    }
    #expect(!all.contains { ["link", "iframe", "object", "embed", "img"].contains($0.name) })
    for landmark in ["header", "nav", "main", "footer", "h1"] {
      #expect(all.count { $0.name == landmark } == 1, "\(landmark)")
    }
    let levels = all.compactMap { $0.name.wholeMatch(of: /h([1-6])/).flatMap { Int($0.1) } }
    for (one, next) in zip(levels, levels.dropFirst()) { #expect(next <= one + 1) }
    let ids = all.compactMap { $0.attributes["id"] }
    #expect(Set(ids).count == ids.count)
    let targets =
      all.compactMap { $0.attributes["href"] }
      + all.flatMap { element in
        (element.attributes["aria-labelledby"] ?? "").split(separator: " ").map { "#\($0)" }
      }
    for target in targets { #expect(ids.contains(String(target.dropFirst())), "\(target)") }
    for table in all where table.name == "table" {
      #expect(table.children.first?.name == "caption" && table.children.first?.text.isEmpty == false)
    }
    for picture in all where picture.attributes["role"] == "img" {
      #expect(picture.children.prefix(2).map(\.name) == ["title", "desc"])
    }
    #expect(all.allSatisfy { $0.name != "th" || $0.attributes["scope"] != nil })
    return all
  }

  @Test func pageOfTheDemo() throws {
    let before = try FolderSnapshot(demo.folder.path)
    let result = try demo.run("report", "-o", "-", environment: Self.environment).expectDone()
    #expect(try FolderSnapshot(demo.folder.path) == before)
    let all = try checkPage(result.output)
    let heading = elements(try #require(all.first { $0.name == "h1" })).map(\.text).joined()
    #expect(heading == " Blocked:iCloud storage is full, and 25 changes exist only on this device.")
    // A figure leads to its details.
    let figures = elements(try #require(all.first { $0.attributes["class"] == "figures" }))
    #expect(figures.count { $0.name == "a" } == 7 && figures.count { $0.name == "dt" } == 7)
    #expect(all.count { $0.attributes["role"] == "img" } >= 3)
    #expect(result.output.contains("Reading changed nothing"))
    // Words of JSON stood in the tables.
    for word in ["cloudDelete", "unanalyzed", "pendingUpload"] { #expect(!result.output.contains(word)) }
  }

  @Test func aStoreWithoutMirrorHistoryOrObjects() throws {
    let path = try folder.forge(FixtureModels.library, named: "a.store")
    let result = try Tool.run(["report", path, "-o", "-"]).expectDone()
    let all = try checkPage(result.output)
    #expect(!all.contains { $0.attributes["id"] == "sync" || $0.attributes["id"] == "records" })
    #expect(result.output.contains("not mirrored"))
    #expect(result.output.contains("History is empty.") || result.output.contains("no persistent history"))
  }

  /// The user's own words are shown whole, as text.
  @Test(arguments: ["report.html", "report.md", "report.json"]) func theTitleLeads(_ file: String) throws {
    let text = try report(Demo(), file, "--title", "Ticket 4711 <b>")
    let beginning = text.prefix(file.hasSuffix("html") ? 200_000 : 600)
    #expect(beginning.contains("Ticket 4711"))
    #expect(!text.contains("<b>") || file.hasSuffix("json"))
  }

  // MARK: - Privacy

  /// Texts of the demo that must not be told, long enough not to be found by chance.
  private func secrets(_ demo: Demo) throws -> Set<String> {
    var secrets: Set<String> = [demo.uuid, demo.folder.path, "Journeys.store"]
    func collect(_ value: Any) {
      switch value {
      case let text as String where text.count >= 4 && !text.hasPrefix("x-coredata:"): secrets.insert(text)
      case let list as [Any]: list.forEach(collect)
      case let object as [String: Any]: object.values.forEach(collect)
      default: break
      }
    }
    let entities =
      try demo.json("entities")["entities"] as? [[String: Any]] ?? []
    var names: Set<String> = []
    for entity in entities {
      let name = try #require(entity["name"] as? String)
      names.insert(name)
      let rows = try demo.json("rows", name)["rows"] as? [[String: Any]] ?? []
      for row in rows { for (key, value) in row where key != "uri" && key != "entity" { collect(value) } }
    }
    let records = try demo.json("records")["records"] as? [[String: Any]] ?? []
    for record in records { if let name = record["recordName"] { collect(name) } }
    let history = try demo.json("history", "--by", "bundle")
    for group in history["groups"] as? [[String: Any]] ?? [] {
      if let name = group["bundle"] { collect(name) }
    }
    // Kinds of blobs, and words that the program uses itself.
    return secrets.subtracting(names).subtracting([
      "keyedArchive", "json", "bplist", "unknown", "text", "jpeg", "paths", "cloud",
    ])
  }

  @Test(arguments: ["report.html", "report.md", "report.json"]) func noValueIsTold(_ file: String) throws {
    let secrets = try secrets(demo)
    #expect(secrets.count > 80)
    let text = try report(demo, file)
    for secret in secrets { #expect(!text.contains(secret), "\(secret)") }
    let open = try report(demo, "open-" + file, "--include-values")
    #expect(open.contains("Journeys.store"))
    #expect(open.contains("includes values") || open.contains("This page includes values"))
  }

  @Test func zonesAndOwnersAreMarked() throws {
    let forge = try StoreForge(path: folder.path("a.store"), model: FixtureModels.library)
    let mirror = try MirrorForge(forge, layout: .v17)
    try mirror.setUp()
    var book: ForgedObject?
    try mirror.save { book = try $0.insert("Book", ["title": "Ada's diary"]) }
    try mirror.export()
    let zone = try mirror.share([#require(book)], title: "Family of Ada")
    try forge.close()
    for format in ["html", "markdown", "json"] {
      let result = try Tool.run(["report", forge.path, "-o", "-", "--format", format]).expectDone()
      for secret in [zone, String(zone.suffix(36)), "Ada", folder.path] {
        #expect(!result.output.contains(secret), "\(format): \(secret)")
      }
      #expect((format == "markdown") != result.output.contains("com.apple.coredata.cloudkit.zone"))
      #expect(format == "markdown" || result.output.contains("zone-"))
    }
    try Tool.run(["report", forge.path, "-o", "-", "--include-values"]).expectOutput(zone)
  }

  /// Record names need not be UUIDs, and stand in sentences of 'pending' and in findings.
  @Test func odderRecordNamesAreMarked() throws {
    let demo = try Demo { forge in
      try forge.connection.execute(
        """
        UPDATE ANSCKMIRROREDRELATIONSHIP SET ZRECORDNAME = 'of Ada', ZRELATEDRECORDNAME = 'Ada Lovelace',
          ZCKRECORDID = 'Ada' || Z_PK;
        UPDATE ANSCKRECORDMETADATA SET ZCKRECORDNAME = 'Ada ' || Z_PK, ZRECORDZONE = NULL WHERE Z_PK % 3 = 0;
        UPDATE ANSCKRECORDZONEMETADATA SET ZCKRECORDZONENAME = 'Zone of Ada', ZNEEDSIMPORT = 1;
        """)
    }
    try demo.run("pending", "--json").expectOutput("between of Ada")
    for format in ["html", "markdown", "json"] {
      try demo.run("report", "-o", "-", "--format", format).expectDone("\(format)").expectOutput(lacks: "Ada")
    }
  }

  @Test func equalSaltsGiveEqualMarks() throws {
    func record(_ more: String...) throws -> String {
      let text = try demo.run(["report", "-o", "-", "--json"] + more).output
      return try String(#require(text.firstMatch(of: /record-[0-9a-f]{12}/)).0)
    }
    #expect(try record("--salt", "a") == record("--salt", "a"))
    #expect(try record("--salt", "a") != record("--salt", "b"))
    #expect(try record() != record())
  }

  // MARK: - Files

  @Test func nothingIsWrittenOver() throws {
    let text = try report(demo, "report.html")
    func run(_ more: String...) throws -> Tool.Result {
      try demo.folder.run(["report", "Journeys.store"] + more)
    }
    try run("-o", "report.html").expectRefused("already exists", "--force")
    #expect(try demo.folder.text("report.html") == text)
    #expect(try run("-o", "report.html", "--force").status == 0)
    try demo.folder.write(Array("mine".utf8), to: "mine.md")
    try run("-o", "mine.md", "--force").expectRefused("isn't a storescope report")
    let store = try demo.folder.read("Journeys.store")
    for name in ["Journeys.store", "Journeys.store-wal", "other-journal"] {
      try run("-o", name, "--format", "html", "--force").expectRefused("store", "choose another")
    }
    try demo.folder.link("link.html", to: demo.path)
    try run("-o", "link.html", "--force").expectRefused("is the open store")
    #expect(try demo.folder.read("Journeys.store") == store)
    try run().expectRefused(status: 64, "-o report.html")
    try run("-o", "report.pdf").expectRefused(status: 64, ".html")
    try run("-o", "nowhere/report.html").expectRefused("can't be written")
    #expect(try !demo.folder.names().contains { $0.hasSuffix(".new") })
  }

  // MARK: - Size

  /// Each leads to another one, which is led to by it; some are sub-entities.
  private static func entity(_ number: Int) -> EntityDescription {
    func target(_ number: Int) -> Int { (number * 31 + 7) % 100 }
    var relationships = [
      RelationshipDescription(
        name: "next\(number)", destination: "Entity\(target(number))", inverse: "previous\(number)")
    ]
    for other in 0..<100 where target(other) == number {
      relationships.append(
        RelationshipDescription(
          name: "previous\(other)", destination: "Entity\(other)", inverse: "next\(other)", isToMany: true))
    }
    return EntityDescription(
      name: "Entity\(number)", superentity: number % 7 == 3 ? "Entity\(number - 1)" : nil,
      attributes: (0..<5).map { AttributeDescription(name: "attribute\(number)x\($0)", type: .string) },
      relationships: relationships)
  }

  /// A hundred entities that know each other, and fifty thousand transactions of a hundred authors.
  @Test func aLargeStoreIsASmallPage() throws {
    let entities = (0..<100).map(Self.entity)
    let forge = try StoreForge(
      path: folder.path("large.store"), model: ManagedObjectModel(entities: entities))
    let mirror = try MirrorForge(forge, layout: .v17)
    try mirror.setUp()
    try BulkForge.fill(forge) { bulk in
      for number in 0..<100 {
        let keys = try bulk.insert("Entity\(number)", count: 40, [:])
        var changes = BulkForge.Changes(
          .update, of: "Entity\(number)", keys: keys, count: 1000, perTransaction: 2)
        changes.author = "author\(number)"
        changes.secondsBetweenTransactions = 600
        try bulk.record(changes)
      }
    }
    try forge.close()
    let result = try Tool.run(["report", forge.path, "-o", "-"], seconds: 300).expectDone()
    _ = try checkPage(result.output)
    #expect(result.outputBytes.count < 1_000_000, "\(result.outputBytes.count)")
  }
}
