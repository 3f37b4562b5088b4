/// How many objects of each entity history makes and deletes. The pass itself counts, as it may see many millions of
/// changes, and observers want totals.
package struct ObjectTally {
  /// What one transaction deleted.
  package struct Deletions {
    var entity: Int64
    var count: Int
    /// Inserts less deletes since history began, up to the first of these deletes.
    var grownBefore: Int
    /// The same at the transaction's end.
    var grownAfter: Int
  }

  /// By entity number: inserts less deletes since history began, of all authors.
  private(set) var growth: [Int]
  private var deletes: [Int]
  private var grownBefore: [Int]
  /// Entities of which the current transaction deleted something.
  private var touched: [Int] = []

  init(entities count: Int) {
    growth = [Int](repeating: 0, count: count)
    deletes = growth
    grownBefore = growth
  }

  mutating func insert(_ entity: Int) { growth[entity] += 1 }

  mutating func delete(_ entity: Int) {
    if deletes[entity] == 0 {
      touched.append(entity)
      grownBefore[entity] = growth[entity]
    }
    deletes[entity] += 1
    growth[entity] -= 1
  }

  /// Those of the current transaction, which ends here.
  mutating func takeDeletions() -> [Deletions] {
    guard !touched.isEmpty else { return [] }
    defer {
      for entity in touched { deletes[entity] = 0 }
      touched.removeAll(keepingCapacity: true)
    }
    return touched.map {
      Deletions(
        entity: Int64($0), count: deletes[$0], grownBefore: grownBefore[$0], grownAfter: growth[$0])
    }
  }
}
