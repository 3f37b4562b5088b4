import Lens

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

  /// What became of the links of an object that both stores have, without those to objects that only one has.
  func difference(_ owner: Int64) throws -> LinkComparer.Difference {
    guard let otherOwner = objects.partner(of: owner, root: pair.store.ownerRoot) else { return .init() }
    var old: [(key: Int64, partner: Int64)] = []
    for key in try ours.keys(of: owner) {
      if let partner = objects.partner(of: key, root: pair.store.memberRoot) { old.append((key, partner)) }
    }
    let new = try theirs.keys(of: otherOwner).filter {
      objects.partner(ofOther: $0, root: pair.other.memberRoot) != nil
    }
    let (oldSet, newSet) = (Set(old.map(\.partner)), Set(new))
    var difference = LinkComparer.Difference()
    if pair.tellsMembers {
      difference.removed = old.filter { !newSet.contains($0.partner) }.map(\.key)
      difference.added = new.filter { !oldSet.contains($0) }
    }
    if pair.isOrdered {
      difference.isReordered =
        old.map(\.partner).filter(newSet.contains) != new.filter(oldSet.contains)
    }
    return difference
  }

  /// URIs of members, in the store's terms or the other's.
  func uris(_ difference: LinkComparer.Difference) throws -> (removed: [String], added: [String]) {
    (try difference.removed.map(ours.uri), try difference.added.map(theirs.uri))
  }
}
