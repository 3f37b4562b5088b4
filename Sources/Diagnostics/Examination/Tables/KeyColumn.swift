import SQLite
import StoreModel

/// A column of a table of objects that holds keys of other objects: a to-one relationship's, or the one that Core Data
/// adds for a to-many relationship without inverse.
struct KeyColumn {
  /// `Note.owner`.
  var relationship: String
  var table: String
  var column: String
  /// Beside the key, the number of the target's entity, where it may be one of several.
  var entityColumn: String?
  /// Entities whose rows have the relationship; in rows of others the column means nothing.
  var owners: NumberRanges
  var target: LinkTarget

  /// Those of all relationships whose columns and target are there.
  static func all(in store: CoreDataStore) -> [KeyColumn] {
    var keys: [KeyColumn] = []
    for entity in store.schema.entities where LinkTarget(entity, in: store) != nil {
      let owners = NumberRanges(store.schema.descendants(of: entity).map(\.number))
      func add(_ name: String, _ column: String, _ entityColumn: String?, to destination: Int64) {
        guard let target = store.schema[destination].flatMap({ LinkTarget($0, in: store) }) else { return }
        keys.append(
          KeyColumn(
            relationship: name, table: entity.table, column: column, entityColumn: entityColumn,
            owners: owners,
            target: target))
      }
      for relationship in entity.relationships where !relationship.isInherited {
        guard case .toOne(let column, let entityColumn, _) = relationship.storage else { continue }
        add("\(entity.name).\(relationship.name)", column, entityColumn, to: relationship.destination)
      }
      let columns = Set(store.tables.columns(of: entity.table).map(\.name))
      for key in entity.virtualToOnes where key.declaredBy == entity.number && columns.contains(key.column) {
        let owner = store.schema[key.owner]?.name ?? ""
        add(
          "\(owner).\(key.relationship)", key.column,
          key.entityColumn.flatMap { columns.contains($0) ? $0 : nil },
          to: key.owner)
      }
    }
    return keys
  }
}

/// What a relationship may lead to.
struct LinkTarget {
  var entity: String
  var table: String
  /// The entity and all below it.
  var numbers: NumberRanges

  /// Nil where the table lacks what a look-up needs.
  init?(_ entity: SchemaEntity, in store: CoreDataStore) {
    guard store.tables.holdsObjects(entity.table) else { return nil }
    self.entity = entity.name
    table = entity.table
    numbers = NumberRanges(store.schema.descendants(of: entity).map(\.number))
  }
}
