package import SQLite
import StoreModel
package import Values

/// One statement for one range of keys after the other: compiling it for each would take a tenth of the time.
package struct RangeStatement {
  private let key: String
  private let prepare: (_ condition: String) throws -> Statement
  /// For ranges with both ends.
  private var shared: Statement?

  /// - Parameters:
  ///   - key: the keys' column.
  ///   - prepare: makes it from a condition on it.
  package init(over key: String = "Z_PK", _ prepare: @escaping (_ condition: String) throws -> Statement) {
    (self.key, self.prepare) = (key, prepare)
  }

  /// About to begin with the first row.
  package mutating func over(_ range: KeyRange) throws -> Statement {
    guard let from = range.from, let upTo = range.upTo else { return try prepare(range.condition(key)) }
    let statement = try shared ?? prepare("\(key) >= ?1 AND \(key) < ?2")
    shared = statement
    try statement.bind([.integer(from), .integer(upTo)])
    return statement
  }
}
