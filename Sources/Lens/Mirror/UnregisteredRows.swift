import SQLite
import StoreModel

extension Mirror {
  /// Calls `body` for each object of a mirrored entity that has no record, and to which no history leads that the
  /// exporter hasn't processed yet: table by table, by primary key.
  package func forEachUnregisteredObject(_ body: (ObjectKey) throws -> Void) throws {
    guard tables.has(.records, "ZENTITYID"), tables.has(.records, "ZENTITYPK") else { return }
    var rows = try UnregisteredRows(store, mirroredEntities()).reading(withoutRecord: true)
    while let key = try rows.next() {
      if try unanalyzed()[key].outcome == .nothing { try body(key) }
    }
  }
}

/// The keys of rows of mirrored entities, table by table.
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

  /// - Parameter withoutRecord: leaves out rows that have record metadata, which must have its columns then.
  func reading(withoutRecord: Bool = false) -> Reading {
    // A join makes itself an index where the store's is missing; a subquery for each row doesn't.
    let join =
      withoutRecord
      ? "LEFT JOIN main.ANSCKRECORDMETADATA m ON m.ZENTITYID = r.Z_ENT AND m.ZENTITYPK = r.Z_PK" : ""
    var numbers: [String: [Int64]] = [:]
    for entity in store.schema.entities
    where entities.countsRows(of: entity.number) && object?.entities.contains(entity.number) != false {
      numbers[entity.table, default: []].append(entity.number)
    }
    let statements = numbers.sorted { $0.key < $1.key }.filter { store.tables.holdsObjects($0.key) }.map {
      table, wanted in
      """
      SELECT r.Z_ENT, r.Z_PK FROM main.\(quotedIdentifier(table)) r \(join)
      WHERE r.Z_ENT IN (\(wanted.map(String.init).joined(separator: ", ")))
        \(object.map { "AND r.Z_PK = \($0.primaryKey)" } ?? "") \(withoutRecord ? "AND m.Z_PK IS NULL" : "")
      ORDER BY r.Z_PK
      """
    }
    return Reading(connection: store.connection, statements: statements[...])
  }

  struct Reading {
    fileprivate let connection: Connection
    fileprivate var statements: ArraySlice<String>
    private var current: Statement?

    fileprivate init(connection: Connection, statements: ArraySlice<String>) {
      self.connection = connection
      self.statements = statements
    }

    /// One row after the other, and nil at the end.
    mutating func next() throws -> ObjectKey? {
      while true {
        if let current, try current.step() {
          return ObjectKey(entity: current.integer(0), primaryKey: current.integer(1))
        }
        current = nil
        guard let sql = statements.popFirst() else { return nil }
        current = try connection.prepare(sql)
      }
    }
  }
}
