import SQLite
import StoreModel

/// A table of objects, and which of its columns hold what for each of its entities.
struct SearchedTable {
  let name: String
  private(set) var columns: [String] = []
  /// By entity number.
  private(set) var properties: [Int64: [(column: Int, property: ValueMatcher.Property)]] = [:]

  /// All tables of these entities, in the order of the entities' numbers.
  /// - Parameter includes: whether a property is searched.
  static func all(
    of entities: [SchemaEntity], in store: CoreDataStore,
    includes: (ValueMatcher.Property) -> Bool = { _ in true }
  ) -> [SearchedTable] {
    var tables: [SearchedTable] = []
    for entity in entities where store.tables.holdsObjects(entity.table) {
      let place = tables.firstIndex { $0.name == entity.table } ?? tables.count
      if place == tables.count { tables.append(SearchedTable(name: entity.table)) }
      tables[place].add(entity, includes)
    }
    return tables.filter { !$0.columns.isEmpty }
  }

  private init(name: String) { self.name = name }

  private mutating func add(_ entity: SchemaEntity, _ includes: (ValueMatcher.Property) -> Bool) {
    for attribute in entity.attributes {
      for leaf in attribute.leaves {
        let property = ValueMatcher.Property(leaf, of: attribute)
        guard let column = leaf.column, includes(property) else { continue }
        let index = columns.firstIndex(of: column) ?? columns.count
        if index == columns.count { columns.append(column) }
        properties[entity.number, default: []].append((index, property))
      }
    }
  }

  /// The size of a blob that wasn't loaded, as what `statement` gives in place of it; nil for any other value.
  static func unreadBytes(_ cell: Cell) -> Int64? {
    cell.type == .integer && cell.integer < -Int64(ValueMatcher.limit)
      ? Int64(clamping: cell.integer.magnitude) : nil
  }

  /// All rows: key, entity number, columns. In place of a blob above the limit, its size comes as a negative number.
  func statement(in store: CoreDataStore) throws -> Statement {
    let blobs = Set(
      store.tables.columns(of: name).filter { ["BLOB", ""].contains($0.declaredType.uppercased()) }.map(
        \.name))
    let values = columns.map { column in
      let name = quotedIdentifier(column)
      return blobs.contains(column)
        ? "CASE WHEN typeof(\(name)) = 'blob' AND length(\(name)) > \(ValueMatcher.limit) THEN -length(\(name)) ELSE \(name) END"
        : name
    }
    return try store.connection.prepare(
      "SELECT Z_PK, Z_ENT, \(values.joined(separator: ", ")) FROM main.\(quotedIdentifier(name)) ORDER BY Z_PK"
    )
  }
}
