import Base
import Lens
import SQLite
import StoreModel

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
  ///   - progress: called with what is being read, again and again.
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
        let known = Set(links.map(\.name))
        links = LinkPair.all(current, twin, store, other).filter { !known.contains($0.name) } + links
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

/// Which objects both stores have, once their rows are compared.
struct CommonObjects {
  /// Nil where objects are matched by their keys.
  let partners: Partners?
  /// Objects that only one store has, by the number of their root entity there.
  private var removed: [Int64: KeyList] = [:]
  private var added: [Int64: KeyList] = [:]

  init(_ differences: [EntityDifference], _ partners: Partners?) {
    self.partners = partners
    for difference in differences {
      if let root = difference.store?.root {
        removed[root] = (removed[root] ?? KeyList()).union(difference.removed)
      }
      if let root = difference.other?.root {
        added[root] = (added[root] ?? KeyList()).union(difference.added)
      }
    }
  }

  /// The other store's key of an object that both have; nil for any other.
  func partner(of key: Int64, root: Int64) throws -> Int64? {
    guard removed[root]?.contains(key) != true else { return nil }
    guard let partners else { return key }
    guard case .key(let partner) = try partners.partner(of: key, root: root) else { return nil }
    return partner
  }

  /// The store's key of an object of the other store.
  func partner(ofOther key: Int64, root: Int64) throws -> Int64? {
    guard added[root]?.contains(key) != true else { return nil }
    guard let partners else { return key }
    guard case .key(let partner) = try partners.partner(ofOther: key, root: root) else { return nil }
    return partner
  }

  /// Where an object is.
  enum Fate: Equatable {
    /// In both stores, in the other one under this key.
    case inBoth(Int64)
    case inOne
    case unknown

    var partner: Int64? {
      guard case .inBoth(let key) = self else { return nil }
      return key
    }
  }

  func fate(of key: Int64, root: Int64) throws -> Fate {
    try removed[root]?.contains(key) == true
      ? .inOne : partner(of: key, root: root).map(Fate.inBoth) ?? .unknown
  }

  /// The same for an object of the other store.
  func fate(ofOther key: Int64, root: Int64) throws -> Fate {
    try added[root]?.contains(key) == true
      ? .inOne : partner(ofOther: key, root: root).map(Fate.inBoth) ?? .unknown
  }

  func hasPartner(_ key: Int64, root: Int64) throws -> Bool { try partner(of: key, root: root) != nil }
}

/// Reads what changed in single objects of one entity.
package final class ChangeReader {
  private let pair: EntityPair
  private let comparer: RowComparer
  private let links: [LinkReader]
  private let ours: Cursor?
  private let theirs: Cursor?
  private let objects: CommonObjects
  private let targets: [String: (store: RelationshipTarget, other: RelationshipTarget)]

  init(_ pair: EntityPair, _ links: [LinkPair], _ rows: RowComparer, _ linkComparer: LinkComparer) throws {
    self.pair = pair
    comparer = rows
    objects = linkComparer.objects
    self.links = try links.map { try LinkReader($0, linkComparer) }
    func cursor(_ entity: SchemaEntity?, _ columns: [String], _ store: ComparedStore) throws -> Cursor? {
      try entity.map { try store.cursor(EntityPair.select(columns, from: $0) + " WHERE Z_PK = ?") }
    }
    ours = try cursor(pair.store, pair.storeColumns, rows.store)
    theirs = try cursor(pair.other, pair.otherColumns, rows.other)
    let names = (store: EntityNames(rows.store.store), other: EntityNames(rows.other.store))
    var targets: [String: (RelationshipTarget, RelationshipTarget)] = [:]
    for property in pair.properties {
      guard case .toOne(_, let one, let two) = property.kind else { continue }
      targets[property.name] = (
        RelationshipTarget(entity: one.relationship.destination, names.store, in: rows.store.store),
        RelationshipTarget(entity: two.relationship.destination, names.other, in: rows.other.store)
      )
    }
    self.targets = targets
  }

  /// The properties of an object of both stores that differ; `key` is the store's.
  package func changes(of key: Int64) throws -> [PropertyChange] {
    guard let ours, let theirs, let root = pair.store?.root, let otherKey = try otherKey(of: key, root: root),
      try ours.find(key), try theirs.find(otherKey)
    else { return [] }
    var changes: [PropertyChange] = []
    for property in pair.properties where try comparer.differs(property, ours.row, theirs.row) {
      changes.append(
        PropertyChange(
          name: property.name,
          what: .value(
            from: value(property, ours.row, isOther: false), to: value(property, theirs.row, isOther: true))))
    }
    for link in links {
      let difference = try link.difference(key)
      guard !difference.isEmpty else { continue }
      let uris = try link.uris(difference)
      changes.append(
        PropertyChange(
          name: link.pair.name,
          what: .links(removed: uris.removed, added: uris.added, isReordered: difference.isReordered)))
    }
    return changes
  }

  /// The other store's key of an object that both have.
  package func otherKey(of key: Int64) throws -> Int64? {
    try pair.store.flatMap { try otherKey(of: key, root: $0.root) }
  }

  private func otherKey(of key: Int64, root: Int64) throws -> Int64? {
    try objects.partner(of: key, root: root)
  }

  private func value(_ property: PropertyPair, _ row: Statement, isOther: Bool) -> DataValue {
    switch property.kind {
    case .attribute(_, let store, let other):
      let whole = isOther ? other : store
      let leaves = whole.leaves.map { ($0.attribute.path, $0.decoder.value(row.cell($0.cell))) }
      return CompositeValue.assemble(
        whole.attribute, Dictionary(firstOf: leaves))
    case .toOne(let cells, let store, let other):
      let target = isOther ? other : store
      guard let key = row.optionalInteger(isOther ? cells.other : cells.store),
        let uris = targets[property.name]
      else { return .null }
      return .text(
        (isOther ? uris.other : uris.store).uri(
          of: key, entity: target.entityCell.flatMap(row.optionalInteger)))
    }
  }
}
