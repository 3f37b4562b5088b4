import Base
import Lens
import SQLite
import StoreModel

/// An object as people name it on the command line.
struct ObjectReference {
  let entity: SchemaEntity
  let primaryKey: Int64

  /// Whether the word is such an address, or a URI, of whatever entity: then it can't be meant as anything else.
  static func isAddress(_ word: String) -> Bool { uri(word) != nil }

  /// A URI, or an address, which is one without the store and may be encoded as well.
  private static func uri(_ word: String) -> ObjectURI? {
    if let uri = ObjectURI(word) { return uri }
    guard let uri = ObjectURI("x-coredata:///\(word)"), case .permanent = uri.key,
      uri.entity.allSatisfy({ $0.isLetter || $0.isNumber || $0 == "_" })
    else { return nil }
    return uri
  }

  /// `Entity/p12`
  var address: String { "\(entity.name)/p\(primaryKey)" }

  /// An object of the store, for messages; one that may not be there if it has none. Nil without entities.
  static func example(in store: CoreDataStore) throws -> ObjectReference? {
    let rows = try store.rowCounts()
    let entity = store.schema.entities.first { rows[$0.number] ?? 0 > 0 } ?? store.schema.entities.first
    guard let entity else { return nil }
    let key = try store.connection.first(
      "SELECT MIN(Z_PK) FROM main.\(quotedIdentifier(entity.table)) WHERE Z_ENT = ?",
      [.integer(entity.number)]
    ) { $0.optionalInteger(0) }
    return ObjectReference(entity: entity, primaryKey: (key ?? nil) ?? 1)
  }

  /// The number of `p12` and `12`.
  static func key(_ half: some StringProtocol) -> Int64? {
    Int64(half.hasPrefix("p") ? String(half.dropFirst()) : String(half))
  }

  /// `x-coredata://…/Entity/p12` or `Entity/p12`.
  static func parse(_ word: String, in store: CoreDataStore) throws -> ObjectReference {
    guard let uri = uri(word) else {
      throw StoreScopeError(.invalid, word, "isn't an object", advice: "use a URI or Entity/pN")
    }
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

  /// `Entity 12` and `Entity/12`, which may be a title as well: `ObjectSearch` decides. Nil for other words.
  static func numbered(_ word: String, in store: CoreDataStore) -> ObjectReference? {
    let halves = word.split(maxSplits: 1, whereSeparator: { $0 == "/" || $0 == " " })
    guard halves.count == 2, let primaryKey = key(halves[1]),
      let entity = try? store.entity(named: String(halves[0]))
    else { return nil }
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
