import StoreModel

/// A property that both stores have, and where its values lie in rows of either. Columns count from 0, as the rows of
/// `EntityPair` select them.
struct PropertyPair {
  /// Places of one cell in a row of the store and in one of the other.
  struct Cells {
    var store: Int
    var other: Int
    /// The value may lie in a file beside the store.
    var isExternal = (store: false, other: false)
  }

  /// What one store knows of an attribute's leaf.
  struct Leaf {
    var attribute: SchemaAttribute
    var decoder: CellDecoder
    var cell: Int
  }

  enum Kind {
    /// An attribute: the cells that both have, and all leaves of either for showing the value.
    case attribute([Cells], store: Whole, other: Whole)
    case toOne(Cells, store: Target, other: Target)
  }

  struct Whole {
    var attribute: SchemaAttribute
    var leaves: [Leaf]
  }

  struct Target {
    var relationship: SchemaRelationship
    /// The number of the destination's root entity.
    var root: Int64
    /// Where the target's own entity stands, for hierarchies.
    var entityCell: Int?
  }

  var name: String
  var kind: Kind
}
