package import Lens
package import SQLite
package import StoreModel
package import Values

/// The store that an operation is about, as one connection sees it.
package struct Target {
  package let store: CoreDataStore
  /// The main file that the connection reads; nil if there is none.
  package let file: FileIdentity?
  /// Nil where the store is not mirrored.
  package let mirror: Mirror?
  package let tables: FrameworkTables

  package init(_ store: CoreDataStore, file: FileIdentity?) throws {
    self.store = store
    self.file = file
    mirror = try Mirror(store)
    tables = mirror?.tables ?? FrameworkTables(store.tables)
    // What conditions ask. The views live in SQLite's `temp` schema, so that nothing of them gets into the store, and
    // they are asked before anything changes: see `Step.run`.
    try Lens.install(in: store)
    try mirror?.views.install()
  }

  package var connection: Connection { store.connection }
}
