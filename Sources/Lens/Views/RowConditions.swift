import SQLite
package import StoreModel

/// What a migration asks of an entity's rows, its sub-entities' included. Of what the store doesn't have nothing is true.
package struct RowConditions {
  private let store: CoreDataStore
  private let entity: SchemaEntity
  private let columns: [String: String]

  /// Nil if the store has no such entity, or not its table. The store's views are there already.
  package init?(_ entity: String, in store: CoreDataStore) {
    guard let entity = store.schema[entity], store.tables.holdsObjects(entity.table) else { return nil }
    self.store = store
    self.entity = entity
    columns = View.entityColumns(of: entity)
  }

  package func hasRows() throws -> Bool { try exists("") }

  package func hasNull(in property: String) throws -> Bool {
    try columns[property].map { try exists("WHERE \(quotedIdentifier($0)) IS NULL") } ?? false
  }

  /// Rows of exactly this entity.
  package func ownRows() throws -> Int {
    try store.connection.first(
      "SELECT COUNT(*) FROM main.\(quotedIdentifier(entity.table)) WHERE Z_ENT = ?", [.integer(entity.number)]
    ) { Int($0.integer(0)) } ?? 0
  }

  /// Rows that have a value of the property; nil if it has no column, as a to-many relationship.
  package func values(of property: String) throws -> Int? {
    try columns[property].map { column in
      try store.connection.first("SELECT COUNT(\(quotedIdentifier(column))) FROM \(view)") {
        Int($0.integer(0))
      } ?? 0
    }
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

  /// Whether two rows have the same values. Core Data compares only rows that have all of them, as SQLite's unique
  /// indexes do: https://www.sqlite.org/lang_createindex.html#unique_indexes
  package func hasDuplicates(of properties: [String]) throws -> Bool {
    let names = properties.compactMap { columns[$0] }.map(quotedIdentifier)
    guard !names.isEmpty, names.count == properties.count else { return false }
    return try exists(
      """
      WHERE \(names.map { "\($0) IS NOT NULL" }.joined(separator: " AND ")) \
      GROUP BY \(names.joined(separator: ", ")) HAVING count(*) > 1
      """)
  }

  private var view: String {
    quotedIdentifier(ViewNames.view(for: entity.name, among: store.schema.entities.map(\.name)))
  }

  private func exists(_ condition: String) throws -> Bool {
    try store.connection.first("SELECT 1 FROM \(view) \(condition) LIMIT 1") { _ in true } ?? false
  }
}
