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
    userInfo: [String: String] = [:],
    renamingIdentifier: String? = nil
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
  }
}
