/// One entity of a store: its number, table, and properties with their columns.
package struct SchemaEntity: Sendable {
  package var number: Int64
  package var name: String
  /// The name in Z_PRIMARYKEY where it differs from the model's, as after a migration that renamed the entity.
  package var staleName: String?
  package var parent: Int64?
  package var root: Int64
  /// Its own number and those of all entities below it.
  package var subtree: ClosedRange<Int64>
  package var isAbstract: Bool
  /// Table of the hierarchy's root, for example `ZPERSON`.
  package var table: String
  /// Attributes, inherited ones first, each group sorted by name; transient ones included (without a column).
  package var attributes: [SchemaAttribute]
  /// Relationships, inherited ones first, each group sorted by name.
  package var relationships: [SchemaRelationship]
  /// Foreign keys for to-many relationships without inverse whose destination this entity is, or one above it.
  package var virtualToOnes: [VirtualToOne]
  /// Nil where the schema was read off the tables alone.
  package var description: EntityDescription?

  package init(
    number: Int64, name: String, staleName: String? = nil, parent: Int64? = nil, root: Int64,
    subtree: ClosedRange<Int64>, isAbstract: Bool = false, table: String, attributes: [SchemaAttribute] = [],
    relationships: [SchemaRelationship] = [], virtualToOnes: [VirtualToOne] = [],
    description: EntityDescription? = nil
  ) {
    self.number = number
    self.name = name
    self.staleName = staleName
    self.parent = parent
    self.root = root
    self.subtree = subtree
    self.isAbstract = isAbstract
    self.table = table
    self.attributes = attributes
    self.relationships = relationships
    self.virtualToOnes = virtualToOnes
    self.description = description
  }

  package var hasSubentities: Bool { subtree.count > 1 }
}
