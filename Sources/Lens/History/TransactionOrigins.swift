package import SQLite
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
    package var bundle: String?
    package var process: String?
  }

  /// What transactions of one program share, so that its texts are looked up once for many of them.
  private struct Program {
    var numbers: [Int64?]
    var author: String?
    var context: String?
    var bundle: String?
    var process: String?
    var origin: TransactionOrigin
  }

  private let connection: Connection
  /// SQL over the transaction `t` that is true for the app's own.
  let isApp: String
  private let columns: String
  private let hasTimes: Bool
  private let lookup: Statement
  private let strings: [Int64: String]
  private var last: (number: Int64, transaction: Transaction?)?
  private var lastProgram: Program?
  /// Columns of texts; those of interned ones end in `TS`.
  private static let texts = ["ZAUTHOR", "ZCONTEXTNAME", "ZBUNDLEID", "ZPROCESSID"]

  /// Nil where the store keeps no transactions, or transactions without keys.
  package init?(_ connection: Connection) throws {
    guard let tables = try HistoryTables(transactionsIn: connection),
      tables.transactionColumns.contains("Z_PK")
    else { return nil }
    self.connection = connection
    var strings: [Int64: String] = [:]
    if tables.hasStrings {
      // A framework keeps a few dozen; a hostile store might bring millions of long ones.
      try connection.forEachRow("SELECT Z_PK, ZNAME FROM main.ATRANSACTIONSTRING LIMIT 100000") { row in
        strings[row.integer(0)] = row.optionalName(1)
      }
    }
    self.strings = strings
    hasTimes = tables.transactionColumns.contains("ZTIMESTAMP")
    let author = tables.text("ZAUTHOR")
    let context = tables.text("ZCONTEXTNAME")
    let prefix = TransactionOrigin.prefix
    isApp = """
      SUBSTR(COALESCE(\(author), ''), 1, \(prefix.utf8.count)) <> '\(prefix)'
      AND COALESCE(\(context), '') NOT IN ('\(prefix)export', '\(prefix)import')
      """
    func column(_ name: String) -> String { tables.transactionColumns.contains(name) ? "t.\(name)" : "NULL" }
    columns =
      (["t.Z_PK"] + (["ZTIMESTAMP"] + Self.texts.map { $0 + "TS" } + Self.texts).map(column))
      .joined(separator: ", ")
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
    let program = program(row)
    return Transaction(
      number: row.integer(0), author: program.author, context: program.context,
      timestamp: row.optionalReal(1).map(CoreDataDate.init(seconds:)), origin: program.origin,
      bundle: program.bundle, process: program.process)
  }

  private func program(_ row: Statement) -> Program {
    let isInline = Self.texts.indices.contains { !row.isNull(2 + Self.texts.count + $0) }
    if !isInline, let lastProgram,
      lastProgram.numbers.indices.allSatisfy({ row.optionalInteger(2 + $0) == lastProgram.numbers[$0] })
    {
      return lastProgram
    }
    let numbers = Self.texts.indices.map { row.optionalInteger(2 + $0) }
    func text(_ index: Int) -> String? {
      row.optionalName(2 + Self.texts.count + index) ?? numbers[index].flatMap { strings[$0] }
    }
    let author = text(0)
    let context = text(1)
    let program = Program(
      numbers: numbers, author: author, context: context, bundle: text(2), process: text(3),
      origin: TransactionOrigin(author: author, context: context))
    if !isInline { lastProgram = program }
    return program
  }

  /// Calls `body` for every transaction, oldest first.
  package func forEach(_ body: (Transaction) throws -> Void) throws {
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

  /// The latest time that any transaction bears, whoever saved it.
  package func newestTime() throws -> CoreDataDate? {
    guard hasTimes else { return nil }
    return try connection.first("SELECT MAX(ZTIMESTAMP) FROM main.ATRANSACTION") {
      $0.optionalReal(0).map(CoreDataDate.init(seconds:))
    } ?? nil
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
