import Base
import Forge
import Foundation
import StoreModel
import TestSupport
import Testing

/// What the program prints of a store is what was put into it: every object, every relationship, every change.
struct TruthTests {
  @Test func demo() throws {
    let folder = TemporaryFolder()
    let forge = try DemoStore.forge(in: folder.path)
    try compare(forge)
  }

  @Test(arguments: FixtureModels.all, [ForgeOptions.History.internedStrings, .inlineStrings])
  func randomLife(model: FixtureModels.Named, history: ForgeOptions.History) throws {
    let folder = TemporaryFolder()
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
        .expectDone()
      let rows = try result.json().list("rows")
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
    expectMembers(row, ["uri": name, "entity": entity.name])
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
    let result = try Tool.run(["history", forge.path, "--json"]).expectDone()
    let printed = try result.json().list("changes")
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

/// A value as JSON should have it.
enum PrintedValue {
  static func matches(_ printed: Any?, _ value: ForgeValue, _ attribute: AttributeDescription) -> Bool {
    switch value {
    case .null:
      return printed is NSNull || (printed as? [String: Any])?.values.allSatisfy { $0 is NSNull } ?? false
    case .integer(let number): return (printed as? NSNumber)?.int64Value == number
    case .boolean(let flag): return printed as? Bool == flag
    case .real(let number):
      return (printed as? NSNumber)?.doubleValue
        == (attribute.type == .float ? Double(Float(number)) : number)
    case .text(let text): return printed as? String == (attribute.type == .uuid ? text.uppercased() : text)
    case .date(let date): return isDate(printed, date)
    case .bytes(let bytes):
      guard let blob = (printed as? [String: Any])?["blob"] as? [String: Any] else {
        return isJSON(printed, bytes)
      }
      return blob["bytes"] as? Int == bytes.count && (blob["kind"] as? String)?.isEmpty == false
        && blob["sha256"] as? String == bytes.withUnsafeBytes { SHA256.hexadecimal(of: $0) }
    case .composite(let parts):
      if attribute.isEnumeration {
        return parts.values.first.map { matches(printed, $0, attribute.elements[0]) } ?? false
      }
      if isNothing(value) { return matches(printed, .null, attribute) }
      guard let members = printed as? [String: Any] else { return false }
      return attribute.elements.allSatisfy { matches(members[$0.name], parts[$0.name] ?? .null, $0) }
    }
  }

  /// NULL in all columns.
  private static func isNothing(_ value: ForgeValue) -> Bool {
    guard case .composite(let parts) = value else { return value == .null }
    return parts.values.allSatisfy(isNothing)
  }

  static func isDate(_ printed: Any?, _ date: CoreDataDate) -> Bool {
    guard let text = printed as? String, text.hasSuffix("Z"), let read = ISO8601.parse(text) else {
      return false
    }
    return abs(read.seconds - date.seconds) < 0.000_001
  }

  /// Elements of composites keep JSON as bytes, and are shown as what it says.
  private static func isJSON(_ printed: Any?, _ bytes: [UInt8]) -> Bool {
    let value = try? JSONSerialization.jsonObject(with: Data(bytes), options: .fragmentsAllowed)
    return (printed as? NSObject).map { $0.isEqual(value) } ?? false
  }
}

/// The real binary on real stores.
@Suite(.enabled(if: RealStores.arePresent, "the folder of real stores is absent"))
struct RealStoreTests {
  @Test(arguments: RealStores.all)
  func isReadWithoutATrace(_ name: String) throws {
    let (folder, path) = try RealStores.copy(name)
    let before = try FolderSnapshot(folder.path)
    let summary = try Tool.run(["summary", path, "--json"]).expectStatus()
    let json = try summary.json()
    #expect(json["schema"] as? String == "storescope/summary/1")
    let entities = try json.list("entities")
    #expect(!entities.isEmpty)
    for entity in entities where entity["rows"] as? Int ?? 0 > 0 {
      let entityName = try #require(entity["name"] as? String)
      let rows = try Tool.run(["rows", path, entityName, "--exact", "--json", "--expand"]).expectStatus()
      let objects = try rows.json().list("rows")
      #expect(objects.count == entity["rows"] as? Int)
    }
    let history = try Tool.run(["history", path, "--json"]).expectStatus()
    let changes = try history.json().list("changes")
    let counts = try json.object("history")
    #expect(changes.count == counts["changes"] as? Int)
    #expect(try FolderSnapshot(folder.path) == before)
    withExtendedLifetime(folder) {}
  }
}
