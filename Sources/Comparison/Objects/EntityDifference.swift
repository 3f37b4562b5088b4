package import StoreModel
package import Values

/// Which objects of one entity differ, by primary key: sub-entities apart.
package struct EntityDifference: Sendable {
  package var name: String
  /// Nil where that store hasn't the entity.
  package var store: SchemaEntity?
  package var other: SchemaEntity?
  /// Rows in each.
  package var rows = (store: 0, other: 0)
  /// Keys in the other store.
  package var added = KeyList()
  /// Keys in the store, as in `changed`.
  package var removed = KeyList()
  package var changed = KeyList()
  /// Objects of which nothing can be said, as they have no record.
  package var unmatched = (store: KeyList(), other: KeyList())

  package init(name: String, store: SchemaEntity?, other: SchemaEntity?) {
    self.name = name
    self.store = store
    self.other = other
  }

  /// Whether all that could be matched is the same.
  package var isEmpty: Bool { added.isEmpty && removed.isEmpty && changed.isEmpty }
}

/// What became of one property of one object.
package struct PropertyChange: Sendable, Equatable {
  package enum What: Sendable, Equatable {
    /// An attribute, or a to-one relationship as URI.
    case value(from: DataValue, to: DataValue)
    /// A to-many relationship: URIs of members that went and came, and whether those that stayed have another order.
    case links(removed: [String], added: [String], isReordered: Bool)
  }

  package var name: String
  package var what: What

  package init(name: String, what: What) {
    self.name = name
    self.what = what
  }

  package static let shape = Shape.either([
    .object([
      .init("name", .text, "the property"), .init("from", .any, "its value in the first store"),
      .init("to", .any, "its value in the other one"),
    ]),
    .object([
      .init("name", .text, "the relationship"), .init("removed", .list(.text), "links that are gone"),
      .init("added", .list(.text), "links that are new"),
      .init("reordered", .bool, "whether the links have another order"),
    ]),
  ])

  package var value: DataValue {
    switch what {
    case .value(let from, let to): ["name": .text(name), "from": from, "to": to]
    case .links(let removed, let added, let isReordered):
      [
        "name": .text(name), "removed": .array(removed.map(DataValue.text)),
        "added": .array(added.map(DataValue.text)), "reordered": .bool(isReordered),
      ]
    }
  }
}
