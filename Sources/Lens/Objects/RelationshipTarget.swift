package import StoreModel

/// URIs of a relationship's targets.
package struct RelationshipTarget {
  private let names: EntityNames
  private let destination: [UInt8]
  private let members: Set<Int64>

  package init(entity number: Int64, _ names: EntityNames, in store: CoreDataStore) {
    self.names = names
    let entity = store.schema[number]
    destination =
      entity == nil ? ObjectURI.prefix(storeUUID: store.uuid, entity: "") : names[number].uriPrefix
    // One that has no sub-entities needn't be looked up.
    let members = Set((entity.map { store.schema.descendants(of: $0) } ?? []).map(\.number))
    self.members = members.count > 1 ? members : []
  }

  /// `entity` is the target's own entity if the row has it.
  func uriPrefix(entity: Int64?) -> [UInt8] {
    guard let entity, members.contains(entity) else { return destination }
    return names[entity].uriPrefix
  }

  /// The whole URI of one target.
  package func uri(of key: Int64, entity: Int64?) -> String {
    String(decoding: uriPrefix(entity: entity), as: UTF8.self) + String(key)
  }
}
