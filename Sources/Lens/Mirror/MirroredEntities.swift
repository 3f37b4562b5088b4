import Base
import SQLite
import StoreModel

/// Which of the app's entities are mirrored, and how sure that is. No table says so: it is concluded.
package struct MirroredEntities: Sendable {
  package enum Certainty: String, Sendable {
    /// The store proves it.
    case certain
    /// Everything there is speaks for it.
    case likely
    /// Nothing speaks for or against it.
    case unknown
  }

  package struct Entity: Sendable, Equatable {
    package var number: Int64
    package var name: String
    /// Where the certainty is `unknown`, what is taken until the store says more: true.
    package var isMirrored: Bool
    package var certainty: Certainty
    /// One sentence.
    package var because: String
    /// Record metadata of exactly this entity.
    package var records: Int
  }

  /// In the order of the numbers, without abstract entities, which have no objects.
  package let all: [Entity]
  private let byNumber: [Int64: Entity]

  init(_ entities: [Entity]) {
    all = entities
    byNumber = Dictionary(entities.map { ($0.number, $0) }, uniquingKeysWith: { $1 })
  }

  package subscript(number: Int64) -> Entity? { byNumber[number] }

  /// Whether changes of such an object are taken to go to CloudKit. False for numbers that no entity has: the
  /// framework skips what its model doesn't know.
  package func countsChanges(of number: Int64) -> Bool { byNumber[number]?.isMirrored ?? false }

  /// Whether a row without record metadata is missing one. Without any evidence it may as well be of an entity that
  /// isn't mirrored.
  package func countsRows(of number: Int64) -> Bool {
    byNumber[number].map { $0.isMirrored && $0.certainty != .unknown } ?? false
  }
}

/// Concludes which entities are mirrored. In this order:
///
/// 1. An entity with record metadata is mirrored: certain.
/// 2. So is, likely, one whose rows share a table with such an entity.
/// 3. Where the model has configurations, those that hold every entity with records are looked at
///    (https://developer.apple.com/documentation/coredata/mirroring-a-core-data-store-with-cloudkit): an entity that
///    none of them holds isn't mirrored, and one that all of them hold is. Likely only, as the store doesn't name the
///    configuration it was opened with.
/// 4. Where other entities have records, an entity with objects that the exporter has processed, and that still have no
///    record, isn't mirrored: likely, as its records may have been removed.
/// 5. Where other entities have records, an entity with objects of which history knows nothing is undecided.
/// 6. All others are mirrored: likely, because a store is mirrored as a whole unless a configuration says otherwise.
struct MirroredEntitiesReader {
  let store: CoreDataStore
  let tables: FrameworkTables
  let token: HistoryTokenReading
  private let changes: View

  init(store: CoreDataStore, tables: FrameworkTables, token: HistoryTokenReading) {
    self.store = store
    self.tables = tables
    self.token = token
    changes = .changes(tables)
  }

  func read() throws -> MirroredEntities {
    let records = try recordCounts()
    let withRecords = Set(records.keys)
    let tablesWithRecords = Set(store.schema.entities.filter { withRecords.contains($0.number) }.map(\.table))
    let configured = configuredNames(withRecords)
    let analyzed = withRecords.isEmpty ? [] : try entitiesWithAnalyzedObjects(without: withRecords)
    var entities: [MirroredEntities.Entity] = []
    for entity in store.schema.entities where !entity.isAbstract || withRecords.contains(entity.number) {
      func conclude(_ isMirrored: Bool, _ certainty: MirroredEntities.Certainty, _ because: String) {
        entities.append(
          .init(
            number: entity.number, name: entity.name, isMirrored: isMirrored, certainty: certainty,
            because: because, records: records[entity.number] ?? 0))
      }
      if let count = records[entity.number] {
        conclude(true, .certain, "It has \(Sentence.count(count, "record")).")
      } else if tablesWithRecords.contains(entity.table) {
        conclude(true, .likely, "Entities that share its table have records.")
      } else if let configured, !configured.contains(where: { $0.contains(entity.name) }) {
        conclude(
          false, .likely, "No configuration of the model has it together with the entities that have records."
        )
      } else if let configured, configured.allSatisfy({ $0.contains(entity.name) }) {
        conclude(
          true, .likely, "The model's configuration with the entities that have records has it as well.")
      } else if withRecords.isEmpty {
        conclude(true, .likely, "Nothing shows that it is left out; no entity has records yet.")
      } else if lacksKeys(entity) {
        conclude(true, .unknown, "Its table has no Z_PK or no Z_ENT, so its objects can't be checked.")
      } else if try !hasRows(entity) {
        conclude(true, .likely, "Nothing shows that it is left out; it has no objects.")
      } else if analyzed.contains(entity.number) {
        conclude(
          false, .likely, "It has processed objects but no record, while other entities have records.")
      } else if try hasObjectsUnknownToHistory(entity) {
        conclude(
          true, .unknown,
          "It has objects but no record, and they aren't in history: it is left out, or they were written outside Core Data or before history began."
        )
      } else {
        conclude(true, .likely, "None of its objects has been processed yet.")
      }
    }
    return MirroredEntities(entities)
  }

  private func recordCounts() throws -> [Int64: Int] {
    guard tables.has(.records, "ZENTITYID") else { return [:] }
    var counts: [Int64: Int] = [:]
    try store.connection.forEachRow(
      """
      SELECT ZENTITYID, COUNT(*) FROM main.ANSCKRECORDMETADATA WHERE ZENTITYID IS NOT NULL
      GROUP BY ZENTITYID LIMIT 100000
      """
    ) { counts[$0.integer(0)] = Int($0.integer(1)) }
    return counts
  }

  /// Names of the entities in each of the configurations that may be this store's; nil where the model has none, or
  /// none that fits.
  private func configuredNames(_ withRecords: Set<Int64>) -> [Set<String>]? {
    let recorded = Set(withRecords.compactMap { store.schema[$0]?.name })
    guard let configurations = store.model?.configurations, !recorded.isEmpty else { return nil }
    let fitting = configurations.filter { !$0.key.isEmpty && recorded.isSubset(of: $0.value) }
    return fitting.isEmpty ? nil : Array(fitting.values)
  }

  private func lacksKeys(_ entity: SchemaEntity) -> Bool {
    store.tables.has(entity.table) && !store.tables.holdsObjects(entity.table)
  }

  private func hasRows(_ entity: SchemaEntity) throws -> Bool {
    guard store.tables.has(entity.table) else { return false }
    return try store.connection.first(
      "SELECT 1 FROM main.\(quotedIdentifier(entity.table)) WHERE Z_ENT = ? LIMIT 1",
      [.integer(entity.number)]
    ) { _ in true } ?? false
  }

  /// Entities without records of which an object exists that was inserted or changed up to the token. One pass over
  /// the changes, whatever the number of entities.
  private func entitiesWithAnalyzedObjects(without records: Set<Int64>) throws -> Set<Int64> {
    let candidates = store.schema.entities.map(\.number).filter { !records.contains($0) }
    guard hasChanges, !candidates.isEmpty, token.analyzedUpTo > 0 else { return [] }
    let object = ObjectLookup(store).entityNumber(entity: "entityNumber", primaryKey: "pk")
    let found = try store.connection.rows(
      """
      SELECT DISTINCT entityNumber FROM (\(changes.select(["entityNumber", "pk", "transaction", "kind"])))
      WHERE entityNumber IN (\(candidates.map(String.init).joined(separator: ", "))) AND "transaction" <= ?
        AND kind IN (\(ChangeKind.insert.rawValue), \(ChangeKind.update.rawValue)) AND (\(object)) = entityNumber
      """, [.integer(token.analyzedUpTo)]
    ) { $0.integer(0) }
    return Set(found)
  }

  /// Whether any of its objects has no change above the token; asked where none has one below it.
  private func hasObjectsUnknownToHistory(_ entity: SchemaEntity) throws -> Bool {
    guard hasChanges else { return true }
    return try store.connection.first(
      """
      SELECT 1 FROM main.\(quotedIdentifier(entity.table)) WHERE Z_ENT = ?1 AND Z_PK NOT IN (
        SELECT pk FROM (\(changes.select(["transaction", "entityNumber", "pk"])))
        WHERE "transaction" > ?2 AND entityNumber = ?1 AND pk IS NOT NULL) LIMIT 1
      """, [.integer(entity.number), .integer(token.analyzedUpTo)]
    ) { _ in true } ?? false
  }

  private var hasChanges: Bool {
    ["ZENTITY", "ZENTITYPK", "ZTRANSACTIONID", "ZCHANGETYPE"].allSatisfy { tables.has(.changes, $0) }
  }
}
