import StoreModel

/// What one store's model has and the other's has not, by name.
package struct ModelComparison: Sendable, Equatable {
  package struct Property: Sendable, Equatable {
    package var entity: String
    package var name: String
    /// The attribute's type, or the relationship's destination, in each model; nil where it has none of that name.
    package var from: String?
    package var to: String?
  }

  package var newEntities: [String] = []
  package var goneEntities: [String] = []
  /// Of entities that both have: properties that one of them lacks, or that are of another type.
  package var properties: [Property] = []

  private init() {}

  /// Only what is about these entities; nil for all.
  func only(_ entities: Set<String>?) -> Self {
    guard let entities else { return self }
    var part = Self()
    part.newEntities = newEntities.filter(entities.contains)
    part.goneEntities = goneEntities.filter(entities.contains)
    part.properties = properties.filter { entities.contains($0.entity) }
    return part
  }

  package init(_ store: ComparedStore, _ other: ComparedStore) {
    let names = store.schema.entities.map(\.name)
    let otherNames = other.schema.entities.map(\.name)
    newEntities = otherNames.filter { store.schema[$0] == nil }
    goneEntities = names.filter { other.schema[$0] == nil }
    // Names guessed from columns are spelled otherwise than a model's.
    guard store.schema.isGuessed == other.schema.isGuessed else { return }
    for entity in store.schema.entities {
      guard let twin = other.schema[entity.name] else { continue }
      let ours = Self.types(entity, in: store.schema)
      let theirs = Self.types(twin, in: other.schema)
      for (name, type) in ours where theirs[name] != type {
        properties.append(Property(entity: entity.name, name: name, from: type, to: theirs[name]))
      }
      for (name, type) in theirs where ours[name] == nil {
        properties.append(Property(entity: entity.name, name: name, from: nil, to: type))
      }
    }
    properties.sort { ($0.entity, $0.name) < ($1.entity, $1.name) }
  }

  private static func types(_ entity: SchemaEntity, in schema: StoreSchema) -> [String: String] {
    var types: [String: String] = [:]
    for attribute in entity.attributes { types[attribute.name] = attribute.description.type.name }
    for relationship in entity.relationships {
      types[relationship.name] =
        schema[relationship.destination]?.name ?? relationship.description.destination
    }
    return types
  }

  /// Whether both models have the same names and types.
  package var isEmpty: Bool { newEntities.isEmpty && goneEntities.isEmpty && properties.isEmpty }
}
