import Comparison
import Forge
import Foundation
import Lens
import SQLite
import StoreModel
import TestSupport

/// A forged store, copies of it as it was at some time, and comparisons of them.
final class StorePair {
  let folder: TemporaryFolder
  let forge: StoreForge

  init(_ model: ManagedObjectModel, options: ForgeOptions = ForgeOptions(), isMirrored: Bool = false) throws {
    folder = TemporaryFolder("diff")
    forge = try StoreForge(path: folder.path("App.store"), model: model, options: options)
    if isMirrored { _ = try MirrorForge(forge, layout: .v17) }
  }

  /// The store as it is now, in a folder of its own, with its external files.
  func copy(_ name: String) throws -> String {
    try forge.checkpoint()
    let target = folder.path(name)
    try FileManager.default.createDirectory(atPath: target, withIntermediateDirectories: true)
    for file in ["App.store", ".App_SUPPORT"] where FileManager.default.fileExists(atPath: folder.path(file))
    {
      try FileManager.default.copyItem(atPath: folder.path(file), toPath: "\(target)/\(file)")
    }
    return "\(target)/App.store"
  }

  /// Gives every object that has none a record, named after its entity and key, and takes away those of deleted ones.
  func register(except isLeftOut: (ForgedObject) -> Bool = { _ in false }) throws {
    let connection = forge.connection
    try connection.execute("DELETE FROM ANSCKRECORDMETADATA")
    let objects = forge.truth.objects.keys.filter { !isLeftOut($0) }
    for (index, object) in objects.enumerated() {
      try connection.execute(
        """
        INSERT INTO ANSCKRECORDMETADATA (Z_PK, Z_ENT, Z_OPT, ZENTITYID, ZENTITYPK, ZCKRECORDNAME)
        VALUES (?, 17001, 1, ?, ?, ?)
        """,
        [
          .integer(Int64(index + 1)), .integer(object.entityNumber), .integer(object.primaryKey),
          .text("\(object.entity)-\(object.primaryKey)"),
        ])
    }
  }

  /// Runs statements on a copy, as somebody with an SQL shell.
  static func edit(_ path: String, _ statements: String...) throws {
    let connection = try Connection(path: path, options: .readWrite())
    try connection.execute("PRAGMA journal_mode = DELETE")
    for statement in statements { try connection.execute(statement) }
    connection.close()
  }

  static let keyDistance: Int64 = 1_000_000

  /// Makes a copy the store of another device: another identifier, and other keys of all objects.
  static func becomeOtherDevice(_ path: String, _ schema: StoreSchema) throws {
    let connection = try Connection(path: path, options: .readWrite())
    try connection.execute("PRAGMA journal_mode = DELETE")
    var columns: [String: Set<String>] = [:]
    for entity in schema.entities {
      columns[entity.table, default: []].insert("Z_PK")
      for relationship in entity.relationships {
        switch relationship.storage {
        case .toOne(let column, _, _): columns[entity.table, default: []].insert(column)
        case .toMany(let table, let column, _, _, _): columns[table, default: []].insert(column)
        case .join(let table, let own, let other, _): columns[table, default: []].formUnion([own, other])
        case .none: break
        }
      }
    }
    columns["ANSCKRECORDMETADATA"] = ["ZENTITYPK"]
    for (table, names) in columns {
      let sets = names.map { "\(quotedIdentifier($0)) = \(quotedIdentifier($0)) + \(keyDistance)" }
      try connection.execute("UPDATE \(quotedIdentifier(table)) SET \(sets.joined(separator: ", "))")
    }
    try connection.execute("UPDATE Z_METADATA SET Z_UUID = 'DEADBEEF-0000-4000-8000-000000000002'")
    connection.close()
  }

  static func compare(
    _ path: String, _ other: String, matching: Matching? = nil,
    parts: Set<StoreComparison.Part> = [.objects, .history], entities: Set<String>? = nil
  ) throws -> StoreComparison {
    try StoreComparison(
      ComparedStore(OpenStore(at: path)), ComparedStore(OpenStore(at: other)),
      options: .init(matching: matching, parts: parts, entities: entities, limit: 100), progress: { _ in })
  }
}

extension StoreComparison {
  func entity(_ name: String) -> EntityDifference? { entities.first { $0.name == name } }

  /// Names of the changed properties by the store's key.
  func changes(of name: String) throws -> [Int64: [PropertyChange]] {
    guard let objects, let index = objects.entities.firstIndex(where: { $0.name == name }) else { return [:] }
    let reader = try objects.changes(of: index)
    var changes: [Int64: [PropertyChange]] = [:]
    try objects.entities[index].changed.forEach { key in
      changes[key] = try reader.changes(of: key)
      return true
    }
    return changes
  }
}

extension KeyList {
  var keys: [Int64] {
    var keys: [Int64] = []
    forEach {
      keys.append($0)
      return true
    }
    return keys
  }
}

/// What must be told of one entity, worked out from what the forge knows of both states.
struct ExpectedDifference: Equatable {
  var added: Set<Int64> = []
  var removed: Set<Int64> = []
  /// Names of changed properties by key.
  var changed: [Int64: Set<String>] = [:]

  init() {}

  init(_ entity: SchemaEntity, from before: ForgeTruth, to after: ForgeTruth) {
    let old = Dictionary(uniqueKeysWithValues: before.objects(of: entity.name).map { ($0.object, $0) })
    let new = Dictionary(uniqueKeysWithValues: after.objects(of: entity.name).map { ($0.object, $0) })
    added = Set(new.keys.filter { old[$0] == nil }.map(\.primaryKey))
    removed = Set(old.keys.filter { new[$0] == nil }.map(\.primaryKey))
    for (object, one) in old {
      guard let two = new[object] else { continue }
      var names: Set<String> = []
      for attribute in entity.attributes where !attribute.description.isTransient {
        if Self.plain(one.values[attribute.name]) != Self.plain(two.values[attribute.name]) {
          names.insert(attribute.name)
        }
      }
      for relationship in entity.relationships {
        let name = relationship.name
        let (from, to) = (one.links[name] ?? [], two.links[name] ?? [])
        let differs: Bool
        // Members that both states have.
        let (stayed, here) = (
          from.filter { after[$0] != nil }, to.filter { before[$0] != nil }
        )
        let order = (stayed.filter(here.contains), here.filter(stayed.contains))
        let isReordered = relationship.description.isOrdered && order.0 != order.1
        switch relationship.storage {
        case .toOne: differs = from != to
        case .join: differs = Set(from) != Set(to) || isReordered
        case .toMany(_, _, _, _, let isVirtual): differs = isVirtual && Set(from) != Set(to) || isReordered
        case .none: differs = false
        }
        if differs { names.insert(name) }
      }
      if !names.isEmpty { changed[object.primaryKey] = names }
    }
  }

  /// The store can't tell a structure of nothing but NULL from NULL.
  private static func plain(_ value: ForgeValue?) -> ForgeValue {
    guard case .composite(let members) = value else { return value ?? .null }
    let plain = members.mapValues(Self.plain)
    return plain.values.allSatisfy { $0 == .null } ? .null : .composite(plain.filter { $0.value != .null })
  }
}
