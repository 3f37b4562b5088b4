package import Base
package import SQLite
import StoreModel

/// Rows of a large table as a few numbers each, as several threads read them and one takes them, in order. Reading a
/// million rows takes longer than everything that is done with them.
struct PackedRows<Row: BitwiseCopyable> {
  /// Reads the rows of a range, one after the other.
  typealias Reader = (_ range: KeyRange, _ take: (Row) throws -> Void) throws -> Void

  private let made: PartsInOrder

  /// About as much as the largest parts have; more would be memory without a gain.
  private static var bytesOfThread: Int { 1 << 18 }
  /// A range may have millions. Larger pieces would be memory of their own, which the system has to clear each time.
  private static var rowsOfPiece: Int { (1 << 16) / MemoryLayout<Row>.stride }

  /// - Parameter readers: one for each thread.
  init(_ ranges: KeyRanges, by readers: [Reader]) {
    made = PartsInOrder(
      parts: ranges.count,
      by: readers.map { read in
        { part, handOver in
          var rows: [Row] = []
          rows.reserveCapacity(Self.rowsOfPiece)
          // Also what comes before a damaged page.
          defer { _ = rows.isEmpty || rows.withUnsafeBytes(handOver) }
          try read(ranges[part]) { row in
            rows.append(row)
            guard rows.count == Self.rowsOfPiece else { return }
            defer { rows.removeAll(keepingCapacity: true) }
            // Nobody wants more.
            guard rows.withUnsafeBytes(handOver) else { throw InterruptedError() }
          }
        }
      }, bytes: readers.count * Self.bytesOfThread)
  }

  /// Calls `body` for the rows of a table, in the order of its keys.
  /// - Parameters:
  ///   - stores: the same store for several threads; no other uses them meanwhile. One thread reads what is small, and the
  ///     rows of one object.
  ///   - statement: for the rows for which a condition on the key holds; for all of them where nil.
  static func forEach(
    of table: String, each length: Int64, over key: String = "Z_PK", in store: CoreDataStore,
    _ stores: [CoreDataStore],
    statement: @escaping (CoreDataStore, _ condition: String?) throws -> Statement,
    read: @escaping (Statement, _ take: (Row) throws -> Void) throws -> Void, _ body: (Row) throws -> Void
  ) throws {
    guard stores.count > 1, let ranges = try store.keyRanges(of: table, each: length) else {
      return try read(statement(store, nil), body)
    }
    let readers = stores.map { store -> Reader in
      var statements = RangeStatement(over: key) { try statement(store, $0) }
      return { range, take in try read(statements.over(range), take) }
    }
    try PackedRows(ranges, by: readers).forEach(body)
  }

  /// - Throws: what a reader throws, after the rows before that.
  func forEach(_ body: (Row) throws -> Void) throws {
    while let pieces = try made.next(whileWaiting: { try Interruption.check() }) {
      for piece in pieces {
        try piece.withUnsafeBytes { bytes in
          for offset in stride(from: 0, to: bytes.count, by: MemoryLayout<Row>.stride) {
            try body(bytes.loadUnaligned(fromByteOffset: offset, as: Row.self))
          }
        }
      }
    }
  }
}

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

extension CoreDataStore {
  /// All keys of a table, in ranges. Both ends are looked up without a scan only one by one.
  /// - Returns: nil if the rows are few, however far apart their keys are; and for a forged table where each range would
  ///   need a scan, or some rows have no key.
  func keyRanges(of table: String, each length: Int64) throws -> KeyRanges? {
    // Only of whole numbers each is in exactly one range.
    let keys = tables.columns(of: table).filter(\.isPrimaryKey)
    guard keys.count == 1, keys[0].name == "Z_PK", keys[0].declaredType.uppercased() == "INTEGER" else {
      return nil
    }
    let table = "main.\(quotedIdentifier(table))"
    func first<T>(_ sql: String, _ read: (Statement) -> T?) throws -> T? {
      try connection.first(sql, [], read) ?? nil
    }
    guard try first("SELECT 1 FROM \(table) LIMIT 1 OFFSET \(3 * length)", { _ in true }) == true,
      try first("SELECT 1 FROM \(table) WHERE Z_PK IS NULL LIMIT 1", { _ in true }) == nil,
      let lowest = try first("SELECT MIN(Z_PK) FROM \(table)", { $0.optionalInteger(0) }),
      let highest = try first("SELECT MAX(Z_PK) FROM \(table)", { $0.optionalInteger(0) }), lowest <= highest
    else { return nil }
    return KeyRanges(of: lowest...highest, each: length)
  }
}
