import SQLite
package import StoreModel
package import Values

extension ObjectRows {
  /// Fewer are read by one thread as fast.
  private static let keysOfPart: Int64 = 2048

  /// The same rows in ranges of their keys.
  /// - Parameters:
  ///   - readers: the store as each thread may read it.
  ///   - whileWaiting: see `RowParts`.
  /// - Returns: nil where they are few, in another order, or chosen by a condition, which each part would ask again.
  package func parts(
    readers: () throws -> [CoreDataStore], whileWaiting: @escaping () -> Void = {}
  ) throws -> RowParts? {
    guard areAll, let ranges = try ranges() else { return nil }
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

  private func ranges() throws -> KeyRanges? {
    do { return try store.keyRanges(of: entity.table, each: Self.keysOfPart) } catch let error as SQLiteError
      where error.isDamage
    {
      // SQLite counts by whatever index it likes, and the rows themselves don't need that one.
      return nil
    }
  }

  /// Whether they are all of their entity's, in the order of their keys.
  private var areAll: Bool {
    options.predicate == nil && options.order.isEmpty && !options.isReversed && options.primaryKey == nil
      && options.primaryKeys == nil
  }
}

extension CoreDataStore {
  /// All keys of a table, in ranges. Both ends are looked up without a scan only one by one.
  /// - Returns: nil if the rows are few, however far apart their keys are; and for a forged table where each range would
  ///   need a scan, or some rows have no key.
  func keyRanges(of table: String, each length: Int64) throws -> KeyRanges? {
    // Only of whole numbers each is in exactly one range.
    let keys = tables.columns(of: table).filter(\.isPrimaryKey)
    guard keys.count == 1, keys[0].name == "Z_PK", keys[0].declaredType.uppercased() == "INTEGER" else {
      return nil
    }
    let table = "main.\(quotedIdentifier(table))"
    func first<T>(_ sql: String, _ read: (Statement) -> T?) throws -> T? {
      try connection.first(sql, [], read) ?? nil
    }
    guard try first("SELECT 1 FROM \(table) LIMIT 1 OFFSET \(3 * length)", { _ in true }) == true,
      try first("SELECT 1 FROM \(table) WHERE Z_PK IS NULL LIMIT 1", { _ in true }) == nil,
      let lowest = try first("SELECT MIN(Z_PK) FROM \(table)", { $0.optionalInteger(0) }),
      let highest = try first("SELECT MAX(Z_PK) FROM \(table)", { $0.optionalInteger(0) }), lowest <= highest
    else { return nil }
    return KeyRanges(of: lowest...highest, each: length)
  }
}
