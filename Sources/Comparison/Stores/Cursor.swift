import Base
import SQLite
import StoreModel

/// Rows of one of the two stores.
final class Cursor {
  let row: Statement
  private let owner: ComparedStore

  var path: String { owner.store.path }

  init(_ statement: Statement, of owner: ComparedStore) {
    row = statement
    self.owner = owner
  }

  /// Goes to the next row; false at the end.
  func next() throws -> Bool {
    do { return try row.step() } catch  where !error.isInterrupt {
      throw error.failure(reading: path)
    }
  }

  /// Whether there is a row for the value, which is then the current one.
  func find(_ key: Int64) throws -> Bool {
    try owner.naming { try row.bind(.integer(key), at: 1) }
    return try next()
  }
}

/// Rows of both stores side by side, by the name in their first column. Names must come in the order of their bytes.
enum NameMerge {
  /// Calls `body` with all rows of one name in each store; one of the two may be none.
  /// - Parameter row: what is kept of a row; nil leaves it out.
  /// - Throws: `StoreScopeError` where names come in another order, as from a damaged index.
  static func forEach<Row>(
    _ ours: Cursor, _ theirs: Cursor, row: (Statement, _ isOther: Bool) -> Row?,
    _ body: (_ ours: [Row], _ theirs: [Row]) throws -> Void
  ) throws {
    var one = Side(ours)
    var two = Side(theirs)
    try one.start()
    try two.start()
    while one.isAtRow || two.isAtRow {
      let order =
        !two.isAtRow ? -1 : !one.isAtRow ? 1 : one.name == two.name ? 0 : one.precedes(two.name) ? -1 : 1
      let ours = order <= 0 ? try one.group { row($0, false) } : []
      let theirs = order >= 0 ? try two.group { row($0, true) } : []
      try body(ours, theirs)
    }
  }

  private struct Side {
    let cursor: Cursor
    var isAtRow = false
    /// Of the current row.
    var name: [UInt8] = []

    init(_ cursor: Cursor) { self.cursor = cursor }

    func precedes(_ other: [UInt8]) -> Bool { name.lexicographicallyPrecedes(other) }

    mutating func start() throws {
      isAtRow = try cursor.next()
      if isAtRow { name = cursor.row.bytes(0) }
    }

    /// The rows of the current name; afterward the next name's first is the current one.
    mutating func group<Row>(_ body: (Statement) -> Row?) throws -> [Row] {
      var rows: [Row] = []
      repeat {
        if let row = body(cursor.row) { rows.append(row) }
        isAtRow = try cursor.next()
      } while isAtRow && cursor.row.withBytes(0) { $0.elementsEqual(name) }
      guard isAtRow else { return rows }
      let next = cursor.row.bytes(0)
      guard precedes(next) else {
        throw StoreScopeError(
          .damaged,
          "The record names of '\(cursor.path)' aren't in order, so the index over them is damaged or they aren't UTF-8",
          about: cursor.path, advice: "'--match key --only objects' works without record names")
      }
      name = next
      return rows
    }
  }
}
