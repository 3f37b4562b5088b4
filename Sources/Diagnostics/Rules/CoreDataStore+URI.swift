import CloudKitMirror
import StoreModel

extension CoreDataStore {
  /// The object's URI in this store.
  func uri(_ key: ObjectKey) -> String {
    ObjectURI.text(storeUUID: uuid, entity: entityName(ofNumber: key.entity), primaryKey: key.primaryKey)
  }
}
