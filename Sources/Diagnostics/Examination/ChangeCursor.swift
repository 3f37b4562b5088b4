import CloudKitMirror
import SQLite
import StoreModel

/// Goes through the rows of ACHANGE; what a row lacks reads as nil.
struct ChangeCursor {
  private static let columns = ["Z_PK", "ZTRANSACTIONID", "ZENTITY", "ZENTITYPK", "ZCHANGETYPE", "ZCOLUMNS"]

  private let statement: Statement
  private let readsMasks: Bool

  private(set) var isAtEnd = false
  var change = ObservedChange(primaryKey: 0, hasTransaction: false)
  /// Of the transaction; the lowest of all numbers where the row has none.
  private(set) var number = Int64.min
  /// Whether the row has a mask of changed properties without a bit in it.
  private(set) var namesNothing = false
  /// Whether no row so far has a lower number than one before it.
  private(set) var isInOrder = true
  private var highest = Int64.min

  init(_ examination: Examination, byTransaction: Bool, readsMasks: Bool) throws {
    let tables = examination.tables
    let columns = Self.columns.dropLast(readsMasks ? 0 : 1).map { tables.sql(.changes, $0, "c") }
    let order =
      byTransaction && tables.has(.changes, "ZTRANSACTIONID") ? "c.ZTRANSACTIONID, c.Z_PK" : "c.Z_PK"
    statement = try examination.store.connection.prepare(
      "SELECT \(columns.joined(separator: ", ")) FROM main.ACHANGE c ORDER BY \(order)")
    self.readsMasks = readsMasks
  }

  mutating func advance() throws {
    guard try statement.step() else {
      isAtEnd = true
      return
    }
    change.primaryKey = statement.cell(0).integer
    change.transaction = statement.cell(1).optionalInteger
    change.entity = statement.cell(2).optionalInteger
    change.objectKey = statement.cell(3).optionalInteger
    change.kind = statement.cell(4).optionalInteger.flatMap(HistoryReader.ChangeKind.init(rawValue:))
    number = change.transaction ?? .min
    if number >= highest { highest = number } else if change.transaction != nil { isInOrder = false }
    guard readsMasks else { return }
    let mask = statement.cell(5)
    namesNothing =
      change.kind == .update && mask.type == .blob && mask.withBytes { $0.allSatisfy { $0 == 0 } }
  }
}

extension Cell {
  fileprivate var optionalInteger: Int64? { type == .null ? nil : integer }
}
