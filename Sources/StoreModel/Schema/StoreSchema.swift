import Base

/// The model as it lies in this store: entity numbers, tables and columns.
package struct StoreSchema: Sendable {
  /// In order of their numbers.
  package let entities: [SchemaEntity]
  /// Whether it was read off the tables alone: then property names, types and destinations are guesses.
  package let isGuessed: Bool
  private let indexByNumber: [Int64: Int]
  private let indexByName: [String: Int]

  package init(entities: [SchemaEntity], isGuessed: Bool = false) {
    self.isGuessed = isGuessed
    self.entities = entities.sorted { $0.number < $1.number }
    indexByNumber = Dictionary(firstOf: self.entities.enumerated().map { ($1.number, $0) })
    indexByName = Dictionary(firstOf: self.entities.enumerated().map { ($1.name, $0) })
  }

  package subscript(number: Int64) -> SchemaEntity? { indexByNumber[number].map { entities[$0] } }
  package subscript(name: String) -> SchemaEntity? { indexByName[name].map { entities[$0] } }

  /// Numbers of the entities whose objects share a table, and its keys, with the entity's own.
  package func hierarchy(of entity: SchemaEntity) -> ClosedRange<Int64> {
    self[entity.root]?.subtree ?? entity.subtree
  }

  /// The same by the entity's number, which may be none of the model's.
  package func hierarchy(ofNumber number: Int64) -> ClosedRange<Int64> {
    self[number].map(hierarchy) ?? number...number
  }

  /// The entity and all below it, which share its table. A subtree's numbers are contiguous as Core Data gives
  /// them; in a store that somebody renumbered there may be others between.
  package func descendants(of entity: SchemaEntity) -> [SchemaEntity] {
    // All entities are asked for theirs, so none looks through all.
    entities[(indexByNumber[entity.subtree.lowerBound] ?? 0)...].prefix {
      $0.number <= entity.subtree.upperBound
    }.filter {
      entity.subtree.contains($0.number) && $0.root == entity.root && $0.table == entity.table
    }
  }
}

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
  package var isAbstract = false
  /// Table of the hierarchy's root, for example `ZPERSON`.
  package var table: String
  /// Attributes, inherited ones first, each group sorted by name; transient ones included (without a column).
  package var attributes: [SchemaAttribute]
  /// Relationships, inherited ones first, each group sorted by name.
  package var relationships: [SchemaRelationship]
  /// Foreign keys for to-many relationships without inverse whose destination this entity is, or one above it.
  package var virtualToOnes: [VirtualToOne] = []
  /// Nil where the schema was read off the tables alone.
  package var description: EntityDescription?
}

/// An attribute and where its value lies.
package struct SchemaAttribute: Sendable {
  package var description: AttributeDescription
  /// Dotted path from the entity: `name`, or `address.street` for a composite's leaf.
  package var path: String
  /// Nil for transient attributes and composites, and where the table lacks the predicted column.
  package var column: String?
  /// A composite's elements.
  package var elements: [SchemaAttribute] = []
  package var isInherited = false
  /// Number of the entity that declares it; 0 where that isn't known.
  package var declaredBy: Int64 = 0

  package var name: String { description.name }

  /// Itself, or a composite's leaves however deep, in order.
  package var leaves: [SchemaAttribute] {
    description.type == .composite ? elements.flatMap(\.leaves) : [self]
  }
}

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
