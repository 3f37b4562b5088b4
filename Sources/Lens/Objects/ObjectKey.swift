package import StoreModel

/// An object as the framework's tables name it: entity number and Z_PK.
package struct ObjectKey: Sendable, Hashable, Comparable, BitwiseCopyable {
  package var entity: Int64
  package var primaryKey: Int64

  package init(entity: Int64, primaryKey: Int64) {
    self.entity = entity
    self.primaryKey = primaryKey
  }

  /// A number alone, as the key of a map over one table.
  package init(number: Int64) { self.init(entity: 0, primaryKey: number) }

  package static func < (one: Self, other: Self) -> Bool {
    (one.entity, one.primaryKey) < (other.entity, other.primaryKey)
  }
}

extension CoreDataStore {
  /// The object's URI in this store.
  package func uri(_ key: ObjectKey) -> String {
    ObjectURI.text(storeUUID: uuid, entity: entityName(ofNumber: key.entity), primaryKey: key.primaryKey)
  }
}
