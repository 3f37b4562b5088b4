package import CloudKitMirror
package import SQLite
package import StoreModel

/// The store that an operation is about, as one connection sees it.
package struct Target {
  package let store: CoreDataStore
  /// Nil where the store is not mirrored.
  package let mirror: Mirror?
  package let tables: MirrorTables

  package init(_ store: CoreDataStore) throws {
    self.store = store
    mirror = try Mirror(store)
    tables = mirror?.tables ?? MirrorTables(store.tables)
  }

  package var connection: Connection { store.connection }
}
