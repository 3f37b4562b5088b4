package import CloudKitMirror
package import Evidence
import SQLite
package import StoreModel
import Values

/// One of the two stores under comparison.
package final class ComparedStore {
  package let store: CoreDataStore
  package let opened: OpenedStore
  /// Nil where the store is not mirrored.
  package let mirror: Mirror?

  /// - Parameter store: with the lens and the mirror's views installed, as the doctor needs them.
  package init(_ store: CoreDataStore, opened: OpenedStore) throws {
    self.store = store
    self.opened = opened
    mirror = try Mirror(store)
  }

  var schema: StoreSchema { store.schema }

  func cursor(_ sql: String) throws -> Cursor {
    try naming { Cursor(try store.connection.prepare(sql), of: self) }
  }

  /// Runs what only this store can be blamed for. Of two stores an error must say which it is about.
  func naming<R>(_ body: () throws -> R) throws -> R {
    do { return try body() } catch let error as SQLiteError where !error.isInterrupt {
      throw StoreScopeError(error.sentence(about: store.path))
    }
  }
}
