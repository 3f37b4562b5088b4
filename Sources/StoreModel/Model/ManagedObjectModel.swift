package import Base

/// A managed object model as its author wrote it, wherever it was read from: the store's own cache, a compiled
/// `.mom`, or Xcode's XML. Knows nothing of tables; `StoreSchema` does.
package struct ManagedObjectModel: Sendable, Equatable {
  /// In no particular order; `EntityNumbering` gives the store's.
  package var entities: [EntityDescription]
  package var versionIdentifiers: [String]
  /// Configuration name → names of its entities. Empty where the model has only the default one.
  package var configurations: [String: Set<String>]

  package init(
    entities: [EntityDescription], versionIdentifiers: [String] = [],
    configurations: [String: Set<String>] = [:]
  ) {
    self.entities = entities
    self.versionIdentifiers = versionIdentifiers
    self.configurations = configurations
  }

  package subscript(name: String) -> EntityDescription? { entities.first { $0.name == name } }
}

/// One entity of a model.
/// https://developer.apple.com/documentation/coredata/nsentitydescription
package struct EntityDescription: Sendable, Equatable {
  package var name: String
  package var superentity: String?
  package var isAbstract: Bool
  /// Nil for SwiftData's models, which name no class.
  package var className: String?
  /// Its own attributes, without the inherited ones, transient ones included, sorted by name.
  package var attributes: [AttributeDescription]
  /// Its own relationships, without the inherited ones, sorted by name.
  package var relationships: [RelationshipDescription]
  /// Names of fetched properties, which have no column.
  package var fetchedProperties: [String]
  package var uniquenessConstraints: [[String]]
  package var userInfo: [String: String]
  package var renamingIdentifier: String?
  /// Set by the app's authors so that the version hash changes although nothing else does:
  /// https://developer.apple.com/documentation/coredata/nsentitydescription/versionhashmodifier
  package var versionHashModifier: String?

  package init(
    name: String, superentity: String? = nil, isAbstract: Bool = false, className: String? = nil,
    attributes: [AttributeDescription] = [], relationships: [RelationshipDescription] = [],
    fetchedProperties: [String] = [], uniquenessConstraints: [[String]] = [],
    userInfo: [String: String] = [:], renamingIdentifier: String? = nil, versionHashModifier: String? = nil
  ) {
    self.name = name
    self.superentity = superentity
    self.isAbstract = isAbstract
    self.className = className
    self.attributes = attributes.sorted { $0.name < $1.name }
    self.relationships = relationships.sorted { $0.name < $1.name }
    self.fetchedProperties = fetchedProperties.sorted()
    self.uniquenessConstraints = uniquenessConstraints
    self.userInfo = userInfo
    self.renamingIdentifier = renamingIdentifier
    self.versionHashModifier = versionHashModifier
  }
}

/// One attribute of an entity, or one element of a composite attribute.
/// https://developer.apple.com/documentation/coredata/nsattributedescription
package struct AttributeDescription: Sendable, Equatable {
  package var name: String
  package var type: AttributeType
  package var isOptional: Bool
  package var isTransient: Bool
  /// Computed by Core Data from other properties, stored like any other.
  package var isDerived: Bool
  /// "Allows external storage": values carry a tag byte, large ones lie in files next to the store.
  package var allowsExternalStorage: Bool
  /// Kept in a tombstone when the object is deleted.
  package var preservesValueOnDeletion: Bool
  /// Backed by a file of its own (a private kind that Apple's apps use).
  package var isFileBackedFuture: Bool
  /// Sent to CloudKit encrypted, so that the mirror's copy of a record can't be read.
  package var allowsCloudEncryption: Bool
  package var valueTransformerName: String?
  package var valueClassName: String?
  package var defaultValue: DataValue?
  /// A composite's elements, in the model's order; empty for every other type.
  package var elements: [AttributeDescription]
  package var userInfo: [String: String]
  package var renamingIdentifier: String?
  package var versionHashModifier: String?
  /// Comparisons with a number that every value must fulfill.
  package var limits: [ValueLimit] = []
  /// Values must also fulfill predicates that are no such comparison: patterns, for example.
  package var hasOtherPredicates = false

  package init(
    name: String, type: AttributeType, isOptional: Bool = true, isTransient: Bool = false,
    isDerived: Bool = false, allowsExternalStorage: Bool = false, preservesValueOnDeletion: Bool = false,
    isFileBackedFuture: Bool = false, allowsCloudEncryption: Bool = false,
    valueTransformerName: String? = nil, valueClassName: String? = nil,
    defaultValue: DataValue? = nil, elements: [AttributeDescription] = [], userInfo: [String: String] = [:],
    renamingIdentifier: String? = nil
  ) {
    self.name = name
    self.type = type
    self.isOptional = isOptional
    self.isTransient = isTransient
    self.isDerived = isDerived
    self.allowsExternalStorage = allowsExternalStorage
    self.preservesValueOnDeletion = preservesValueOnDeletion
    self.isFileBackedFuture = isFileBackedFuture
    self.allowsCloudEncryption = allowsCloudEncryption
    self.valueTransformerName = valueTransformerName
    self.valueClassName = valueClassName
    self.defaultValue = defaultValue
    self.elements = elements
    self.userInfo = userInfo
    self.renamingIdentifier = renamingIdentifier
  }

  /// Whether Core Data itself archives its values, rather than a transformer of the app's:
  /// https://developer.apple.com/documentation/foundation/nsvaluetransformername
  package var isArchived: Bool {
    let own = ["", "NSKeyedUnarchiveFromData", "NSSecureUnarchiveFromData"]
    return type == .transformable && own.contains(valueTransformerName ?? "")
  }

  /// SwiftData stores an enumeration with raw values as a composite of one element that bears the attribute's
  /// own name; readers want the element.
  package var isEnumeration: Bool {
    type == .composite && elements.count == 1 && elements[0].name == name
  }
}

/// What a model demands of an attribute's values, as far as that is a comparison with a number.
/// https://developer.apple.com/documentation/coredata/nspropertydescription/validationpredicates
package struct ValueLimit: Sendable, Hashable {
  package enum Subject: Sendable {
    case value
    /// Of a text, in UTF-16 units.
    case length
  }

  /// Raw values are those of `NSComparisonPredicate.Operator`.
  package enum Comparison: Int64, Sendable {
    case less, atMost, more, atLeast, equal, unequal

    package var sign: String {
      switch self {
      case .less: "<"
      case .atMost: "<="
      case .more: ">"
      case .atLeast: ">="
      case .equal: "="
      case .unequal: "<>"
      }
    }
  }

  package var subject: Subject
  package var comparison: Comparison
  /// Of a date the seconds since 2001.
  package var number: Double

  /// Whole numbers without a fraction.
  package var numberText: String {
    number == number.rounded() && abs(number) < 1e15 ? "\(Int64(number))" : "\(number)"
  }
}

/// One relationship of an entity.
/// https://developer.apple.com/documentation/coredata/nsrelationshipdescription
package struct RelationshipDescription: Sendable, Equatable {
  package enum DeleteRule: Int, Sendable {
    case noAction, nullify, cascade, deny
  }

  package var name: String
  package var destination: String
  package var inverse: String?
  package var isToMany: Bool
  package var isOrdered: Bool
  package var isOptional: Bool
  package var isTransient: Bool
  package var deleteRule: DeleteRule
  package var minCount: Int
  /// 0 where there is no upper bound.
  package var maxCount: Int
  package var userInfo: [String: String]
  package var renamingIdentifier: String?
  package var versionHashModifier: String?

  package init(
    name: String, destination: String, inverse: String? = nil, isToMany: Bool = false,
    isOrdered: Bool = false,
    isOptional: Bool = true, isTransient: Bool = false, deleteRule: DeleteRule = .nullify, minCount: Int = 0,
    maxCount: Int? = nil, userInfo: [String: String] = [:], renamingIdentifier: String? = nil,
    versionHashModifier: String? = nil
  ) {
    self.name = name
    self.destination = destination
    self.inverse = inverse
    self.isToMany = isToMany
    self.isOrdered = isOrdered
    self.isOptional = isOptional
    self.isTransient = isTransient
    self.deleteRule = deleteRule
    self.minCount = minCount
    self.maxCount = maxCount ?? (isToMany ? 0 : 1)
    self.userInfo = userInfo
    self.renamingIdentifier = renamingIdentifier
    self.versionHashModifier = versionHashModifier
  }
}
