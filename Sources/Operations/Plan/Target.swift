package import Lens
package import SQLite
package import StoreModel
package import SystemCalls
import Values

/// The store that an operation is about, as one connection sees it.
package struct Target {
  package let store: CoreDataStore
  /// The main file that the connection reads; nil if there is none.
  package let file: FileIdentity?
  /// Nil where the store is not mirrored.
  package let mirror: Mirror?
  package let tables: MirrorTables

  package init(_ store: CoreDataStore, file: FileIdentity?) throws {
    self.store = store
    self.file = file
    mirror = try Mirror(store)
    tables = mirror?.tables ?? MirrorTables(store.tables)
  }

  package var connection: Connection { store.connection }
}
