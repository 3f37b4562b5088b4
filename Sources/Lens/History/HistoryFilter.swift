import SQLite
import StoreModel
package import Values

/// Which changes are wanted.
package struct HistoryFilter: Sendable, Equatable {
  package enum Author: Sendable, Equatable {
    case named(String)
    case missing
  }

  package var author: Author?
  package var entities: ClosedRange<Int64>?
  package var primaryKey: Int64?
  package var since: CoreDataDate?
  package var until: CoreDataDate?
  package var transactions: ClosedRange<Int64>?

  package init(
    author: Author? = nil, entities: ClosedRange<Int64>? = nil, primaryKey: Int64? = nil,
    since: CoreDataDate? = nil, until: CoreDataDate? = nil, transactions: ClosedRange<Int64>? = nil
  ) {
    self.author = author
    self.entities = entities
    self.primaryKey = primaryKey
    self.since = since
    self.until = until
    self.transactions = transactions
  }

  /// Moments are printed to the microsecond, and what was printed must find what it was printed of.
  private static let printedPrecision = 0.000_000_5

  /// True where only some changes of a transaction may be meant.
  var looksAtChanges: Bool { entities != nil || primaryKey != nil }

  /// ` WHERE …` over the change `c` and its transaction `t`, with the values to bind. Without `changes`, only what
  /// can be said of a transaction.
  func clause(_ tables: HistoryTables, changes: Bool = true) -> (sql: String, values: [SQLiteValue]) {
    var terms: [String] = []
    var values: [SQLiteValue] = []
    switch author {
    case .named(let name):
      terms.append("\(tables.text("ZAUTHOR")) = ?")
      values.append(.text(name))
    case .missing: terms.append("\(tables.text("ZAUTHOR")) IS NULL")
    case nil: break
    }
    if changes, let entities {
      terms.append("c.ZENTITY BETWEEN ? AND ?")
      values += [.integer(entities.lowerBound), .integer(entities.upperBound)]
    }
    if changes, let primaryKey {
      terms.append("c.ZENTITYPK = ?")
      values.append(.integer(primaryKey))
    }
    if let since {
      terms.append("t.ZTIMESTAMP >= ?")
      values.append(.real(since.seconds - Self.printedPrecision))
    }
    if let until {
      terms.append("t.ZTIMESTAMP <= ?")
      values.append(.real(until.seconds + Self.printedPrecision))
    }
    if let transactions {
      terms.append("\(changes ? "c.ZTRANSACTIONID" : "t.Z_PK") BETWEEN ? AND ?")
      values += [.integer(transactions.lowerBound), .integer(transactions.upperBound)]
    }
    return (terms.isEmpty ? "" : " WHERE " + terms.joined(separator: " AND "), values)
  }
}
