import Base
import Lens
import SQLite
import StoreModel

/// Finds the objects whose links differ.
///
/// Links of two million objects can't be sorted side by side without room for them. So all links of either store are read
/// once, in whatever order they lie, and each object gets a sum over its links: of equal links the sums are equal. Objects
/// whose sums differ are then compared exactly. A link to an object that only one store has is in one sum only.
struct LinkComparer {
  let store: ComparedStore
  let other: ComparedStore
  let objects: CommonObjects
  /// Different in each run, so that nobody can make a store in which different links have equal sums.
  let seed: UInt64
  let step: () -> Void

  /// What an object's links became. Keys of the store's own members, and of the other store's.
  struct Difference {
    var removed: [Int64] = []
    var added: [Int64] = []
    var isReordered = false

    var isEmpty: Bool { removed.isEmpty && added.isEmpty && !isReordered }
  }

  /// Calls `body` with the store's key of each owner that differs, in ascending order.
  func forEachDifference(_ pair: LinkPair, _ body: (Int64) throws -> Void) throws {
    let sums = ObjectMap<UInt64>(empty: 0, bytes: ComparedStore.mapBytes)
    let ours = try store.cursor(pair.store.sql)
    while try ours.next() {
      step()
      let (owner, member) = (ours.row.integer(0), ours.row.integer(1))
      guard try objects.hasPartner(owner, root: pair.store.ownerRoot) else { continue }
      let order = pair.isOrdered ? ours.row.integer(2) : 0
      let term: UInt64
      switch try objects.fate(of: member, root: pair.store.memberRoot) {
      case .inBoth: term = self.term(member, order: order, seed)
      case .inOne where pair.tellsMembers: term = self.term(member, order: 0, ~seed)
      case .inOne, .unknown: continue
      }
      try sums.update(ObjectKey(number: owner)) { $0 &+= term }
    }
    let theirs = try other.cursor(pair.other.sql)
    while try theirs.next() {
      step()
      guard let owner = try objects.partner(ofOther: theirs.row.integer(0), root: pair.other.ownerRoot) else {
        continue
      }
      let member = theirs.row.integer(1)
      let order = pair.isOrdered ? theirs.row.integer(2) : 0
      let term: UInt64
      switch try objects.fate(ofOther: member, root: pair.other.memberRoot) {
      case .inBoth(let member): term = self.term(member, order: order, seed)
      case .inOne where pair.tellsMembers: term = self.term(member, order: 1, ~seed)
      case .inOne, .unknown: continue
      }
      try sums.update(ObjectKey(number: owner)) { $0 &-= term }
    }
    let reader = try LinkReader(pair, self)
    try sums.forEach { key, sum in
      if sum != 0, try !reader.difference(key.primaryKey).isEmpty { try body(key.primaryKey) }
    }
  }

  /// SplitMix64's finisher: https://doi.org/10.1145/2660193.2660195
  private func term(_ member: Int64, order: Int64, _ seed: UInt64) -> UInt64 {
    func mixed(_ number: UInt64) -> UInt64 {
      var number = number
      number = (number ^ (number >> 30)) &* 0xBF58_476D_1CE4_E5B9
      number = (number ^ (number >> 27)) &* 0x94D0_49BB_1331_11EB
      return number ^ (number >> 31)
    }
    return mixed(mixed(UInt64(bitPattern: member) ^ seed) &+ UInt64(bitPattern: order))
  }
}

/// A to-many relationship that both stores have, and where its links lie.
///
/// A link between one and many is reported where it is stored, at its to-one end, with the values of an object that only
/// one store has; here only the order counts, where there is one. All other links have no such end.
struct LinkPair {
  /// Rows of owner, member and, where there is one, place in the order.
  struct Source {
    var relationship: SchemaRelationship
    var sql: String
    var ownerRoot: Int64
    var memberRoot: Int64
  }

  var name: String
  var store: Source
  var other: Source
  /// Whether who is linked counts, and not only in which order.
  var tellsMembers: Bool
  var isOrdered: Bool

  /// The relationships that both entities have, without those that they inherit from one that both stores have: all below
  /// share these. In the other store an entity may inherit from another one, or from none.
  static func all(
    _ entity: SchemaEntity, _ twin: SchemaEntity, _ store: ComparedStore, _ other: ComparedStore
  )
    -> [LinkPair]
  {
    let shared = namesAbove(entity, twin, store, other)
    return entity.relationships.compactMap { relationship in
      guard !relationship.isInherited || !shared.contains(relationship.name),
        let match = twin.relationships.first(where: { $0.name == relationship.name }),
        let one = source(relationship, of: entity, in: store), let two = source(match, of: twin, in: other),
        one.tellsMembers == two.tellsMembers, one.tellsMembers || one.isOrdered && two.isOrdered
      else { return nil }
      return LinkPair(
        name: relationship.name, store: one.source, other: two.source, tellsMembers: one.tellsMembers,
        isOrdered: one.isOrdered && two.isOrdered)
    }
  }

  /// What is inherited from one entity in both stores.
  private static func namesAbove(
    _ entity: SchemaEntity, _ twin: SchemaEntity, _ store: ComparedStore, _ other: ComparedStore
  ) -> Set<String> {
    guard let one = entity.parent.flatMap({ store.schema[$0] }),
      let two = twin.parent.flatMap({ other.schema[$0] }), one.name == two.name
    else { return [] }
    return Set(one.relationships.map(\.name)).intersection(two.relationships.map(\.name))
  }

  private static func source(
    _ relationship: SchemaRelationship, of entity: SchemaEntity, in store: ComparedStore
  ) -> (source: Source, tellsMembers: Bool, isOrdered: Bool)? {
    func source(_ table: String, _ owner: String, _ member: String, _ order: String?) -> Source {
      let columns = [owner, member].map(quotedIdentifier) + [order.map(quotedIdentifier) ?? "NULL"]
      return Source(
        relationship: relationship,
        sql: """
          SELECT \(columns.joined(separator: ", ")) FROM main.\(quotedIdentifier(table))
          WHERE \(columns[0]) IS NOT NULL AND \(columns[1]) IS NOT NULL
          """,
        ownerRoot: entity.root, memberRoot: store.schema[relationship.destination]?.root ?? 0)
    }
    switch relationship.storage {
    case .join(let table, let own, let member, let order):
      return (source(table, own, member, order), true, order != nil)
    case .toMany(let table, let column, _, let order, let isVirtual):
      return (source(table, column, "Z_PK", order), isVirtual, order != nil)
    case .toOne, .none: return nil
    }
  }
}

/// Reads the links of single objects from both stores.
final class LinkReader {
  let pair: LinkPair
  private let objects: CommonObjects
  private let ours: ToManyReader
  private let theirs: ToManyReader

  init(_ pair: LinkPair, _ comparer: LinkComparer) throws {
    self.pair = pair
    objects = comparer.objects
    ours = try ToManyReader(pair.store.relationship, in: comparer.store.store)
    theirs = try ToManyReader(pair.other.relationship, in: comparer.other.store)
  }

  /// What became of the links of an object that both stores have. Of members that can't be matched nothing is said.
  func difference(_ owner: Int64) throws -> LinkComparer.Difference {
    guard let otherOwner = try objects.partner(of: owner, root: pair.store.ownerRoot) else { return .init() }
    let old = try ours.keys(of: owner).map { ($0, try objects.fate(of: $0, root: pair.store.memberRoot)) }
    let new = try theirs.keys(of: otherOwner).map {
      ($0, try objects.fate(ofOther: $0, root: pair.other.memberRoot))
    }
    // In the other store's keys.
    let stayed = old.compactMap { $0.1.partner }
    let here = new.compactMap { $0.1.partner == nil ? nil : $0.0 }
    let (oldSet, newSet) = (Set(stayed), Set(here))
    var difference = LinkComparer.Difference()
    if pair.tellsMembers {
      difference.removed = old.filter { $0.1 == .inOne || $0.1.partner.map { !newSet.contains($0) } ?? false }
        .map(\.0)
      difference.added = new.filter { $0.1 == .inOne || $0.1.partner != nil && !oldSet.contains($0.0) }
        .map(\.0)
    }
    if pair.isOrdered {
      difference.isReordered = stayed.filter(newSet.contains) != here.filter(oldSet.contains)
    }
    return difference
  }

  /// URIs of members, in the store's terms or the other's.
  func uris(_ difference: LinkComparer.Difference) throws -> (removed: [String], added: [String]) {
    (try difference.removed.map(ours.uri), try difference.added.map(theirs.uri))
  }
}
