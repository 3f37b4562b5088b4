package import Lens
package import SQLite
package import StoreModel
package import SystemCalls

/// The store that an operation is about, as one connection sees it.
package struct Target {
  /// The main file that the connection reads; nil if there is none.
  package let file: FileIdentity?
  private let open: OpenStore
  /// Nil where the store is not mirrored; so are those that follow.
  package let mirror: Mirror?
  let token: HistoryTokenReading?
  let scope: DatabaseScope?
  let identity: Mirror.Identity?

  package init(_ open: OpenStore, file: FileIdentity?) throws {
    self.open = open
    self.file = file
    // What conditions ask. The views lie in SQLite's `temp` schema, so that nothing of them gets into the store, and they
    // are asked before anything changes: see `Step.run`.
    _ = try open.lens()
    mirror = try open.mirror()
    token = try mirror?.token
    scope = try mirror?.scope
    identity = try mirror?.identity
  }

  package var store: CoreDataStore { open.store }
  package var tables: FrameworkTables { open.tables }
  package var connection: Connection { open.connection }
}
