import Lens
import StoreModel
import Values

extension Rule {
  static let cloudKitModelIncompatible = Rule(about) { examination, findings in
    let store = examination.store
    guard let model = store.model, let mirrored = try examination.mirror?.mirroredEntities() else { return }
    let check = CloudKitModelCheck(model)
    for entity in store.schema.entities {
      // Sub-entities inherit what an entity declares.
      let counts = store.schema.descendants(of: entity).contains { mirrored.countsRows(of: $0.number) }
      guard counts, let description = entity.description else { continue }
      for breach in check.breaches(description) {
        findings.add(
          subject: "\(entity.name).\(breach.property): \(breach.rule)",
          [
            .init("entity", .text(entity.name)), .init("property", .text(breach.property)),
            .init("rule", .text(breach.rule)),
          ])
      }
    }
  }
}

/// Apple's rules for models that are mirrored, property by property:
/// https://developer.apple.com/documentation/coredata/creating-a-core-data-model-for-cloudkit
private struct CloudKitModelCheck {
  struct Breach {
    var property: String
    var rule: String
  }

  /// Those with a name; the model's default one has all entities.
  private let configurations: [Set<String>]

  init(_ model: ManagedObjectModel) {
    configurations = model.configurations.filter { !$0.key.isEmpty }.map(\.value)
  }

  /// What the entity itself declares, without what it inherits.
  func breaches(_ entity: EntityDescription) -> [Breach] {
    let constraints = entity.uniquenessConstraints.map {
      Breach(property: $0.joined(separator: ", "), rule: "it must be unique")
    }
    let attributes = entity.attributes.flatMap { attribute in
      problems(attribute).map { Breach(property: attribute.name, rule: $0) }
    }
    let relationships = entity.relationships.flatMap { relationship in
      problems(relationship, of: entity).map { Breach(property: relationship.name, rule: $0) }
    }
    return constraints + attributes + relationships
  }

  private func problems(_ attribute: AttributeDescription) -> [String] {
    guard !attribute.isTransient else { return [] }
    var problems: [String] = []
    if [.undefined, .objectID].contains(attribute.type) {
      problems.append("its type is \(attribute.type.name)")
    }
    let hasDefault = attribute.defaultValue.map { $0 != .null } ?? false
    let isRequired = !attribute.isOptional && !attribute.isDerived && attribute.type != .composite
    if isRequired, !hasDefault { problems.append("it is required and has no default") }
    return problems
  }

  private func problems(_ relationship: RelationshipDescription, of entity: EntityDescription) -> [String] {
    guard !relationship.isTransient else { return [] }
    var problems: [String] = []
    if relationship.inverse == nil { problems.append("it has no inverse") }
    if relationship.isOrdered { problems.append("it is ordered") }
    if !relationship.isOptional { problems.append("it is required") }
    if relationship.deleteRule == .deny { problems.append("its delete rule is Deny") }
    let own = configurations.filter { $0.contains(entity.name) }
    if !own.isEmpty, !own.contains(where: { $0.contains(relationship.destination) }) {
      problems.append("no configuration has both \(entity.name) and \(relationship.destination)")
    }
    return problems
  }
}

private let about = RuleHeader(
  "cloudkit-model-incompatible", .warning,
  title: "Model incompatible with CloudKit",
  looksFor: """
    A property or constraint of a mirrored entity that Core Data doesn't mirror: uniqueness constraints, \
    required attributes without a default, relationships that are required, ordered, without an inverse, \
    with the delete rule Deny or to an entity of another configuration, and types that CloudKit has no field \
    for.
    """,
  why: """
    Core Data checks the model when it sets up the mirror, and rejects the whole model for a single \
    incompatible property: nothing is uploaded or fetched at all.
    """,
  nextLaunch: """
    With this model, setup fails with NSCocoaErrorDomain 134060, and the error lists the property; with an \
    older or newer version of the app it may succeed.
    """,
  remedy: """
    Change the model: make the attribute optional or give it a default, make the relationship optional and \
    unordered with an inverse, remove the constraint. Or leave the entity out of the mirrored configuration.
    """,
  needs: [.mirror, .model],
  falsePositives: """
    No table lists the mirrored entities: they are inferred from records, configurations and history. \
    Entities for which that isn't possible are left out. Properties that the app excludes from mirroring \
    with a private key are listed anyway.
    """,
  evidence: """
    Documented by Apple: \
    https://developer.apple.com/documentation/coredata/creating-a-core-data-model-for-cloudkit
    """,
  message: """
    {count} {property breaks|properties break} CloudKit's rules for models, such as {entity}.{property}: {rule}.
    """)
