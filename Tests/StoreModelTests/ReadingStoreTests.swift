import Archives
import Base
import SQLite
import StoreModel
import TestSupport
import Testing

@Suite("Real stores", .enabled(if: RealStores.arePresent, "there are no real stores next to the package"))
struct ReadingStoreTests {
  static let withoutCache = [
    "CoreDataPlus/BookMigration_Model1.sqlite": ModelCache.absent,
    "MagicalRecord/Recipes.sqlite": .absent,
    "plaso/NotesV7.storedata": .empty,
  ]

  @Test func all35ArePresent() { #expect(RealStores.all.count == 35) }

  @Test(arguments: RealStores.all)
  func cacheDecodes(name: String) throws {
    try RealStores.withCopy(of: name) { connection in
      let cache = try ModelCache.read(from: connection)
      if let expected = Self.withoutCache[name] {
        #expect(cache == expected)
        return
      }
      guard case .decoded(let decoded) = cache else {
        Issue.record("the cache is \(cache)")
        return
      }
      #expect(decoded.problems == [])
      let names = decoded.model.entities.map(\.name).sorted()
      let rows = try #require(try PrimaryKeyTable.read(from: connection)).user
      // A migration that renamed this entity left its old name in the table.
      let stale = name == "CoreDataPlus/SampleModel_V2.sqlite" ? ["ExpensiveSportCar": "LuxuryCar"] : [:]
      #expect(rows.map { stale[$0.name] ?? $0.name }.sorted() == names)
      let metadata = try #require(try StoreMetadata.read(from: connection))
      #expect(metadata.versionHashes.keys.sorted() == names)
      #expect(metadata.versionHashes.values.allSatisfy { $0.count == 32 })
      #expect(metadata.versionIdentifiers == decoded.model.versionIdentifiers)
    }
  }

  @Test(arguments: RealStores.all)
  func parentsAreThoseOfTheModel(name: String) throws {
    guard Self.withoutCache[name] == nil, name != "CoreDataPlus/SampleModel_V2.sqlite" else { return }
    try RealStores.withCopy(of: name) { connection in
      let rows = try #require(try PrimaryKeyTable.read(from: connection)).user
      let names = Dictionary(uniqueKeysWithValues: rows.map { ($0.number, $0.name) })
      guard case .decoded(let decoded) = try ModelCache.read(from: connection) else { return }
      for row in rows {
        let entity = try #require(decoded.model[row.name])
        #expect(entity.superentity == row.parent.flatMap { names[$0] })
        let inherited = ancestors(of: entity, in: decoded.model).flatMap { $0.attributes.map(\.name) }
        #expect(Set(inherited).isDisjoint(with: entity.attributes.map(\.name)))
      }
    }
  }

  private func ancestors(of entity: EntityDescription, in model: ManagedObjectModel) -> [EntityDescription] {
    var ancestors: [EntityDescription] = []
    var current = entity
    while let parent = current.superentity.flatMap({ model[$0] }) {
      ancestors.append(parent)
      current = parent
    }
    return ancestors
  }

  @Test func metadata() throws {
    let newest = try RealStores.metadata(of: "osxphotos/Photos-26.1.sqlite")
    #expect(newest.frameworkVersion == 1522)
    #expect(newest.versionChecksum?.utf8.count == 44)
    #expect(newest.uuid?.utf8.count == 36)
    #expect(newest.keys.contains("PLModelVersion"))

    let oldest = try RealStores.metadata(of: "MagicalRecord/Recipes.sqlite")
    #expect(oldest.frameworkVersion == 241)
    #expect(oldest.versionHashes.count == 4)

    let empty = try RealStores.metadata(of: "plaso/NotesV7.storedata")
    #expect(empty.uuid != nil)
    #expect(empty.propertyList == .missing)
    #expect(empty.frameworkVersion == nil)
    #expect(empty.keys == [])
  }

  @Test func frameworkEntities() throws {
    let table = try RealStores.withCopy(of: "osxphotos/Photos-26.1.sqlite") {
      try #require(try PrimaryKeyTable.read(from: $0))
    }
    #expect(table.user.count == 75)
    #expect(table.framework.map(\.number) == [16001, 16002, 16003])
  }

  @Test func details() throws {
    let model = try RealStores.cachedModel(of: "CoreDataPlus/SampleModel2_V1.sqlite")
    #expect(model.configurations["SampleConfigurationV1"]?.count == 6)
    #expect(model.entities.contains { !$0.fetchedProperties.isEmpty })
    #expect(model.entities.contains { $0.isAbstract })
    #expect(model.entities.contains { $0.attributes.contains(where: \.isDerived) })
    // The default is an object of the app's own class.
    let defaults = model.entities.flatMap(\.attributes).compactMap(\.defaultValue)
    #expect(defaults.contains { $0["$class"] == "CoreDataPlus_Tests.Cover" })

    let photos = try RealStores.cachedModel(of: "osxphotos/Photos-26.1.sqlite")
    #expect(photos.entities.flatMap(\.attributes).contains { $0.allowsExternalStorage })
    #expect(photos.entities.flatMap(\.attributes).contains { $0.preservesValueOnDeletion })
    #expect(photos.entities.flatMap(\.uniquenessConstraints).count >= 17)
    #expect(photos.entities.flatMap(\.relationships).contains { $0.isOrdered && $0.isToMany })
  }
}
