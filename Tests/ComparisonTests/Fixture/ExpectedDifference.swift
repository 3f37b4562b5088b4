import Forge
import StoreModel

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
