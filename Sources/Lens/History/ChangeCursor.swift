package import SQLite
package import StoreModel

/// Goes through the rows of the view `changes` as the store has them: numbers instead of names, and the rest only for
/// those who ask. The doctor, `pending` and `history` read millions of changes by it.
///
/// With the transactions of a `TransactionReader` that is about seven times as fast as asking the view in SQL for who
/// changed what and when: 200,000 changes took 0.2 seconds instead of 1.4 (debug build), as the view looks its
/// transaction up again for each column of each change.
package struct ChangeCursor {
  /// What is read in addition to the numbers.
  package struct Extras: OptionSet, Sendable {
    package let rawValue: UInt8
    package init(rawValue: UInt8) { self.rawValue = rawValue }

    package static let mask = Extras(rawValue: 1)
    package static let tombstone = Extras(rawValue: 2)
  }

  package enum Order: Sendable {
    /// As they were written, and as they lie in the file.
    case row
    case transaction, transactionDescending

    fileprivate var sql: String {
      switch self {
      case .row: "\"row\""
      case .transaction: "\"transaction\", \"row\""
      case .transactionDescending: "\"transaction\" DESC, \"row\" DESC"
      }
    }
  }

  private static let numbers = ["row", "transaction", "entityNumber", "pk", "kind"]

  private let statement: Statement
  private let extras: Extras
  private let tombstones: Int
  private var firstTombstone: Int { Self.numbers.count + (extras.contains(.mask) ? 1 : 0) }

  package private(set) var change = HistoryChange()

  /// - Parameters:
  ///   - condition: over the view's numbers.
  ///   - values: of the condition's parameters.
  /// - Returns: nil where the store keeps no changes.
  init?(
    _ connection: Connection, _ tables: FrameworkTables, extras: Extras = [], order: Order = .transaction,
    where condition: String = "", _ values: [SQLiteValue] = []
  ) throws {
    guard tables.has(.changes) else { return nil }
    self.extras = extras
    tombstones = extras.contains(.tombstone) ? tables.tombstoneColumns.count : 0
    let columns =
      Self.numbers + (extras.contains(.mask) ? ["mask"] : [])
      + (0..<tombstones).map { "tombstone\($0)" }
    let clause = condition.isEmpty ? "" : "WHERE \(condition) "
    statement = try connection.prepare(
      View.changes(tables).select(columns, "\(clause)ORDER BY \(order.sql)"))
    try statement.bind(values)
  }

  package init?(_ store: CoreDataStore, extras: Extras = [], order: Order) throws {
    try self.init(store.connection, FrameworkTables(store.tables), extras: extras, order: order)
  }

  /// Goes to the next change, which is then the current one; false at the end.
  package mutating func next() throws -> Bool {
    guard try statement.step() else { return false }
    change.row = statement.integer(0)
    change.transaction = integer(1)
    change.entity = integer(2)
    change.objectKey = integer(3)
    change.rawKind = statement.integer(4)
    // 0 is an insert as well as what a missing number reads as.
    change.kind =
      change.rawKind == 0 && statement.isNull(4) ? nil : ChangeKind(rawValue: change.rawKind)
    return true
  }

  /// Asks whether there is a number only where it reads as none: most columns are never NULL.
  private func integer(_ column: Int) -> Int64? {
    let number = statement.integer(column)
    return number == 0 && statement.isNull(column) ? nil : number
  }

  /// What the current change changed; nil where it is no update, its mask can't be read, or wasn't asked for.
  package func properties(_ names: ChangeNames) -> ChangeNames.Properties? {
    guard extras.contains(.mask), !statement.isNull(Self.numbers.count) else { return nil }
    return statement.withBytes(Self.numbers.count) { names.properties(of: change, mask: $0) }
  }

  /// Whether it has a mask without a bit in it.
  package var hasEmptyMask: Bool {
    extras.contains(.mask) && !statement.isNull(Self.numbers.count)
      && statement.withBytes(Self.numbers.count) { $0.allSatisfy { $0 == 0 } }
  }

  /// The current change's kept values in the order of the columns, as the store has them.
  package var tombstoneCells: [Cell] { (0..<tombstones).map { statement.cell(firstTombstone + $0) } }
}
