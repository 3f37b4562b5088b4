import Base
import StoreModel

/// Apple's rules for models that are mirrored, property by property:
/// https://developer.apple.com/documentation/coredata/creating-a-core-data-model-for-cloudkit
struct CloudKitModelCheck {
  struct Breach {
    var property: String
    var rule: String
    /// What to change in the model, a sentence.
    var fix: String
    /// In which Core Data's own message lists it, as app authors quote it: https://github.com/CubeLabsNZ/CubeTime/pull/131
    var order: Order
  }

  enum Order: Int, Comparable {
    case ordered, requiredAttribute, requiredRelationship, inverse, other, unique

    static func < (one: Self, other: Self) -> Bool { one.rawValue < other.rawValue }
  }

  /// Those with a name; the model's default one has all entities.
  private let configurations: [Set<String>]

  init(_ model: ManagedObjectModel) {
    configurations = model.configurations.filter { !$0.key.isEmpty }.map(\.value)
  }

  /// What the entity itself declares, without what it inherits.
  func breaches(_ entity: EntityDescription) -> [Breach] {
    entity.uniquenessConstraints.map {
      Breach(
        property: $0.joined(separator: ", "), rule: "it must be unique",
        fix: "Remove the uniqueness constraint on '\($0.joined(separator: ", "))'.", order: .unique)
    } + entity.attributes.flatMap(breaches) + entity.relationships.flatMap { breaches($0, of: entity) }
  }

  /// Those of several entities, as Core Data lists them.
  func breaches(_ entities: [EntityDescription]) -> [(entity: String, breach: Breach)] {
    let all = entities.flatMap { entity in breaches(entity).map { (entity: entity.name, breach: $0) } }
    return all.enumerated().sorted { one, other in
      (one.element.breach.order, one.offset) < (other.element.breach.order, other.offset)
    }.map(\.element)
  }

  private func breaches(_ attribute: AttributeDescription) -> [Breach] {
    guard !attribute.isTransient else { return [] }
    var breaches: [Breach] = []
    if [.undefined, .objectID].contains(attribute.type) {
      breaches.append(
        .init(
          property: attribute.name, rule: "its type is \(attribute.type.name)",
          fix: "Give '\(attribute.name)' a type that CloudKit has a field for.", order: .other))
    }
    let hasDefault = attribute.defaultValue.map { $0 != .null } ?? false
    let isRequired = !attribute.isOptional && !attribute.isDerived && attribute.type != .composite
    if isRequired, !hasDefault {
      breaches.append(
        .init(
          property: attribute.name, rule: "it is required and has no default",
          fix: "Make '\(attribute.name)' optional, or give it a default value.", order: .requiredAttribute))
    }
    return breaches
  }

  private func breaches(_ relationship: RelationshipDescription, of entity: EntityDescription) -> [Breach] {
    guard !relationship.isTransient else { return [] }
    var breaches: [Breach] = []
    let name = "'\(relationship.name)'"
    func add(_ rule: String, _ fix: String, _ order: Order) {
      breaches.append(.init(property: relationship.name, rule: rule, fix: fix, order: order))
    }
    if relationship.inverse == nil { add("it has no inverse", "Give \(name) an inverse.", .inverse) }
    if relationship.isOrdered { add("it is ordered", "Make \(name) unordered.", .ordered) }
    if !relationship.isOptional { add("it is required", "Make \(name) optional.", .requiredRelationship) }
    if relationship.deleteRule == .deny {
      add("its delete rule is Deny", "Set the delete rule of \(name) to Nullify or Cascade.", .other)
    }
    let own = configurations.filter { $0.contains(entity.name) }
    if !own.isEmpty, !own.contains(where: { $0.contains(relationship.destination) }) {
      let both = "both \(entity.name) and \(relationship.destination)"
      add("no configuration has \(both)", "Put \(both) into one configuration.", .other)
    }
    return breaches
  }
}
