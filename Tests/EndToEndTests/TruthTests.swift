import Forge
import Foundation
import StoreModel
import TestSupport
import Testing
import Values

/// What the program prints of a store is what was put into it: every object, every relationship, every change.
struct TruthTests {
  @Test func demo() throws {
    let folder = try TemporaryFolder()
    let forge = try DemoStore.forge(in: folder.path)
    try compare(forge)
  }

  @Test(arguments: FixtureModels.all, [ForgeOptions.History.internedStrings, .inlineStrings])
  func randomLife(model: FixtureModels.Named, history: ForgeOptions.History) throws {
    let folder = try TemporaryFolder()
    let forge = try StoreForge(
      path: folder.path("Life.sqlite"), model: model.model,
      options: ForgeOptions(history: history, inlineLimit: 32))
    try RandomLife.live(forge, saves: 12, seed: 7)
    try compare(forge)
  }

  private func compare(_ forge: StoreForge) throws {
    try forge.close(leaving: .wal)
    for entity in forge.schema.entities where !entity.isAbstract {
      let result = try Tool.run(["rows", forge.path, entity.name, "--exact", "--expand", "--json"])
      result.expectDone()
      let rows = try #require(try result.json()["rows"] as? [[String: Any]])
      let objects = forge.truth.objects(of: entity.name)
      #expect(rows.map { $0["pk"] as? Int64 } == objects.map(\.object.primaryKey))
      for (row, object) in zip(rows, objects) { compare(row, object, entity, forge) }
    }
    try compareHistory(forge)
  }

  private func compare(
    _ row: [String: Any], _ object: ForgeTruth.Object, _ entity: SchemaEntity, _ forge: StoreForge
  ) {
    let name = forge.uri(of: object.object)
    #expect(row["uri"] as? String == name)
    #expect(row["entity"] as? String == entity.name)
    var names: Set = ["uri", "pk", "entity"]
    for attribute in entity.attributes where !attribute.description.isTransient {
      names.insert(attribute.name)
      let value = object.values[attribute.name] ?? .null
      #expect(
        PrintedValue.matches(row[attribute.name], value, attribute.description),
        "\(name) \(attribute.name): \(String(describing: row[attribute.name])) for \(value)")
    }
    for relationship in entity.relationships {
      names.insert(relationship.name)
      let members = (object.links[relationship.name] ?? []).map(forge.uri(of:))
      if !relationship.description.isToMany {
        #expect(row[relationship.name] as? String == members.first, "\(name) \(relationship.name)")
      } else if relationship.description.isOrdered {
        #expect(row[relationship.name] as? [String] == members, "\(name) \(relationship.name)")
      } else {
        let printed = row[relationship.name] as? [String]
        #expect(printed?.sorted() == members.sorted(), "\(name) \(relationship.name)")
      }
    }
    #expect(Set(row.keys) == names, "\(name)")
  }

  private func compareHistory(_ forge: StoreForge) throws {
    let result = try Tool.run(["history", forge.path, "--json"])
    result.expectDone()
    let printed = try #require(try result.json()["changes"] as? [[String: Any]])
    #expect(printed.count == forge.truth.changes.count)
    let transactions = Dictionary(forge.truth.transactions.map { ($0.number, $0) }) { $1 }
    for (row, change) in zip(printed, forge.truth.changes) {
      let transaction = try #require(transactions[change.transaction])
      let place: Comment = "change \(change.number): \(row)"
      #expect(row["transaction"] as? Int64 == change.transaction, place)
      #expect(PrintedValue.isDate(row["timestamp"], transaction.timestamp), place)
      #expect(row["author"] as? String == transaction.author, place)
      #expect(row["bundle"] as? String == transaction.bundle, place)
      #expect(row["process"] as? String == transaction.process, place)
      #expect(row["context"] as? String == transaction.context, place)
      #expect(row["change"] as? String == "\(change.kind)", place)
      #expect(row["entity"] as? String == change.object.entity, place)
      #expect(row["pk"] as? Int64 == change.object.primaryKey, place)
      #expect(row["uri"] as? String == forge.uri(of: change.object), place)
      let properties = (row["properties"] as? [String]).map(Set.init)
      // Foreign keys of other entities' relationships without inverse have no name that could be printed.
      let entity = try #require(forge.schema[change.object.entityNumber])
      let named = change.properties.intersection(
        entity.attributes.map(\.name) + entity.relationships.map(\.name))
      #expect(properties == (change.kind == .update ? named : nil), place)
      try compareTombstone(row["tombstone"], change, forge)
    }
  }

  private func compareTombstone(_ printed: Any?, _ change: ForgeTruth.Change, _ forge: StoreForge) throws {
    let tombstone = printed as? [String: Any] ?? [:]
    #expect(change.kind == .delete || tombstone.isEmpty)
    let kept = change.tombstone.filter { $0.value != .null }
    #expect(Set(tombstone.keys) == Set(kept.keys), "change \(change.number)")
    let entity = try #require(forge.schema[change.object.entityNumber])
    for (name, value) in kept {
      let attribute = try #require(entity.attributes.first { $0.name == name })
      #expect(PrintedValue.matches(tombstone[name], value, attribute.description), "change \(change.number)")
    }
  }
}
