import SQLite
package import StoreModel
package import Values

extension ObjectRows {
  /// Fewer are read by one thread as fast.
  private static let keysOfPart: Int64 = 8192

  /// The same rows in ranges of their keys.
  /// - Parameters:
  ///   - readers: the store as each thread may read it.
  ///   - whileWaiting: see `RowParts`.
  /// - Returns: nil where they are few, in another order, or chosen by a condition, which each part would ask again.
  package func parts(
    readers: () throws -> [CoreDataStore], whileWaiting: @escaping () -> Void = {}
  ) throws -> RowParts? {
    guard areAll, let keys = try keys(), let ranges = RowParts.ranges(of: keys, each: Self.keysOfPart) else {
      return nil
    }
    let stores = try readers()
    guard stores.count > 1 else { return nil }
    let (number, options) = (entity.number, options)
    return RowParts(
      count: ranges.count,
      makers: stores.map { store in
        { part, sink in
          guard let entity = store.schema[number] else { return }
          var options = options
          options.range = ranges[part]
          try ObjectRows(entity, in: store, options: options).produce(into: sink) {}
        }
      }, whileWaiting: whileWaiting)
  }

  /// Whether they are all of their entity's, in the order of their keys.
  private var areAll: Bool {
    options.predicate == nil && options.order.isEmpty && !options.isReversed && options.primaryKey == nil
      && options.primaryKeys == nil
  }

  /// Both ends of the table's keys, which are looked up without a scan only one by one; nil if the rows are few, however far
  /// apart their keys are, and if some have none, as in a forged table.
  private func keys() throws -> ClosedRange<Int64>? {
    let table = "main.\(quotedIdentifier(entity.table))"
    let isLarge = try store.connection.first("SELECT 1 FROM \(table) LIMIT 1 OFFSET \(3 * Self.keysOfPart)") {
      _ in true
    }
    let lacksKeys = try store.connection.first("SELECT 1 FROM \(table) WHERE Z_PK IS NULL LIMIT 1") { _ in
      true
    }
    guard isLarge == true, lacksKeys == nil else { return nil }
    let ends = try store.connection.first(
      "SELECT (SELECT MIN(Z_PK) FROM \(table)), (SELECT MAX(Z_PK) FROM \(table))"
    ) { ($0.optionalInteger(0), $0.optionalInteger(1)) }
    guard case (let first?, let last?)? = ends, first <= last else { return nil }
    return first...last
  }
}
