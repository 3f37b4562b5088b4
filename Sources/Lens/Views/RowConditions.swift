import SQLite
package import StoreModel

/// What a migration asks of an entity's own rows, without those of its sub-entities.
package struct RowConditions {
  private let store: CoreDataStore
  private let entity: SchemaEntity

  /// Nil if the store has no such entity, or not its table.
  package init?(_ entity: String, in store: CoreDataStore) {
    guard let entity = store.schema[entity], store.tables.holdsObjects(entity.table) else { return nil }
    self.store = store
    self.entity = entity
  }

  package func rows() throws -> Int { try count() }

  /// Rows without a value of the property; none if it has no column, as a to-many relationship.
  package func nulls(in property: String) throws -> Int {
    let columns = columns(of: property)
    return columns.isEmpty
      ? 0 : try count("AND " + columns.map { "\($0) IS NULL" }.joined(separator: " AND "))
  }

  /// Rows that have a value of the property; nil if it has no column.
  package func values(of property: String) throws -> Int? {
    let columns = columns(of: property)
    return columns.isEmpty
      ? nil : try count("AND (\(columns.map { "\($0) IS NOT NULL" }.joined(separator: " OR ")))")
  }

  /// The table of a many-to-many relationship, and how many links it has; nil for other properties.
  package func links(of relationship: String) throws -> (table: String, count: Int)? {
    guard let found = entity.relationships.first(where: { $0.name == relationship }),
      case .join(let table, _, _, _) = found.storage
    else { return nil }
    let count = try store.connection.first("SELECT COUNT(*) FROM main.\(quotedIdentifier(table))") {
      Int($0.integer(0))
    }
    return (table, count ?? 0)
  }

  /// How many rows of the entity and its sub-entities have values that others have as well, and how many such values there
  /// are; nil if there are none. Core Data compares only rows that have all of
  /// them, as SQLite's unique indexes do: https://www.sqlite.org/lang_createindex.html#unique_indexes
  package func duplicates(of properties: [String]) throws -> (rows: Int, values: Int)? {
    let columns = properties.map(columns)
    guard !columns.isEmpty, columns.allSatisfy({ $0.count == 1 }) else { return nil }
    let names = columns.joined()
    let family = store.schema.descendants(of: entity).map { "\($0.number)" }.joined(separator: ", ")
    let found = try store.connection.first(
      """
      SELECT TOTAL(number), COUNT(*) FROM (SELECT COUNT(*) AS number FROM \(table) WHERE Z_ENT IN (\(family)) AND \(names.map { "\($0) IS NOT NULL" }.joined(separator: " AND "))
      GROUP BY \(names.joined(separator: ", ")) HAVING COUNT(*) > 1)
      """
    ) { (rows: Int($0.integer(0)), values: Int($0.integer(1))) }
    return found.flatMap { $0.values > 0 ? $0 : nil }
  }

  /// A composite has one for each of its leaves.
  private func columns(of property: String) -> [String] {
    if let attribute = entity.attributes.first(where: { $0.name == property }) {
      return attribute.leaves.compactMap(\.column).map(quotedIdentifier)
    }
    guard let relationship = entity.relationships.first(where: { $0.name == property }),
      case .toOne(let column, _, _) = relationship.storage
    else { return [] }
    return [quotedIdentifier(column)]
  }

  private var table: String { "main.\(quotedIdentifier(entity.table))" }

  private func count(_ condition: String = "") throws -> Int {
    try store.connection.first(
      "SELECT COUNT(*) FROM \(table) WHERE Z_ENT = ? \(condition)", [.integer(entity.number)]
    ) { Int($0.integer(0)) } ?? 0
  }
}
