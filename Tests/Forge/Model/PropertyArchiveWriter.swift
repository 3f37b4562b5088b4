import Archives
import Base
import StoreModel

/// Archives an entity's properties, the inherited ones too, as Core Data does: a sub-entity has copies of its
/// own for some, and proxies for others.
final class PropertyArchiveWriter {
  typealias Reference = KeyedArchiveWriter.Reference
  typealias Fields = [(String, KeyedArchiveWriter.Field)]

  private let model: ManagedObjectModel
  private let archive: KeyedArchiveWriter
  private let entities: [String: Reference]
  /// Archived properties by entity and name, as relationships point at each other.
  private var archived: [Path: Reference] = [:]
  private var proxies: Int64 = 0

  private struct Path: Hashable {
    var entity: String
    var property: String
  }

  init(model: ManagedObjectModel, archive: KeyedArchiveWriter, entities: [String: Reference]) {
    self.model = model
    self.archive = archive
    self.entities = entities
  }

  func properties(of entity: EntityDescription) -> [(name: String, object: Reference)] {
    var properties: [(name: String, object: Reference)] = []
    for ancestor in ancestors(of: entity) {
      for attribute in ancestor.attributes {
        // Real caches have both forms; which one when isn't known, and readers need to know both.
        let isProxy = ancestor.name != entity.name && attribute.type != .composite
        properties.append(
          (
            attribute.name,
            isProxy ? proxy(attribute.name, of: ancestor, in: entity) : self.attribute(attribute, of: entity)
          ))
      }
      for relationship in ancestor.relationships {
        properties.append((relationship.name, self.relationship(relationship, of: entity)))
      }
      for name in ancestor.fetchedProperties { properties.append((name, fetchedProperty(name, of: entity))) }
    }
    return properties
  }

  /// From the hierarchy's root down to the entity itself.
  private func ancestors(of entity: EntityDescription) -> [EntityDescription] {
    var chain = [entity]
    while let name = chain.first?.superentity, let parent = model[name], chain.count < 100 {
      chain.insert(parent, at: 0)
    }
    return chain
  }

  private func proxy(_ name: String, of ancestor: EntityDescription, in entity: EntityDescription)
    -> Reference
  {
    proxies += 1
    let underlying = archived[Path(entity: ancestor.name, property: name)] ?? declared(name, of: ancestor)
    return archive.object(
      "_NSPropertyDescriptionProxy",
      fields: [
        ("NSEntityDescription", .reference(entities[entity.name] ?? .null)),
        ("NSReferenceID", .integer(proxies)), ("NSUnderlyingProperty", .reference(underlying)),
      ])
  }

  private func declared(_ name: String, of entity: EntityDescription) -> Reference {
    guard let attribute = entity.attributes.first(where: { $0.name == name }) else { return .null }
    return self.attribute(attribute, of: entity)
  }

  // MARK: Kinds of properties

  private func attribute(_ attribute: AttributeDescription, of entity: EntityDescription) -> Reference {
    let path = Path(entity: entity.name, property: attribute.name)
    if let known = archived[path] { return known }
    let object = self.attribute(attribute, owner: entities[entity.name] ?? .null)
    archived[path] = object
    return object
  }

  private func attribute(_ attribute: AttributeDescription, owner: Reference) -> Reference {
    var flags: Int64 = 0
    if attribute.allowsExternalStorage { flags |= 0x4 }
    if attribute.preservesValueOnDeletion { flags |= 0x10 }
    if attribute.isFileBackedFuture { flags |= 0x20 }
    var fields = common(
      attribute.name, owner: owner, renamingIdentifier: attribute.renamingIdentifier,
      userInfo: attribute.userInfo, isOptional: attribute.isOptional, isTransient: attribute.isTransient,
      isReadOnly: attribute.isDerived)
    fields += [
      ("NSAttributeType", .integer(Int64(attribute.type.rawValue))),
      ("NSAttributeValueClassName", .reference(archive.string(attribute.valueClassName))),
      ("NSDefaultValue", .reference(defaultValue(attribute.defaultValue))),
      ("NSValueTransformerName", .reference(archive.string(attribute.valueTransformerName))),
      ("NSFlagsKey", .integer(flags)),
    ]
    if attribute.allowsCloudEncryption { fields.append(("NSAllowsCloudEncryption", .bool(true))) }
    let superclasses = ["NSAttributeDescription", "NSPropertyDescription", "NSObject"]
    if attribute.type == .composite {
      let elements = attribute.elements.map { self.attribute($0, owner: .null) }
      fields.append(("NSCompositeElements", .reference(archive.array(elements))))
      return archive.object("NSCompositeAttributeDescription", superclasses: superclasses, fields: fields)
    }
    if attribute.isDerived {
      fields += [("NSDerivationExpression", .reference(.null)), ("NSFilteringPredicate", .reference(.null))]
      return archive.object("NSDerivedAttributeDescription", superclasses: superclasses, fields: fields)
    }
    return archive.object(
      "NSAttributeDescription", superclasses: Array(superclasses.dropFirst()), fields: fields)
  }

  private func relationship(_ relationship: RelationshipDescription, of entity: EntityDescription)
    -> Reference
  {
    let path = Path(entity: entity.name, property: relationship.name)
    if let known = archived[path] { return known }
    let object = archive.object(
      "NSRelationshipDescription", superclasses: ["NSPropertyDescription", "NSObject"])
    // Before the inverse is written, which points back.
    archived[path] = object
    var fields = common(
      relationship.name, owner: entities[entity.name] ?? .null,
      renamingIdentifier: relationship.renamingIdentifier, userInfo: relationship.userInfo,
      isOptional: relationship.isOptional, isTransient: relationship.isTransient, isReadOnly: false)
    fields += [
      ("_NSDestinationEntityName", .reference(archive.string(relationship.destination))),
      ("NSDestinationEntity", .reference(entities[relationship.destination] ?? .null)),
      ("_NSInverseRelationshipName", .reference(archive.string(relationship.inverse))),
      ("NSInverseRelationship", .reference(inverse(of: relationship))),
      ("NSMinCount", .integer(Int64(relationship.minCount))),
      ("NSMaxCount", .integer(Int64(relationship.maxCount))),
      ("NSDeleteRule", .integer(Int64(relationship.deleteRule.rawValue))),
    ]
    if relationship.isOrdered { fields.append(("NSIsOrdered", .bool(true))) }
    for (key, value) in fields { archive.set(key, to: value, of: object) }
    return object
  }

  private func inverse(of relationship: RelationshipDescription) -> Reference {
    guard let name = relationship.inverse, let destination = model[relationship.destination] else {
      return .null
    }
    for entity in ancestors(of: destination) {
      if let inverse = entity.relationships.first(where: { $0.name == name }) {
        return self.relationship(inverse, of: destination)
      }
    }
    return .null
  }

  private func fetchedProperty(_ name: String, of entity: EntityDescription) -> Reference {
    archive.object(
      "NSFetchedPropertyDescription", superclasses: ["NSPropertyDescription", "NSObject"],
      fields: common(
        name, owner: entities[entity.name] ?? .null, renamingIdentifier: nil, userInfo: [:], isOptional: true,
        isTransient: true, isReadOnly: true))
  }

  // MARK: Parts

  private func common(
    _ name: String, owner: Reference, renamingIdentifier: String?, userInfo: [String: String],
    isOptional: Bool, isTransient: Bool, isReadOnly: Bool
  ) -> Fields {
    var fields: Fields = [
      ("NSPropertyName", .reference(archive.string(name))), ("NSEntity", .reference(owner)),
      ("NSRenamingIdentifier", .reference(archive.string(renamingIdentifier ?? name))),
      ("_P", .integer(241 | (isOptional ? 2 : 0) | (isReadOnly ? 4 : 0) | (isTransient ? 8 : 0))),
    ]
    // Falsehood is left out.
    if isOptional { fields.append(("NSIsOptional", .bool(true))) }
    if isTransient { fields.append(("NSIsTransient", .bool(true))) }
    if isReadOnly { fields.append(("NSIsReadOnly", .bool(true))) }
    if !userInfo.isEmpty { fields.append(("NSUserInfo", .reference(archive.dictionary(userInfo)))) }
    return fields
  }

  private func defaultValue(_ value: DataValue?) -> Reference {
    switch value {
    case .bool(let value): archive.bool(value)
    case .integer(let value): archive.integer(value)
    case .real(let value): archive.real(value)
    case .text(let value): archive.string(value)
    case .date(let value): archive.date(value)
    case nil, .null, .blob, .array, .object: .null
    }
  }
}
