import SQLite
import StoreModel

/// Copies the rows of one table, each value replaced on the way.
struct RowCopy {
  private let table: RedactedTable
  private let cells: CellMarks
  private let source: Connection
  private let target: Connection

  init(_ table: RedactedTable, _ cells: CellMarks, from source: Connection, to target: Connection) {
    self.table = table
    self.cells = cells
    self.source = source
    self.target = target
  }

  /// A row whose marks break a CHECK, which only an app's own table can have, is left out.
  /// - Parameter step: called for each row.
  func run(step: () -> Void) throws -> RedactedRows {
    var copied = RedactedRows(table)
    let names = (table.rowNumber.map { [$0] } ?? []) + table.columns.map(\.name)
    guard !names.isEmpty else { return copied }
    let columns = names.map(quotedIdentifier).joined(separator: ", ")
    let name = quotedIdentifier(table.name)
    let reading = try source.prepare("SELECT \(columns) FROM main.\(name) NOT INDEXED")
    let places = Array(repeating: "?", count: names.count).joined(separator: ", ")
    let writing = try target.prepare("INSERT INTO main.\(name) (\(columns)) VALUES (\(places))")
    let first = names.count - table.columns.count
    while try reading.step() {
      step()
      copied.rows += 1
      let entity = table.entityColumn.flatMap { reading.optionalInteger($0 + first) }
      if first == 1 { try writing.bind(reading.value(0), at: 1) }
      for (index, column) in table.columns.enumerated() {
        let (value, what) = cells.value(reading.cell(index + first), column, entity: entity)
        if let what { copied.add(what, column: index) }
        try writing.bind(value, at: index + first + 1)
      }
      try target.checkLimits()
      if try !Self.add(writing) {
        copied.rows -= 1
        copied.rowsLeftOut += 1
      }
    }
    return copied
  }

  /// False where the row doesn't pass a CHECK, which is found out before anything is written.
  private static func add(_ writing: Statement) throws(SQLiteError) -> Bool {
    do {
      try writing.run()
      return true
    } catch {
      guard error.isCheckFailure else { throw error }
      return false
    }
  }
}
