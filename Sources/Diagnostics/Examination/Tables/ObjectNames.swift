import Lens
import StoreModel

/// The URIs of a store's objects, by entity number.
struct ObjectNames {
  private let store: CoreDataStore
  private var prefixes: [Int64: String] = [:]

  init(_ store: CoreDataStore) { self.store = store }

  /// Nil for a number that no entity has.
  mutating func uri(_ entity: Int64?, _ primaryKey: Int64?) -> String? {
    guard let entity, let primaryKey else { return nil }
    if let prefix = prefixes[entity] { return prefix + String(primaryKey) }
    guard let name = store.schema[entity]?.name else { return nil }
    let prefix = String(decoding: ObjectURI.prefix(storeUUID: store.uuid, entity: name), as: UTF8.self)
    prefixes[entity] = prefix
    return prefix + String(primaryKey)
  }
}

extension CoreDataStore {
  /// The object's URI in this store.
  func uri(_ key: ObjectKey) -> String {
    ObjectURI.text(storeUUID: uuid, entity: entityName(ofNumber: key.entity), primaryKey: key.primaryKey)
  }
}
