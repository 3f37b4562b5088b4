import Comparison
import Lens
import Rendering
import StoreModel
import Values

/// The objects of one entity that only one of two stores has, with their values as `rows` prints them.
struct DiffValues {
  enum Side: String {
    case added, removed
  }

  private let keys: KeyList
  private let rows: ObjectRows

  /// Nil if there are none.
  /// - Parameter store: the one that has them.
  init?(_ side: Side, _ entity: EntityDifference, in store: CoreDataStore) throws {
    guard let found = side == .added ? entity.other : entity.store, let first = entity[side].runs.first,
      let last = entity[side].runs.last
    else { return nil }
    keys = entity[side]
    var options = ObjectRows.Options()
    options.includesSubentities = false
    // Other links are at their other end.
    options.toMany = .untold
    options.primaryKeys = first.lowerBound...last.upperBound
    rows = try ObjectRows(found, in: store, options: options)
  }

  var stream: RowStream {
    RowStream(names: rows.columns.map(\.name), count: { keys.count }) { sink in
      try rows.produce(into: sink, isWanted: keys.contains) {}
    }
  }

  /// Calls `body` with each object's key and its values other than NULL, until it returns false.
  /// - Returns: false if it did.
  @discardableResult
  func forEach(_ body: (Int64, [DataValue.Member]) throws -> Bool) throws -> Bool {
    // URI, key and entity come first.
    let names = rows.columns.dropFirst(3).map(\.name)
    var goesOn = true
    try withoutActuallyEscaping(body) { body in
      let collector = RowCollector { cells in
        guard case .integer(let key)? = cells.dropFirst().first ?? nil else { return true }
        let members = zip(names, cells.dropFirst(3)).compactMap { name, value in
          value.flatMap { $0 == .null ? nil : DataValue.Member(name, $0) }
        }
        goesOn = try body(key, members)
        return goesOn
      }
      try rows.produce(into: collector, isWanted: keys.contains) {}
    }
    return goesOn
  }
}

extension EntityDifference {
  subscript(side: DiffValues.Side) -> KeyList { side == .added ? added : removed }
}
