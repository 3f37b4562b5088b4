import Base
import SQLite
import StoreModel

/// Functions and a collation by which SQL takes objects and UUIDs as people write them.
enum ObjectNames {
  static func install(in store: CoreDataStore) throws {
    try store.connection.addCollation(name: uuidOrder, compareUUIDs)
    try store.connection.addFunction(name: "pk", argumentCount: 1) { arguments in
      try arguments.optionalText(0).map { .integer(try object($0, in: store).primaryKey) } ?? .null
    }
    try store.connection.addFunction(name: "uri", argumentCount: 1) { arguments in
      try arguments.optionalText(0).map { .text(store.uri(try object($0, in: store))) } ?? .null
    }
  }

  /// With the number of the object's own entity, if it is there, as its URI has it.
  private static func object(_ word: String, in store: CoreDataStore) throws -> ObjectKey {
    guard let uri = ObjectURI(word) ?? ObjectURI("x-coredata:///\(word)"), case .permanent(let key) = uri.key
    else {
      throw SQLiteError(refusal: "'\(word)' isn't an object: use an address such as 'Entity/p1', or a URI")
    }
    guard uri.storeUUID.isEmpty || uri.storeUUID.uppercased() == store.uuid.uppercased() else {
      throw SQLiteError(refusal: "'\(word)' is an object of another store")
    }
    let entity: SchemaEntity
    do { entity = try store.entity(named: uri.entity) } catch { throw SQLiteError(refusal: error.clause) }
    // While values are withheld, tables can't be asked.
    let number = try? store.connection.first(
      "SELECT Z_ENT FROM main.\(quotedIdentifier(entity.table)) WHERE Z_PK = ?", [.integer(key)]
    ) { $0.integer(0) }
    // Entities of one hierarchy share their keys.
    guard number.map(entity.subtree.contains) ?? true else {
      throw SQLiteError(refusal: "'\(word)' isn't an object: the row with that key belongs to another entity")
    }
    return ObjectKey(entity: number ?? entity.number, primaryKey: key)
  }

  // MARK: - UUIDs

  static let uuidOrder = "uuid"

  /// As texts, whatever their case, with hyphens or without.
  private static func compareUUIDs(_ one: UnsafeRawBufferPointer, _ other: UnsafeRawBufferPointer) -> Int {
    var (first, second) = (
      one.lazy.compactMap(digit).makeIterator(), other.lazy.compactMap(digit).makeIterator()
    )
    while true {
      switch (first.next(), second.next()) {
      case (nil, nil): return 0
      case (nil, _): return -1
      case (_, nil): return 1
      case (let a?, let b?): if a != b { return a < b ? -1 : 1 }
      }
    }
  }

  private static func digit(_ byte: UInt8) -> UInt8? {
    guard byte != UInt8(ascii: "-") else { return nil }
    return UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte ? byte - 32 : byte
  }
}
