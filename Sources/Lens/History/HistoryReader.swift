package import Base
import SQLite
package import StoreModel

/// Reads persistent history, change by change, in the order in which it was written.
package final class HistoryReader {
  package let transactions: TransactionReader
  let connection: Connection
  let tables: FrameworkTables
  private let view: View
  /// Of a reader that can be asked for the changes of a property.
  private let names: ChangeNames?

  /// Nil where the store keeps no history.
  package convenience init?(_ store: CoreDataStore) throws {
    try self.init(store, FrameworkTables(store.tables))
  }

  package convenience init?(_ store: CoreDataStore, _ tables: FrameworkTables) throws {
    try self.init(
      store.connection, tables, TransactionReader(store.connection, tables), ChangeNames(store))
  }

  init?(
    _ connection: Connection, _ tables: FrameworkTables, _ transactions: TransactionReader?,
    _ names: ChangeNames? = nil
  ) {
    guard tables.has(.changes), let transactions else { return nil }
    self.transactions = transactions
    self.connection = connection
    self.tables = tables
    self.names = names
    view = .changes(tables)
  }

  /// Calls `body` for each change that passes the filter, oldest first, until it returns false. The change's mask and
  /// kept values can be read until it returns; the transaction is nil where its row is missing.
  package func forEachChange(
    _ filter: HistoryFilter = HistoryFilter(), reversed: Bool = false,
    reading extras: ChangeCursor.Extras = [.mask, .tombstone],
    _ body: (ChangeCursor, HistoryTransaction?) throws -> Bool
  ) throws {
    let condition = filter.ofChanges(transactions.view)
    let extras = filter.properties.isEmpty ? extras : extras.union(.mask)
    guard
      var cursor = try ChangeCursor(
        connection, tables, extras: extras, order: reversed ? .transactionDescending : .transaction,
        where: condition.sql, condition.values)
    else { return }
    var (number, transaction) = (Int64?.none, HistoryTransaction?.none)
    while try cursor.next() {
      if !filter.properties.isEmpty {
        let changed = names.flatMap(cursor.properties)?.names ?? []
        guard changed.contains(where: filter.properties.contains) else { continue }
      }
      if cursor.change.transaction != number {
        number = cursor.change.transaction
        transaction = try number.flatMap(transactions.transaction)
      }
      guard try body(cursor, transaction) else { return }
    }
  }

  /// Calls `body` for every change in the order in which they lie in the file, until it returns false.
  /// - Parameter keys: of objects of whatever entity.
  func forEachChangeAsWritten(
    of keys: ClosedRange<Int64>? = nil, _ body: (HistoryChange) throws -> Bool
  ) throws {
    // The sign keeps SQLite from reading by an index on keys, and then sorting.
    let isAmong = keys == nil ? "" : "+pk BETWEEN ? AND ?"
    let bounds: [SQLiteValue] = keys.map { [.integer($0.lowerBound), .integer($0.upperBound)] } ?? []
    guard var cursor = try ChangeCursor(connection, tables, order: .row, where: isAmong, bounds) else {
      return
    }
    while try cursor.next() { guard try body(cursor.change) else { return } }
  }

  /// Whether there is a transaction with such a number, or a change of one whose row is gone.
  package func has(_ numbers: ClosedRange<Int64>) throws -> Bool {
    if try transactions.exists(numbers) { return true }
    var isFound = false
    try forEachChange(HistoryFilter(transactions: numbers), reading: []) { _, _ in
      isFound = true
      return false
    }
    return isFound
  }

  /// How many changes pass the filter.
  package func count(_ filter: HistoryFilter = HistoryFilter()) throws -> Int {
    guard filter.properties.isEmpty else { return try totals(filter).changes }
    let condition = filter.ofChanges(transactions.view)
    let clause = condition.sql.isEmpty ? "" : "WHERE \(condition.sql)"
    return try connection.first(view.count(HistoryFilter.changeColumns, clause), condition.values) {
      Int($0.integer(0))
    } ?? 0
  }

  /// How many changes of how many transactions pass the filter, and when the first and the last was saved.
  package func totals(_ filter: HistoryFilter = HistoryFilter()) throws -> HistorySummary {
    if filter.isEmpty {
      return try HistorySummary(
        changes: count(), transactions: transactions.count(), first: transactions.oldestTime(),
        last: transactions.newestTime())
    }
    var totals = HistorySummary()
    var last: Int64?
    try forEachChange(filter, reading: []) { cursor, transaction in
      totals.changes += 1
      guard last != cursor.change.transaction || totals.changes == 1 else { return true }
      last = cursor.change.transaction
      totals.transactions += 1
      if let time = transaction?.timestamp {
        totals.first = min(totals.first ?? time, time)
        totals.last = max(totals.last ?? time, time)
      }
      return true
    }
    return totals
  }

  /// All changes of those transactions, or all there are, in ranges of transactions with about so many changes each.
  /// - Returns: nil where there are too few for several ranges, and where the order of the transactions isn't the order in
  ///   which an index has all changes.
  func ranges(in transactions: ClosedRange<Int64>?, changes: Int64) throws -> KeyRanges? {
    guard try areIndexedByTransaction() else { return nil }
    func first<T>(
      _ expression: String, _ rest: String = "", read: (Statement) -> T?
    ) throws -> T? {
      try connection.first(
        "SELECT \(expression) FROM (\(view.select(["row", "transaction"]))) \(rest)", [], read) ?? nil
    }
    // A range has none of those without a transaction.
    guard try first("1", "WHERE \"transaction\" IS NULL LIMIT 1", read: { _ in true }) == nil,
      let firstRow = try first("MIN(\"row\")", read: { $0.optionalInteger(0) }),
      let lastRow = try first("MAX(\"row\")", read: { $0.optionalInteger(0) }),
      let oldest = try first("MIN(\"transaction\")", read: { $0.optionalInteger(0) }),
      let newest = try newestChangedTransaction(), oldest <= newest
    else { return nil }
    let lower = max(oldest, transactions?.lowerBound ?? oldest)
    let upper = min(newest, transactions?.upperBound ?? newest)
    // Rows come and go at the ends: what was purged had the lowest.
    let (rows, rowsOverflow) = lastRow.subtractingReportingOverflow(firstRow)
    let (distance, overflows) = newest.subtractingReportingOverflow(oldest)
    guard lower <= upper, !rowsOverflow, !overflows, rows > changes else { return nil }
    return KeyRanges(of: lower...upper, each: max(1, distance / (rows / changes)))
  }

  private func areIndexedByTransaction() throws -> Bool {
    try connection.first(
      """
      SELECT 1 FROM pragma_index_list(?, 'main') i, pragma_index_info(i.name, 'main') c
      WHERE NOT i.partial AND c.seqno = 0 AND c.name = 'ZTRANSACTIONID' COLLATE NOCASE
      """, [.text(FrameworkTable.changes.rawValue)]
    ) { _ in true } ?? false
  }

  /// Every author, process or bundle that history names, in order.
  package func names(of origin: HistoryFilter.Origin) throws -> [String] {
    try transactions.texts(of: origin.rawValue)
  }

  /// The highest number of a transaction that any change names. An end of an index: nothing is read between.
  package func newestChangedTransaction() throws -> Int64? {
    try connection.first("SELECT MAX(\"transaction\") FROM (\(view.select(["transaction"])))") {
      $0.optionalInteger(0)
    } ?? nil
  }

  /// What one transaction did, whatever the kinds of its changes.
  package func changes(ofTransaction number: Int64) throws -> (counts: ChangeCounts, all: Int) {
    if counter == nil {
      let kinds = ChangeKind.allCases.map { "TOTAL(kind = \($0.rawValue))" }.joined(separator: ", ")
      counter = try connection.prepare(
        "SELECT \(kinds), COUNT(*) FROM (\(view.select(["transaction", "kind"]))) WHERE \"transaction\" = ?")
    }
    var counts = ChangeCounts()
    guard let counter else { return (counts, 0) }
    try counter.bind(.integer(number), at: 1)
    defer { counter.reset() }
    guard try counter.step() else { return (counts, 0) }
    counts.inserts = Int(counter.integer(0))
    counts.updates = Int(counter.integer(1))
    counts.deletes = Int(counter.integer(2))
    return (counts, Int(counter.integer(3)))
  }

  private var counter: Statement?

  /// Transactions that pass the filter and have no change.
  func forEachEmptyTransaction(_ filter: HistoryFilter, _ body: (HistoryTransaction) -> Void) throws {
    let condition = filter.ofTransactions
    let isEmpty =
      "NOT EXISTS (SELECT 1 FROM (\(view.select(["transaction"]))) c WHERE c.\"transaction\" = t.\"transaction\")"
    try transactions.forEach(
      where: condition.sql.isEmpty ? isEmpty : "\(condition.sql) AND \(isEmpty)", condition.values, body)
  }
}

/// How much history there is, or how much of it passes a filter.
package struct HistorySummary: Sendable, Equatable {
  package var changes = 0
  package var transactions = 0
  package var first: CoreDataDate?
  package var last: CoreDataDate?

  /// Nil for a store without history.
  package static let fields: [Field<Self?>] = [
    Field("present", "whether the store keeps a history") { $0 != nil },
    Field("transactions", "saves in it") { $0?.transactions ?? 0 },
    Field("changes", "changes of objects") { $0?.changes ?? 0 },
    Field("first", "the oldest") { $0?.first }, Field("last", "the newest") { $0?.last },
  ]

  package static let shape = Shape.named("history", fields.keys())
}

extension HistorySummary {
  /// All of it, without reading it; nil where the store keeps none.
  package init?(_ store: CoreDataStore, _ tables: FrameworkTables) throws {
    guard let reader = try HistoryReader(store, tables) else { return nil }
    self = try reader.totals()
  }
}
