import Lens
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
  /// Seen so far.
  private(set) var rows = 0

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
    rows &+= 1
    change.primaryKey = statement.integer(0)
    change.transaction = integer(1)
    change.entity = integer(2)
    change.objectKey = integer(3)
    change.kind = kind
    number = change.transaction ?? .min
    if number >= highest { highest = number } else if change.transaction != nil { isInOrder = false }
    namesNothing = false
    if readsMasks, case .update = change.kind {
      namesNothing = statement.withBytes(5) { $0.allSatisfy { $0 == 0 } } && !statement.isNull(5)
    }
  }

  /// Asks whether there is a number only where it reads as none: most columns are never NULL.
  private func integer(_ column: Int) -> Int64? {
    let number = statement.integer(column)
    return number == 0 && statement.isNull(column) ? nil : number
  }

  /// As by `ChangeKind(rawValue:)`, which is too slow for millions from another module.
  private var kind: HistoryReader.ChangeKind? {
    switch integer(4) {
    case 0: .insert
    case 1: .update
    case 2: .delete
    default: nil
    }
  }
}
