/// The foreign key that Core Data adds to a destination's table for a to-many relationship without inverse.
/// The model has no such property; the store has the column, and change masks a bit for it.
package struct VirtualToOne: Sendable, Equatable {
  /// Number of the entity that declares the to-many relationship, and the relationship's name.
  package var owner: Int64
  package var relationship: String
  /// Number of the entity in whose rows the key lies: the relationship's destination.
  package var declaredBy: Int64
  package var column: String
  package var entityColumn: String?
  package var orderColumn: String?
}
