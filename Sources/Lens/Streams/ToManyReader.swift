import SQLite
package import StoreModel

/// The targets of a to-many relationship, in its order, or by primary key where it has none.
package final class ToManyReader {
  private let statement: Statement?
  private let target: RelationshipTarget
  /// Finds the entity of one target.
  private let entity: Statement?

  package convenience init(_ relationship: SchemaRelationship, in store: CoreDataStore) throws {
    let target = RelationshipTarget(entity: relationship.destination, EntityNames(store), in: store)
    try self.init(relationship, target, in: store)
  }

  init(_ relationship: SchemaRelationship, _ target: RelationshipTarget, in store: CoreDataStore) throws {
    self.target = target
    statement = try Self.sql(relationship, in: store).map(store.connection.prepare)
    let table = store.schema[relationship.destination]?.table
    entity = try table.flatMap { table in
      guard store.tables.holdsObjects(table) else { return nil }
      return try store.connection.prepare("SELECT Z_ENT FROM main.\(quotedIdentifier(table)) WHERE Z_PK = ?")
    }
  }

  /// The targets' URIs.
  func uris(of primaryKey: Int64) throws -> [String] {
    try targets(of: primaryKey) { target.uri(of: $0.integer(0), entity: $0.optionalInteger(1)) }
  }

  /// The targets' primary keys.
  package func keys(of primaryKey: Int64) throws -> [Int64] { try targets(of: primaryKey) { $0.integer(0) } }

  /// The URI of one target.
  package func uri(of key: Int64) throws -> String {
    guard let entity else { return target.uri(of: key, entity: nil) }
    try entity.bind([.integer(key)])
    defer { entity.reset() }
    return target.uri(of: key, entity: try entity.step() ? entity.optionalInteger(0) : nil)
  }

  private func targets<T>(of primaryKey: Int64, _ body: (Statement) -> T) throws -> [T] {
    guard let statement else { return [] }
    try statement.bind([.integer(primaryKey)])
    defer { statement.reset() }
    var targets: [T] = []
    while try statement.step() { targets.append(body(statement)) }
    return targets
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

/// URIs of a relationship's targets.
package struct RelationshipTarget {
  private let names: EntityNames
  private let destination: [UInt8]
  private let members: Set<Int64>

  package init(entity number: Int64, _ names: EntityNames, in store: CoreDataStore) {
    self.names = names
    let entity = store.schema[number]
    destination =
      entity == nil ? ObjectURI.prefix(storeUUID: store.uuid, entity: "") : names[number].uriPrefix
    // One that has no sub-entities needn't be looked up.
    let members = Set((entity.map { store.schema.descendants(of: $0) } ?? []).map(\.number))
    self.members = members.count > 1 ? members : []
  }

  /// `entity` is the target's own entity if the row has it.
  func uriPrefix(entity: Int64?) -> [UInt8] {
    guard let entity, members.contains(entity) else { return destination }
    return names[entity].uriPrefix
  }

  /// The whole URI of one target.
  package func uri(of key: Int64, entity: Int64?) -> String {
    String(decoding: uriPrefix(entity: entity), as: UTF8.self) + String(key)
  }
}
