import Forge
import Foundation
import SQLite
import StoreModel
import TestSupport

extension RuleExamples {
  static let objects: [RuleExample] = rows + relationships + externalData

  private static let rows: [RuleExample] = [
    .mirrored("row-entity-unknown", "all numbers are right", .healthy),
    .plain("row-entity-unknown", "a number that nobody has, and none", .broken(count: 2)) { forge in
      try forge.connection.execute(
        "UPDATE ZPERSON SET Z_ENT = 77 WHERE Z_PK = 2; UPDATE ZPERSON SET Z_ENT = NULL WHERE Z_PK = 3")
    },
    .plain("row-entity-unknown", "the number of another table's entity", .broken(count: 1)) { forge in
      try forge.connection.execute(
        "UPDATE ZPERSON SET Z_ENT = (SELECT Z_ENT FROM Z_PRIMARYKEY WHERE Z_NAME = 'Tag') WHERE Z_PK = 2")
    },
    .mirrored("object-id-above-max", "all counters are up to date", .healthy),
    .mirrored("object-id-above-max", "counters set back, the app's and history's", .broken(count: 2)) {
      mirror in
      try mirror.forge.connection.execute(
        "UPDATE Z_PRIMARYKEY SET Z_MAX = 1 WHERE Z_NAME IN ('Person', 'CHANGE')")
    },
    .plain("object-id-above-max", "a sub-entity keeps no counter", .healthy) { forge in
      try forge.connection.execute("UPDATE Z_PRIMARYKEY SET Z_MAX = 0 WHERE Z_NAME = 'Employee'")
    },
  ]

  private static let relationships: [RuleExample] = [
    .mirrored("relationship-dangling", "all targets exist", .healthy),
    .plain("relationship-dangling", "a to-one relationship", .broken(count: 1, objects: ["Note/p1"])) {
      forge in
      try forge.connection.execute("UPDATE ZNOTE SET ZOWNER = 99")
    },
    .plain(
      "relationship-dangling", "rows deleted past Core Data",
      .broken(count: 2, objects: ["Note/p1", "Tag/p1"])
    ) { try $0.connection.execute("DELETE FROM ZPERSON WHERE Z_PK = 1") },
    .plain(
      "relationship-dangling", "without entity numbers there is nothing to go by", .healthy,
      alsoErrors: ["model-differs-from-table"]
    ) {
      try $0.connection.execute("ALTER TABLE ZNOTE RENAME COLUMN Z_ENT TO Z_WHAT")
    },
    RuleExample("relationship-dangling", "the dead half of a link of an entity with itself", .healthy) {
      path in
      try ExampleStore.friends(path) { forge in
        try forge.connection.execute(
          "DELETE FROM ZPERSON WHERE Z_PK = 2; DELETE FROM Z_1FRIENDS WHERE Z_1FRIENDS = 2")
      }
    },
    RuleExample(
      "relationship-dangling", "both rows of such a link", .broken(count: 1, objects: ["Person/p1"])
    ) { path in
      try ExampleStore.friends(path) { try $0.connection.execute("DELETE FROM ZPERSON WHERE Z_PK = 2") }
    },
    .plain("relationship-wrong-entity", "all targets are of the right entity", .healthy),
    .plain(
      "relationship-wrong-entity", "another entity than the number next to the key says",
      .broken(count: 1, objects: ["Note/p1"])
    ) { try $0.connection.execute("UPDATE ZNOTE SET ZOWNER = 3") },
    .plain(
      "relationship-wrong-entity", "a row that became something else",
      .broken(count: 2, objects: ["Note/p1", "Tag/p1"]), alsoErrors: ["row-entity-unknown"]
    ) {
      try $0.connection.execute("UPDATE ZPERSON SET Z_ENT = 77 WHERE Z_PK = 1")
    },
  ]

  private static let externalData: [RuleExample] = [
    RuleExample("external-data-missing", "the file is there", .healthy) { try ExampleStore.photo($0) },
    RuleExample("external-data-missing", "no file of that name", .broken(count: 1, objects: ["Person/p1"])) {
      path in
      try ExampleStore.photo(path)
      let folder = ExampleStore.externalFolder(path)
      for name in try FileManager.default.contentsOfDirectory(atPath: folder) {
        try FileManager.default.removeItem(atPath: folder + "/" + name)
      }
    },
    RuleExample("external-data-missing", "a file without bytes", .broken(count: 1, objects: ["Person/p1"])) {
      path in
      try ExampleStore.photo(path)
      let folder = ExampleStore.externalFolder(path)
      for name in try FileManager.default.contentsOfDirectory(atPath: folder) {
        try Data().write(to: URL(filePath: folder + "/" + name))
      }
    },
    // A3, E1: what can't be seen, or must not be followed, was called lost.
    RuleExample("external-data-missing", "a link, which isn't followed", .healthy) { path in
      try ExampleStore.photo(path)
      let folder = ExampleStore.externalFolder(path)
      for name in try FileManager.default.contentsOfDirectory(atPath: folder) {
        try FileManager.default.moveItem(atPath: folder + "/" + name, toPath: path + ".elsewhere")
        try FileManager.default.createSymbolicLink(
          atPath: folder + "/" + name, withDestinationPath: path + ".elsewhere")
      }
    },
    RuleExample("external-data-orphaned", "the folder is a link", .skipped("link, not followed")) { path in
      try ExampleStore.photo(path)
      let folder = ExampleStore.externalFolder(path)
      try FileManager.default.moveItem(atPath: folder, toPath: path + ".elsewhere")
      try FileManager.default.createSymbolicLink(atPath: folder, withDestinationPath: path + ".elsewhere")
    },
    RuleExample("external-data-orphaned", "each file has its value", .healthy) { try ExampleStore.photo($0) },
    RuleExample("external-data-orphaned", "a file that nobody names", .broken(count: 1)) { path in
      try ExampleStore.photo(path)
      let name = "0F0F0F0F-0000-4000-8000-000000000001"
      try Data([1, 2, 3]).write(to: URL(filePath: ExampleStore.externalFolder(path) + "/" + name))
    },
  ]
}

extension ExampleStore {
  static func externalFolder(_ path: String) -> String {
    ExternalFiles(storePath: path).supportFolder + "/_EXTERNAL_DATA"
  }

  /// A person with a photo in a file.
  static func photo(_ path: String) throws {
    try plain(path, options: ForgeOptions(inlineLimit: 8)) { forge in
      try forge.save { _ = try $0.insert("Person", ["photo": .bytes(Array(repeating: 7, count: 100))]) }
    }
  }

  /// Two people who are each other's friends, by a relationship that is its own inverse.
  static func friends(_ path: String, _ change: (StoreForge) throws -> Void) throws {
    let model = ManagedObjectModel(entities: [
      EntityDescription(
        name: "Person",
        relationships: [
          RelationshipDescription(name: "friends", destination: "Person", inverse: "friends", isToMany: true)
        ])
    ])
    let forge = try StoreForge(path: path, model: model)
    try forge.save { save in
      let one = try save.insert("Person")
      try save.link(one, "friends", try save.insert("Person"))
    }
    try change(forge)
    try forge.close()
  }
}
