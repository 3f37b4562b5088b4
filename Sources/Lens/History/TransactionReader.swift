package import Base
import SQLite
package import StoreModel

/// Reads the view `transactions`: all in order, or one by its number.
///
/// Its texts are looked up here, once for all transactions of one program, instead of four times a row.
package final class TransactionReader {
  /// What transactions of one program share.
  private struct Program {
    var rows: [Int64?]
    var texts: [String?]
    var origin: TransactionOrigin
  }

  let view: View
  private let textView: View?
  private let connection: Connection
  /// Over the view, true for the app's own.
  private let isApp: String
  private let hasTimes: Bool
  private var lookup: Statement?
  private var knownTexts: [Int64: String]?
  private var last: (number: Int64, transaction: HistoryTransaction?)?
  private var lastProgram: Program?

  private static let names = View.origins.map(\.name)
  private static let columns =
    ["transaction", "timestamp"] + names.map { $0 + "Row" } + names.map { $0 + "Inline" }
  private static let firstRow = 2
  private static var firstInline: Int { firstRow + names.count }
  /// A framework keeps a few dozen texts; a hostile store might bring millions of long ones.
  private static let textLimit = 100_000

  package convenience init?(_ store: CoreDataStore) throws {
    try self.init(store.connection, FrameworkTables(store.tables))
  }

  /// Nil where the store keeps no transactions, or transactions without keys.
  init?(_ connection: Connection, _ tables: FrameworkTables) throws {
    guard tables.has(.transactions) else { return nil }
    self.connection = connection
    view = .transactions(tables)
    textView = .transactionTexts(tables)
    hasTimes = tables.has(.transactions, "ZTIMESTAMP")
    let prefix = TransactionOrigin.prefix
    isApp = """
      SUBSTR(COALESCE(author, ''), 1, \(prefix.utf8.count)) <> '\(prefix)'
      AND COALESCE(context, '') NOT IN ('\(prefix)export', '\(prefix)import')
      """
  }

  /// Whether `timestamp` has dates that no calendar has.
  func impossibleDates() throws -> Set<String> {
    guard hasTimes else { return [] }
    return try connection.impossibleDates(
      in: [("timestamp", "timestamp")], "FROM (\(view.select(["timestamp"])))", limit: .max)
  }

  /// Read when they are first needed.
  func texts() throws -> [Int64: String] {
    if let knownTexts { return knownTexts }
    var texts: [Int64: String] = [:]
    if let textView {
      try connection.forEachRow(textView.select(["row", "text"], "LIMIT \(Self.textLimit)")) { row in
        texts[row.integer(0)] = row.optionalName(1)
      }
    }
    knownTexts = texts
    return texts
  }

  /// Nil where there is no such row.
  package func transaction(_ number: Int64) throws -> HistoryTransaction? {
    if let last, last.number == number { return last.transaction }
    let lookup =
      try self.lookup ?? connection.prepare(view.select(Self.columns, "WHERE \"transaction\" = ?"))
    self.lookup = lookup
    try lookup.bind(.integer(number), at: 1)
    defer { lookup.reset() }
    let found = try lookup.step() ? try transaction(lookup) : nil
    last = (number, found)
    return found
  }

  private func transaction(_ row: Statement) throws -> HistoryTransaction {
    let program = try program(row)
    return HistoryTransaction(
      number: row.integer(0), timestamp: row.optionalReal(1).map(CoreDataDate.init(seconds:)),
      author: program.texts[0], bundle: program.texts[1], process: program.texts[2],
      context: program.texts[3], origin: program.origin)
  }

  private func program(_ row: Statement) throws -> Program {
    let indices = Self.names.indices
    let isInline = indices.contains { !row.isNull(Self.firstInline + $0) }
    if !isInline, let lastProgram,
      indices.allSatisfy({ row.optionalInteger(Self.firstRow + $0) == lastProgram.rows[$0] })
    {
      return lastProgram
    }
    let rows = indices.map { row.optionalInteger(Self.firstRow + $0) }
    let known = try self.texts()
    let texts = indices.map { index in
      rows[index].flatMap { known[$0] } ?? row.optionalName(Self.firstInline + index)
    }
    let program = Program(
      rows: rows, texts: texts, origin: TransactionOrigin(author: texts[0], context: texts[3]))
    if !isInline { lastProgram = program }
    return program
  }

  /// Calls `body` for every transaction, oldest first.
  package func forEach(_ body: (HistoryTransaction) throws -> Void) throws {
    let statement = try connection.prepare(view.select(Self.columns, "ORDER BY \"transaction\""))
    while try statement.step() { try body(transaction(statement)) }
  }

  /// Calls `body` for every transaction from that number on, oldest first, until it returns false.
  func forEach(from number: Int64, _ body: (HistoryTransaction) throws -> Bool) throws {
    let statement = try connection.prepare(
      view.select(Self.columns, "WHERE \"transaction\" >= ? ORDER BY \"transaction\""))
    try statement.bind(.integer(number), at: 1)
    while try statement.step() { guard try body(transaction(statement)) else { return } }
  }

  /// Calls `body` for those for which the condition over the view holds, oldest first. The view's alias is `t`.
  func forEach(
    where condition: String, _ values: [SQLiteValue], _ body: (HistoryTransaction) throws -> Void
  ) throws {
    try connection.forEachRow(
      view.select(Self.columns + Self.names, "t WHERE \(condition) ORDER BY \"transaction\""), values
    ) { try body(transaction($0)) }
  }

  /// Calls `body` for every text that a transaction refers to and that isn't there, by transaction. Nothing lies at the
  /// number 0, which old rows might have for none.
  package func forEachMissingText(
    _ body: (_ transaction: Int64, _ origin: String, _ text: Int64) -> Void
  ) throws {
    let rows = Self.names.map { $0 + "Row" }
    let known = textView.map { $0.select(["row"]) }
    let missing = rows.map { row in
      "\(row) <> 0" + (known.map { " AND \(row) NOT IN (\($0))" } ?? "")
    }
    let values = zip(rows, missing).map { "CASE WHEN \($1) THEN \($0) END" }
    try connection.forEachRow(
      """
      SELECT "transaction", \(values.joined(separator: ", ")) FROM (\(view.select(["transaction"] + rows)))
      WHERE \(missing.map { "(\($0))" }.joined(separator: " OR ")) ORDER BY "transaction"
      """
    ) { row in
      for (index, name) in Self.names.enumerated() {
        if let text = row.optionalInteger(1 + index) { body(row.integer(0), name, text) }
      }
    }
  }

  /// Every text that transactions have for one of the view's `origins`, in order.
  func texts(of origin: String) throws -> [String] {
    let columns = [origin + "Row", origin + "Inline"]
    var found: Set<String> = []
    try connection.forEachRow(
      "SELECT DISTINCT * FROM (\(view.select(columns))) LIMIT \(Self.textLimit)"
    ) { row in
      if let text = try row.optionalInteger(0).flatMap({ try texts()[$0] }) ?? row.optionalName(1) {
        found.insert(text)
      }
    }
    return found.sorted()
  }

  package func count() throws -> Int { try connection.first(view.count()) { Int($0.integer(0)) } ?? 0 }

  /// Those with a lower number.
  package func count(below number: Int64) throws -> Int {
    try connection.first(
      view.count(["transaction"], "WHERE \"transaction\" < ?"), [.integer(number)]
    ) { Int($0.integer(0)) } ?? 0
  }

  // MARK: One number of all

  /// SQLite takes an index for one MIN or one MAX, not for both at once:
  /// https://www.sqlite.org/optoverview.html#the_min_max_optimization
  private func first<T>(
    _ expression: String, of columns: [String], _ behind: String = "", _ values: [SQLiteValue] = [],
    read: (Statement) -> T?
  ) throws -> T? {
    try connection.first("SELECT \(expression) FROM (\(view.select(columns))) \(behind)", values, read) ?? nil
  }

  private static let ofApp = ["transaction", "author", "context"]

  /// The highest number, which clocks that were set back don't change.
  package func newestTransaction() throws -> Int64? {
    try first("MAX(\"transaction\")", of: ["transaction"]) { $0.optionalInteger(0) }
  }

  /// The first one saved at that moment or later; one without a time was saved in 2001.
  package func firstTransaction(notBefore moment: CoreDataDate) throws -> Int64? {
    try first(
      "\"transaction\"", of: ["transaction", "timestamp"],
      "WHERE COALESCE(timestamp, 0) >= ? ORDER BY \"transaction\" LIMIT 1",
      [.real(moment.seconds)]
    ) { $0.integer(0) }
  }

  private static func date(_ row: Statement) -> CoreDataDate? {
    row.optionalReal(0).map(CoreDataDate.init(seconds:))
  }

  /// When that transaction was saved; nil if it isn't there or has no time.
  package func time(of number: Int64) throws -> CoreDataDate? {
    guard hasTimes else { return nil }
    return try first(
      "timestamp", of: ["transaction", "timestamp"], "WHERE \"transaction\" = ?", [.integer(number)],
      read: Self.date)
  }

  /// The latest time that any transaction bears, whoever saved it.
  /// - Parameter moment: those after it don't count.
  package func newestTime(upTo moment: CoreDataDate? = nil) throws -> CoreDataDate? {
    guard hasTimes else { return nil }
    let condition = moment == nil ? "" : "WHERE timestamp <= ?"
    return try first(
      "MAX(timestamp)", of: ["timestamp"], condition, moment.map { [.real($0.seconds)] } ?? [],
      read: Self.date)
  }

  package func oldestTime() throws -> CoreDataDate? {
    hasTimes ? try first("MIN(timestamp)", of: ["timestamp"], read: Self.date) : nil
  }

  func exists(_ numbers: ClosedRange<Int64>) throws -> Bool {
    try first(
      "1", of: ["transaction"], "WHERE \"transaction\" BETWEEN ? AND ?",
      [.integer(numbers.lowerBound), .integer(numbers.upperBound)]
    ) { _ in true } ?? false
  }

  /// From the first to the last; nil if there are none.
  package func numbers() throws -> ClosedRange<Int64>? {
    guard
      let oldest = try first("MIN(\"transaction\")", of: ["transaction"], read: { $0.optionalInteger(0) }),
      let newest = try newestTransaction()
    else { return nil }
    return min(oldest, newest)...newest
  }

  package func firstAppTransaction(after number: Int64) throws -> HistoryTransaction? {
    try appTransaction(after: number, "ASC")
  }

  package func lastAppTransaction(after number: Int64) throws -> HistoryTransaction? {
    try appTransaction(after: number, "DESC")
  }

  private func appTransaction(after number: Int64, _ order: String) throws -> HistoryTransaction? {
    try first(
      "\"transaction\"", of: Self.ofApp,
      "WHERE \"transaction\" > ? AND \(isApp) ORDER BY \"transaction\" \(order) LIMIT 1",
      [.integer(number)]
    ) { $0.integer(0) }.flatMap(transaction)
  }

  package func appTransactions(after number: Int64) throws -> Int {
    try first("COUNT(*)", of: Self.ofApp, "WHERE \"transaction\" > ? AND \(isApp)", [.integer(number)]) {
      Int($0.integer(0))
    } ?? 0
  }
}

extension CoreDataStore {
  /// The last number that a transaction was given, as Z_PRIMARYKEY keeps it even if all of them are gone; 0 for none.
  var lastTransactionKey: Int64 {
    primaryKeys.framework.first { $0.name == FrameworkTable.transactions.entity }?.lastKey ?? 0
  }

  /// The number below which transactions were purged; nil if all that were ever saved are there, or none is kept.
  /// Numbers begin at 1 and are never given twice.
  package func historyPurgedBelow(_ transactions: TransactionReader?) throws -> Int64? {
    guard let transactions else { return nil }
    if let first = try transactions.numbers()?.lowerBound { return first > 1 ? first : nil }
    let last = lastTransactionKey
    return last > 0 && last < .max ? last + 1 : nil
  }
}
