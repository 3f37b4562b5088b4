import Lens
import SQLite
import StoreModel
import Values

/// The objects that a text names from outside: by their URI or address, or by the name of their CloudKit record, whole or
/// its beginning.
struct NamedObjects {
  struct Match {
    var object: ObjectKey
    /// `uri`, `recordName`, or `title` of one that is made of several properties.
    var property: String
    var text: String
    var exists: Bool
  }

  /// Many names begin with fewer letters.
  private static let shortest = 4

  private let open: OpenStore
  /// Of which entities; nil for all.
  private let entities: Set<Int64>?

  init(_ open: OpenStore, entities: Set<Int64>? = nil) {
    self.open = open
    self.entities = entities
  }

  /// What a URI, an address or `Trip 3` names; nil if there isn't and never was such an object.
  /// - Throws: if it belongs to another store, or if the row with that key is of another entity.
  func object(address text: String) throws -> Match? {
    let store = open.store
    let address = ObjectReference.isAddress(text) ? try ObjectReference.parse(text, in: store) : nil
    guard let reference = address ?? (try? ObjectReference.numbered(text, in: store)) else { return nil }
    let stored = try reference.storedEntity(in: store)
    let object = ObjectKey(entity: stored ?? reference.entity.number, primaryKey: reference.primaryKey)
    guard entities?.contains(object.entity) ?? true else { return nil }
    if stored == nil, try DeletedObjects(store, open.mirror()).deletion(of: object) == nil { return nil }
    return Match(object: object, property: "uri", text: store.uri(object), exists: stored != nil)
  }

  /// Those of the records with that name.
  /// - Parameters:
  ///   - isExact: whether the name is meant, letter for letter, and not what it begins with.
  ///   - limit: so many at most.
  func objects(recordName text: String, isExact: Bool, limit: Int) throws -> [Match] {
    guard !text.isEmpty, let mirror = try open.mirror() else { return [] }
    let found = try objects(of: mirror, recordName: text, isExact: isExact, limit: limit)
    // Names that the server or another tool gave needn't be written as UUIDs are.
    guard found.isEmpty, !isExact, let name = WrittenUUID(text)?.text, name != text else { return found }
    return try objects(of: mirror, recordName: name, isExact: false, limit: limit)
  }

  private func objects(
    of mirror: Mirror, recordName name: String, isExact: Bool, limit: Int
  ) throws -> [Match] {
    var filter = RecordFilter()
    if isExact {
      filter.recordName = name
    } else if name.utf8.count >= Self.shortest {
      filter.recordNameStart = name
    } else {
      filter.recordName = name
    }
    var found: [Match] = []
    try RecordReader(mirror, filter: filter).forEach { record in
      guard let name = record.recordName, let object = record.object,
        entities?.contains(object.entity) ?? true
      else { return true }
      found.append(
        Match(object: object, property: "recordName", text: name, exists: record.objectExists))
      return found.count < limit
    }
    return found
  }
}
