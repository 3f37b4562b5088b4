import Lens
import SQLite
import StoreModel
import Values

/// Compares the objects of two stores, with memory for the keys of those that differ.
package final class ObjectComparison {
  package let matching: Matching
  /// Every entity that either store has: the store's in order of their numbers, then those that only the other has.
  package let entities: [EntityDifference]
  private let pairs: [EntityPair]
  private let links: [[LinkPair]]
  private let rows: RowComparer
  private let linkComparer: LinkComparer

  /// - Parameters:
  ///   - matching: nil for what fits the stores.
  ///   - progress: told what is being read, again and again.
  /// - Throws: `StoreScopeError` where objects can't be matched so, or a store can't be read.
  package init(
    _ store: ComparedStore, _ other: ComparedStore, matching: Matching?, progress: @escaping (String) -> Void
  ) throws {
    let matching = try matching ?? Matching.chosen(store, other)
    try matching.check(store, other)
    self.matching = matching
    let partners =
      matching == .record
      ? try Partners(store, other) { progress("matching records") } : nil
    let step = { progress("comparing objects") }
    let names = store.schema.entities.map(\.name)
    let known = Set(names)
    pairs = (names + other.schema.entities.map(\.name).filter { !known.contains($0) }).map {
      EntityPair(name: $0, store, other)
    }
    rows = RowComparer(store: store, other: other, partners: partners, step: step)
    var entities = try pairs.map(rows.difference)
    linkComparer = LinkComparer(
      store: store, other: other, objects: CommonObjects(entities, partners),
      seed: UInt64.random(in: .min ... .max), step: step)
    links = pairs.map { Self.links(of: $0, store, other) }
    try Self.addLinks(&entities, pairs, linkComparer, store, other)
    self.entities = entities
  }

  /// Those that the entity has, inherited ones too.
  private static func links(of pair: EntityPair, _ store: ComparedStore, _ other: ComparedStore) -> [LinkPair]
  {
    var links: [LinkPair] = []
    var entity = pair.store
    var depth = 0
    // A hostile model may name itself its parent.
    while let current = entity, depth < 1000 {
      if let twin = other.schema[current.name] {
        links = LinkPair.all(current, twin, store, other) + links
      }
      entity = current.parent.flatMap { store.schema[$0] }
      depth += 1
    }
    return pair.other == nil ? [] : links
  }

  private static func addLinks(
    _ entities: inout [EntityDifference], _ pairs: [EntityPair], _ comparer: LinkComparer,
    _ store: ComparedStore, _ other: ComparedStore
  ) throws {
    var indexes: [Int64: Int] = [:]
    for (index, pair) in pairs.enumerated() {
      if let number = pair.store?.number { indexes[number] = index }
    }
    for pair in pairs {
      guard let entity = pair.store, let twin = pair.other else { continue }
      for link in LinkPair.all(entity, twin, store, other) {
        var owners: [Int: KeyList] = [:]
        let lookup = try store.cursor(
          "SELECT Z_ENT FROM main.\(quotedIdentifier(entity.table)) WHERE Z_PK = ?")
        try comparer.forEachDifference(link) { key in
          guard try lookup.find(key), let index = indexes[lookup.row.integer(0)] else { return }
          owners[index, default: KeyList()].append(key)
        }
        for (index, keys) in owners { entities[index].changed = entities[index].changed.union(keys) }
      }
    }
  }

  /// Reads what changed in single objects of an entity, by its place in `entities`.
  package func changes(of index: Int) throws -> ChangeReader {
    try ChangeReader(pairs[index], links[index], rows, linkComparer)
  }
}
