/// Gives every property its columns: first pass of a prediction.
///
/// Names are handed out table by table; within a table superentities come before their sub-entities, and within
/// an entity attributes before relationships, each sorted by name. All of it was measured on real stores; the
/// comments name the oddities.
struct SchemaNaming {
  /// A leaf attribute's column, in the order in which names were handed out.
  struct AttributeColumn {
    var attribute: AttributeDescription
    /// Dotted for a composite's leaf.
    var path: String
    var column: String
  }

  /// The columns of one entity's own to-one relationship.
  struct KeyColumns {
    var column: String
    var entityColumn: String?
    var orderColumn: String?
  }

  /// An entity's own properties, without inherited ones.
  struct Names {
    var attributes: [SchemaAttribute] = []
    var leaves: [AttributeColumn] = []
    var keys: [String: KeyColumns] = [:]
    var virtualToOnes: [VirtualToOne] = []
    /// Relationship name → the join table's column that holds this entity's keys.
    var joinColumns: [String: String] = [:]
  }

  let graph: RelationshipGraph
  private(set) var names: [Int64: Names] = [:]

  init(graph: RelationshipGraph) {
    self.graph = graph
    var pools: [Int64: NamePool] = [:]
    for entry in graph.numbering.entries {
      var pool = pools[entry.root] ?? NamePool(taken: ["Z_PK", "Z_ENT", "Z_OPT"])
      names[entry.number] = name(entry, &pool)
      pools[entry.root] = pool
    }
  }

  private func name(_ entry: EntityNumbering.Entry, _ pool: inout NamePool) -> Names {
    guard let entity = graph.entity(entry.number) else { return Names() }
    var names = Names()
    for attribute in entity.attributes {
      names.attributes.append(
        place(
          attribute, path: attribute.name, of: entry, &pool, &names.leaves, stored: !attribute.isTransient))
    }
    for relationship in entity.relationships {
      let upper = relationship.name.uppercased()
      switch graph.kind(of: relationship) {
      case .toOne(let destination, let isOrderedByInverse):
        names.keys[relationship.name] = KeyColumns(
          column: pool.unique("Z" + upper),
          entityColumn: destination.flatMap {
            graph.hasSubentities($0) ? pool.unique("Z\($0)_\(upper)") : nil
          },
          orderColumn: isOrderedByInverse ? pool.unique("Z_FOK_" + upper) : nil)
      case .manyToMany(_, let inverse):
        // The column of a side bears that side's number and the other side's name for it.
        names.joinColumns[relationship.name] = pool.unique("Z_\(entry.number)\(inverse.name.uppercased())")
      case .toMany, .toManyWithoutInverse, .none: break
      }
    }
    for link in graph.linksWithoutInverse[entry.number] ?? [] {
      let name = "\(link.owner)\(link.relationship.name.uppercased())"
      names.virtualToOnes.append(
        VirtualToOne(
          owner: link.owner, relationship: link.relationship.name, declaredBy: entry.number,
          column: pool.unique("Z" + name),
          entityColumn: graph.hasSubentities(link.owner) ? pool.unique("Z\(link.owner)_\(name)") : nil,
          orderColumn: link.relationship.isOrdered ? pool.unique("Z_FOK_" + name) : nil))
    }
    return names
  }

  /// A composite's leaves get their columns at the composite's place, named by the leaf alone.
  private func place(
    _ attribute: AttributeDescription, path: String, of entry: EntityNumbering.Entry, _ pool: inout NamePool,
    _ leaves: inout [AttributeColumn], stored: Bool
  ) -> SchemaAttribute {
    if attribute.type == .composite {
      var elements: [SchemaAttribute] = []
      for element in attribute.elements {
        elements.append(
          place(element, path: "\(path).\(element.name)", of: entry, &pool, &leaves, stored: stored))
      }
      return SchemaAttribute(
        description: attribute, path: path, column: nil, elements: elements, declaredBy: entry.number)
    }
    var column: String?
    if stored, attribute.type.declaredColumnType != nil {
      let name = pool.unique("Z" + attribute.name.uppercased())
      leaves.append(AttributeColumn(attribute: attribute, path: path, column: name))
      column = name
    }
    return SchemaAttribute(description: attribute, path: path, column: column, declaredBy: entry.number)
  }
}

/// The column names of one table. A name that is taken gets the smallest number behind it that makes it free:
/// `ZTITLE`, `ZTITLE1`, `ZTITLE2` (measured on real stores).
struct NamePool {
  private var taken: Set<String>
  /// Name → the number to try next, so that a thousand equal names don't take a million tries.
  private var next: [String: Int] = [:]

  init(taken: Set<String> = []) { self.taken = taken }

  mutating func unique(_ name: String) -> String {
    if taken.insert(name).inserted { return name }
    var number = next[name] ?? 1
    while !taken.insert("\(name)\(number)").inserted { number += 1 }
    next[name] = number + 1
    return "\(name)\(number)"
  }
}
