import SQLite
package import StoreModel

/// Bytes that history takes in the file, tables and indexes.
package struct HistorySize {
  private static let tables: [FrameworkTable] = [.changes, .transactions, .transactionStrings]
  private static let sample = 1000

  package let bytes: Int64
  /// Else taken from the number of rows and the length of some of them.
  package let isMeasured: Bool
  package let fileBytes: Int64

  /// - Parameters:
  ///   - changes: rows of ACHANGE.
  ///   - transactions: rows of ATRANSACTION.
  ///   - measures: false for what is taken if SQLite can't measure.
  package init(_ store: CoreDataStore, changes: Int, transactions: Int, measures: Bool = true) throws {
    let connection = store.connection
    let pages = try connection.first("PRAGMA main.page_count") { $0.integer(0) } ?? 0
    let pageSize = try connection.first("PRAGMA main.page_size") { $0.integer(0) } ?? 0
    fileBytes = pages.multipliedReportingOverflow(by: pageSize).partialValue
    if measures, let measured = try BTreePages.bytes(of: Self.tables, in: connection) {
      bytes = measured
      isMeasured = true
    } else {
      let changeBytes = try Self.estimate(store, .changes, rows: changes)
      let transactionBytes = try Self.estimate(store, .transactions, rows: transactions)
      bytes = min(fileBytes, changeBytes + transactionBytes)
      isMeasured = false
    }
  }

  /// A row is its values, a byte or two for each column's type, and its key; an index's row two numbers.
  private static func estimate(_ store: CoreDataStore, _ table: FrameworkTable, rows: Int) throws -> Int64 {
    let columns = store.tables.columns(of: table.rawValue).map(\.name)
    guard rows > 0, !columns.isEmpty else { return 0 }
    let lengths = columns.map { column in
      let name = quotedIdentifier(column)
      return
        "CASE TYPEOF(\(name)) WHEN 'null' THEN 0 WHEN 'integer' THEN 3 WHEN 'real' THEN 8 ELSE LENGTH(CAST(\(name) AS BLOB)) END"
    }
    let average =
      try store.connection.first(
        """
        SELECT AVG(length) FROM (SELECT \(lengths.joined(separator: " + ")) AS length FROM main.\(table.rawValue)
        ORDER BY Z_PK DESC LIMIT \(sample))
        """
      ) { $0.real(0) } ?? 0
    let indexes =
      try store.connection.first(
        "SELECT COUNT(*) FROM pragma_index_list(?, 'main')", [.text(table.rawValue)]
      ) { $0.integer(0) } ?? 0
    let row = average + Double(columns.count) + 6 + Double(indexes) * 12
    return Int64(min(row * Double(rows), 1e18))
  }
}
