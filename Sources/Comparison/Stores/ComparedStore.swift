import Base
package import Lens
import SQLite
package import StoreModel

/// One of the two stores under comparison.
package final class ComparedStore {
  let open: OpenStore
  /// Nil where the store is not mirrored.
  package let mirror: Mirror?

  /// Reads what else would be read later, when nobody knows any more which of the two stores an error is about.
  package init(_ open: OpenStore) throws {
    self.open = open
    _ = try open.lens()
    mirror = try open.mirror()
    try mirror?.readSmallTables()
  }

  package var store: CoreDataStore { open.store }

  var schema: StoreSchema { store.schema }

  /// What a value for all objects may take in memory: records come in the order of their names, which is none, and links
  /// in that of whoever made them, so that of more than two million objects pages would come and go.
  static let mapBytes = 16 << 20

  func cursor(_ sql: String) throws -> Cursor {
    try naming { Cursor(try store.connection.prepare(sql), of: self) }
  }

  /// Runs what only this store can be blamed for. Of two stores an error must say which it is about.
  func naming<R>(_ body: () throws -> R) throws -> R {
    do { return try body() } catch let error as SQLiteError where !error.isInterrupt {
      throw error.failure(reading: store.path)
    }
  }
}

/// By what an object of one store is the same as an object of the other.
package enum Matching: String, Sendable, CaseIterable {
  /// By entity and primary key: in copies, backups and other states of one store.
  case key
  /// By the names of their CloudKit records: in the stores of two devices of one user.
  case record

  /// What fits the two stores: their identifier shows copies of one store, and records show the same object in two
  /// stores that are mirrored.
  /// - Throws: `StoreScopeError` if nothing shows it.
  static func chosen(_ store: ComparedStore, _ other: ComparedStore) throws -> Matching {
    if let uuid = store.store.metadata.uuid, !uuid.isEmpty, uuid == other.store.metadata.uuid { return .key }
    if store.mirror != nil, other.mirror != nil { return .record }
    throw StoreScopeError(
      .foreign, store.store.path,
      "and '\(other.store.path)' have different identifiers and aren't both mirrored, so their objects can't be matched; --only model compares their models, and --match key compares objects with the same entity and primary key"
    )
  }

  /// Why stores can't be compared so; nil where they can.
  func check(_ store: ComparedStore, _ other: ComparedStore) throws {
    guard self == .record else { return }
    for one in [store, other] {
      let needed = ["ZCKRECORDNAME", "ZENTITYID", "ZENTITYPK"]
      guard let mirror = one.mirror, needed.allSatisfy({ mirror.tables.has(.records, $0) }) else {
        throw StoreScopeError(
          .lacking,
          "The objects of '\(one.store.path)' can't be matched by their CloudKit records: it has none",
          about: one.store.path, advice: "--match key compares objects with the same entity and primary key")
      }
    }
  }
}
