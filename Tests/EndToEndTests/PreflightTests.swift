import Forge
import Foundation
import StoreModel
import TestSupport
import Testing

/// What `preflight` says of stores and of the models that apps bring.
@Suite struct PreflightTests {
  private func run(_ store: String, _ words: [String] = []) throws -> (
    verdict: String, steps: [String: [String: Any]]
  ) {
    let result = try Tool.run(["preflight", store, "--json"] + words)
    result.expectDone()
    let json = try result.json()
    let steps = try #require(json["steps"] as? [[String: Any]])
    #expect(
      steps.compactMap { $0["step"] as? String }
        == ["open", "migrate", "setUpMirror", "checkAccount", "checkToken", "import", "export"])
    return (
      try #require(json["verdict"] as? String),
      Dictionary(uniqueKeysWithValues: steps.map { ($0["step"] as? String ?? "", $0) })
    )
  }

  private func store(_ folder: TemporaryFolder, _ model: ManagedObjectModel, rows: [String]) throws -> String
  {
    let forge = try StoreForge(path: folder.path("App.store"), model: model)
    try forge.save(author: "app") { save in for entity in rows { _ = try save.insert(entity) } }
    try forge.close()
    return forge.path
  }

  /// XML as Xcode writes it, as far as it is read.
  private func model(_ folder: TemporaryFolder, _ name: String, _ entities: String) throws -> String {
    let path = folder.path(name)
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    try Data("<model>\(entities)</model>".utf8).write(to: URL(filePath: path + "/contents"))
    return path
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
      name: "an entity more", model: note + tag + #"<entity name="Photo"/>"#, verdict: "safe",
      outcome: "succeeds",
      because: "1 change can be inferred"),
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
      because: "no entity in common with the store: it belongs to another app"),
    Case(
      name: "a type that can't be converted",
      model: #"<entity name="Note"><attribute name="text" attributeType="Date" optional="YES"/></entity>"#
        + tag,
      verdict: "fails", outcome: "fails", code: "134190", because: "can't infer the mapping"),
    Case(
      name: "a required attribute more",
      model: note + #"<entity name="Tag"><attribute name="label" attributeType="String"/></entity>"#,
      verdict: "fails", outcome: "fails", code: "134110", because: "Tag.label is new in"),
  ]

  @Test(arguments: cases) func theMigrationIsForecast(_ example: Case) throws {
    let folder = try TemporaryFolder("preflight")
    let store = try store(folder, Self.twoEntities, rows: example.rows)
    let path = try model(folder, "New.xcdatamodel", example.model)
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
    let folder = try TemporaryFolder("preflight")
    let old = ManagedObjectModel(entities: [
      .init(
        name: "Note", attributes: [.init(name: "text", type: .string)],
        relationships: [.init(name: "tags", destination: "Tag", inverse: "notes", isToMany: true)]),
      .init(
        name: "Tag",
        relationships: [.init(name: "notes", destination: "Note", inverse: "tags", isToMany: true)]),
    ])
    let forge = try StoreForge(path: folder.path("App.store"), model: old)
    try forge.save(author: "app") { save in
      try save.link(save.insert("Note", ["text": "a"]), "tags", save.insert("Tag"))
    }
    try forge.close()
    let path = try model(
      folder, "New.xcdatamodel",
      #"<entity name="Note">\#(note)</entity><entity name="Tag">\#(tag)</entity>"#)
    let (verdict, steps) = try run(forge.path, ["--model", path])
    #expect(verdict == "losesData")
    let found = try #require(steps["migrate"]?["because"] as? String)
    #expect(found.hasSuffix(because))
  }

  /// An app has models for other stores, too, and several in one are merged.
  @Test func anAppIsSearchedForItsModels() throws {
    let folder = try TemporaryFolder("preflight")
    let store = try store(folder, Self.twoEntities, rows: ["Note", "Tag"])
    _ = try model(folder, "App.app/Contents/Resources/Notes.xcdatamodeld/Notes.xcdatamodel", Self.note)
    _ = try model(folder, "App.app/Contents/Frameworks/Tags.xcdatamodeld/Tags.xcdatamodel", Self.tag)
    _ = try model(
      folder, "App.app/Contents/Resources/Music.xcdatamodeld/Music.xcdatamodel", #"<entity name="Song"/>"#)
    let (verdict, steps) = try run(store, ["--model", folder.path("App.app")])
    #expect(verdict == "safe")
    #expect(steps["migrate"]?["outcome"] as? String == "nothing", "\(steps)")
  }

  @Test func severalModelsAreMerged() throws {
    let folder = try TemporaryFolder("preflight")
    let store = try store(folder, Self.twoEntities, rows: ["Note", "Tag"])
    let paths = try [model(folder, "A.xcdatamodel", Self.note), model(folder, "B.xcdatamodel", Self.tag)]
    #expect(try run(store, paths.flatMap { ["--model", $0] }).verdict == "safe")
    #expect(try run(store, ["--model", paths[0]]).verdict == "losesData")
  }

  /// A staged migration has to know the version that wrote the store.
  @Test func versionsThatDidNotWriteTheStoreAreReported() throws {
    let folder = try TemporaryFolder("preflight")
    let store = try store(folder, Self.twoEntities, rows: ["Note"])
    _ = try model(
      folder, "App.xcdatamodeld/App 2.xcdatamodel", Self.note + Self.tag + #"<entity name="Photo"/>"#)
    _ = try model(
      folder, "App.xcdatamodeld/App 3.xcdatamodel", Self.note + Self.tag + #"<entity name="Film"/>"#)
    let because =
      try run(store, ["--model", folder.path("App.xcdatamodeld")]).steps["migrate"]?["because"] as? String
    #expect(because?.contains("None of the 2 versions that the app brings wrote the store") == true)
    #expect(because?.contains("134504") == true)
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
    let folder = try TemporaryFolder("preflight")
    let isRequired = code != nil
    let attribute = AttributeDescription(name: "text", type: .string, isOptional: !isRequired)
    let forge = try StoreForge(
      path: folder.path("App.store"),
      model: ManagedObjectModel(entities: [.init(name: "Note", attributes: [attribute])]))
    try forge.save(author: "app") { _ = try $0.insert("Note", ["text": "a"]) }
    try forge.close()
    let model = try model(folder, "App.xcdatamodel", entities)
    let (found, steps) = try run(forge.path, ["--model", model, "--cloudkit"])
    #expect(found == verdict)
    #expect(steps["setUpMirror"]?["code"] as? String == code)
    #expect(steps["export"]?["outcome"] as? String == (isRequired ? "nothing" : "uploads"))
    // Without the word the store isn't mirrored.
    #expect(try run(forge.path, ["--model", model]).steps["export"]?["outcome"] as? String == "nothing")
  }

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
        model: "CoreDataPlus/models/SampleModel.momd/SampleModel2.mom",
        verdict: "losesData"),
      RealCase(
        store: "CoreDataPlus/SampleModel_V2.sqlite",
        model: "CoreDataPlus/models/SampleModel.momd/SampleModel2.mom",
        verdict: "safe"),
      RealCase(
        store: "CoreDataPlus/SampleModel_V2.sqlite", model: "CoreDataPlus/models/SampleModel.momd",
        verdict: "fails",
        code: "134110"),
      RealCase(
        store: "CoreDataPlus/SampleModel3_V1.sqlite", model: "CoreDataPlus/models/SampleModel3.momd",
        verdict: "safe"),
      RealCase(
        store: "CoreDataPlus/SampleModel3_V1.sqlite",
        model: "CoreDataPlus/models/SampleModel3.momd/SampleModel3_v3.mom",
        verdict: "losesData"),
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
        verdict: "fails",
        code: "134190"),
      RealCase(
        store: "BrowserServicesKit/SyncMetadata_V3.sqlite",
        model: "BrowserServicesKit/models/SyncMetadata.xcdatamodeld",
        verdict: "safe"),
    ]

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
