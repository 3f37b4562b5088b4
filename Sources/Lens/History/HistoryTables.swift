package import SQLite
import StoreModel

/// Which of persistent history's tables and columns this store has.
///
/// Two generations are known from real stores: the first (framework 851) keeps author, bundle, process and context
/// as text in ATRANSACTION; all later ones keep numbers of rows in ATRANSACTIONSTRING.
package struct HistoryTables: Sendable, Equatable {
  package var transactionColumns: Set<String>
  package var changeColumns: Set<String>
  package var hasStrings: Bool

  /// Nil where history was never switched on.
  package init?(_ connection: Connection) throws {
    guard try connection.hasTable("ACHANGE") else { return nil }
    try self.init(transactionsIn: connection)
  }

  /// For those who ask about transactions only, which a store may still have when its changes are lost. Nil where
  /// there is no table of transactions.
  package init?(transactionsIn connection: Connection) throws {
    guard try connection.hasTable("ATRANSACTION") else { return nil }
    transactionColumns = Set(try connection.columns(of: "ATRANSACTION").map(\.name))
    changeColumns = Set(try connection.columns(of: "ACHANGE").map(\.name))
    hasStrings = try connection.hasTable("ATRANSACTIONSTRING")
  }

  /// With everything that any generation has.
  package static let complete = HistoryTables(
    transactionColumns: [
      "Z_PK", "ZTIMESTAMP", "ZAUTHORTS", "ZBUNDLEIDTS", "ZPROCESSIDTS", "ZCONTEXTNAMETS",
    ], changeColumns: ["Z_PK", "ZTRANSACTIONID", "ZCHANGETYPE", "ZENTITY", "ZENTITYPK", "ZCOLUMNS"],
    hasStrings: true)

  private init(transactionColumns: Set<String>, changeColumns: Set<String>, hasStrings: Bool) {
    self.transactionColumns = transactionColumns
    self.changeColumns = changeColumns
    self.hasStrings = hasStrings
  }

  /// Columns of attributes that are kept when an object is deleted: `ZTOMBSTONE0`, `ZTOMBSTONE1` ….
  package var tombstoneColumns: [String] {
    var columns: [String] = []
    while changeColumns.contains("ZTOMBSTONE\(columns.count)") {
      columns.append("ZTOMBSTONE\(columns.count)")
    }
    return columns
  }

  /// SQL for a column of the transaction `t`, NULL where this store's table lacks it.
  package func transaction(_ column: String) -> String {
    transactionColumns.contains(column) ? "t.\(column)" : "NULL"
  }

  /// SQL for a column of the change `c`.
  package func change(_ column: String) -> String { changeColumns.contains(column) ? "c.\(column)" : "NULL" }

  /// SQL for a text of the transaction `t`: inline, or through its number.
  package func text(_ column: String) -> String {
    let inline = transaction(column)
    guard hasStrings, transactionColumns.contains(column + "TS") else { return inline }
    return "COALESCE((SELECT ZNAME FROM main.ATRANSACTIONSTRING s WHERE s.Z_PK = t.\(column)TS), \(inline))"
  }
}
