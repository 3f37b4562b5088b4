import SQLite
import Values

/// Runs the steps of a plan in one transaction, and lets nothing else happen in it.
enum Change {
  /// - Parameter check: runs before the commit; what it throws rolls everything back.
  /// - Throws: `StoreScopeError` where SQLite changed other rows than planned; everything is rolled back then.
  static func run(_ plan: Plan, on connection: Connection, check: () throws -> Void) throws -> [Applied
    .Change]
  {
    var counted: [Key: Int] = [:]
    connection.onRowChange { change, table in
      counted[Key(table: table, change: change), default: 0] += 1
    }
    defer { connection.onRowChange(nil) }
    try connection.inTransaction {
      for counted in plan.steps {
        try connection.execute(counted.step.sql, counted.step.values)
        guard connection.changes == counted.rows else {
          throw StoreScopeError(
            "\(counted.step.table) would change in \(connection.changes) rows instead of the planned \(counted.rows); everything was rolled back."
          )
        }
      }
      var planned: [Key: Int] = [:]
      for counted in plan.steps {
        planned[Key(table: counted.step.table, change: counted.step.change), default: 0] += counted.rows
      }
      guard counted == planned else {
        let odd = counted.first { planned[$0.key] != $0.value }?.key.table ?? "a table"
        throw StoreScopeError("\(odd) changed in other rows than planned; everything was rolled back.")
      }
      try check()
    }
    return plan.steps.map {
      Applied.Change(table: $0.step.table, action: $0.step.change.rawValue, rows: $0.rows)
    }
  }

  private struct Key: Hashable {
    var table: String
    var change: RowChange
  }
}
