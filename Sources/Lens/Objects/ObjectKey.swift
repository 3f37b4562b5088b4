import SQLite
package import StoreModel

/// An object as the framework's tables name it: entity number and Z_PK.
package struct ObjectKey: Sendable, Hashable, Comparable, BitwiseCopyable {
  package var entity: Int64
  package var primaryKey: Int64

  package init(entity: Int64, primaryKey: Int64) {
    self.entity = entity
    self.primaryKey = primaryKey
  }

  /// A number alone, as the key of a map over one table.
  package init(number: Int64) { self.init(entity: 0, primaryKey: number) }

  package static func < (one: Self, other: Self) -> Bool {
    (one.entity, one.primaryKey) < (other.entity, other.primaryKey)
  }
}

extension CoreDataStore {
  /// The object's URI in this store.
  package func uri(_ key: ObjectKey) -> String {
    ObjectURI.text(storeUUID: uuid, entity: entityName(ofNumber: key.entity), primaryKey: key.primaryKey)
  }
}

/// One object, where a reader needn't look at all of them: the key, and the numbers of the entities that share a table
/// and its keys with the object's own.
package struct ObjectScope: Sendable, Equatable {
  package var entities: ClosedRange<Int64>
  package var primaryKey: Int64

  package init(entities: ClosedRange<Int64>, primaryKey: Int64) {
    self.entities = entities
    self.primaryKey = primaryKey
  }

  /// Of exactly this entity.
  init(_ key: ObjectKey) { self.init(entities: key.entity...key.entity, primaryKey: key.primaryKey) }

  /// SQL that holds for rows of the object, over the two columns.
  func condition(entity: String, primaryKey column: String) -> String {
    "\(entity) BETWEEN \(entities.lowerBound) AND \(entities.upperBound) AND \(column) = \(primaryKey)"
  }
}

/// SQL that finds an object by entity number and primary key, whatever table it lies in.
struct ObjectLookup: Sendable {
  /// By table that is there, the numbers of its entities.
  private let numbers: [String: [Int64]]

  init(_ store: CoreDataStore) {
    numbers = Dictionary(grouping: store.schema.entities, by: \.table).mapValues { $0.map(\.number) }.filter {
      store.tables.holdsObjects($0.key)
    }
  }

  /// Of a store without tables of objects.
  init() { numbers = [:] }

  /// An expression over the two columns: the Z_ENT of the object's row, -1 where the row has none, NULL where there is
  /// no row or no such entity. One look into one table for each record, so that a million of them stream.
  func entityNumber(entity: String, primaryKey: String) -> String {
    let cases = numbers.sorted { $0.key < $1.key }.map { table, numbers in
      """
      WHEN \(entity) IN (\(numbers.map(String.init).joined(separator: ", ")))
        THEN (SELECT COALESCE(r.Z_ENT, -1) FROM main.\(quotedIdentifier(table)) r WHERE r.Z_PK = \(primaryKey))
      """
    }
    return cases.isEmpty ? "NULL" : "CASE \(cases.joined(separator: "\n")) END"
  }

  /// An expression over the two columns that is 1 where the object exists, as one of exactly that entity, else 0. What
  /// names no entity or no key names no object.
  func exists(entity: String, primaryKey: String) -> String {
    "COALESCE((\(entityNumber(entity: entity, primaryKey: primaryKey))) = \(entity), 0)"
  }

  /// An expression over the column that is 1 where the store has the entity's table; without it nothing can be said of
  /// its objects.
  func hasTable(entity: String) -> String {
    let all = numbers.values.flatMap(\.self).sorted()
    return "COALESCE(\(entity) IN (\(all.map(String.init).joined(separator: ", "))), 0)"
  }
}
