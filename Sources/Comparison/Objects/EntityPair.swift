package import Base
import Lens
import SQLite
package import StoreModel

/// An entity as the two stores have it, by its name.
struct EntityPair {
  let name: String
  /// Nil where only the other store has the entity, or where its table is missing.
  let store: SchemaEntity?
  let other: SchemaEntity?
  /// What can be compared row by row.
  let properties: [PropertyPair]
  /// The same in what is looked at for each row, where a copy of a property would cost more than reading it: cells that
  /// differ where they hold different values, to-one relationships, and all others.
  let plainCells: [PropertyPair.Cells]
  let targets: [(cells: PropertyPair.Cells, root: Int64, otherRoot: Int64)]
  let others: [PropertyPair]
  /// Columns to select after Z_PK.
  let storeColumns: [String]
  let otherColumns: [String]

  init(name: String, _ store: ComparedStore, _ other: ComparedStore) {
    self.name = name
    self.store = Self.entity(name, in: store)
    self.other = Self.entity(name, in: other)
    var ours = Columns()
    var theirs = Columns()
    var properties: [PropertyPair] = []
    if let mine = self.store, let its = self.other {
      for attribute in mine.attributes {
        guard let twin = its.attributes.first(where: { $0.name == attribute.name }) else { continue }
        let one = Self.whole(attribute, store, &ours)
        let two = Self.whole(twin, other, &theirs)
        let cells = one.leaves.compactMap { leaf in
          two.leaves.first { $0.attribute.path == leaf.attribute.path }.map {
            PropertyPair.Cells(
              store: leaf.cell, other: $0.cell,
              isExternal: (Self.isExternal(leaf.attribute), Self.isExternal($0.attribute)))
          }
        }
        guard !cells.isEmpty else { continue }
        properties.append(PropertyPair(name: attribute.name, kind: .attribute(cells, store: one, other: two)))
      }
      for relationship in mine.relationships {
        guard let twin = its.relationships.first(where: { $0.name == relationship.name }),
          case .toOne(let column, let entityColumn, _) = relationship.storage,
          case .toOne(let otherColumn, let otherEntityColumn, _) = twin.storage
        else { continue }
        properties.append(
          PropertyPair(
            name: relationship.name,
            kind: .toOne(
              PropertyPair.Cells(store: ours.index(of: column), other: theirs.index(of: otherColumn)),
              store: Self.target(relationship, store, entityColumn.map { ours.index(of: $0) }),
              other: Self.target(twin, other, otherEntityColumn.map { theirs.index(of: $0) }))))
      }
    }
    self.properties = properties
    var (plain, targets, others):
      ([PropertyPair.Cells], [(PropertyPair.Cells, Int64, Int64)], [PropertyPair]) =
        ([], [], [])
    for property in properties {
      switch property.kind {
      case .toOne(let cells, let one, let two): targets.append((cells, one.root, two.root))
      case .attribute(let cells, _, _):
        if cells.contains(where: \.mayBeInFile) {
          others.append(property)
        } else {
          plain += cells
        }
      }
    }
    (plainCells, self.targets, self.others) = (plain, targets, others)
    storeColumns = ours.names
    otherColumns = theirs.names
  }

  /// `SELECT Z_PK, … FROM …` over the entity's table.
  static func select(_ columns: [String], from entity: SchemaEntity) -> String {
    let list = (["Z_PK"] + columns).map(quotedIdentifier).joined(separator: ", ")
    return "SELECT \(list) FROM main.\(quotedIdentifier(entity.table))"
  }

  private static func entity(_ name: String, in store: ComparedStore) -> SchemaEntity? {
    guard let entity = store.schema[name], store.store.tables.holdsObjects(entity.table) else { return nil }
    return entity
  }

  private static func whole(
    _ attribute: SchemaAttribute, _ store: ComparedStore, _ columns: inout Columns
  ) -> PropertyPair.Whole {
    var leaves: [PropertyPair.Leaf] = []
    for leaf in attribute.leaves {
      guard let column = leaf.column else { continue }
      leaves.append(
        PropertyPair.Leaf(
          attribute: leaf, decoder: CellDecoder(leaf, files: store.store.externalFiles),
          cell: columns.index(of: column)))
    }
    return PropertyPair.Whole(attribute: attribute, leaves: leaves)
  }

  private static func target(
    _ relationship: SchemaRelationship, _ store: ComparedStore, _ entityCell: Int?
  ) -> PropertyPair.Target {
    PropertyPair.Target(
      relationship: relationship, root: store.schema[relationship.destination]?.root ?? 0,
      entityCell: entityCell)
  }

  private static func isExternal(_ attribute: SchemaAttribute) -> Bool {
    attribute.description.allowsExternalStorage || attribute.description.isFileBackedFuture
  }

  /// Z_PK and what is asked for, each column once.
  private struct Columns {
    var names: [String] = []

    mutating func index(of name: String) -> Int {
      if let index = names.firstIndex(of: name) { return index + 1 }
      names.append(name)
      return names.count
    }
  }
}

/// A property that both stores have, and where its values lie in rows of either. Columns count from 0, as the rows of
/// `EntityPair` select them.
struct PropertyPair {
  /// Places of one cell in a row of the store and in one of the other.
  struct Cells {
    var store: Int
    var other: Int
    /// The value may lie in a file next to the store.
    var isExternal = (store: false, other: false)
    var mayBeInFile: Bool { isExternal.store || isExternal.other }
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

  /// Whether all that could be matched is the same.
  package var isEmpty: Bool { added.isEmpty && removed.isEmpty && changed.isEmpty }

  /// What differs of objects that the predicate matches; of those in both stores, in either.
  func keeping(
    _ predicate: (SchemaEntity, CoreDataStore) throws -> ObjectPredicate, _ one: CoreDataStore,
    _ two: CoreDataStore, otherKey: (Int64) throws -> Int64?
  ) throws -> EntityDifference {
    func matching(_ entity: SchemaEntity?, _ store: CoreDataStore) throws -> KeyList {
      var keys = KeyList()
      if let entity { try predicate(entity, store).forEachKey(of: entity, in: store) { keys.append($0) } }
      return keys
    }
    let (ours, theirs) = (try matching(store, one), try matching(other, two))
    var kept = self
    kept.added = added.filter(theirs.contains)
    kept.removed = removed.filter(ours.contains)
    kept.changed = try changed.filter { try ours.contains($0) || theirs.contains(otherKey($0) ?? $0) }
    return kept
  }
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
