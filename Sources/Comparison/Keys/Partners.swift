import Base
import Lens
import SQLite
import StoreModel

/// Which object of one store is which of the other, by the names of their records. Takes some twenty bytes an object.
///
/// A record's name is a UUID that one device made up and all others keep. After an object has moved to another zone both
/// zones may have a record of that name; then the one in the same zone is meant.
final class Partners {
  enum Partner: Equatable {
    /// The object has no record, so nothing can be said.
    case unknown
    /// It has a record, and the other store none of that name.
    case none
    case key(Int64)
  }

  // What no primary key is: Core Data counts from 1.
  private static let unknown = Int64.min
  private static let none = Int64.min + 1

  /// The partner's key, by root entity and key of the object.
  private let forward = ObjectMap(empty: Partners.unknown, bytes: ComparedStore.mapBytes)
  private let backward = ObjectMap(empty: Partners.unknown, bytes: ComparedStore.mapBytes)

  private struct Record {
    var root: Int64
    var entity: String
    var key: Int64
    var zone: String
  }

  init(_ store: ComparedStore, _ other: ComparedStore, step: () -> Void) throws {
    let entities = [Self.entities(store), Self.entities(other)]
    let zones = try [Self.zones(store), Self.zones(other)]
    try NameMerge.forEach(
      Self.cursor(store), Self.cursor(other),
      row: { row, isOther -> Record? in
        step()
        guard let entity = entities[isOther ? 1 : 0][row.integer(1)], let key = row.optionalInteger(2) else {
          return nil
        }
        let zone = zones[isOther ? 1 : 0][row.integer(3)] ?? ""
        return Record(root: entity.root, entity: entity.name, key: key, zone: zone)
      }, pair)
  }

  private static func entities(_ store: ComparedStore) -> [Int64: SchemaEntity] {
    Dictionary(firstOf: store.schema.entities.map { ($0.number, $0) })
  }

  /// Their names by key.
  private static func zones(_ store: ComparedStore) throws -> [Int64: String] {
    let zones = try store.mirror?.zones ?? []
    return Dictionary(zones.map { ($0.primaryKey, $0.name ?? "") }, uniquingKeysWith: { $1 })
  }

  private static func cursor(_ store: ComparedStore) throws -> Cursor {
    guard let records = store.mirror?.views.records else { return try store.cursor("SELECT 1 WHERE 0") }
    return try store.cursor(
      records.select(
        ["recordName", "entityNumber", "pk", "zoneRow"],
        "WHERE recordName IS NOT NULL ORDER BY recordName COLLATE BINARY"))
  }

  /// The other store's object; `root` is the number of the hierarchy's root entity in this store.
  func partner(of key: Int64, root: Int64) throws -> Partner {
    try Self.partner(forward[ObjectKey(entity: root, primaryKey: key)])
  }

  /// The same from the other side.
  func partner(ofOther key: Int64, root: Int64) throws -> Partner {
    try Self.partner(backward[ObjectKey(entity: root, primaryKey: key)])
  }

  private static func partner(_ value: Int64) -> Partner {
    switch value {
    case unknown: .unknown
    case none: .none
    default: .key(value)
    }
  }

  private func pair(_ ours: [Record], _ theirs: [Record]) throws {
    var ours = ours
    var theirs = theirs
    for withZone in [true, false] {
      // The usual case first; a made-up store could have all its records under one name, where none is meant.
      guard !ours.isEmpty, !theirs.isEmpty, ours.count < 1000, theirs.count < 1000 else { break }
      ours = try ours.filter { one in
        let index = theirs.firstIndex { $0.entity == one.entity && (!withZone || $0.zone == one.zone) }
        guard let index else { return true }
        let found = theirs.remove(at: index)
        try Self.set(forward, one, found.key)
        try Self.set(backward, found, one.key)
        return false
      }
    }
    for record in ours { try Self.set(forward, record, Self.none) }
    for record in theirs { try Self.set(backward, record, Self.none) }
  }

  /// Of two records of one object the first that finds a partner decides.
  private static func set(_ values: ObjectMap<Int64>, _ record: Record, _ value: Int64) throws {
    try values.update(ObjectKey(entity: record.root, primaryKey: record.key)) {
      if $0 == unknown || $0 == none { $0 = value }
    }
  }
}
