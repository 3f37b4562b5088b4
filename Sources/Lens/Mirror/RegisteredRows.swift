import SQLite
import StoreModel
import Values

/// The keys of rows of mirrored entities, table by table.
struct RegisteredRows {
  private let entities: MirroredEntities
  /// The one that is asked for; all of them where nil.
  private let object: ObjectScope?

  private static let keysOfPart: Int64 = 4096

  init(_ entities: MirroredEntities, of object: ObjectScope?) {
    (self.entities, self.object) = (entities, object)
  }

  /// - Parameter readers: the same store for several threads; none for small ones.
  func forEach(
    in store: CoreDataStore, _ readers: () throws -> [CoreDataStore], _ body: (ObjectKey) throws -> Void
  ) throws {
    var numbers: [String: [Int64]] = [:]
    for entity in store.schema.entities
    where entities.countsRows(of: entity.number) && object?.entities.contains(entity.number) != false {
      numbers[entity.table, default: []].append(entity.number)
    }
    for (table, wanted) in numbers.sorted(by: { $0.key < $1.key }) where store.tables.holdsObjects(table) {
      func statement(in store: CoreDataStore, where condition: String? = nil) throws -> Statement {
        let conditions = [
          "Z_ENT IN (\(wanted.map(String.init).joined(separator: ", ")))",
          object.map { "Z_PK = \($0.primaryKey)" }, condition,
        ].compactMap(\.self)
        return try store.connection.prepare(
          """
          SELECT Z_ENT, Z_PK FROM main.\(quotedIdentifier(table))
          WHERE \(conditions.joined(separator: " AND ")) ORDER BY Z_PK
          """)
      }
      let stores = object == nil ? try readers() : []
      if stores.count > 1, let ranges = try store.keyRanges(of: table, each: Self.keysOfPart) {
        let readers = stores.map { store -> PackedRows<ObjectKey>.Reader in
          var statements = RangeStatement { try statement(in: store, where: $0) }
          return { range, take in try Self.read(statements.over(range), take) }
        }
        try PackedRows(ranges, by: readers).forEach(body)
      } else {
        try Self.read(statement(in: store), body)
      }
    }
  }

  private static func read(_ statement: Statement, _ take: (ObjectKey) throws -> Void) throws {
    while try statement.step() {
      try take(ObjectKey(entity: statement.integer(0), primaryKey: statement.integer(1)))
    }
  }
}
