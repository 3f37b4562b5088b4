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
  /// The destination's number; 0 where the model has no such entity.
  package var destination: Int64
  package var storage: Storage
  /// What the naming rules say, whatever the tables have.
  package var predicted: Storage
  package var isInherited: Bool
  /// Number of the entity that declares it; 0 where that isn't known.
  package var declaredBy: Int64

  package init(
    description: RelationshipDescription, destination: Int64, storage: Storage, isInherited: Bool = false,
    declaredBy: Int64 = 0
  ) {
    self.description = description
    self.destination = destination
    self.storage = storage
    predicted = storage
    self.isInherited = isInherited
    self.declaredBy = declaredBy
  }

  package var name: String { description.name }
}
