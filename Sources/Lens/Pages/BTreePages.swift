package import SQLite
import Values

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
