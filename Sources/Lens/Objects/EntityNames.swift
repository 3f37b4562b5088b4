package import StoreModel

/// What an entity, its objects and their records are called, worked out once for each number.
package final class EntityNames {
  package final class Names: Sendable {
    /// The model's name; of a number that no entity has, what stands for it.
    package let name: String
    /// Whether the model has an entity of the number.
    package let isKnown: Bool
    /// Of the objects' URIs, up to their keys.
    package let uriPrefix: [UInt8]
    /// `CD_` and the root entity's name; nil for a number that no entity has.
    /// https://developer.apple.com/documentation/coredata/reading-cloudkit-records-for-core-data
    let recordType: String?

    fileprivate init(_ number: Int64, in store: CoreDataStore) {
      let entity = store.schema[number]
      name = entity?.name ?? store.entityName(ofNumber: number)
      isKnown = entity != nil
      uriPrefix = ObjectURI.prefix(storeUUID: store.uuid, entity: name)
      recordType = entity.map { "CD_" + (store.schema[$0.root] ?? $0).name }
    }

    /// Nil for a number that no entity has.
    package var entity: String? { isKnown ? name : nil }

    /// Nil for a number that no entity has.
    package func uri(_ primaryKey: Int64) -> String? {
      isKnown ? String(decoding: uriPrefix, as: UTF8.self) + String(primaryKey) : nil
    }
  }

  private let store: CoreDataStore
  private var known: [Int64: Names] = [:]
  /// A store has some hundred entities; a hostile one could name every number there is.
  private static let limit = 10_000

  package init(_ store: CoreDataStore) { self.store = store }

  package subscript(number: Int64) -> Names {
    if let names = known[number] { return names }
    let names = Names(number, in: store)
    if known.count < Self.limit { known[number] = names }
    return names
  }

  /// The URI of an object of that entity; nil for a number that no entity has.
  package func uri(_ entity: Int64?, _ primaryKey: Int64?) -> String? {
    guard let entity, let primaryKey else { return nil }
    return self[entity].uri(primaryKey)
  }
}
