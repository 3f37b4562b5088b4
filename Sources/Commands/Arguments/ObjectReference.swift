import Lens
import SQLite
import StoreModel
import Values

/// An object as people name it on the command line.
struct ObjectReference {
  let entity: SchemaEntity
  let primaryKey: Int64

  /// `x-coredata://…/Entity/p12`, `Entity/p12` or `Entity 12`.
  static func parse(_ word: String, in store: CoreDataStore) throws -> ObjectReference {
    if let uri = ObjectURI(word) {
      guard case .permanent(let primaryKey) = uri.key else {
        throw StoreScopeError(
          .invalid, word,
          "is a temporary object ID, which no row on disk has; it was taken before the object was saved")
      }
      guard uri.storeUUID.isEmpty || uri.storeUUID.uppercased() == store.uuid.uppercased() else {
        throw StoreScopeError(
          .foreign, word,
          "is an object of the store \(uri.storeUUID), but '\(store.path)' is \(store.uuid)")
      }
      return ObjectReference(entity: try store.entity(named: uri.entity), primaryKey: primaryKey)
    }
    let parts = word.split(maxSplits: 1, whereSeparator: { $0 == "/" || $0 == " " })
    guard parts.count == 2 else {
      throw StoreScopeError(.invalid, word, "isn't an object", advice: "use a URI, Entity/pN or 'Entity N'")
    }
    let digits = parts[1].hasPrefix("p") ? parts[1].dropFirst() : parts[1]
    let entity = try store.entity(named: String(parts[0]))
    guard let primaryKey = Int64(digits) else {
      throw StoreScopeError(
        .invalid, String(parts[1]), "isn't a primary key", advice: "give a number, as in \(entity.name)/p12")
    }
    return ObjectReference(entity: entity, primaryKey: primaryKey)
  }

  /// The number of the entity that its row has, which may be below the one that was named; nil if there is no row.
  /// - Throws: if the row is of another entity: entities of one hierarchy share their keys, and it's another object.
  func storedEntity(in store: CoreDataStore) throws -> Int64? {
    guard store.tables.holdsObjects(entity.table) else { return nil }
    let number =
      try store.connection.first(
        "SELECT Z_ENT FROM main.\(quotedIdentifier(entity.table)) WHERE Z_PK = ?", [.integer(primaryKey)]
      ) { $0.optionalInteger(0) } ?? nil
    if let number, !entity.subtree.contains(number), let found = store.schema[number] {
      throw Self.wrongEntity(self, found, store)
    }
    return number
  }

  /// The same of a deleted object, as history has it.
  /// - Throws: if neither the store nor its history has the object.
  func knownEntity(in store: CoreDataStore) throws -> Int64 {
    if let number = try storedEntity(in: store) { return number }
    var number: Int64?
    let filter = HistoryFilter(entities: store.schema.hierarchy(of: entity), primaryKey: primaryKey)
    try HistoryReader(store)?.forEachChange(filter, reading: []) { cursor, _ in
      number = cursor.change.entity
      return false
    }
    if let number { return number }
    throw StoreScopeError(
      .notFound, store.path, "has no object \(entity.name)/p\(primaryKey), and neither has its history",
      advice: "'storescope rows STORE \(entity.name)' lists existing objects")
  }

  /// What to say where the row with that key is of an entity that the named one doesn't include.
  static func wrongEntity(
    _ reference: ObjectReference, _ found: SchemaEntity, _ store: CoreDataStore
  ) -> StoreScopeError {
    StoreScopeError(
      .notFound, store.path,
      "has no object \(reference.entity.name)/p\(reference.primaryKey): that row is of the entity \(found.name)",
      advice: "ask for \(found.name)/p\(reference.primaryKey)")
  }
}
