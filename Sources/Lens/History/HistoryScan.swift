import SQLite
import StoreModel

/// One change, without anything that takes time to read.
struct ScannedChange {
  var transaction: Int64
  var origin: TransactionOrigin
  var entity: Int64
  var primaryKey: Int64
  /// Nil for a number that no framework is known to write.
  var kind: HistoryReader.ChangeKind?
}

/// Goes through many changes fast, oldest first: the app's own objects only, and only changes whose transaction
/// still exists, as the framework's own exporter sees them.
struct HistoryScan {
  private let connection: Connection
  private let tables: MirrorTables
  private let origins: TransactionOrigins

  init(_ connection: Connection, _ tables: MirrorTables, _ origins: TransactionOrigins) {
    self.connection = connection
    self.tables = tables
    self.origins = origins
  }

  /// Calls `body` for each change of a transaction above the number, of one object where it is given.
  func forEach(
    after number: Int64, of object: ObjectScope? = nil, _ body: (ScannedChange) throws -> Void
  ) throws {
    guard ["ZTRANSACTIONID", "ZENTITY", "ZENTITYPK", "ZCHANGETYPE"].allSatisfy({ tables.has(.changes, $0) })
    else { return }
    let condition = object.map { " AND " + $0.condition(entity: "c.ZENTITY", primaryKey: "c.ZENTITYPK") }
    let statement = try connection.prepare(
      """
      SELECT c.ZTRANSACTIONID, c.ZENTITY, c.ZENTITYPK, c.ZCHANGETYPE FROM main.ACHANGE c
      WHERE c.ZTRANSACTIONID > ?\(condition ?? "") ORDER BY c.ZTRANSACTIONID, c.Z_PK
      """)
    try statement.bind(.integer(number), at: 1)
    var current: (number: Int64, origin: TransactionOrigin?)?
    while try statement.step() {
      let number = statement.integer(0)
      if current?.number != number { current = (number, try origins.transaction(number)?.origin) }
      guard let origin = current?.origin else { continue }
      let entity = statement.integer(1)
      guard entity > 0, entity < PrimaryKeyTable.firstFrameworkNumber else { continue }
      try body(
        ScannedChange(
          transaction: number, origin: origin, entity: entity, primaryKey: statement.integer(2),
          kind: statement.optionalInteger(3).flatMap(HistoryReader.ChangeKind.init(rawValue:))))
    }
  }
}
