import SQLite
import StoreModel

extension View {
  /// One row per pair of objects that a to-many relationship links.
  /// - Returns: nil where the store doesn't keep such links.
  static func link(
    _ relationship: SchemaRelationship, of entity: SchemaEntity, named name: String, in store: CoreDataStore
  ) -> View? {
    let numbers = store.schema.descendants(of: entity).map { String($0.number) }.joined(separator: ", ")
    guard store.tables.holdsObjects(entity.table) else { return nil }
    let owner = "main.\(quotedIdentifier(entity.table)) s"
    let source: String
    let position: String
    switch relationship.storage {
    case .toMany(let table, let column, _, let orderColumn, _):
      guard store.tables.holdsObjects(table) else { return nil }
      source = """
        main.\(quotedIdentifier(table)) t JOIN \(owner) ON s.Z_PK = t.\(quotedIdentifier(column))
        WHERE s.Z_ENT IN (\(numbers))
        """
      position = orderColumn.map { "t.\(quotedIdentifier($0))" } ?? "NULL"
    case .join(let table, let ownColumn, let otherColumn, let orderColumn):
      guard let destination = store.schema[relationship.destination],
        store.tables.holdsObjects(destination.table)
      else { return nil }
      source = """
        main.\(quotedIdentifier(table)) j JOIN \(owner) ON s.Z_PK = j.\(quotedIdentifier(ownColumn))
        JOIN main.\(quotedIdentifier(destination.table)) t ON t.Z_PK = j.\(quotedIdentifier(otherColumn))
        WHERE s.Z_ENT IN (\(numbers))
        """
      position = orderColumn.map { "j.\(quotedIdentifier($0))" } ?? "NULL"
    case .toOne, .none: return nil
    }
    return View(
      name, rows: "link from \(entity.name) by \(relationship.name)",
      [
        Column("source", .integer, "the primary key of the object that has the relationship", "s.Z_PK").open,
        Column("target", .integer, "the primary key of the object it leads to", "t.Z_PK").open,
        Column(
          "position", .integer, "orders the targets of one source, with gaps; NULL if they have no order",
          position
        ).open,
        Column("sourceURI", .uri, "the source's URI", "object_uri(s.Z_ENT, s.Z_PK)").open,
        Column("targetURI", .uri, "the target's URI", "object_uri(t.Z_ENT, t.Z_PK)").open,
      ], from: source)
  }
}
