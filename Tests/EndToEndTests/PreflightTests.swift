import Forge
import Foundation
import SQLite
import StoreModel
import TestSupport
import Testing

/// What `preflight` says of stores and of the models that apps bring.
@Suite struct PreflightTests {
  private let folder = TemporaryFolder("preflight")

  private func run(_ store: String, _ words: [String] = []) throws -> (
    verdict: String, steps: [String: [String: Any]]
  ) {
    let result = try Tool.run(["preflight", store, "--json"] + words).expectDone()
    let json = try result.json()
    let steps = try json.list("steps")
    #expect(
      steps.compactMap { $0["step"] as? String } == [
        "open", "migrate", "setUpMirror", "checkAccount", "checkToken", "import", "export",
      ])
    return (
      try #require(json["verdict"] as? String),
      Dictionary(uniqueKeysWithValues: steps.map { ($0["step"] as? String ?? "", $0) })
    )
  }

  private func store(
    _ model: ManagedObjectModel = Self.twoEntities, rows: [String] = ["Note", "Tag"],
    named name: String = "App.store"
  ) throws -> String {
    try folder.forge(model, named: name) { save in for entity in rows { _ = try save.insert(entity) } }
  }

  private func model(_ entities: String, named name: String = "New.xcdatamodel") throws -> String {
    try folder.writeModel(entities, named: name)
  }

  /// Commands in the answers had STORE in them, which can't be pasted, and nothing was said of a token that can't be read.
  @Test(arguments: [
    "UPDATE ANSCKMETADATAENTRY SET ZTRANSFORMEDVALUE = x'00' WHERE ZKEY LIKE '%LastHistoryToken%'",
    "DELETE FROM ATRANSACTION",
  ])
  func commandsHaveTheStoresPath(_ sql: String) throws {
    let demo = try Demo()
    let folder = demo.folder.path("My stores")
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    let path = folder + "/App.store"
    for suffix in ["", "-wal"] {
      try FileManager.default.copyItem(atPath: demo.path + suffix, toPath: path + suffix)
    }
    _ = try Tool.run("/usr/bin/sqlite3", [path, sql])
    try Tool.run(["preflight", path]).expectOutput("Fix: ", "'storescope resync \"\(path)\" --rescan'")
    for words in [["preflight", path], ["trace", path, "Trip/p4"], ["trace", path, "Entry/p9"]] {
      try Tool.run(words).expectOutput(lacks: "STORE")
    }
  }

  private static let twoEntities = ManagedObjectModel(entities: [
    .init(name: "Note", attributes: [.init(name: "text", type: .string)]), .init(name: "Tag"),
  ])
  private static let note =
    #"<entity name="Note"><attribute name="text" attributeType="String" optional="YES"/></entity>"#
  private static let tag = #"<entity name="Tag"/>"#

  struct Case: Sendable, CustomTestStringConvertible {
    var name: String
    var model: String
    var rows: [String] = ["Note", "Tag"]
    var verdict: String
    var outcome: String
    var code: String?
    var because: String

    var testDescription: String { name }
  }

  private static let cases = [
    Case(
      name: "the same model", model: note + tag, verdict: "safe", outcome: "nothing", because: "current model"
    ),
    Case(
      name: "an option that isn't part of a version hash",
      model: note.replacing("/></entity>", with: #" allowsCloudEncryption="YES"/></entity>"#) + tag,
      verdict: "safe", outcome: "nothing",
      because:
        "1 change needs no migration. Note.text: CloudKit encryption changed (off → on). If the field is deployed"
    ),
    Case(
      name: "an entity more", model: note + tag + #"<entity name="Photo"/>"#, verdict: "safe",
      outcome: "succeeds", because: "1 change can be inferred"),
    Case(
      name: "an entity with rows less", model: note, verdict: "losesData", outcome: "wipes",
      because: "Tag is removed with 1 row"),
    Case(
      name: "an entity without rows less", model: note, rows: ["Note"], verdict: "safe", outcome: "succeeds",
      because: "1 change can be inferred"),
    Case(
      name: "renamed without a renaming ID", model: note + #"<entity name="Label"/>"#, verdict: "losesData",
      outcome: "wipes", because: "set the renaming ID of 'Label' to 'Tag'"),
    Case(
      name: "renamed with one", model: note + #"<entity name="Label" elementID="Tag"/>"#, verdict: "safe",
      outcome: "succeeds", because: "can be inferred"),
    Case(
      name: "another app's model", model: #"<entity name="Song"/>"#, verdict: "losesData", outcome: "wipes",
      because: "no entity in common with the store"),
    Case(
      name: "an entity renamed without a renaming ID, and no other", model: #"<entity name="Memo"/>"#,
      rows: ["Note"], verdict: "losesData", outcome: "wipes",
      because: "or all entities were renamed without a renaming ID"),
    Case(
      name: "two obstacles",
      model: note
        + #"<entity name="Tag"><attribute name="label" attributeType="String"/><attribute name="rank" attributeType="Date"/></entity>"#,
      verdict: "fails", outcome: "fails", code: "134110", because: "1 row. There is 1 other obstacle."),
    Case(
      name: "a renaming ID that no version hash has",
      model: note.replacing("/></entity>", with: #" elementID="words"/></entity>"#) + tag, verdict: "safe",
      outcome: "nothing", because: "1 change needs no migration"),
    Case(
      name: "a required integer with the default of a Boolean",
      model: note
        + #"<entity name="Tag"><attribute name="rank" attributeType="Integer 16" defaultValueString="NO"/></entity>"#,
      verdict: "safe", outcome: "succeeds", because: "1 change can be inferred"),
    Case(
      name: "a type that can't be converted",
      model: #"<entity name="Note"><attribute name="text" attributeType="Date" optional="YES"/></entity>"#
        + tag, verdict: "fails", outcome: "fails", code: "134190", because: "can't infer the mapping"),
    Case(
      name: "a required attribute more",
      model: note + #"<entity name="Tag"><attribute name="label" attributeType="String"/></entity>"#,
      verdict: "fails", outcome: "fails", code: "134110", because: "Tag.label is new in"),
  ]

  @Test(arguments: cases) func theMigrationIsForecast(_ example: Case) throws {
    let store = try store(rows: example.rows)
    let path = try model(example.model)
    let (verdict, steps) = try run(store, ["--model", path])
    let step = try #require(steps["migrate"])
    #expect(verdict == example.verdict)
    #expect(step["outcome"] as? String == example.outcome, "\(step)")
    #expect(step["code"] as? String == example.code, "\(step)")
    #expect((step["because"] as? String ?? "").contains(example.because), "\(step)")
    #expect(
      try Tool.run(["preflight", store, "--model", path, "--exit-code"]).status == (verdict == "safe" ? 0 : 1)
    )
  }

  /// Other obstacles were only counted, so that each launch found the next one.
  @Test func allObstaclesAreListed() throws {
    let store = try store()
    let attributes = (1...8).map { #"<attribute name="field\#($0)" attributeType="String"/>"# }.joined()
    let path = try model(
      #"<entity name="Note"><attribute name="text" attributeType="Date" optional="YES"/></entity>"#
        + #"<entity name="Tag">\#(attributes)</entity>"#)
    let reasons = try #require(
      try run(store, ["--model", path]).steps["migrate"]?["reasons"] as? [[String: Any]])
    #expect(reasons.map { $0["code"] as? String } == ["134190"] + Array(repeating: "134110", count: 8))
    #expect(reasons.allSatisfy { ($0["fix"] as? String)?.hasSuffix(".") == true })
    try Tool.run(["preflight", store, "--model", path]).expectOutput(
      "All obstacles (9):\n  • Core Data can't infer", "• Tag.field4 is new",
      "… and 4 more: --verbose lists all", lacks: "field8")
    try Tool.run(["preflight", store, "--model", path, "--verbose"]).expectOutput(
      "• Tag.field8 is new", lacks: "--verbose lists")
  }

  /// To make the new attribute optional, as was advised, removes the values of the old one, which nothing said.
  @Test func aRenamingIsSuggestedBeforeValuesGo() throws {
    let store = try folder.forge(Self.twoEntities) { _ = try $0.insert("Note", ["text": "a"]) }
    let path = try model(
      #"<entity name="Note"><attribute name="body" attributeType="String"/></entity>"# + Self.tag)
    let (verdict, steps) = try run(store, ["--model", path])
    #expect(verdict == "fails")
    let fix = try #require(steps["migrate"]?["fix"] as? String)
    expectText(
      fix,
      begins:
        "If 'text' was renamed to 'body', set the renaming ID of 'body' to 'text'. Otherwise, make Note.body optional,",
      "Note.text is removed with 1 value")
  }

  /// Links of a many-to-many relationship were lost unnoticed, as no row of an entity has them; and so were values whose
  /// attribute isn't stored anymore.
  @Test(
    arguments: [
      (
        #"<attribute name="text" attributeType="String" optional="YES"/>"#, "",
        "Note.tags is removed with 1 link."
      ),
      (
        #"<attribute name="text" attributeType="String" optional="YES" transient="YES"/>"#
          + #"<relationship name="tags" toMany="YES" optional="YES" destinationEntity="Tag" inverseName="notes"/>"#,
        #"<relationship name="notes" toMany="YES" optional="YES" destinationEntity="Note" inverseName="tags"/>"#,
        "Note.text becomes transient with 1 value."
      ),
    ])
  func whatIsLostIsCounted(_ note: String, _ tag: String, _ because: String) throws {
    let old = ManagedObjectModel(entities: [
      .init(
        name: "Note", attributes: [.init(name: "text", type: .string)],
        relationships: [.init(name: "tags", destination: "Tag", inverse: "notes", isToMany: true)]),
      .init(
        name: "Tag",
        relationships: [.init(name: "notes", destination: "Note", inverse: "tags", isToMany: true)]),
    ])
    let store = try folder.forge(old) { save in
      try save.link(save.insert("Note", ["text": "a"]), "tags", save.insert("Tag"))
    }
    let path = try model(#"<entity name="Note">\#(note)</entity><entity name="Tag">\#(tag)</entity>"#)
    let (verdict, steps) = try run(store, ["--model", path])
    #expect(verdict == "losesData")
    let found = try #require(steps["migrate"]?["because"] as? String)
    #expect(found.hasSuffix(because))
  }

  /// A composite has no column of its own, so that nothing seemed to be lost with it.
  @Test func compositesAreLostWithTheirElements() throws {
    let place = AttributeDescription(
      name: "place", type: .composite,
      elements: [.init(name: "street", type: .string), .init(name: "city", type: .string)])
    let store = try folder.forge(
      .init(entities: [.init(name: "Note", attributes: [.init(name: "text", type: .string), place])])
    ) { save in
      _ = try save.insert("Note", ["place": .composite(["city": "Lisbon"])])
      _ = try save.insert("Note", ["text": "a"])
    }
    let path = try model(Self.note)
    let because = try run(store, ["--model", path]).steps["migrate"]?["because"] as? String
    #expect(because == "To 'New': Note.place is removed with 1 value.")
  }

  /// A property that moves to another level of the hierarchy keeps its values: only rows of entities that lose or get it
  /// count. https://developer.apple.com/documentation/coredata/migrating-your-data-model-automatically
  @Test(
    arguments: [
      ("down", ["Place": "", "City": "site", "Sight": "site"], "safe", "can be inferred"),
      ("down to one", ["Place": "", "City": "site", "Sight": ""], "losesData", "removed with 1 value"),
      ("up and required", ["Place": "site people!", "City": "", "Sight": ""], "fails", "Place has 1 row"),
    ])
  func movedPropertiesKeepTheirValues(
    _ name: String, _ properties: [String: String], _ verdict: String, _ because: String
  ) throws {
    let old = ManagedObjectModel(entities: [
      .init(name: "Place", isAbstract: true, attributes: [.init(name: "site", type: .string)]),
      .init(name: "City", superentity: "Place", attributes: [.init(name: "people", type: .integer32)]),
      .init(name: "Sight", superentity: "Place"),
    ])
    let store = try folder.forge(old) { save in
      _ = try save.insert("City", ["site": "a", "people": 3])
      _ = try save.insert("Sight", ["site": "b"])
    }
    let entities = ["Place", "City", "Sight"].map { entity in
      var attributes = (properties[entity] ?? "").split(separator: " ").map { property in
        let isRequired = property.hasSuffix("!")
        let type = property.hasPrefix("people") ? "Integer 32" : "String"
        return
          #"<attribute name="\#(property.filter { $0 != "!" })" attributeType="\#(type)"\#(isRequired ? "" : #" optional="YES""#)/>"#
      }
      if entity == "City", name != "up and required" {
        attributes.append(#"<attribute name="people" attributeType="Integer 32" optional="YES"/>"#)
      }
      let head = entity == "Place" ? #"isAbstract="YES""# : #"parentEntity="Place""#
      return #"<entity name="\#(entity)" \#(head)>\#(attributes.joined())</entity>"#
    }
    let path = try model(entities.joined())
    let (found, steps) = try run(store, ["--model", path])
    #expect(found == verdict, "\(steps["migrate"] ?? [:])")
    let text = try #require(steps["migrate"]?["because"] as? String)
    #expect(text.contains(because))
  }

  /// Core Data throws when an app merges them; two versions of one model were merged without a word.
  @Test func differentEntitiesOfOneNameAreNotMerged() throws {
    let store = try store(rows: ["Note"])
    let paths = try [
      model(Self.note + Self.tag, named: "A.xcdatamodel"),
      model(#"<entity name="Note"/>"#, named: "B.xcdatamodel"),
    ]
    try Tool.run(["preflight", store] + paths.flatMap { ["--model", $0] }).expectErrors(
      status: 2, "'A' and 'B' can't be merged, as both have 'Note'", ".momd")
  }

  /// What the store doesn't show was called safe.
  @Test func aStoreWithoutAModelIsNotSafe() throws {
    let store = try store(rows: ["Note"])
    _ = try Tool.run("/usr/bin/sqlite3", [store, "DROP TABLE Z_MODELCACHE"])
    let (verdict, steps) = try run(store)
    #expect(verdict == "unknown")
    #expect(steps["migrate"]?["outcome"] as? String == "unknown")
    try Tool.run(["preflight", self.store(rows: [], named: "B.store")])
      .expectOutput(begins: "Safe, unless the app's model has changed ('--model' checks it)")
  }

  /// The store opens, and the first fetch fails: it was said of the opening.
  @Test func aMissingColumnFailsTheFirstFetch() throws {
    let store = try store(rows: ["Note"])
    _ = try Tool.run("/usr/bin/sqlite3", [store, "ALTER TABLE ZNOTE DROP COLUMN ZTEXT"])
    #expect(try run(store).steps["open"]?["code"] as? String == "256")
    try Tool.run(["preflight", store]).expectOutput(
      begins: "The next launch fails during the first fetch (NSCocoa")
  }

  /// The code was another one, the SQL that brings back what is missing wasn't printed, and 'rows' showed SQLite's error.
  @Test(arguments: [
    ["DROP TABLE ZNOTE"], ["ALTER TABLE ZNOTE DROP COLUMN ZTEXT"], ["DROP TABLE ZTAG", "DROP TABLE ZNOTE"],
  ])
  func whatIsMissingIsBroughtBackByTheSQLShown(_ damage: [String]) throws {
    let store = try store()
    func schema() throws -> String {
      try Tool.run(
        "/usr/bin/sqlite3", [store, "SELECT name, sql FROM sqlite_master WHERE name LIKE 'Z%' ORDER BY 1"]
      )
      .output
    }
    let whole = try schema()
    _ = try Tool.run("/usr/bin/sqlite3", [store, damage.joined(separator: ";")])
    let step = try #require(run(store).steps["open"])
    #expect((step["because"] as? String)?.contains("NSSQLiteErrorDomain 1") == true)
    let fix = try #require(step["fix"] as? String)
    let sql = try #require(fix.range(of: "values: ")).upperBound
    #expect(try Tool.run("/usr/bin/sqlite3", [store, String(fix[sql...])]).status == 0)
    #expect(try run(store).verdict == "safe")
    if damage[0].hasPrefix("DROP TABLE") { #expect(try schema() == whole) }
  }

  @Test func rowsOfAMissingTableSaySo() throws {
    let store = try store()
    _ = try Tool.run("/usr/bin/sqlite3", [store, "DROP TABLE ZTAG; ALTER TABLE ZNOTE DROP COLUMN ZTEXT"])
    let rows = try Tool.run(["rows", store, "Tag"]).expectErrors(
      status: 2, "has no table ZTAG, which the model needs for Tag")
    #expect(!rows.errors.contains("SQLite reports"))
    try Tool.run(["rows", store, "Note"]).expectErrors(status: 0, "needs column ZNOTE.ZTEXT")
  }

  /// Apps with SwiftData have no model file; a store that the new version made was refused.
  @Test func anotherStoreShowsTheNewModel() throws {
    let store = try store()
    var model = Self.twoEntities
    model.entities[0].attributes.append(.init(name: "kind", type: .string, isOptional: false))
    let new = try self.store(model, rows: [], named: "New.store")
    let step = try #require(run(store, ["--model", new]).steps["migrate"])
    #expect(step["code"] as? String == "134110")
    expectText(step["because"], begins: "Note.kind is new in 'New.store' and required")
    let same = try self.store(rows: [], named: "Same.store")
    #expect(try run(store, ["--model", same]).steps["migrate"]?["outcome"] as? String == "nothing")
    #expect(try Tool.run(["preflight", store, "--model", store]).status == 64)
  }

  /// A damaged file was called readable, or ended the command with an internal statement.
  @Test func damageIsFoundBeforeAnythingElse() throws {
    let forge = try StoreForge(
      path: folder.path("App.store"), model: Self.twoEntities, options: ForgeOptions(journal: .rollback))
    try forge.save(author: "app") { _ = try $0.insert("Note") }
    let place = try #require(
      forge.connection.first(
        "SELECT rootpage, page_size FROM sqlite_schema, pragma_page_size WHERE name = 'ZNOTE'"
      ) { (page: $0.integer(0), size: $0.integer(1)) })
    try forge.close()
    let file = try #require(FileHandle(forUpdatingAtPath: forge.path))
    try file.seek(toOffset: UInt64((place.page - 1) * place.size))
    try file.write(contentsOf: Data(repeating: 0xff, count: Int(place.size)))
    try file.close()
    let (verdict, steps) = try run(forge.path)
    #expect(verdict == "fails")
    #expect(steps["open"]?["code"] as? String == "NSSQLiteErrorDomain:11")
    #expect(steps["migrate"]?["because"] as? String == "Not reached: the store doesn't open.")
  }

  /// Core Data refuses the whole model for an entity that the store doesn't have yet.
  @Test func newEntitiesHaveToFollowCloudKitsRules() throws {
    let store = try mirror()
    let path = try model(
      Self.note + Self.tag
        + #"<entity name="Photo"><attribute name="size" attributeType="Integer 32"/></entity>"#)
    let (verdict, steps) = try run(store, ["--model", path])
    #expect(verdict == "fails")
    #expect(steps["setUpMirror"]?["code"] as? String == "134060")
    #expect((steps["setUpMirror"]?["fix"] as? String)?.hasPrefix("Make 'size' optional, or") == true)
    // It was said of an export that isn't reached, too.
    #expect(steps["export"]?["because"] as? String == "Not reached: setup has to succeed first.")
  }

  /// One sentence had the fixes of all rules.
  @Test(arguments: [
    (
      #"deletionRule="Deny" optional="YES" inverseName="note""#,
      "Set the delete rule of 'tags' to Nullify or Cascade."
    ),
    (#"ordered="YES" optional="YES" inverseName="note""#, "Make 'tags' unordered."),
    (#"optional="YES""#, "Give 'tags' an inverse."),
  ])
  func aBrokenRuleHasItsOwnFix(_ options: String, _ fix: String) throws {
    let path = try model(
      Self.note.replacing(
        "</entity>",
        with: #"<relationship name="tags" toMany="YES" destinationEntity="Tag" \#(options)/></entity>"#)
        + #"<entity name="Tag"><relationship name="note" maxCount="1" optional="YES" destinationEntity="Note" inverseName="tags"/></entity>"#
    )
    let step = try #require(run(mirror(), ["--model", path]).steps["setUpMirror"])
    #expect((step["fix"] as? String)?.hasPrefix(fix + " Or leave") == true, "\(step)")
  }

  @Test func aUniquenessConstraintIsToBeRemoved() throws {
    let path = try model(Self.note.replacing("</entity>", with: Self.uniqueText + "</entity>") + Self.tag)
    let step = try #require(run(mirror(), ["--model", path]).steps["setUpMirror"])
    expectText(step["fix"], begins: "Remove the uniqueness constraint on 'text'.")
  }

  /// Of several only the first was listed, and no reason.
  @Test func allThatIsNotDocumentedIsListed() throws {
    let old = ManagedObjectModel(entities: [
      .init(name: "Note", attributes: ["a", "b", "c"].map { .init(name: $0, type: .integer16) })
    ])
    let store = try store(old, rows: ["Note"])
    func attributes(_ more: String) -> String {
      let wider = ["a", "b", "c"].map {
        #"<attribute name="\#($0)" attributeType="Integer 64" optional="YES"/>"#
      }
      return #"<entity name="Note">\#(wider.joined())\#(more)</entity>"#
    }
    let path = try model(attributes(""))
    let step = try #require(run(store, ["--model", path]).steps["migrate"])
    let because = try #require(step["because"] as? String)
    #expect(because.hasSuffix("Note.a: type changed (Integer 16 → Integer 64) and 2 more."), "\(because)")
    #expect((step["reasons"] as? [Any])?.count == 3)
    try Tool.run(["preflight", store, "--model", path]).expectOutput("All reasons (3):")
    // Of a model with rows to look at as well, only those were spoken of.
    let both = try model(
      attributes(#"<attribute name="d" attributeType="Integer 64"/>"#), named: "Both.xcdatamodel")
    try Tool.run(["entities", store, "--diff", both]).expectOutput(
      begins: "Apple doesn't document whether Core Data can infer the mapping: Note.a",
      "If it can, whether the migration succeeds depends on the rows")
  }

  /// To back the store up was the advice.
  @Test(arguments: [
    (#"<entity name="Song"/>"#, "Pass your app's own model with --model."),
    (
      #"<entity name="Song"/>"# + note,
      "If it isn't your app's model, pass that with --model. Otherwise, back"
    ),
  ])
  func anotherAppsModelIsToBeExchanged(_ entities: String, _ fix: String) throws {
    let old = ManagedObjectModel(
      entities: Self.twoEntities.entities + ["Photo", "Album"].map { .init(name: $0) })
    let path = try model(entities, named: "Other.xcdatamodel")
    let step = try #require(run(store(old, rows: ["Note", "Tag"]), ["--model", path]).steps["migrate"])
    #expect((step["fix"] as? String)?.hasPrefix(fix) == true, "\(step)")
  }

  /// CloudKit has no renaming IDs: a renamed attribute got no note. Renamed entities never come so far.
  @Test(arguments: [
    (note + tag + #"<entity name="Photo"/>"#, "The app's model has new fields: deploy the schema"),
    (
      #"<entity name="Note"><attribute name="body" elementID="text" attributeType="String" optional="YES"/></entity>"#
        + tag, "CloudKit takes the renamed Note.body for a new field: deploy the schema"
    ),
  ])
  func newFieldsHaveToBeDeployed(_ entities: String, _ note: String) throws {
    let mirror = try mirror()
    let path = try model(entities)
    let export = try #require(run(mirror, ["--model", path]).steps["export"]?["because"] as? String)
    #expect(export.contains(note), "\(export)")
    #expect(export.contains("Old versions of the app") == note.contains("renamed"))
  }

  /// The differences were said to be inferable, which they aren't in a mirrored store.
  @Test func differencesOfAMirroredStoreKnowOfIt() throws {
    let path = try model(Self.note + #"<entity name="Label" elementID="Tag"/>"#)
    try Tool.run(["entities", mirror(), "--diff", path]).expectOutput(
      begins: "The store is mirrored, so Core Data refuses to rename")
    let plain = try store(rows: [], named: "Plain.store")
    try Tool.run(["entities", plain, "--diff", path]).expectOutput(begins: "Core Data can infer the mapping.")
  }

  /// With one uploaded note.
  private func mirror() throws -> String {
    let forge = try StoreForge(path: folder.path("App.store"), model: Self.twoEntities)
    let mirror = try MirrorForge(forge, layout: .v17)
    try mirror.setUp()
    try mirror.save(author: "app") { _ = try $0.insert("Note") }
    try mirror.export()
    try forge.close()
    return forge.path
  }

  /// An app has models for other stores, too, and several in one are merged.
  @Test func anAppIsSearchedForItsModels() throws {
    let store = try store()
    _ = try model(Self.note, named: "App.app/Contents/Resources/Notes.xcdatamodeld/Notes.xcdatamodel")
    _ = try model(Self.tag, named: "App.app/Contents/Frameworks/Tags.xcdatamodeld/Tags.xcdatamodel")
    _ = try model(
      #"<entity name="Song"/>"#, named: "App.app/Contents/Resources/Music.xcdatamodeld/Music.xcdatamodel")
    let (verdict, steps) = try run(store, ["--model", folder.path("App.app")])
    #expect(verdict == "safe")
    #expect(steps["migrate"]?["outcome"] as? String == "nothing", "\(steps)")
  }

  @Test func severalModelsAreMerged() throws {
    let store = try store()
    let paths = try [model(Self.note, named: "A.xcdatamodel"), model(Self.tag, named: "B.xcdatamodel")]
    #expect(try run(store, paths.flatMap { ["--model", $0] }).verdict == "safe")
    #expect(try run(store, ["--model", paths[0]]).verdict == "losesData")
  }

  /// A staged migration has to know the version that wrote the store.
  @Test func versionsThatDidNotWriteTheStoreAreReported() throws {
    let store = try store(rows: ["Note"])
    _ = try model(
      Self.note + Self.tag + #"<entity name="Photo"/>"#, named: "App.xcdatamodeld/App 2.xcdatamodel")
    _ = try model(
      Self.note + Self.tag + #"<entity name="Film"/>"#, named: "App.xcdatamodeld/App 3.xcdatamodel")
    let because =
      try run(store, ["--model", folder.path("App.xcdatamodeld")]).steps["migrate"]?["because"] as? String
    expectText(because, "None of the 2 versions that the app brings wrote the store", "134504")
  }

  @Test(
    arguments: [
      (
        #"<entity name="Note"><attribute name="text" attributeType="String" optional="YES"/></entity>"#,
        "safe", nil
      ),
      (#"<entity name="Note"><attribute name="text" attributeType="String"/></entity>"#, "fails", "134060"),
    ] as [(String, String, String?)])
  func cloudKitIsAssumed(_ entities: String, _ verdict: String, _ code: String?) throws {
    let isRequired = code != nil
    let attribute = AttributeDescription(name: "text", type: .string, isOptional: !isRequired)
    let store = try folder.forge(.init(entities: [.init(name: "Note", attributes: [attribute])])) {
      _ = try $0.insert("Note", ["text": "a"])
    }
    let model = try model(entities, named: "App.xcdatamodel")
    let (found, steps) = try run(store, ["--model", model, "--cloudkit"])
    #expect(found == verdict)
    #expect(steps["setUpMirror"]?["code"] as? String == code)
    #expect(steps["export"]?["outcome"] as? String == (isRequired ? "nothing" : "uploads"))
    // It looked as if the option had done nothing.
    try Tool.run(["preflight", store, "--model", model, "--cloudkit"]).expectOutput(
      "first launch with CloudKit")
    // Without the word the store isn't mirrored.
    #expect(try run(store, ["--model", model]).steps["export"]?["outcome"] as? String == "nothing")
  }

  /// One name in common led to advice to change the other app's model.
  @Test func anotherAppsModelIsSuspectedFirst() throws {
    let store = try store(
      ManagedObjectModel(entities: ["Note", "Tag", "Photo"].map { .init(name: $0) }), rows: ["Note", "Tag"])
    let path = try model(
      #"<entity name="Note"><attribute name="id" attributeType="String"/></entity><entity name="Song"/><entity name="Disc"/>"#,
      named: "Other.xcdatamodel")
    let step = try #require(try run(store, ["--model", path]).steps["migrate"])
    expectText(step["because"], begins: "'Other' is probably another app's model")
    #expect(step["fix"] as? String == "Pass your app's own model with --model.")
    try Tool.run(["preflight", store, "--model", path]).expectOutput(lacks: "optional")
  }

  /// Nothing said that the store was newer than the app.
  @Test func aDowngradeIsCalledOne() throws {
    let store = try store()
    let path = folder.path("App.xcdatamodeld")
    _ = try model(Self.note, named: "App.xcdatamodeld/App.xcdatamodel")
    _ = try model(Self.note + Self.tag, named: "App.xcdatamodeld/App 2.xcdatamodel")
    try Data(
      #"<plist version="1.0"><dict><key>_XCCurrentVersionName</key><string>App.xcdatamodel</string></dict></plist>"#
        .utf8
    ).write(to: URL(filePath: path + "/.xccurrentversion"))
    let because = try run(store, ["--model", path]).steps["migrate"]?["because"] as? String
    expectText(because, "Tag is removed with 1 row", "That is a downgrade")
    // The list only repeated the one loss.
    try Tool.run(["preflight", store, "--model", path]).expectOutput(lacks: "All that is lost")
  }

  /// Which rows are alike, and in what, wasn't said.
  @Test func duplicatesAreCounted() throws {
    let store = try folder.forge(Self.twoEntities) { save in
      for text in ["a", "a", "a", "b", "b", "c"] { _ = try save.insert("Note", ["text": .text(text)]) }
    }
    let path = try model(Self.note.replacing("</entity>", with: Self.uniqueText + "</entity>") + Self.tag)
    let step = try #require(try run(store, ["--model", path]).steps["migrate"])
    #expect(step["code"] as? String == "134111", "\(step)")
    let because = try #require(step["because"] as? String)
    expectText(
      because, "uniqueness constraint on text in 'New', and 5 rows have 2 values that occur more than once")
  }

  private static let uniqueText =
    #"<uniquenessConstraints><uniquenessConstraint><constraint value="text"/></uniquenessConstraint></uniquenessConstraints>"#

  struct RealCase: Sendable, CustomTestStringConvertible {
    var store: String
    var model: String
    var verdict: String
    var code: String?

    var testDescription: String { "\(store) with \(model)" }
  }

  /// Versions of real apps, forward and back: what their next launch did, or would have done.
  private static let realCases: [RealCase] =
    [
      RealCase(
        store: "CoreDataPlus/SampleModel_V1.sqlite", model: "CoreDataPlus/models/SampleModel.momd",
        verdict: "safe"),
      RealCase(
        store: "CoreDataPlus/SampleModel_V1.sqlite",
        model: "CoreDataPlus/models/SampleModel.momd/SampleModel2.mom", verdict: "losesData"),
      RealCase(
        store: "CoreDataPlus/SampleModel_V2.sqlite",
        model: "CoreDataPlus/models/SampleModel.momd/SampleModel2.mom", verdict: "safe"),
      RealCase(
        store: "CoreDataPlus/SampleModel_V2.sqlite", model: "CoreDataPlus/models/SampleModel.momd",
        verdict: "fails", code: "134110"),
      RealCase(
        store: "CoreDataPlus/SampleModel3_V1.sqlite", model: "CoreDataPlus/models/SampleModel3.momd",
        verdict: "safe"),
      RealCase(
        store: "CoreDataPlus/SampleModel3_V1.sqlite",
        model: "CoreDataPlus/models/SampleModel3.momd/SampleModel3_v3.mom", verdict: "losesData"),
      RealCase(
        store: "CoreDataPlus/SampleModel_V1.sqlite", model: "CoreDataPlus/models/SampleModel3.momd",
        verdict: "losesData"),
    ]
    + [("1", "losesData"), ("2", "losesData"), ("3", "safe"), ("4", "safe"), ("5", "safe")].map {
      RealCase(
        store: "BrowserServicesKit/Bookmarks_V\($0.0).sqlite",
        model: "BrowserServicesKit/models/BookmarksModel.xcdatamodeld", verdict: $0.1)
    } + [
      RealCase(
        store: "BrowserServicesKit/Bookmarks_V5.sqlite",
        model: "BrowserServicesKit/models/BookmarksModel.xcdatamodeld/BookmarksModel 3.xcdatamodel",
        verdict: "fails", code: "134190"),
      RealCase(
        store: "BrowserServicesKit/SyncMetadata_V3.sqlite",
        model: "BrowserServicesKit/models/SyncMetadata.xcdatamodeld", verdict: "safe"),
    ]

  /// Version hashes also change with what isn't in a description, such as a hash modifier.
  @Test(.enabled(if: RealStores.arePresent)) func anotherVersionHashIsAMigration() throws {
    let (folder, path) = try RealStores.copy("CoreDataPlus/SampleModel3_V1.sqlite")
    let models = RealStores.folder + "/CoreDataPlus/models/SampleModel3.momd"
    let same = try run(path, ["--model", models + "/SampleModel3.mom"]).steps["migrate"]
    #expect(same?["outcome"] as? String == "nothing" && same?["sure"] as? Bool == false, "\(same ?? [:])")
    let copy = folder.path("Changed.momd")
    try FileManager.default.createDirectory(atPath: copy, withIntermediateDirectories: true)
    try FileManager.default.copyItem(atPath: models + "/SampleModel3.mom", toPath: copy + "/SampleModel3.mom")
    let info = try Data(contentsOf: URL(filePath: models + "/VersionInfo.plist"))
    var list = try #require(PropertyListSerialization.propertyList(from: info, format: nil) as? [String: Any])
    var versions = try #require(list["NSManagedObjectModel_VersionHashes"] as? [String: [String: Data]])
    let entity = try #require(versions["SampleModel3"]?.keys.sorted().first)
    versions["SampleModel3"]?[entity]?[0] ^= 1
    list["NSManagedObjectModel_VersionHashes"] = versions
    list["NSManagedObjectModel_CurrentVersionName"] = "SampleModel3"
    try PropertyListSerialization.data(fromPropertyList: list, format: .binary, options: 0)
      .write(to: URL(filePath: copy + "/VersionInfo.plist"))
    let step = try run(path, ["--model", copy]).steps["migrate"]
    #expect(step?["outcome"] as? String == "succeeds", "\(step ?? [:])")
    let because = try #require(step?["because"] as? String)
    #expect(because.contains("the version hash of \(entity)"))
    // That it is the store's model was said of it.
    try Tool.run(["entities", path, "--diff", copy]).expectOutput(
      begins: "The version hash of \(entity) differs")
  }

  @Test(.enabled(if: RealStores.arePresent), arguments: realCases) func realVersions(_ example: RealCase)
    throws
  {
    let (folder, path) = try RealStores.copy(example.store)
    defer { _ = folder }
    let (verdict, steps) = try run(path, ["--model", RealStores.folder + "/" + example.model])
    #expect(verdict == example.verdict, "\(steps["migrate"] ?? [:])")
    #expect(steps["migrate"]?["code"] as? String == example.code)
  }
}
