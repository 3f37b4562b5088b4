/// How many objects of each entity history makes and deletes. The pass itself counts, as it may see many millions of
/// changes, and observers want totals.
package struct ObjectTally {
  /// What one transaction did with the objects of one entity.
  package struct Totals {
    var entity: Int64
    var inserts: Int
    var deletes: Int
    /// Inserts less deletes since history began, up to the transaction's end.
    var growth: Int
  }

  /// By entity number: inserts less deletes since history began, of all authors.
  private(set) var growth: [Int]
  private var inserts: [Int]
  private var deletes: [Int]
  /// Entities of which the current transaction made or deleted something.
  private var touched: [Int] = []

  init(entities count: Int) {
    growth = [Int](repeating: 0, count: count)
    inserts = growth
    deletes = growth
  }

  /// - Parameter isOfTransaction: false if nobody knows who made it.
  mutating func insert(_ entity: Int, isOfTransaction: Bool) {
    growth[entity] += 1
    guard isOfTransaction else { return }
    touch(entity)
    inserts[entity] += 1
  }

  mutating func delete(_ entity: Int) {
    touch(entity)
    deletes[entity] += 1
    growth[entity] -= 1
  }

  private mutating func touch(_ entity: Int) {
    if inserts[entity] == 0, deletes[entity] == 0 { touched.append(entity) }
  }

  /// Those of the current transaction, which ends here.
  mutating func takeTotals() -> [Totals] {
    guard !touched.isEmpty else { return [] }
    defer {
      for entity in touched {
        inserts[entity] = 0
        deletes[entity] = 0
      }
      touched.removeAll(keepingCapacity: true)
    }
    return touched.map {
      Totals(entity: Int64($0), inserts: inserts[$0], deletes: deletes[$0], growth: growth[$0])
    }
  }
}
