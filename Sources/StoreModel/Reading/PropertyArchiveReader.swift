import Archives
import Base

/// Reads attributes, relationships and fetched properties of an archived model.
struct PropertyArchiveReader {
  enum Property {
    case attribute(AttributeDescription)
    case relationship(RelationshipDescription)
    /// Its name.
    case fetched(String)
  }

  /// Bits of `NSFlagsKey`, measured on real stores whose models' XML is known.
  private enum Flag {
    static let allowsExternalStorage: Int64 = 0x4
    static let preservesValueOnDeletion: Int64 = 0x10
    static let isFileBackedFuture: Int64 = 0x20
  }

  var problems = ProblemList()
  /// What may still be read, in bytes. A small archive can refer to the same large object a million times; real
  /// models need less than a tenth of this.
  private var budget = 10_000_000
  private static let depthLimit = 16
  private static let defaultValueLimits = DecodingLimits(values: 100, bytes: 1 << 16, depth: 8, nesting: 1)

  /// Nil, with a problem reported, where the object is no property.
  mutating func property(
    _ object: ArchivedObject?, key: String, owner: String
  ) throws(ArchiveError) -> Property? {
    let path = "\(owner).\(key)"
    guard let property = object.flatMap(underlying) else {
      problems.report("\(path) isn't a property description and was left out")
      return nil
    }
    let name = property["NSPropertyName"]?.string ?? key
    try spend(on: name)
    if property.isKind(of: "NSRelationshipDescription") {
      return try relationship(property, name: name, path: path).map(Property.relationship)
    }
    if property.isKind(of: "NSFetchedPropertyDescription") { return .fetched(name) }
    // Apps may archive subclasses under names that say nothing.
    if property.isKind(of: "NSAttributeDescription") || property["NSAttributeType"] != nil {
      return .attribute(try attribute(property, name: name, path: path))
    }
    // Computed for fetches only, never stored.
    if !property.isKind(of: "NSExpressionDescription") {
      problems.report(
        "\(path) is of the unknown kind \(property.className ?? "without a class") and was left out")
    }
    return nil
  }

  /// What a proxy stands for: sub-entities share their superentity's properties that way.
  private func underlying(_ object: ArchivedObject) -> ArchivedObject? {
    var object = object
    for _ in 0..<Self.depthLimit {
      guard let next = object["NSUnderlyingProperty"]?.object else { return object }
      object = next
    }
    return nil
  }

  private mutating func attribute(
    _ object: ArchivedObject, name: String, path: String, depth: Int = 0
  ) throws(ArchiveError) -> AttributeDescription {
    let flags = object["NSFlagsKey"]?.integer ?? 0
    var attribute = AttributeDescription(name: name, type: type(of: object, path: path))
    attribute.isOptional = object.isSet("NSIsOptional")
    attribute.isTransient = object.isSet("NSIsTransient")
    attribute.isDerived = object.isKind(of: "NSDerivedAttributeDescription")
    attribute.allowsExternalStorage = flags & Flag.allowsExternalStorage != 0
    attribute.preservesValueOnDeletion = flags & Flag.preservesValueOnDeletion != 0
    attribute.isFileBackedFuture = flags & Flag.isFileBackedFuture != 0
    attribute.allowsCloudEncryption = object.isSet("NSAllowsCloudEncryption")
    attribute.valueTransformerName = object["NSValueTransformerName"]?.string
    attribute.valueClassName = object["NSAttributeValueClassName"]?.string
    attribute.defaultValue = try defaultValue(object["NSDefaultValue"], type: attribute.type)
    attribute.userInfo = try userInfo(of: object)
    attribute.renamingIdentifier = object.renamingIdentifier(unless: name)
    attribute.versionHashModifier = object.versionHashModifier
    (attribute.limits, attribute.hasOtherPredicates) = try limits(of: object)
    if attribute.type == .composite {
      attribute.elements = try compositeElements(of: object, path: path, depth: depth)
    }
    return attribute
  }

  private mutating func type(of object: ArchivedObject, path: String) -> AttributeType {
    guard let number = object["NSAttributeType"]?.integer else {
      problems.report("\(path) has no type")
      return .undefined
    }
    guard let type = Int(exactly: number).flatMap(AttributeType.init) else {
      problems.report("\(path) has the unknown type \(number)")
      return .undefined
    }
    return type
  }

  private mutating func compositeElements(
    of object: ArchivedObject, path: String, depth: Int
  ) throws(ArchiveError) -> [AttributeDescription] {
    guard depth < Self.depthLimit else {
      problems.report("\(path) has nested composites deeper than \(Self.depthLimit)")
      return []
    }
    var elements: [AttributeDescription] = []
    for element in try self.elements(of: object["NSCompositeElements"]) {
      guard let object = element.object.flatMap(underlying), let name = object["NSPropertyName"]?.string
      else {
        problems.report("\(path) has an element that isn't an attribute and was left out")
        continue
      }
      let path = "\(path).\(name)"
      try spend(on: path)
      elements.append(try attribute(object, name: name, path: path, depth: depth + 1))
    }
    if elements.isEmpty { problems.report("\(path) is a composite without elements") }
    return elements
  }

  private mutating func relationship(
    _ object: ArchivedObject, name: String, path: String
  ) throws(ArchiveError) -> RelationshipDescription? {
    guard
      let destination = object["_NSDestinationEntityName"]?.string
        ?? object["NSDestinationEntity"]?.object?["NSEntityName"]?.string
    else {
      problems.report("\(path) has no destination and was left out")
      return nil
    }
    try spend(on: destination)
    let inverse =
      object["_NSInverseRelationshipName"]?.string
      ?? object["NSInverseRelationship"]?.object.flatMap(underlying)?["NSPropertyName"]?.string
    let ruleNumber = object["NSDeleteRule"]?.integer ?? 1
    let rule = Int(exactly: ruleNumber).flatMap(RelationshipDescription.DeleteRule.init)
    if rule == nil { problems.report("\(path) has the unknown deletion rule \(ruleNumber)") }
    let maxCount = Int(clamping: object["NSMaxCount"]?.integer ?? 1)
    return RelationshipDescription(
      name: name, destination: destination, inverse: inverse, isToMany: maxCount != 1,
      isOrdered: object.isSet("NSIsOrdered"), isOptional: object.isSet("NSIsOptional"),
      isTransient: object.isSet("NSIsTransient"), deleteRule: rule ?? .nullify,
      minCount: Int(clamping: object["NSMinCount"]?.integer ?? 0), maxCount: maxCount,
      userInfo: try userInfo(of: object), renamingIdentifier: object.renamingIdentifier(unless: name),
      versionHashModifier: object.versionHashModifier)
  }

  /// The default may be of any class, an app's own too.
  private mutating func defaultValue(
    _ value: ArchivedValue?, type: AttributeType
  ) throws(ArchiveError) -> DataValue? {
    switch value {
    case nil, .null: return nil
    // Real models archive a Boolean attribute's default as 0 or 1 more often than as a Boolean.
    case .integer(let number) where type == .boolean: return .bool(number != 0)
    case .bool(let flag) where type != .boolean: return .integer(flag ? 1 : 0)
    case .bool(let flag): return .bool(flag)
    case .integer(let number): return .integer(number)
    case .real(let number): return .real(number)
    case .string(let text): return .text(text)
    case let value?:
      try spend(Self.defaultValueLimits.values)
      return ArchiveTree.value(of: value, limits: Self.defaultValueLimits)
    }
  }

  /// The string entries; others, which apps rarely have, are left out.
  mutating func userInfo(of object: ArchivedObject) throws(ArchiveError) -> [String: String] {
    var userInfo: [String: String] = [:]
    for entry in try entries(of: object["NSUserInfo"]) {
      if let key = entry.key.string, let value = entry.value.string { userInfo[key] = value }
    }
    return userInfo
  }

  /// A dictionary's entries; none for anything else.
  mutating func entries(
    of value: ArchivedValue?
  ) throws(ArchiveError) -> [(key: ArchivedValue, value: ArchivedValue)] {
    let entries = value?.entries ?? []
    try spend(entries.count)
    for entry in entries { try spend(on: entry.key.string) }
    return entries
  }

  /// A list's or set's elements; none for anything else.
  mutating func elements(of value: ArchivedValue?) throws(ArchiveError) -> [ArchivedValue] {
    let elements = value?.elements ?? []
    try spend(elements.count)
    return elements
  }

  private mutating func spend(_ elements: Int) throws(ArchiveError) {
    budget -= elements * 32
    guard budget >= 0 else { throw ArchiveError("the archived model is larger than any real one") }
  }

  mutating func spend(on name: String?) throws(ArchiveError) {
    budget -= name?.utf8.count ?? 0
    guard budget >= 0 else { throw ArchiveError("the archived model has longer names than any real one") }
  }
}

extension ArchivedObject {
  /// Truth is archived as a Boolean, falsehood mostly left out.
  func isSet(_ key: String) -> Bool { self[key]?.bool ?? false }

  /// The name before a renaming. Models repeat the present name where there was none.
  func renamingIdentifier(unless name: String) -> String? {
    let identifier = self["NSRenamingIdentifier"]?.string
    return identifier == name ? nil : identifier
  }

  var versionHashModifier: String? { self["NSVersionHashModifier"]?.string.flatMap { $0.isEmpty ? nil : $0 } }
}
