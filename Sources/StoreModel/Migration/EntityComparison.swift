import Base

/// What changed in an entity that both models have, with what it inherits.
struct EntityComparison {
  private let entity: String
  private let oldEntity: String
  private let before: CanonicalModel
  private let after: CanonicalModel
  private(set) var changes: [ModelChange] = []

  init(
    old: EntityDescription, new: EntityDescription, _ before: CanonicalModel, _ after: CanonicalModel
  ) {
    entity = new.name
    oldEntity = old.name
    self.before = before
    self.after = after
    if old.name != new.name { add(.entityRenamed, nil, old.name, new.name) }
    if old.superentity.map(before.canonicalName) != new.superentity.map(after.canonicalName) {
      add(.parentChanged, nil, old.superentity ?? "none", new.superentity ?? "none")
    }
    flag(
      .abstractChanged, nil, old.isAbstract, new.isAbstract, "abstract", "not abstract",
      new.isAbstract ? .undocumented : .inferred)
    hashModifier(nil, old.versionHashModifier, new.versionHashModifier)
    let attributes = RenamingPairs(before.attributes(of: old), after.attributes(of: new)).all
    let oldNames = attributes.compactMap { old, new in old.flatMap { old in new.map { ($0.name, old.name) } }
    }
    constraints(
      Set(old.uniquenessConstraints), Set(new.uniquenessConstraints),
      Dictionary(firstOf: oldNames))
    for pair in attributes {
      switch pair {
      case (let old?, nil):
        add(
          .attributeRemoved, old.name, old.type.name, of: [old.name], hasValues: old.hasValues,
          renamingIdentifier: old.renamingIdentifier)
      case (nil, let new?):
        add(
          .attributeAdded, new.name, nil, new.type.name, new.needsValue ? .failsWithRows : .inferred,
          hasValues: new.hasValues)
      case (let old?, let new?): attribute(old, new)
      case (nil, nil): break
      }
    }
    for pair in RenamingPairs(before.relationships(of: old), after.relationships(of: new)).all {
      switch pair {
      case (let old?, nil):
        add(
          .relationshipRemoved, old.name, old.destination, of: [old.name], hasValues: !old.isTransient,
          renamingIdentifier: old.renamingIdentifier)
      case (nil, let new?):
        add(.relationshipAdded, new.name, nil, new.destination, new.isOptional ? .inferred : .failsWithRows)
      case (let old?, let new?): relationship(old, new)
      case (nil, nil): break
      }
    }
  }

  private mutating func add(
    _ kind: ModelChange.Kind, _ property: String?, _ before: String? = nil, _ after: String? = nil,
    _ migration: ModelChange.Migration = .inferred, of oldProperties: [String] = [],
    hasValues: Bool = true, renamingIdentifier: String? = nil
  ) {
    changes.append(
      ModelChange(
        kind: kind, entity: entity, property: property, before: before, after: after, migration: migration,
        older: .init(
          entity: oldEntity, properties: oldProperties, renamingIdentifier: renamingIdentifier),
        hasValues: hasValues))
  }

  /// - Parameters:
  ///   - yes: what it is called if it holds.
  ///   - no: what it is called if it doesn't.
  private mutating func flag(
    _ kind: ModelChange.Kind, _ property: String?, _ old: Bool, _ new: Bool, _ yes: String, _ no: String,
    _ migration: ModelChange.Migration = .inferred, of oldProperties: [String] = [], hasValues: Bool = true
  ) {
    guard old != new else { return }
    add(kind, property, old ? yes : no, new ? yes : no, migration, of: oldProperties, hasValues: hasValues)
  }

  /// - Parameter oldNames: by the newer model's names.
  private mutating func constraints(
    _ old: Set<[String]>, _ new: Set<[String]>, _ oldNames: [String: String]
  ) {
    func names(_ constraint: [String]) -> String { constraint.joined(separator: ", ") }
    for constraint in new.subtracting(old).sorted(by: { $0.lexicographicallyPrecedes($1) }) {
      add(
        .constraintAdded, names(constraint), nil, nil, .failsWithDuplicates,
        of: constraint.map { oldNames[$0] ?? $0 })
    }
    for constraint in old.subtracting(new).sorted(by: { $0.lexicographicallyPrecedes($1) }) {
      add(.constraintRemoved, names(constraint))
    }
  }

  private mutating func attribute(_ old: AttributeDescription, _ new: AttributeDescription) {
    if old.name != new.name { add(.attributeRenamed, new.name, old.name, new.name) }
    flag(
      new.isTransient ? .becameTransient : .becamePersistent, new.name, old.isTransient, new.isTransient,
      "transient", "stored", old.isTransient && new.needsValue ? .failsWithRows : .inferred, of: [old.name],
      hasValues: !old.isDerived)
    if old.type != new.type {
      // The column stays as it is, so nothing has to be converted; Apple's list doesn't have it all the same.
      let keepsColumn = old.type.declaredColumnType == new.type.declaredColumnType
      add(.typeChanged, new.name, old.type.name, new.type.name, keepsColumn ? .undocumented : .refused)
    } else if old.elements != new.elements {
      add(.elementsChanged, new.name, old.elementNames, new.elementNames, .undocumented)
    }
    flag(
      new.isOptional ? .becameOptional : .becameRequired, new.name, old.isOptional, new.isOptional,
      "optional", "required", !old.isTransient && new.needsValue ? .failsWithNulls : .inferred,
      of: [old.name])
    if old.defaultValue != new.defaultValue {
      add(.defaultChanged, new.name, old.defaultText, new.defaultText, .nothing)
    }
    // Validation isn't part of the version hash (the page that `hashModifier` links).
    if old.limitsText != new.limitsText {
      add(.limitsChanged, new.name, old.limitsText, new.limitsText, .nothing)
    }
    hashModifier(new.name, old.versionHashModifier, new.versionHashModifier)
    options(old, new)
  }

  /// None of them is part of an attribute's version hash:
  /// https://developer.apple.com/documentation/coredata/nsattributedescription/versionhash
  private mutating func options(_ old: AttributeDescription, _ new: AttributeDescription) {
    let switches: [(ModelChange.Kind, KeyPath<AttributeDescription, Bool>)] = [
      (.encryptionChanged, \.allowsCloudEncryption), (.externalStorageChanged, \.allowsExternalStorage),
      (.preservationChanged, \.preservesValueOnDeletion),
    ]
    for (kind, isOn) in switches {
      flag(kind, new.name, old[keyPath: isOn], new[keyPath: isOn], "on", "off", .nothing)
    }
    // Another type's transformer is never used.
    guard old.type == .transformable, new.type == .transformable else { return }
    if old.transformerText != new.transformerText {
      add(.transformerChanged, new.name, old.transformerText, new.transformerText, .nothing)
    }
  }

  /// It is there to make a version another one, and changes neither tables nor columns:
  /// https://developer.apple.com/documentation/coredata/nspropertydescription/versionhash
  private mutating func hashModifier(_ property: String?, _ old: String?, _ new: String?) {
    if old != new { add(.hashModifierChanged, property, old ?? "none", new ?? "none") }
  }

  private mutating func relationship(_ old: RelationshipDescription, _ new: RelationshipDescription) {
    if old.name != new.name { add(.relationshipRenamed, new.name, old.name, new.name) }
    if before.canonicalName(old.destination) != after.canonicalName(new.destination) {
      add(.destinationChanged, new.name, old.destination, new.destination, .undocumented)
    }
    flag(
      new.isToMany ? .becameToMany : .becameToOne, new.name, old.isToMany, new.isToMany, "to-many", "to-one",
      new.isToMany ? .inferred : .refused)
    if old.isToMany == new.isToMany {
      flag(
        new.isOrdered ? .becameOrdered : .becameUnordered, new.name, old.isOrdered, new.isOrdered, "ordered",
        "unordered")
    }
    flag(
      new.isTransient ? .becameTransient : .becamePersistent, new.name, old.isTransient, new.isTransient,
      "transient", "stored", .undocumented, of: [old.name])
    flag(
      new.isOptional ? .becameOptional : .becameRequired, new.name, old.isOptional, new.isOptional,
      "optional", "required", new.isOptional ? .inferred : .failsWithNulls, of: [old.name])
    if inverse(of: old, in: before) != inverse(of: new, in: after) {
      add(.inverseChanged, new.name, old.inverse ?? "none", new.inverse ?? "none")
    }
    if old.deleteRule != new.deleteRule {
      add(.deleteRuleChanged, new.name, old.deleteRule.name, new.deleteRule.name)
    }
    hashModifier(new.name, old.versionHashModifier, new.versionHashModifier)
    if old.isToMany, new.isToMany, (old.minCount, old.maxCount) != (new.minCount, new.maxCount) {
      add(.countChanged, new.name, old.bounds, new.bounds)
    }
  }

  /// What the inverse is called whatever the version.
  private func inverse(of relationship: RelationshipDescription, in model: CanonicalModel) -> String? {
    guard let name = relationship.inverse else { return nil }
    let destination = model.model[relationship.destination]
    let inverse = destination.flatMap { model.relationships(of: $0).first { $0.name == name } }
    return inverse?.canonicalName ?? name
  }
}

extension AttributeDescription {
  /// Whether rows have values of its own in the store.
  fileprivate var hasValues: Bool { !isTransient && !isDerived }

  /// Core Data has nothing to put into the column of rows that exist.
  fileprivate var needsValue: Bool {
    guard !isOptional, !isTransient, !isDerived, type != .composite else { return false }
    return defaultValue.map { $0 == .null } ?? true
  }
}

// What changed, as the model editor calls it.

extension AttributeDescription {
  var defaultText: String {
    switch defaultValue {
    case nil, .null: "none"
    case .bool(let flag): flag ? "YES" : "NO"
    case .integer(let number): "\(number)"
    case .real(let number): "\(number)"
    case .text(let text): "'\(text)'"
    case .date(let date): date.iso8601 ?? "\(date.seconds)"
    case .blob, .array, .object: "a value"
    }
  }

  /// `min 1, max 10`
  var limitsText: String {
    let sorted = limits.sorted { ($0.comparison.rawValue, $0.number) > ($1.comparison.rawValue, $1.number) }
    return sorted.isEmpty ? "none" : sorted.map { text(of: $0) }.joined(separator: ", ")
  }

  private func text(of limit: ValueLimit) -> String {
    let number =
      type == .date
      ? CoreDataDate(seconds: limit.number).iso8601 ?? limit.numberText : limit.numberText
    let subject = limit.subject == .length ? " length" : ""
    return switch limit.comparison {
    case .atLeast: "min\(subject) \(number)"
    case .atMost: "max\(subject) \(number)"
    default: "\(limit.subject == .length ? "length" : "value") \(limit.comparison.sign) \(number)"
    }
  }

  var transformerText: String {
    valueTransformerName.flatMap { $0.isEmpty ? nil : $0 } ?? "the default"
  }

  var elementNames: String { elements.map { "\($0.name) \($0.type.name)" }.joined(separator: ", ") }
}

extension RelationshipDescription {
  var bounds: String {
    maxCount == 0 ? "at least \(minCount)" : "\(minCount) to \(maxCount)"
  }
}

extension RelationshipDescription.DeleteRule {
  var name: String {
    switch self {
    case .noAction: "No Action"
    case .nullify: "Nullify"
    case .cascade: "Cascade"
    case .deny: "Deny"
    }
  }
}
