/// The join tables of a model, one for each pair of to-many relationships that are each other's inverse.
struct JoinTableNaming {
  struct Side: Hashable {
    var entity: Int64
    var relationship: String
  }

  struct JoinTable {
    var name: String
    /// The side that the table is named after, and the column of its keys, which comes first.
    var naming: Side
    var namingColumn: String
    var other: Side
    var otherColumn: String
    /// Place of the other side's objects in the naming side's relationship, where that is ordered, and the reverse.
    var namingOrder: String?
    var otherOrder: String?

    var columns: [String] { [namingColumn, otherColumn] + [namingOrder, otherOrder].compactMap { $0 } }

    /// Where the links lie as seen from one side.
    func storage(for side: Side) -> SchemaRelationship.Storage {
      side == naming
        ? .join(table: name, ownColumn: namingColumn, otherColumn: otherColumn, orderColumn: namingOrder)
        : .join(table: name, ownColumn: otherColumn, otherColumn: namingColumn, orderColumn: otherOrder)
    }
  }

  /// In the order of their names' first use.
  private(set) var tables: [JoinTable] = []
  private var indexBySide: [Side: Int] = [:]

  init(_ naming: SchemaNaming, besides taken: Set<String>) {
    let graph = naming.graph
    var pool = NamePool(taken: taken)
    for entry in graph.numbering.entries {
      for relationship in graph.entity(entry.number)?.relationships ?? [] {
        let own = Side(entity: entry.number, relationship: relationship.name)
        guard indexBySide[own] == nil,
          case .manyToMany(let declaredBy, let inverse) = graph.kind(of: relationship)
        else { continue }
        let far = Side(entity: declaredBy, relationship: inverse.name)
        // Taken only where a model's inverses don't agree with each other.
        guard far == own || indexBySide[far] == nil else { continue }
        let swaps = own != far && Self.isNamed(after: far, ratherThan: own, graph)
        let (first, second) = swaps ? (far, own) : (own, far)
        let (isFirstOrdered, isSecondOrdered) =
          swaps
          ? (inverse.isOrdered, relationship.isOrdered) : (relationship.isOrdered, inverse.isOrdered)
        let firstColumn = naming.names[first.entity]?.joinColumns[first.relationship]
        let secondColumn =
          first == second ? "REFLEXIVE" : naming.names[second.entity]?.joinColumns[second.relationship]
        guard let firstColumn, let secondColumn else { continue }
        indexBySide[first] = tables.count
        indexBySide[second] = tables.count
        tables.append(
          JoinTable(
            name: pool.unique("Z_\(first.entity)\(first.relationship.uppercased())"),
            naming: first, namingColumn: firstColumn, other: second, otherColumn: secondColumn,
            namingOrder: isFirstOrdered ? Self.orderColumn(of: secondColumn) : nil,
            otherOrder: isSecondOrdered && first != second ? Self.orderColumn(of: firstColumn) : nil))
      }
    }
  }

  subscript(side: Side) -> JoinTable? { indexBySide[side].map { tables[$0] } }

  /// The place of an object is kept next to its key: `Z_FOK_3ASSETS` next to `Z_3ASSETS`.
  private static func orderColumn(of column: String) -> String {
    column.hasPrefix("Z_") ? "Z_FOK_" + column.dropFirst(2) : "FOK_" + column
  }

  /// Which side names the table isn't documented. In all 121 join tables of the stores at hand it is the side
  /// whose entity has sub-entities where the other's has none, else that of the lower number, else (an entity
  /// with itself) the relationship that is later in the alphabet. Readers look for both names.
  private static func isNamed(after far: Side, ratherThan own: Side, _ graph: RelationshipGraph) -> Bool {
    let (farHas, ownHas) = (graph.hasSubentities(far.entity), graph.hasSubentities(own.entity))
    if farHas != ownHas { return farHas }
    if far.entity != own.entity { return far.entity < own.entity }
    return far.relationship > own.relationship
  }
}

/// Finds a predicted join table among the real ones. Which side names it isn't certain, nor are the digits behind
/// a name that was taken; the numbers and relationships in the names are.
struct JoinTableSearch {
  let predicted: JoinTableNaming.JoinTable

  func table(among tables: [String: Set<String>]) -> String? {
    let names = [predicted.naming, predicted.other].map { "Z_\($0.entity)\($0.relationship.uppercased())" }
    return ([predicted.name] + names).first { tables[$0] != nil }
      ?? tables.keys.filter { key in names.contains { Self.isNumbered(key, $0) } }.min()
  }

  /// The table with its real columns, nil where it lacks one of the two keys; and which predicted columns it lacks.
  func columns(of table: String, _ real: Set<String>) -> (JoinTableNaming.JoinTable?, missing: [String]) {
    var rest = real
    var missing: [String] = []
    // Exact names first, so that a numbered one isn't taken for its neighbor.
    var wanted = [predicted.namingColumn, predicted.otherColumn]
    var found = wanted.map { rest.remove($0) }
    let sides = [(predicted.naming, predicted.other), (predicted.other, predicted.naming)]
    for (index, (side, far)) in sides.enumerated() where found[index] == nil {
      let base = "Z_\(side.entity)\(far.relationship.uppercased())"
      let match = rest.filter { $0 == base || Self.isNumbered($0, base) }.min()
      found[index] = match.flatMap { rest.remove($0) }
      if found[index] == nil { missing.append(wanted[index]) }
    }
    guard let first = found[0], let second = found[1] else { return (nil, missing) }
    wanted = [first, second]
    var join = predicted
    join.name = table
    join.namingColumn = first
    join.otherColumn = second
    func order(_ predicted: String?, nextTo column: String) -> String? {
      guard let predicted else { return nil }
      let names = [predicted, "Z_FOK_" + column.dropFirst(2), "Z_FOK_" + column]
      if let name = names.first(where: rest.contains) { return name }
      missing.append(predicted)
      return nil
    }
    join.namingOrder = order(predicted.namingOrder, nextTo: second)
    join.otherOrder = order(predicted.otherOrder, nextTo: first)
    return (join, missing)
  }

  private static func isNumbered(_ name: String, _ base: String) -> Bool {
    guard name.hasPrefix(base) else { return false }
    let digits = name.utf8.dropFirst(base.utf8.count)
    return !digits.isEmpty && digits.allSatisfy { (0x30...0x39).contains($0) }
  }
}
