package import Base
import Lens
import SQLite
import StoreModel

/// What the store has of one object, each read once.
struct ObjectEvidence {
  let object: ObjectKey
  /// Nil if its table has no keys.
  let exists: Bool?
  let changes: TracedChanges
  /// With their archives.
  private(set) var records: [MirrorRecord] = []
  private(set) var pending: [PendingItem] = []
  private(set) var counts: [PendingItem.Kind: Int] = [:]
  /// Why what is pending isn't known, a sentence.
  private(set) var pendingProblem: String?
  /// Related objects in other zones, in words.
  private(set) var splits: [String] = []

  /// Whether anything shows that there is, or ever was, such an object.
  var isAny: Bool { exists == true || !changes.facts.isEmpty || !records.isEmpty || !pending.isEmpty }

  /// A record with something that came from the server, which wasn't asked to delete it.
  var hasServerCopy: Bool { records.contains { $0.isAcknowledged && $0.state != .deleteLeftover } }

  /// An object has one record; duplicates and hostile stores may have more.
  private static let mostRecords = 100
  private static let mostPending = 1_000
  private static let mostSplits = 5

  /// - Parameter names: how names are shown; nil for as they are.
  init(
    _ store: CoreDataStore, _ mirror: Mirror?, _ object: ObjectKey, exists: Bool?, _ names: ShownNames?
  ) throws {
    // Numbers of the entities whose objects share keys with this one's.
    let entities = store.schema.hierarchy(ofNumber: object.entity)
    let scope = ObjectScope(entities: entities, primaryKey: object.primaryKey)
    (self.object, self.exists) = (object, exists)
    changes = try TracedChanges(store, entities: entities, primaryKey: object.primaryKey, names)
    guard let mirror else { return }
    let filter = RecordFilter(entities: entities, objectKey: object.primaryKey)
    try RecordReader(mirror, filter: filter, decodesArchives: true).forEach { record in
      records.append(record)
      return records.count < Self.mostRecords
    }
    if exists == true, !records.isEmpty {
      let zones = try ZoneSplits(mirror)
      splits = try zones.all(of: object, limit: Self.mostSplits).map(zones.words)
    }
    do {
      let reader = try PendingReader(mirror, of: scope)
      counts = reader.counts
      try reader.forEach { item in
        pending.append(names.map(item.masked) ?? item)
        return pending.count < Self.mostPending
      }
    } catch let error as StoreScopeError {
      pendingProblem = error.description
    }
  }
}

/// Objects of one entity that refer to an object by one relationship.
package struct Referrer: HasFields, Sendable, Equatable {
  package var entity: String
  package var property: String
  /// Nil if counting them would mean to read a whole large table.
  package var count: Int?
  /// One of them, for a name.
  package var example: Int64?

  package static let fields: [Field<Self>] = [
    Field("entity", "the entity of the objects") { $0.entity },
    Field("property", "their relationship") { $0.property },
    Field("count", "how many; null if they weren't counted") { $0.count },
  ]

  /// `Trip/p2.entries`, and `Tag.entries (2)` for several.
  package var text: String {
    switch (count, example) {
    case (1, let example?): "\(entity)/p\(example).\(property)"
    case (let count?, _): "\(entity).\(property) (\(count))"
    case (nil, _): "\(entity).\(property) (not counted: no index)"
    }
  }
}

/// Finds out who refers to an object, from relationships with and without inverse, one look for each relationship.
struct ReferrerSearch {
  private let store: CoreDataStore
  private let target: SchemaEntity
  private let key: Int64
  /// Rows that are read without an index.
  private static let scannedRows: Int64 = 1_000_000
  /// More than any model has that lead to one entity.
  private static let limit = 1_000

  init?(_ store: CoreDataStore, _ object: ObjectKey) {
    guard let target = store.schema[object.entity] else { return nil }
    self.store = store
    self.target = target
    key = object.primaryKey
  }

  func run() throws -> [Referrer] {
    var found: [Referrer] = []
    var relationships = 0
    for owner in store.schema.entities where store.tables.holdsObjects(owner.table) {
      for relationship in owner.relationships where !relationship.isInherited && leadsHere(relationship) {
        relationships += 1
        guard relationships <= Self.limit else { return found }
        found += try referrers(owner, relationship)
      }
    }
    return found.sorted { ($0.entity, $0.property) < ($1.entity, $1.property) }
  }

  private func leadsHere(_ relationship: SchemaRelationship) -> Bool {
    guard let destination = store.schema[relationship.destination] else { return false }
    return destination.table == target.table && destination.subtree.contains(target.number)
  }

  private func referrers(_ owner: SchemaEntity, _ relationship: SchemaRelationship) throws -> [Referrer] {
    let table = "main.\(quotedIdentifier(owner.table))"
    let isOwners = "o.Z_ENT BETWEEN \(owner.subtree.lowerBound) AND \(owner.subtree.upperBound)"
    let rows: String
    switch relationship.storage {
    case .none: return []
    case .toOne(let column, _, _):
      guard try isQuick(owner.table, column) else {
        return [Referrer(entity: owner.name, property: relationship.name)]
      }
      rows = "FROM \(table) o WHERE o.\(quotedIdentifier(column)) = ?"
    case .toMany(let ownTable, let column, _, _, _):
      guard store.tables.holdsObjects(ownTable) else { return [] }
      rows = """
        FROM main.\(quotedIdentifier(ownTable)) s JOIN \(table) o ON o.Z_PK = s.\(quotedIdentifier(column))
        WHERE s.Z_PK = ?
        """
    case .join(let join, let ownColumn, let otherColumn, _):
      rows = """
        FROM main.\(quotedIdentifier(join)) j JOIN \(table) o ON o.Z_PK = j.\(quotedIdentifier(ownColumn))
        WHERE j.\(quotedIdentifier(otherColumn)) = ?
        """
    }
    return try store.connection.rows(
      "SELECT o.Z_ENT, COUNT(*), MIN(o.Z_PK) \(rows) AND \(isOwners) GROUP BY o.Z_ENT", [.integer(key)]
    ) { row in
      Referrer(
        entity: store.entityName(ofNumber: row.integer(0)), property: relationship.name,
        count: Int(row.integer(1)), example: row.integer(2))
    }
  }

  /// Whether an index leads to the rows, or there are few.
  private func isQuick(_ table: String, _ column: String) throws -> Bool {
    let indexed = try store.connection.indexedColumns(of: table)
    guard !indexed.contains(column.uppercased()) else { return true }
    let last = try store.connection.first("SELECT MAX(Z_PK) FROM main.\(quotedIdentifier(table))") {
      $0.integer(0)
    }
    return last ?? 0 <= Self.scannedRows
  }
}
