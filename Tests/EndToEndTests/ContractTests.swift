import Forge
import Foundation
import StoreModel
import TestSupport
import Testing

/// What scripts rely on, but for the keys and their types, which `SchemaTests` has.
struct ContractTests {
  let demo: Demo

  init() throws { demo = try Demo() }

  /// Runs a command for its JSON, which must name the command and the store.
  private func json(_ reading: String...) throws -> [String: Any] {
    let result = try demo.run(reading + ["--json"]).expectDone("\(reading)")
    let json = try result.json()
    #expect(json["schema"] as? String == "storescope/\(reading[0])/1")
    let store = try json.object("store")
    expectMembers(store, ["path": demo.path, "uuid": demo.uuid, "frameworkVersion": 1526])
    return json
  }

  /// Sentences had dates in other forms than the values next to them.
  @Test(arguments: [
    ["pending"], ["doctor", "--fail-on", "never"], ["preflight"], ["mirror"], ["trace", "Entry/p9"],
    ["trace", "Trip/p1"], ["summary"], ["events"],
  ]) func datesHaveOneForm(_ words: [String]) throws {
    let output = try demo.run(words + ["--json"]).output
    let dates = output.matches(of: /\d{4}-\d\d-\d\dT[\d:.]+Z/).map(\.output)
    #expect(!dates.isEmpty && dates.allSatisfy { $0.count == 27 }, "\(dates)")
  }

  @Test func summary() throws {
    let json = try json("summary")
    let entities = try json.list("entities")
    #expect(entities.map { $0["number"] as? Int } == Array(1...9))
    for entity in entities {
      let name = try #require(entity["name"] as? String)
      #expect(entity["rows"] as? Int == demo.truth.objects(of: name).count)
      #expect((entity["table"] as? String)?.hasPrefix("Z") == true)
      #expect(entity["parent"] as? String == (["City", "Landmark"].contains(name) ? "Place" : nil))
    }
    let history = try json.object("history")
    expectMembers(
      history,
      ["present": true, "transactions": demo.truth.transactions.count, "changes": demo.truth.changes.count])
    for key in ["first", "last"] { #expect((history[key] as? String)?.hasSuffix("Z") == true) }
    let mirror = try json.object("mirror")
    let truth = demo.mirror
    expectMembers(
      mirror,
      [
        "present": true, "layout": "V17", "scope": "private", "zones": truth.zones.count,
        "records": truth.records.count, "pending": truth.waiting.count,
      ])
    let files = try json.object("files")
    expectMembers(files, ["journal": "wal", "pageSize": 4096])
    for (key, name) in [("bytes", DemoStore.fileName), ("walBytes", DemoStore.fileName + "-wal")] {
      let size = try demo.folder.read(name).count
      #expect(files[key] as? Int == size)
    }
    #expect(files["walFrames"] as? Int ?? 0 > 3)
    let model = try json.object("model")
    expectMembers(model, ["source": "cache", "entities": 9, "identifiers": ["Journeys 3"]])
  }

  @Test func entities() throws {
    let entities = try json("entities").list("entities")
    #expect(entities.count == 9)
    for property in try entities.flatMap({ try $0.list("properties") }) {
      let isRelationship = property["kind"] as? String == "relationship"
      #expect(isRelationship || property["kind"] as? String == "attribute")
      #expect(property["destination"] is String == isRelationship)
    }
    let trip = try #require(try json("entities", "Trip").list("entities").first)
    let entries = try #require(try trip.list("properties").first { $0["name"] as? String == "entries" })
    #expect(entries["toMany"] as? Bool == true && entries["ordered"] as? Bool == false)
    #expect(entries["destination"] as? String == "Entry" && entries["inverse"] as? String == "trip")
  }

  @Test func orderedRelationships() throws {
    let folder = TemporaryFolder()
    let forge = try StoreForge(path: folder.path("a.store"), model: FixtureModels.inheritance)
    let folders = try forge.save { save in
      let parent = try save.insert("Folder")
      for _ in 0..<3 { _ = try save.insert("Folder", links: ["parent": [parent]]) }
      try save.order(parent, "subfolders", save.members(of: parent, "subfolders").reversed())
      return save.members(of: parent, "subfolders")
    }
    try forge.close()
    let entities = try Tool.json(["entities", forge.path, "Folder"])
    let properties = try #require(entities.list("entities").first).list("properties")
    let subfolders = try #require(properties.first { $0["name"] as? String == "subfolders" })
    #expect(subfolders["toMany"] as? Bool == true && subfolders["ordered"] as? Bool == true)
    let shown = try Tool.json(["show", forge.path, "Folder/p1"]).object("object")
    #expect(folders.map(\.primaryKey) == [4, 3, 2])
    #expect(shown["subfolders"] as? [String] == folders.map(forge.uri(of:)))
  }

  @Test func rows() throws {
    func keys(_ reading: String...) throws -> [Any] {
      let arguments = ["rows", demo.path] + reading + ["--json"]
      return try Tool.run(arguments).json().list("rows").compactMap { $0["pk"] }
    }
    #expect(try keys("Place") as? [Int] == Array(1...9))
    #expect(try keys("Place", "--exact").isEmpty)
    #expect(try keys("City", "--exact") as? [Int] == Array(1...4))
    #expect(try keys("Place", "--reverse", "--limit", "2") as? [Int] == [9, 8])
    #expect(try keys("Place", "--limit", "0").isEmpty)
    #expect(
      try keys("Person", "--where", "birthday < '1991-01-01' AND email IS NOT NULL") as? [Int] == [1, 3])
    #expect(try keys("Landmark", "--where", "city = 1 -- Lisbon") as? [Int] == [5])
    #expect(try keys("Trip", "--where", "isArchived") as? [Int] == [1])

    let row = try #require(try json("rows", "Trip").list("rows").first)
    expectMembers(
      row,
      [
        "uri": "x-coredata://\(demo.uuid)/Trip/p1", "pk": 1, "entity": "Trip",
        "startDate": "2026-03-20T00:00:00.000000Z", "identifier": "0B6E8A52-3C1D-4B7F-8E25-6A4D9F01C3E7",
      ])
    #expect(row["entries"] == nil)
    let blob = try #require((row["cover"] as? [String: Any])?["blob"] as? [String: Any])
    #expect(
      blob["kind"] as? String == "png" && blob["bytes"] is Int && (blob["sha256"] as? String)?.count == 64)
    #expect((row["companions"] as? [String: Any])?["value"] as? [String] == ["Ada", "Jonas"])
    let expanded = try #require(try json("rows", "Trip", "--expand").list("rows").first)
    #expect(
      (expanded["participants"] as? [String])?.sorted()
        == [1, 2].map { "x-coredata://\(demo.uuid)/Person/p\($0)" })
    let entry = try #require(
      try json("rows", "Entry", "--where", "title = 'Miradouro'").list("rows").first)
    #expect(entry["weather"] is NSNull && entry["trip"] as? String == row["uri"] as? String)
  }

  @Test(arguments: [
    ["x-coredata://7D3B51C4-0F2E-4C55-9A61-5E2C8D40B7A9/Trip/p2"], ["Trip/p2"], ["Trip", "2"], ["Trip 2"],
  ])
  func show(object: [String]) throws {
    let result = try demo.run(["show"] + object + ["--json"]).expectStatus()
    // Without the `p` it may be a title, so it is said what it was taken for.
    #expect(
      result.errors.contains("is taken for Trip/p2") == !object.joined().contains("/p"), "\(result.errors)")
    let json = try result.json()
    let shown = try json.object("object")
    expectMembers(shown, ["uri": "x-coredata://\(demo.uuid)/Trip/p2", "title": "Temples of Kyoto"])
    #expect((shown["entries"] as? [String])?.count == 2)
    let record = try json.object("record")
    let known = demo.mirror.records.first { $0.object.entity == "Trip" && $0.object.primaryKey == 2 }
    #expect(record["recordName"] as? String == known?.name)
    #expect(record["state"] as? String == known?.state.rawValue)
    let changes = try json.list("changes")
    #expect(
      changes.count == demo.truth.changes.count { $0.object.entity == "Trip" && $0.object.primaryKey == 2 })
  }

  @Test func history() throws {
    func transactions(_ filter: String...) throws -> [Int64] {
      let result = try demo.run(["history"] + filter + ["--json"]).expectDone("\(filter)")
      return try result.json().list("changes").compactMap { $0["transaction"] as? Int64 }
    }
    let authors = Dictionary(demo.truth.transactions.map { ($0.number, $0.author) }) { $1 }
    func numbers(where matches: (ForgeTruth.Change) -> Bool) -> [Int64] {
      demo.truth.changes.filter(matches).map(\.transaction)
    }
    func author(_ change: ForgeTruth.Change) -> String? { authors[change.transaction] ?? nil }
    #expect(try transactions() == numbers { _ in true })
    #expect(try transactions("--reverse") == numbers { _ in true }.reversed())
    #expect(try transactions("--author", "widget") == numbers { author($0) == "widget" })
    #expect(
      try transactions("--author", "widget", "--author", "import")
        == numbers { ["widget", "import"].contains(author($0)) })
    #expect(try transactions("--bundle", "com.example.Journeys.Widget") == numbers { author($0) == "widget" })
    #expect(try transactions("--change", "delete") == numbers { $0.kind == .delete })
    #expect(try transactions("--change", "insert", "--change", "delete") == numbers { $0.kind != .update })
    #expect(try transactions("--no-author") == numbers { author($0) == nil })
    #expect(try transactions("--entity", "City") == numbers { $0.object.entity == "City" })
    #expect(
      try transactions("--entity", "Place") == numbers { ["City", "Landmark"].contains($0.object.entity) })
    #expect(
      try transactions("--object", "City/p1")
        == numbers { $0.object.entity == "City" && $0.object.primaryKey == 1 })
    #expect(try transactions("--transaction", "14") == numbers { $0.transaction == 14 })
    #expect(try transactions("--transaction", "3..5") == numbers { (3...5).contains($0.transaction) })
    #expect(try transactions("--since", "2026-04-16T13:47:58.215Z") == numbers { $0.transaction >= 18 })
    #expect(try transactions("--until", "2026-03-02T08:15:31Z") == numbers { $0.transaction == 1 })
    let filters = ["--author", "app", "--entity", "Trip", "--since", "2026-04-01"]
    let arguments = ["history", demo.path] + filters + ["--json"]
    for change in try Tool.run(arguments).json().list("changes") {
      #expect(change["author"] as? String == "app" && change["entity"] as? String == "Trip")
    }
  }

  @Test(arguments: ["author", "entity", "process", "bundle", "context", "day"])
  func historyBy(dimension: String) throws {
    let groups = try json("history", "--by", dimension).list("groups")
    for group in groups {
      #expect(group[dimension] != nil)
      for key in ["first", "last"] { #expect((group[key] as? String)?.hasSuffix("Z") == true) }
    }
    func sum(_ key: String) -> Int { groups.reduce(0) { $0 + ($1[key] as? Int ?? 0) } }
    #expect(sum("inserts") == demo.truth.changes.count { $0.kind == .insert })
    #expect(sum("updates") == demo.truth.changes.count { $0.kind == .update })
    #expect(sum("deletes") == demo.truth.changes.count { $0.kind == .delete })
    if dimension == "author" {
      let authors = groups.map { $0["author"] as? String ?? "(none)" }
      #expect(Set(authors) == ["app", "import", "widget", "(none)"])
      #expect(groups.contains { $0["author"] is NSNull })
    }
  }

  @Test func query() throws {
    let json = try json("query", "SELECT name, population FROM City ORDER BY population DESC LIMIT 1")
    #expect(json["columns"] as? [String] == ["name", "population"])
    let rows: [[String: NSObject]] = [["name": "Kyoto" as NSString, "population": 1_443_486 as NSNumber]]
    #expect(json["rows"] as? [[String: NSObject]] == rows)
    let saved = try self.json("query", "changes-by-author", "--param", "since=2026-04-16")
    #expect(try saved.list("rows").compactMap { $0["author"] as? String }.sorted() == ["app", "widget"])
    let bound = try self.json("query", "SELECT uri FROM Entry WHERE title = :title", "-p", "title=Tram 28")
    #expect(bound["rows"] as? [[String: String]] == [["uri": "x-coredata://\(demo.uuid)/Entry/p4"]])
    let twice = try self.json("query", "SELECT 1 AS a, 2 AS a, 3 AS a_2, 4 AS a")
    #expect(twice["columns"] as? [String] == ["a", "a_3", "a_2", "a_4"])
    #expect(twice["rows"] as? [[String: Int]] == [["a": 1, "a_3": 2, "a_2": 3, "a_4": 4]])
    try demo.run("query", "SELECT pk FROM Trip ORDER BY pk", "--format", "ndjson").expectOutput(
      begins: "{\"pk\":1}\n{\"pk\":2}\n")
    let listed = try self.json("query").list("queries")
    #expect(listed.contains { $0["name"] as? String == "churn" })
  }
}
