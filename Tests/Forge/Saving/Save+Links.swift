import Base
import StoreModel

extension Save {
  /// Links two objects, at both ends. What stood at a to-one end before is unlinked; at an ordered end the new
  /// member comes last.
  package func link(_ owner: ForgedObject, _ name: String, _ member: ForgedObject) throws {
    let end = try end(owner, name)
    guard truth.objects[member] != nil else { throw notThere(member) }
    guard end.destinations.contains(member.entityNumber) else {
      throw StoreScopeError(
        .invalid, "Cannot link a \(member.entity): '\(name)' of \(owner.entity) leads elsewhere")
    }
    let present = members(of: owner, name)
    if present.contains(member) { return }
    if !end.isToMany, let old = present.first { try unlink(owner, name, old) }
    let inverse = end.inverse.flatMap { ends[member, $0] }
    if let inverse, !inverse.isToMany, let old = members(of: member, inverse.name).first {
      try unlink(member, inverse.name, old)
    }
    add(member, to: owner, end)
    // An object linked with itself by a relationship that is its own inverse has one end only.
    if let inverse, !members(of: member, inverse.name).contains(owner) { add(owner, to: member, inverse) }
  }

  /// Cuts a link, at both ends.
  package func unlink(_ owner: ForgedObject, _ name: String, _ member: ForgedObject) throws {
    let end = try end(owner, name)
    guard members(of: owner, name).contains(member) else { return }
    remove(member, from: owner, end)
    if let inverse = end.inverse.flatMap({ ends[member, $0] }) { remove(owner, from: member, inverse) }
  }

  /// Puts the members of an ordered relationship into this order.
  package func order(_ owner: ForgedObject, _ name: String, _ members: [ForgedObject]) throws {
    let end = try end(owner, name)
    guard end.isOrdered, Set(members) == Set(self.members(of: owner, name)) else {
      throw StoreScopeError(
        .invalid, "Cannot order '\(name)' of \(owner.entity): it isn't ordered, or members are missing")
    }
    truth.objects[owner]?.links[name] = members
    touch(owner, name)
    // New keys for those that no longer rise, as Core Data leaves gaps to save writing the others.
    var last = Self.firstOrderKey - Self.orderKeyGap
    for (index, member) in members.enumerated() {
      let key = orderKey(of: member, in: owner, name) ?? last
      let next = index + 1 < members.count ? orderKey(of: members[index + 1], in: owner, name) : nil
      if key > last, next.map({ key < $0 }) ?? true {
        last = key
        continue
      }
      if let next, next > last + 1 { last += (next - last) / 2 } else { last += Self.orderKeyGap }
      truth.objects[owner]?.orderKeys[name]?[member] = last
      moved(member, in: owner, end)
    }
  }

  private func moved(_ member: ForgedObject, in owner: ForgedObject, _ end: RelationshipEnd) {
    touchedLinks.append(TouchedLink(end: end, owner: owner, member: member))
    if case .toMany = end.storage, let inverse = end.inverse { touch(member, inverse) }
  }

  private func end(_ owner: ForgedObject, _ name: String) throws -> RelationshipEnd {
    guard truth.objects[owner] != nil else { throw notThere(owner) }
    guard let end = ends[owner, name] else {
      throw StoreScopeError(
        .invalid, "Cannot follow '\(name)': \(owner.entity) has no such relationship", about: name)
    }
    return end
  }

  /// The objects linked at present, in order where the relationship has one.
  package func members(of owner: ForgedObject, _ name: String) -> [ForgedObject] {
    truth.objects[owner]?.links[name] ?? []
  }

  private func orderKey(of member: ForgedObject, in owner: ForgedObject, _ name: String) -> Int64? {
    truth.objects[owner]?.orderKeys[name]?[member]
  }

  // Measured on real stores: the first member has 2048, and each appended one 1024 more.
  private static let firstOrderKey: Int64 = 2048
  private static let orderKeyGap: Int64 = 1024

  private func add(_ member: ForgedObject, to owner: ForgedObject, _ end: RelationshipEnd) {
    truth.objects[owner]?.links[end.name, default: []].append(member)
    if end.isOrdered {
      let last = truth.objects[owner]?.orderKeys[end.name]?.values.max()
      truth.objects[owner]?.orderKeys[end.name, default: [:]][member] =
        last.map { $0 + Self.orderKeyGap } ?? Self.firstOrderKey
    }
    touchedLinks.append(TouchedLink(end: end, owner: owner, member: member))
    touch(owner, end.name)
  }

  private func remove(_ member: ForgedObject, from owner: ForgedObject, _ end: RelationshipEnd) {
    truth.objects[owner]?.links[end.name]?.removeAll { $0 == member }
    truth.objects[owner]?.orderKeys[end.name]?[member] = nil
    touchedLinks.append(TouchedLink(end: end, owner: owner, member: member))
    touch(owner, end.name)
  }
}
