import SQLite
import StoreModel
package import Values

/// Looks transactions up by number: who, when, and on whose behalf.
package final class TransactionOrigins {
  package struct Transaction: Sendable, Equatable {
    package var number: Int64
    package var author: String?
    package var context: String?
    package var timestamp: CoreDataDate?
    package var origin: TransactionOrigin
  }

  private let connection: Connection
  /// SQL over the transaction `t` that is true for the app's own.
  let isApp: String
  private let columns: String
  private let lookup: Statement
  private let strings: [Int64: String]
  private var last: (number: Int64, transaction: Transaction?)?

  /// Nil where the store keeps no transactions.
  init?(_ connection: Connection) throws {
    guard let tables = try HistoryTables(transactionsIn: connection) else { return nil }
    self.connection = connection
    var strings: [Int64: String] = [:]
    if tables.hasStrings {
      // A framework keeps a few dozen; a hostile store might bring millions of long ones.
      try connection.forEachRow("SELECT Z_PK, ZNAME FROM main.ATRANSACTIONSTRING LIMIT 100000") { row in
        strings[row.integer(0)] = row.optionalText(1)
      }
    }
    self.strings = strings
    let author = tables.text("ZAUTHOR")
    let context = tables.text("ZCONTEXTNAME")
    let prefix = TransactionOrigin.prefix
    isApp = """
      SUBSTR(COALESCE(\(author), ''), 1, \(prefix.utf8.count)) <> '\(prefix)'
      AND COALESCE(\(context), '') NOT IN ('\(prefix)export', '\(prefix)import')
      """
    func column(_ name: String) -> String { tables.transactionColumns.contains(name) ? "t.\(name)" : "NULL" }
    columns =
      (["t.Z_PK"]
      + ["ZTIMESTAMP", "ZAUTHORTS", "ZAUTHOR", "ZCONTEXTNAMETS", "ZCONTEXTNAME"].map(column)).joined(
        separator: ", ")
    lookup = try connection.prepare("SELECT \(columns) FROM main.ATRANSACTION t WHERE t.Z_PK = ?")
  }

  /// Nil where there is no such row.
  package func transaction(_ number: Int64) throws -> Transaction? {
    if let last, last.number == number { return last.transaction }
    try lookup.bind(.integer(number), at: 1)
    defer { lookup.reset() }
    let found = try lookup.step() ? transaction(lookup) : nil
    last = (number, found)
    return found
  }

  private func transaction(_ row: Statement) -> Transaction {
    func text(_ column: Int) -> String? {
      row.optionalText(column + 1) ?? row.optionalInteger(column).flatMap { strings[$0] }
    }
    let author = text(2)
    let context = text(4)
    return Transaction(
      number: row.integer(0), author: author, context: context,
      timestamp: row.optionalReal(1).map(CoreDataDate.init(seconds:)),
      origin: TransactionOrigin(author: author, context: context))
  }

  /// Calls `body` for every transaction, oldest first.
  func forEach(_ body: (Transaction) throws -> Void) throws {
    let statement = try connection.prepare("SELECT \(columns) FROM main.ATRANSACTION t ORDER BY t.Z_PK")
    while try statement.step() { try body(transaction(statement)) }
  }

  /// Calls `body` for every transaction from that number on, oldest first, until it returns false.
  func forEach(from number: Int64, _ body: (Transaction) throws -> Bool) throws {
    let statement = try connection.prepare(
      "SELECT \(columns) FROM main.ATRANSACTION t WHERE t.Z_PK >= ? ORDER BY t.Z_PK")
    try statement.bind(.integer(number), at: 1)
    while try statement.step() { guard try body(transaction(statement)) else { return } }
  }

  func newestTransaction() throws -> Int64? {
    try connection.first("SELECT MAX(Z_PK) FROM main.ATRANSACTION") { $0.optionalInteger(0) } ?? nil
  }

  func oldestTransaction() throws -> Int64? {
    try connection.first("SELECT MIN(Z_PK) FROM main.ATRANSACTION") { $0.optionalInteger(0) } ?? nil
  }

  func exists(_ number: Int64) throws -> Bool {
    try connection.first("SELECT 1 FROM main.ATRANSACTION WHERE Z_PK = ?", [.integer(number)]) { _ in true }
      ?? false
  }

  func hasAppTransaction(after number: Int64) throws -> Bool { try firstAppTransaction(after: number) != nil }

  package func firstAppTransaction(after number: Int64) throws -> Transaction? {
    let found = try connection.first(
      "SELECT t.Z_PK FROM main.ATRANSACTION t WHERE t.Z_PK > ? AND \(isApp) ORDER BY t.Z_PK LIMIT 1",
      [.integer(number)]
    ) { $0.integer(0) }
    return try found.flatMap(transaction)
  }

  package func lastAppTransaction(after number: Int64) throws -> Transaction? {
    let found = try connection.first(
      "SELECT t.Z_PK FROM main.ATRANSACTION t WHERE t.Z_PK > ? AND \(isApp) ORDER BY t.Z_PK DESC LIMIT 1",
      [.integer(number)]
    ) { $0.integer(0) }
    return try found.flatMap(transaction)
  }

  package func appTransactions(after number: Int64) throws -> Int {
    try connection.first(
      "SELECT COUNT(*) FROM main.ATRANSACTION t WHERE t.Z_PK > ? AND \(isApp)", [.integer(number)]
    ) { Int($0.integer(0)) } ?? 0
  }
}
