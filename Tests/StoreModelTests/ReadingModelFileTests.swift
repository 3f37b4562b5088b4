import Archives
import Base
import StoreModel
import TestSupport
import Testing

@Suite(
  "Model files of real projects",
  .enabled(if: RealStores.arePresent, "there are no real models next to the package"))
struct ReadingModelFileTests {
  @Test(arguments: [
    ("CoreDataPlus/SampleModel_V1.sqlite", "SampleModel"),
    ("CoreDataPlus/SampleModel_V2.sqlite", "SampleModel2"),
    ("CoreDataPlus/SampleModel3_V1.sqlite", "SampleModel3"),
  ])
  func compiledModelIsTheCachedOne(store: String, version: String) throws {
    let folder = store.contains("Model3") ? "SampleModel3" : "SampleModel"
    let path = RealStores.model("CoreDataPlus/models/\(folder).momd")
    let cached = try RealStores.cachedModel(of: store)
    let chosen = try ModelFile.load(path: path + "/", metadata: RealStores.metadata(of: store))
    #expect(chosen.map(\.name) == [version])
    let candidate = try #require(chosen.first)
    #expect(candidate.isVerified)
    #expect(candidate.problems == [])
    #expect(lines(candidate.model).symmetricDifference(lines(cached)) == [])

    let file = try ModelFile.load(path: "\(path)/\(version).mom", metadata: nil)
    #expect(file.map(\.model) == [candidate.model])
    #expect(file.map(\.isVerified) == [false])
  }

  @Test func checksumIsEnough() throws {
    var metadata = try RealStores.metadata(of: "CoreDataPlus/SampleModel3_V1.sqlite")
    metadata.propertyList = .decoded([
      "NSStoreModelVersionChecksumKey": .string(try #require(metadata.versionChecksum))
    ])
    let path = RealStores.model("CoreDataPlus/models/SampleModel3.momd")
    let candidates = try ModelFile.load(path: path, metadata: metadata)
    #expect(candidates.map(\.name) == ["SampleModel3"])
    #expect(candidates.map(\.isVerified) == [true])
  }

  @Test func withoutMetadataAllVersionsComeTheCurrentOneFirst() throws {
    let path = RealStores.model("CoreDataPlus/models/SampleModel3.momd")
    let candidates = try ModelFile.load(path: path, metadata: nil)
    #expect(candidates.map(\.name) == ["SampleModel3", "SampleModel3_v2", "SampleModel3_v3"])
    #expect(candidates.allSatisfy { !$0.isVerified && $0.problems.isEmpty })
  }

  @Test func anotherStoresModelIsRefused() throws {
    let metadata = try RealStores.metadata(of: "CoreDataPlus/SampleModel_V1.sqlite")
    let path = RealStores.model("CoreDataPlus/models/SampleModel3.momd")
    let error = #expect(throws: StoreScopeError.self) { try ModelFile.load(path: path, metadata: metadata) }
    let reason = "has no entity in common with the store: it is probably another app's model"
    #expect(error?.description.contains(reason) == true)
    let source = RealStores.model("CoreDataPlus/models/SampleModel3.xcdatamodeld")
    let other = #expect(throws: StoreScopeError.self) { try ModelFile.load(path: source, metadata: metadata) }
    #expect(other?.description.contains(reason) == true)
  }

  @Test func optimisedModelIsNamed() throws {
    let path = RealStores.model("CoreDataPlus/models/SampleModel3.momd/SampleModel3.omo")
    let error = #expect(throws: StoreScopeError.self) { try ModelFile.load(path: path, metadata: nil) }
    #expect(error?.description.contains("pass the .mom") == true)
  }

  static let sources = [
    ("CoreDataPlus/SampleModel_V1", "SampleModel", "SampleModel"),
    ("CoreDataPlus/SampleModel_V2", "SampleModel", "SampleModel2"),
    ("CoreDataPlus/SampleModel3_V1", "SampleModel3", "SampleModel3"),
    ("BrowserServicesKit/Bookmarks_V1", "BookmarksModel", "BookmarksModel"),
    ("BrowserServicesKit/Bookmarks_V2", "BookmarksModel", "BookmarksModel 2"),
    ("BrowserServicesKit/Bookmarks_V3", "BookmarksModel", "BookmarksModel 3"),
    ("BrowserServicesKit/Bookmarks_V4", "BookmarksModel", "BookmarksModel 4"),
    ("BrowserServicesKit/Bookmarks_V5", "BookmarksModel", "BookmarksModel 5"),
    ("BrowserServicesKit/SyncMetadata_V3", "SyncMetadata", "SyncMetadata 3"),
  ]

  @Test(arguments: sources)
  func sourceIsTheCachedModel(name: String, model: String, version: String) throws {
    let store = name + ".sqlite"
    let folder = "\(name.prefix { $0 != "/" })/models/\(model).xcdatamodeld"
    let cached = try RealStores.cachedModel(of: store)
    let file = try ModelFile.load(path: RealStores.model(folder), metadata: RealStores.metadata(of: store))
    let candidate = try #require(file.first { $0.name == version })
    #expect(candidate.problems == [])
    #expect(lines(candidate.model).symmetricDifference(lines(cached)) == [])
    for path in ["\(folder)/\(version).xcdatamodel", "\(folder)/\(version).xcdatamodel/contents"] {
      let single = try ModelFile.load(path: RealStores.model(path), metadata: nil)
      #expect(single == [candidate])
    }
  }

  @Test(arguments: [
    "BookmarksModel", "SyncMetadata", "BrowsingHistory", "HTTPSUpgrade", "PrivacyStats", "RemoteMessaging",
  ])
  func sourceParses(name: String) throws {
    let path = RealStores.model("BrowserServicesKit/models/\(name).xcdatamodeld")
    let candidates = try ModelFile.load(path: path, metadata: nil)
    #expect(candidates.allSatisfy { $0.problems.isEmpty && !$0.model.entities.isEmpty })
    if name == "BookmarksModel" { #expect(candidates.first?.name == "BookmarksModel 6") }
  }

  /// One line for each entity and property, so that a failure shows only what differs. Class names are left out:
  /// caches lack the entities' where the app set none at run time, and compilers drop those of transformables.
  private func lines(_ model: ManagedObjectModel) -> Set<String> {
    var lines: Set<String> = ["\(model.versionIdentifiers) \(model.configurations)"]
    for entity in model.entities {
      var bare = entity
      bare.attributes = []
      bare.relationships = []
      bare.className = nil
      lines.insert("\(bare)")
      for var attribute in entity.attributes {
        if attribute.type == .transformable { attribute.valueClassName = nil }
        lines.insert("\(entity.name): \(attribute)")
      }
      for relationship in entity.relationships { lines.insert("\(entity.name): \(relationship)") }
    }
    return lines
  }
}
