import SQLite
import StoreModel

/// The targets of a to-many relationship, in its order, or by primary key where it has none.
final class ToManyReader {
  private let statement: Statement?
  private let target: RelationshipTarget

  init(_ relationship: SchemaRelationship, _ target: RelationshipTarget, in store: CoreDataStore) throws {
    self.target = target
    statement = try Self.sql(relationship, in: store).map(store.connection.prepare)
  }

  /// The targets' URIs.
  func uris(of primaryKey: Int64) throws -> [String] {
    guard let statement else { return [] }
    try statement.bind([.integer(primaryKey)])
    statement.reset()
    defer { statement.reset() }
    var uris: [String] = []
    while try statement.step() {
      let prefix = target.uriPrefix(entity: statement.optionalInteger(1))
      uris.append(String(decoding: prefix, as: UTF8.self) + String(statement.integer(0)))
    }
    return uris
  }

  private static func sql(_ relationship: SchemaRelationship, in store: CoreDataStore) -> String? {
    switch relationship.storage {
    case .toMany(let table, let column, _, let orderColumn, _):
      let order = orderColumn.map { "\(quotedIdentifier($0)), " } ?? ""
      return """
        SELECT Z_PK, Z_ENT FROM main.\(quotedIdentifier(table)) WHERE \(quotedIdentifier(column)) = ?
        ORDER BY \(order)Z_PK
        """
    case .join(let table, let ownColumn, let otherColumn, let orderColumn):
      guard let destination = store.schema[relationship.destination] else { return nil }
      let order = orderColumn.map { "j.\(quotedIdentifier($0)), " } ?? ""
      return """
        SELECT t.Z_PK, t.Z_ENT FROM main.\(quotedIdentifier(table)) j
        JOIN main.\(quotedIdentifier(destination.table)) t ON t.Z_PK = j.\(quotedIdentifier(otherColumn))
        WHERE j.\(quotedIdentifier(ownColumn)) = ? ORDER BY \(order)t.Z_PK
        """
    case .toOne, .none: return nil
    }
  }
}
