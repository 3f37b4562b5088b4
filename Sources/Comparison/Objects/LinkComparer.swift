import CloudKitMirror
import SQLite
import StoreModel
import Values

/// Finds the objects whose links differ.
///
/// Links of two million objects can't be sorted side by side without room for them. So all links of either store are read
/// once, in whatever order they lie, and each object gets a sum over its links: of equal links the sums are equal. Objects
/// whose sums differ are then compared exactly.
struct LinkComparer {
  let store: ComparedStore
  let other: ComparedStore
  let objects: CommonObjects
  /// Made up anew in each run, so that nobody can make a store in which different links have equal sums.
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
    var sums = ObjectValues<UInt64>(empty: 0)
    let ours = try store.cursor(pair.store.sql)
    while try ours.next() {
      step()
      let (owner, member) = (ours.row.integer(0), ours.row.integer(1))
      guard objects.hasPartner(owner, root: pair.store.ownerRoot),
        objects.hasPartner(member, root: pair.store.memberRoot)
      else { continue }
      let term = term(member, order: pair.isOrdered ? ours.row.integer(2) : 0)
      try sums.update(ObjectKey(entity: 0, primaryKey: owner)) { $0 &+= term }
    }
    let theirs = try other.cursor(pair.other.sql)
    while try theirs.next() {
      step()
      guard let owner = objects.partner(ofOther: theirs.row.integer(0), root: pair.other.ownerRoot),
        let member = objects.partner(ofOther: theirs.row.integer(1), root: pair.other.memberRoot)
      else { continue }
      let term = term(member, order: pair.isOrdered ? theirs.row.integer(2) : 0)
      try sums.update(ObjectKey(entity: 0, primaryKey: owner)) { $0 &-= term }
    }
    let reader = try LinkReader(pair, self)
    try sums.forEach { key, sum in
      guard sum != 0, try !reader.difference(key.primaryKey).isEmpty else { return }
      try body(key.primaryKey)
    }
  }

  /// SplitMix64's finisher: https://doi.org/10.1145/2660193.2660195
  private func term(_ member: Int64, order: Int64) -> UInt64 {
    func mixed(_ number: UInt64) -> UInt64 {
      var number = number
      number = (number ^ (number >> 30)) &* 0xBF58_476D_1CE4_E5B9
      number = (number ^ (number >> 27)) &* 0x94D0_49BB_1331_11EB
      return number ^ (number >> 31)
    }
    return mixed(mixed(UInt64(bitPattern: member) ^ seed) &+ UInt64(bitPattern: order))
  }
}
