import SQLite
import StoreModel

/// The keys of all rows of mirrored entities, table by table.
struct UnregisteredRows {
  private let store: CoreDataStore
  private let entities: MirroredEntities
  private let object: ObjectScope?

  /// - Parameter object: the one that is asked for; all of them where nil.
  init(_ store: CoreDataStore, _ entities: MirroredEntities, of object: ObjectScope? = nil) {
    self.store = store
    self.entities = entities
    self.object = object
  }

  /// Calls `body` for each row until it returns false.
  func forEach(_ body: (ObjectKey) throws -> Bool) throws {
    var numbers: [String: [Int64]] = [:]
    for entity in store.schema.entities
    where entities.countsRows(of: entity.number) && object?.entities.contains(entity.number) != false {
      numbers[entity.table, default: []].append(entity.number)
    }
    for table in numbers.keys.sorted() where store.tables.has(table) {
      let columns = Set(store.tables.columns(of: table).map { $0.name.uppercased() })
      guard columns.contains("Z_PK"), columns.contains("Z_ENT"), let wanted = numbers[table] else { continue }
      let statement = try store.connection.prepare(
        """
        SELECT Z_ENT, Z_PK FROM main.\(quotedIdentifier(table))
        WHERE Z_ENT IN (\(wanted.map(String.init).joined(separator: ", ")))
          \(object.map { "AND Z_PK = \($0.primaryKey)" } ?? "") ORDER BY Z_PK
        """)
      while try statement.step() {
        guard try body(ObjectKey(entity: statement.integer(0), primaryKey: statement.integer(1))) else {
          return
        }
      }
    }
  }
}
