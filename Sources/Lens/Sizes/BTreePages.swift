import Base
package import SQLite
package import StoreModel

/// The pages of tables and indexes, each counted once for the first that has it: in a damaged file two may name the same.
/// https://www.sqlite.org/dbstat.html
package struct BTreePages {
  struct Tree {
    var name: String
    var table: String
    var isIndex: Bool
    /// Whether it is a table without row numbers, whose rows lie in all pages.
    var hasRowsInside: Bool
  }

  struct Size {
    /// Of those that have a place in the file.
    var pages: Int64 = 0
    var rows: Int64 = 0
    /// Why there may be more, a clause.
    var problem: String?
  }

  private let statement: Statement
  private let pagesInFile: Int64
  private var seen = PageSet()
  /// Pages of the file that have been counted.
  private(set) var owned: Int64 = 0

  /// Whether SQLite was built with the table that this asks.
  static func canBeRead(_ connection: Connection) throws -> Bool {
    try connection.first("SELECT 1 FROM pragma_module_list WHERE name = 'dbstat'") { _ in true } ?? false
  }

  init(_ connection: Connection, pagesInFile: Int64) throws {
    self.pagesInFile = pagesInFile
    // One tree at a time, so that damage in one leaves the others readable.
    statement = try connection.prepare("SELECT pageno, pagetype, ncell FROM dbstat('main') WHERE name = ?")
  }

  /// All of the main database, the schema's own first.
  static func trees(_ connection: Connection) throws -> [Tree] {
    let rowless = Set(
      try connection.rows("SELECT name FROM pragma_table_list WHERE schema = 'main' AND wr") { $0.text(0) })
    return [Tree(name: "sqlite_schema", table: "sqlite_schema", isIndex: false, hasRowsInside: false)]
      + (try connection.rows(
        "SELECT name, tbl_name, type FROM main.sqlite_schema WHERE rootpage > 0 ORDER BY name"
      ) { row in
        Tree(
          name: row.text(0), table: row.text(1), isIndex: row.text(2) == "index",
          hasRowsInside: rowless.contains(row.text(0)))
      })
  }

  /// All pages of these tables and their indexes, wherever they are; nil if SQLite can't list them.
  package static func bytes(of tables: [FrameworkTable], in connection: Connection) throws -> Int64? {
    guard try canBeRead(connection) else { return nil }
    let statement = try connection.prepare("SELECT pgsize FROM dbstat('main', 1) WHERE name = ?")
    var bytes: Int64 = 0
    let names = Set(tables.map(\.rawValue))
    for tree in try trees(connection) where names.contains(tree.table.uppercased()) {
      try statement.bind(.text(tree.name), at: 1)
      while try statement.step() { bytes += statement.integer(0) }
    }
    return bytes
  }

  /// Virtual tables, which keep what they have in tables named after them.
  static func virtualTables(_ connection: Connection) throws -> [String] {
    try connection.rows(
      "SELECT name FROM main.sqlite_schema WHERE type = 'table' AND COALESCE(rootpage, 0) = 0"
    ) { $0.name(0) }
  }

  mutating func size(of tree: Tree) throws -> Size {
    var size = Size()
    defer { statement.reset() }
    do {
      try statement.bind(.text(tree.name), at: 1)
      while try statement.step() {
        let page = statement.integer(0)
        guard seen.insert(page) else {
          // It would go on in a circle, or count what another has.
          size.problem = "page \(page) is used twice"
          break
        }
        if page <= pagesInFile {
          size.pages += 1
          owned += 1
        }
        let isLeaf = statement.withBytes(1) { $0.elementsEqual("leaf".utf8) }
        if isLeaf || tree.hasRowsInside { size.rows += statement.integer(2) }
      }
    } catch {
      guard !error.isInterrupt else { throw error }
      size.problem = error.message
    }
    return size
  }
}

/// Page numbers, a bit each, in memory for those ranges only that have any.
private struct PageSet {
  private var ranges: [Int64: [UInt64]] = [:]

  /// False if it is there already.
  mutating func insert(_ page: Int64) -> Bool {
    let (range, offset) = (page >> 16, Int(page & 0xFFFF))
    let bit: UInt64 = 1 << UInt64(offset & 63)
    var words = ranges.removeValue(forKey: range) ?? [UInt64](repeating: 0, count: 1024)
    defer { ranges[range] = words }
    guard words[offset >> 6] & bit == 0 else { return false }
    words[offset >> 6] |= bit
    return true
  }
}

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
