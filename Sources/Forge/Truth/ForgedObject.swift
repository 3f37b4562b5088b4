internal import StoreModel

/// One object of a forged store. Stays its name after it was deleted.
package struct ForgedObject: Sendable, Hashable {
  /// Its own entity, not the hierarchy's root.
  package var entity: String
  package var entityNumber: Int64
  package var primaryKey: Int64

  package init(entity: String, entityNumber: Int64, primaryKey: Int64) {
    self.entity = entity
    self.entityNumber = entityNumber
    self.primaryKey = primaryKey
  }

  /// `x-coredata://STORE-UUID/Entity/p1`
  package func uri(storeUUID: String) -> String {
    ObjectURI.text(storeUUID: storeUUID, entity: entity, primaryKey: primaryKey)
  }
}
