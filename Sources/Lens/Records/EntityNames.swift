import StoreModel

/// What an entity's records and objects are called, worked out once for each entity.
struct EntityNames {
  struct Names {
    var entity: String?
    /// `CD_` and the root entity's name:
    /// https://developer.apple.com/documentation/coredata/reading-cloudkit-records-for-core-data
    var recordType: String?
    /// Of the objects' URIs, up to their keys.
    var prefix: [UInt8]?

    func uri(_ primaryKey: Int64) -> String? {
      prefix.map { String(decoding: $0, as: UTF8.self) + String(primaryKey) }
    }
  }

  private let store: CoreDataStore
  private var known: [Int64: Names] = [:]

  init(_ store: CoreDataStore) { self.store = store }

  /// A number that no entity has gives no names.
  subscript(number: Int64) -> Names {
    mutating get {
      if let names = known[number] { return names }
      guard let entity = store.schema[number] else { return Names() }
      let root = store.schema[entity.root] ?? entity
      let names = Names(
        entity: entity.name, recordType: "CD_" + root.name,
        prefix: ObjectURI.prefix(storeUUID: store.uuid, entity: entity.name))
      known[number] = names
      return names
    }
  }
}
