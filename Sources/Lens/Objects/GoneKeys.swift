import SQLite
package import StoreModel

/// Keys that were assigned to objects of one hierarchy, and that no row has.
///
/// Core Data counts keys up and never assigns one twice: what no row has was deleted, or never saved. The count survives
/// history that was purged. Only roots have counters.
package struct GoneKeys {
  package struct Ranges {
    package let first: [ClosedRange<Int64>]
    package let isWhole: Bool
  }

  package let count: Int64
  private let entity: SchemaEntity
  private let last: Int64

  /// - Parameter rows: by entity number.
  /// - Returns: nil for sub-entities, and where there is no counter.
  package init?(of entity: SchemaEntity, in store: CoreDataStore, rows: [Int64: Int]) {
    guard entity.parent == nil,
      let last = store.primaryKeys.user.first(where: { $0.number == entity.number })?.lastKey
    else { return nil }
    let living = store.schema.descendants(of: entity).reduce(0) { $0 + (rows[$1.number] ?? 0) }
    count = last > living ? last - Int64(living) : 0
    self.entity = entity
    self.last = last
  }

  /// The first of them by key, in one pass over the table, which ends with the last that is asked for.
  package func ranges(in store: CoreDataStore, limit: Int) throws -> Ranges {
    guard count > 0, store.tables.holdsObjects(entity.table) else { return Ranges(first: [], isWhole: true) }
    let most = limit == .max ? limit : limit + 1
    var ranges: [ClosedRange<Int64>] = []
    try store.connection.forEachRow(
      """
      SELECT Z_PK, former FROM (
        SELECT Z_PK, LAG(Z_PK, 1, 0) OVER (ORDER BY Z_PK) AS former FROM main.\(quotedIdentifier(entity.table))
        WHERE Z_PK BETWEEN 1 AND ?1 AND typeof(Z_PK) = 'integer')
      WHERE Z_PK > former + 1 LIMIT ?2
      """, [.integer(last), .integer(Int64(most))]
    ) { row in ranges.append(row.integer(1) + 1...row.integer(0) - 1) }
    guard ranges.count < most else { return Ranges(first: Array(ranges.prefix(limit)), isWhole: false) }
    let highest =
      try store.connection.first(
        """
        SELECT MAX(Z_PK) FROM main.\(quotedIdentifier(entity.table))
        WHERE Z_PK BETWEEN 1 AND ?1 AND typeof(Z_PK) = 'integer'
        """,
        [.integer(last)]
      ) { $0.integer(0) } ?? 0
    if highest < last { ranges.append(highest + 1...last) }
    return Ranges(first: Array(ranges.prefix(limit)), isWhole: ranges.count <= limit)
  }
}
