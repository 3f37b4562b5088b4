package import Base
import SQLite
package import StoreModel

/// A table of objects, and which of its columns hold what for each of its entities.
struct SearchedTable {
  let name: String
  private(set) var columns: [String] = []
  /// Columns that may hold blobs.
  private var blobs: [Int] = []
  /// By entity number.
  private(set) var properties: [Int64: [(column: Int, property: ValueMatcher.Property)]] = [:]

  /// All tables of these entities, in the order of the entities' numbers.
  /// - Parameter includes: whether a property is searched.
  static func all(
    of entities: [SchemaEntity], in store: CoreDataStore,
    includes: (ValueMatcher.Property) -> Bool = { _ in true }
  ) -> [SearchedTable] {
    var tables: [SearchedTable] = []
    for entity in entities where store.tables.holdsObjects(entity.table) {
      let place = tables.firstIndex { $0.name == entity.table } ?? tables.count
      if place == tables.count { tables.append(SearchedTable(name: entity.table)) }
      tables[place].add(entity, includes)
    }
    return tables.filter { !$0.columns.isEmpty }.map { $0.withBlobs(in: store) }
  }

  private init(name: String) { self.name = name }

  private func withBlobs(in store: CoreDataStore) -> SearchedTable {
    let types = ["BLOB", ""]
    let names = Set(
      store.tables.columns(of: name).filter { types.contains($0.declaredType.uppercased()) }.map(\.name))
    var table = self
    // A result has 2,000 columns at most (https://www.sqlite.org/limits.html#max_column). Of the other blobs, the size
    // isn't asked first.
    let most = max(0, 2000 - 2 - columns.count)
    table.blobs = Array(columns.indices.filter { names.contains(columns[$0]) }.prefix(most))
    return table
  }

  private mutating func add(_ entity: SchemaEntity, _ includes: (ValueMatcher.Property) -> Bool) {
    for attribute in entity.attributes {
      for leaf in attribute.leaves {
        let property = ValueMatcher.Property(leaf, of: attribute)
        guard let column = leaf.column, includes(property) else { continue }
        let index = columns.firstIndex(of: column) ?? columns.count
        if index == columns.count { columns.append(column) }
        properties[entity.number, default: []].append((index, property))
      }
    }
  }

  /// The size of a blob that `statement` left out; nil for any other value.
  func unreadBytes(_ statement: Statement, _ column: Int) -> Int64? {
    guard let place = blobs.firstIndex(of: column) else { return nil }
    let size = 2 + columns.count + place
    return statement.isNull(size) ? nil : statement.integer(size)
  }

  /// Whether rows have a match, or a value that can't be searched.
  func screen(_ store: CoreDataStore, _ matcher: ValueMatcher) -> ScreenedRanges.Screen {
    var statements = RangeStatement { try statement(in: store, where: $0) }
    return { range in
      let statement = try statements.over(range)
      let problems = matcher.problems.count
      // Most rows have the entity of the one before.
      var (entity, searched) = (Int64?.none, properties[0] ?? [])
      while try statement.step() {
        try Interruption.check()
        if entity != statement.integer(1) {
          entity = statement.integer(1)
          searched = properties[statement.integer(1)] ?? []
        }
        // A loop over the elements would count references of each.
        for index in searched.indices {
          let column = searched[index].column
          if unreadBytes(statement, column) != nil
            || matcher.find(in: statement.cell(2 + column), of: searched[index].property) != nil
            || matcher.problems.count != problems
          {
            return true
          }
        }
      }
      return false
    }
  }

  /// The rows: key, entity number, columns, and the sizes of blobs above the limit, which are left out.
  /// - Parameter range: of keys; nil for all rows.
  func statement(in store: CoreDataStore, _ range: KeyRange? = nil) throws -> Statement {
    try statement(in: store, where: range?.condition("Z_PK") ?? "1")
  }

  private func statement(in store: CoreDataStore, where condition: String) throws -> Statement {
    // Nearly all are small, so that the type of few is asked.
    let isLarge = { (name: String) in "length(\(name)) > \(ValueMatcher.limit) AND typeof(\(name)) = 'blob'" }
    let names = columns.map(quotedIdentifier)
    let values = names.enumerated().map { index, name in
      blobs.contains(index) ? "CASE WHEN \(isLarge(name)) THEN NULL ELSE \(name) END" : name
    }
    let sizes = blobs.map { "CASE WHEN \(isLarge(names[$0])) THEN length(\(names[$0])) END" }
    return try store.connection.prepare(
      """
      SELECT Z_PK, Z_ENT, \((values + sizes).joined(separator: ", ")) FROM main.\(quotedIdentifier(name))
      WHERE \(condition) ORDER BY Z_PK
      """)
  }
}

/// Those ranges of a large table's keys that hold what is looked for, as several threads find them. The rows in them are
/// then read again, in order, as those of a small table are. Most searches find something in few ranges: on two
/// cores, a search without a match takes half of the time.
package final class ScreenedRanges {
  /// Whether a range may hold what is looked for.
  package typealias Screen = (KeyRange) throws -> Bool

  private let ranges: KeyRanges
  private let made: PartsInOrder
  private var left: ArraySlice<UInt8> = []
  private var index = 0

  /// Few rows may be of many kilobytes each.
  private static let keysOfRange: Int64 = 512

  /// - Parameters:
  ///   - stores: one for each thread; no other uses them meanwhile.
  ///   - screen: made for each of them.
  /// - Returns: nil where one thread reads the table as fast.
  /// - Throws: `SQLiteError`.
  package init?(
    of table: String, in store: CoreDataStore, by stores: () throws -> [CoreDataStore],
    screen: (CoreDataStore) -> Screen
  ) throws {
    let stores = try stores()
    // Who reads the table in order says what can't be read.
    guard stores.count > 1, let ranges = try? store.keyRanges(of: table, each: Self.keysOfRange) else {
      return nil
    }
    self.ranges = ranges
    made = PartsInOrder(
      parts: ranges.count,
      by: stores.map { store in
        let screen = screen(store)
        return { part, handOver in
          // What can't be read is said when its turn comes.
          let holds = (try? screen(ranges[part])) ?? true
          withUnsafeBytes(of: holds) { _ = handOver($0) }
        }
      }, ahead: 16)
  }

  /// Nil at the end.
  package func next(whileWaiting: () -> Void) throws -> KeyRange? {
    while true {
      while let holds = left.popFirst() {
        index += 1
        if holds != 0 { return ranges[index - 1] }
      }
      // The statements are too short for SQLite to ask.
      let pieces = try made.next {
        try Interruption.check()
        whileWaiting()
      }
      guard let pieces else { return nil }
      left = Array(pieces.joined())[...]
    }
  }
}
