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
