package import StoreModel

/// URIs of a relationship's targets.
package struct RelationshipTarget {
  private let destination: [UInt8]
  /// By entity number, where the destination has sub-entities.
  private let prefixes: [Int64: [UInt8]]

  package init(entity number: Int64, in store: CoreDataStore) {
    let entity = store.schema[number]
    destination = ObjectURI.prefix(storeUUID: store.uuid, entity: entity?.name ?? "")
    let members = entity.map { store.schema.descendants(of: $0) } ?? []
    prefixes = Dictionary(
      members.map { ($0.number, ObjectURI.prefix(storeUUID: store.uuid, entity: $0.name)) },
      uniquingKeysWith: { first, _ in first })
  }

  /// `entity` is the target's own entity where the row tells it.
  func uriPrefix(entity: Int64?) -> [UInt8] { entity.flatMap { prefixes[$0] } ?? destination }

  /// The whole URI of one target.
  package func uri(of key: Int64, entity: Int64?) -> String {
    String(decoding: uriPrefix(entity: entity), as: UTF8.self) + String(key)
  }
}
