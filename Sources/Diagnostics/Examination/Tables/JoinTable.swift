import SQLite
import StoreModel

/// A join table and what its two columns lead to.
struct JoinTable {
  struct End {
    var column: String
    var target: LinkTarget
    /// Whether rows whose key here leads nowhere are usual: a relationship that is its own inverse is kept as two
    /// rows, and Core Data leaves the one of them when an object is deleted whose key stands here (measured on real
    /// stores).
    var mayBeDead: Bool
  }

  var relationship: String
  var table: String
  var ends: [End]

  /// Each once, as seen from the side that has the lower number.
  static func all(in store: CoreDataStore) -> [JoinTable] {
    var seen: Set<String> = []
    var tables: [JoinTable] = []
    for entity in store.schema.entities {
      for relationship in entity.relationships where !relationship.isInherited {
        guard case .join(let table, let own, let other, _) = relationship.storage,
          let owner = LinkTarget(entity, in: store),
          let target = store.schema[relationship.destination].flatMap({ LinkTarget($0, in: store) }),
          seen.insert(table).inserted
        else { continue }
        let isReflexive =
          relationship.description.inverse == relationship.name && owner.entity == target.entity
        tables.append(
          JoinTable(
            relationship: "\(entity.name).\(relationship.name)", table: table,
            ends: [
              End(column: own, target: owner, mayBeDead: false),
              End(column: other, target: target, mayBeDead: isReflexive),
            ]))
      }
    }
    return tables
  }
}
