import Base

/// What a model's relationships amount to in tables.
struct RelationshipGraph {
  enum Kind {
    /// A foreign key to the entity of that number; nil where the model has no such entity.
    case toOne(destination: Int64?, isOrderedByInverse: Bool)
    /// The destination's key is the link; `declaredBy` is the destination or an entity above it.
    case toMany(declaredBy: Int64, inverse: RelationshipDescription)
    case toManyWithoutInverse(destination: Int64)
    case manyToMany(declaredBy: Int64, inverse: RelationshipDescription)
    /// Transient, or leading nowhere.
    case none
  }

  let numbering: EntityNumbering
  /// Number of an entity → to-many relationships without inverse that lead to it.
  private(set) var linksWithoutInverse: [Int64: [(owner: Int64, relationship: RelationshipDescription)]] = [:]
  private var entities: [Int64: EntityDescription] = [:]
  private var entries: [Int64: EntityNumbering.Entry] = [:]
  /// Own relationships by name, for an inverse is looked up for every relationship.
  private var relationships: [Int64: [String: RelationshipDescription]] = [:]

  init(_ model: ManagedObjectModel, _ numbering: EntityNumbering) {
    self.numbering = numbering
    for entity in model.entities {
      guard let entry = numbering[entity.name], entities[entry.number] == nil else { continue }
      entities[entry.number] = entity
      entries[entry.number] = entry
      relationships[entry.number] = Dictionary(firstOf: entity.relationships.map { ($0.name, $0) })
    }
    for entry in numbering.entries {
      for relationship in entities[entry.number]?.relationships ?? [] {
        guard case .toManyWithoutInverse(let destination) = kind(of: relationship) else { continue }
        linksWithoutInverse[destination, default: []].append((entry.number, relationship))
      }
    }
  }

  func entity(_ number: Int64) -> EntityDescription? { entities[number] }

  func hasSubentities(_ number: Int64) -> Bool {
    entries[number].map { $0.subtree.lowerBound < $0.subtree.upperBound } ?? false
  }

  func kind(of relationship: RelationshipDescription) -> Kind {
    guard !relationship.isTransient else { return .none }
    let destination = numbering[relationship.destination]?.number
    let inverse = destination.flatMap { number in
      relationship.inverse.flatMap { find($0, from: number) }
    }
    guard relationship.isToMany else {
      return .toOne(
        destination: destination,
        isOrderedByInverse: inverse.map { $0.relationship.isToMany && $0.relationship.isOrdered } ?? false)
    }
    guard let destination else { return .none }
    guard let inverse else { return .toManyWithoutInverse(destination: destination) }
    guard !inverse.relationship.isTransient else { return .none }
    return inverse.relationship.isToMany
      ? .manyToMany(declaredBy: inverse.declaredBy, inverse: inverse.relationship)
      : .toMany(declaredBy: inverse.declaredBy, inverse: inverse.relationship)
  }

  /// The relationship of that name, of the entity or of one above it, and who declares it.
  private func find(_ name: String, from number: Int64) -> (
    declaredBy: Int64, relationship: RelationshipDescription
  )? {
    var next: Int64? = number
    for _ in 0...HierarchyWalk.depthLimit {
      guard let number = next else { return nil }
      if let relationship = relationships[number]?[name] { return (number, relationship) }
      next = entries[number]?.parent
    }
    return nil
  }
}
