import StoreModel

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
  func partner(of key: Int64, root: Int64) -> Int64? {
    guard removed[root]?.contains(key) != true else { return nil }
    guard let partners else { return key }
    guard case .key(let partner) = partners.partner(of: key, root: root) else { return nil }
    return partner
  }

  /// The store's key of an object of the other store.
  func partner(ofOther key: Int64, root: Int64) -> Int64? {
    guard added[root]?.contains(key) != true else { return nil }
    guard let partners else { return key }
    guard case .key(let partner) = partners.partner(ofOther: key, root: root) else { return nil }
    return partner
  }

  func hasPartner(_ key: Int64, root: Int64) -> Bool { partner(of: key, root: root) != nil }
}
