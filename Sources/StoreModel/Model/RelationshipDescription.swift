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
    maxCount: Int? = nil, userInfo: [String: String] = [:], renamingIdentifier: String? = nil
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
  }
}
