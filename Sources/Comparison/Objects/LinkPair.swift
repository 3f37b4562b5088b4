import SQLite
import StoreModel

/// A to-many relationship that both stores have, and where its links lie.
///
/// A link between one and many is told where it is stored, at its to-one end; here only the order counts, where there is
/// one. All other links have no such end.
struct LinkPair {
  /// Rows of owner, member and, where there is one, place in the order.
  struct Source {
    var relationship: SchemaRelationship
    var sql: String
    var ownerRoot: Int64
    var memberRoot: Int64
  }

  var name: String
  var store: Source
  var other: Source
  /// Whether who is linked counts, and not only in which order.
  var tellsMembers: Bool
  var isOrdered: Bool

  /// The relationships that the entity itself declares, as all below it share them.
  static func all(
    _ entity: SchemaEntity, _ twin: SchemaEntity, _ store: ComparedStore, _ other: ComparedStore
  )
    -> [LinkPair]
  {
    entity.relationships.compactMap { relationship in
      guard !relationship.isInherited,
        let match = twin.relationships.first(where: { $0.name == relationship.name }),
        let one = source(relationship, of: entity, in: store), let two = source(match, of: twin, in: other),
        one.tellsMembers == two.tellsMembers, one.tellsMembers || one.isOrdered && two.isOrdered
      else { return nil }
      return LinkPair(
        name: relationship.name, store: one.source, other: two.source, tellsMembers: one.tellsMembers,
        isOrdered: one.isOrdered && two.isOrdered)
    }
  }

  private static func source(
    _ relationship: SchemaRelationship, of entity: SchemaEntity, in store: ComparedStore
  ) -> (source: Source, tellsMembers: Bool, isOrdered: Bool)? {
    func source(_ table: String, _ owner: String, _ member: String, _ order: String?) -> Source {
      let columns = [owner, member].map(quotedIdentifier) + [order.map(quotedIdentifier) ?? "NULL"]
      return Source(
        relationship: relationship,
        sql: """
          SELECT \(columns.joined(separator: ", ")) FROM main.\(quotedIdentifier(table))
          WHERE \(columns[0]) IS NOT NULL AND \(columns[1]) IS NOT NULL
          """,
        ownerRoot: entity.root, memberRoot: store.schema[relationship.destination]?.root ?? 0)
    }
    switch relationship.storage {
    case .join(let table, let own, let member, let order):
      return (source(table, own, member, order), true, order != nil)
    case .toMany(let table, let column, _, let order, let isVirtual):
      return (source(table, column, "Z_PK", order), isVirtual, order != nil)
    case .toOne, .none: return nil
    }
  }
}
