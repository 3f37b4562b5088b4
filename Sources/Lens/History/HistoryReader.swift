package import SQLite
import StoreModel
import Values

/// Reads persistent history, change by change, in the order in which it was written.
package final class HistoryReader {
  /// What happened to an object. Raw values are those of `NSPersistentHistoryChangeType`.
  package enum ChangeKind: Int64, Sendable, CaseIterable {
    case insert, update, delete

    package var name: String { "\(self)" }
  }

  /// One row of ACHANGE. Mask and tombstones are read on demand, and only until the next row.
  package struct Change {
    package let primaryKey: Int64
    package let transactionNumber: Int64?
    /// Nil where the row it refers to is missing.
    package let transaction: HistoryTransaction?
    /// Nil for a number that no framework is known to write; `rawKind` has it.
    package let kind: ChangeKind?
    package let rawKind: Int64
    package let entity: Int64
    package let objectKey: Int64
    fileprivate let statement: Statement
    fileprivate let tombstones: Int

    package var mask: [UInt8]? { statement.optionalBytes(Column.mask) }

    /// The kept values in the order of the columns, as the store has them.
    package var tombstoneCells: [Cell] { (0..<tombstones).map { statement.cell(Column.tombstones + $0) } }
  }

  private enum Column {
    static let primaryKey = 0
    static let transaction = 1
    static let kind = 2
    static let entity = 3
    static let objectKey = 4
    static let mask = 5
    static let transactionRow = 6
    static let timestamp = 7
    static let author = 8
    static let tombstones = 16
  }

  package let tables: HistoryTables
  private let connection: Connection
  private let strings: [Int64: String]

  /// Nil where the store keeps no history.
  package init?(_ connection: Connection) throws {
    guard let tables = try HistoryTables(connection) else { return nil }
    self.tables = tables
    self.connection = connection
    var strings: [Int64: String] = [:]
    if tables.hasStrings {
      // A framework keeps a few dozen; a hostile store might bring millions of long ones.
      try connection.forEachRow("SELECT Z_PK, ZNAME FROM ATRANSACTIONSTRING LIMIT 100000") { row in
        strings[row.integer(0)] = row.optionalName(1)
      }
    }
    self.strings = strings
  }

  /// Calls `body` for each change that passes the filter, oldest first, until it returns false.
  package func forEachChange(
    _ filter: HistoryFilter = HistoryFilter(), reversed: Bool = false, _ body: (Change) throws -> Bool
  ) throws {
    let clause = filter.clause(tables)
    let direction = reversed ? "DESC" : "ASC"
    let tombstones = tables.tombstoneColumns
    let texts = ["ZAUTHOR", "ZBUNDLEID", "ZPROCESSID", "ZCONTEXTNAME"]
    let columns =
      ["c.Z_PK", "c.ZTRANSACTIONID"] + ["ZCHANGETYPE", "ZENTITY", "ZENTITYPK", "ZCOLUMNS"].map(tables.change)
      + ["t.Z_PK", tables.transaction("ZTIMESTAMP")]
      + texts.flatMap { [tables.transaction($0 + "TS"), tables.transaction($0)] }
      + tombstones.map { "c.\($0)" }
    let statement = try connection.prepare(
      """
      SELECT \(columns.joined(separator: ", "))
      FROM ACHANGE c LEFT JOIN ATRANSACTION t ON t.Z_PK = c.ZTRANSACTIONID\(clause.sql)
      ORDER BY c.ZTRANSACTIONID \(direction), c.Z_PK \(direction)
      """)
    try statement.bind(clause.values)
    var transaction: HistoryTransaction?
    while try statement.step() {
      if statement.isNull(Column.transactionRow) {
        transaction = nil
      } else if transaction?.number != statement.integer(Column.transactionRow) {
        transaction = self.transaction(statement)
      }
      let change = Change(
        primaryKey: statement.integer(Column.primaryKey),
        transactionNumber: statement.optionalInteger(Column.transaction), transaction: transaction,
        kind: ChangeKind(rawValue: statement.optionalInteger(Column.kind) ?? -1),
        rawKind: statement.integer(Column.kind), entity: statement.integer(Column.entity),
        objectKey: statement.integer(Column.objectKey), statement: statement, tombstones: tombstones.count)
      guard try body(change) else { return }
    }
  }

  /// How many changes pass the filter.
  package func count(_ filter: HistoryFilter = HistoryFilter()) throws -> Int {
    let clause = filter.clause(tables)
    let source =
      clause.sql.contains("t.")
      ? "ACHANGE c LEFT JOIN ATRANSACTION t ON t.Z_PK = c.ZTRANSACTIONID" : "ACHANGE c"
    return try connection.first("SELECT COUNT(*) FROM \(source)\(clause.sql)", clause.values) {
      Int($0.integer(0))
    } ?? 0
  }

  /// Transactions that pass the filter and have no change.
  func forEachEmptyTransaction(_ filter: HistoryFilter, _ body: (HistoryTransaction) -> Void) throws {
    let clause = filter.clause(tables, changes: false)
    let texts = ["ZAUTHOR", "ZBUNDLEID", "ZPROCESSID", "ZCONTEXTNAME"].flatMap {
      [tables.transaction($0 + "TS"), tables.transaction($0)]
    }
    let nothing = [String](repeating: "NULL", count: Column.transactionRow)
    let columns = nothing + ["t.Z_PK", tables.transaction("ZTIMESTAMP")] + texts
    let isEmpty = "NOT EXISTS (SELECT 1 FROM ACHANGE c WHERE c.ZTRANSACTIONID = t.Z_PK)"
    try connection.forEachRow(
      """
      SELECT \(columns.joined(separator: ", ")) FROM ATRANSACTION t\(clause.sql)
      \(clause.sql.isEmpty ? "WHERE" : "AND") \(isEmpty) ORDER BY t.Z_PK
      """, clause.values
    ) { body(transaction($0)) }
  }

  private func transaction(_ row: Statement) -> HistoryTransaction {
    func text(_ index: Int) -> String? {
      let column = Column.author + 2 * index
      return row.optionalInteger(column).flatMap { strings[$0] } ?? row.optionalName(column + 1)
    }
    return HistoryTransaction(
      number: row.integer(Column.transactionRow),
      timestamp: row.optionalReal(Column.timestamp).map(CoreDataDate.init(seconds:)), author: text(0),
      bundle: text(1), process: text(2), context: text(3))
  }
}
