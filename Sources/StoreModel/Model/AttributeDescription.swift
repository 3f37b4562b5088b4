package import Values

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

  /// SwiftData stores an enumeration with raw values as a composite of one element that bears the attribute's
  /// own name; readers want the element.
  package var isEnumeration: Bool {
    type == .composite && elements.count == 1 && elements[0].name == name
  }
}
