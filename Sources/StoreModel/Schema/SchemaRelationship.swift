/// A relationship and where its links lie.
package struct SchemaRelationship: Sendable {
  package enum Storage: Sendable, Equatable {
    /// A foreign key in the owner's own row: the target's Z_PK. `entityColumn` holds the target's Z_ENT where
    /// the destination has sub-entities. `orderColumn` belongs to the inverse, where that is ordered.
    case toOne(column: String, entityColumn: String?, orderColumn: String?)
    /// The foreign key lies in the destination's table: the inverse's column, or a virtual one where the
    /// relationship has no inverse.
    case toMany(table: String, column: String, entityColumn: String?, orderColumn: String?, isVirtual: Bool)
    /// A join table. `ownColumn` holds the owner's keys, `otherColumn` the destination's.
    case join(table: String, ownColumn: String, otherColumn: String, orderColumn: String?)
    /// Transient, or the table lacks what was predicted.
    case none
  }

  package var description: RelationshipDescription
  package var destination: Int64
  package var storage: Storage
  package var isInherited: Bool

  package init(
    description: RelationshipDescription, destination: Int64, storage: Storage, isInherited: Bool = false
  ) {
    self.description = description
    self.destination = destination
    self.storage = storage
    self.isInherited = isInherited
  }

  package var name: String { description.name }
}
