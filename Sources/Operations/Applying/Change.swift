import Base
import Evidence
package import Lens
import SQLite

/// Runs the steps of a plan in one transaction, and lets nothing else happen in it.
enum Change {
  /// - Parameter check: runs before the commit; what it throws rolls everything back.
  /// - Throws: `StoreScopeError` if SQLite changed other rows than planned; everything is rolled back then.
  static func run(_ plan: Plan, on connection: Connection, check: () throws -> Void) throws -> [Applied
    .Change]
  {
    var counted: [Key: Int] = [:]
    connection.onRowChange { change, table in
      counted[Key(table: table, change: change), default: 0] += 1
    }
    defer { connection.onRowChange(nil) }
    try connection.inTransaction {
      var rows = try rowCounts(connection)
      let total = connection.totalChanges
      for counted in plan.steps {
        let changed = try counted.step.run(counted.keys, on: connection)
        guard changed == counted.rows else {
          throw StoreScopeError(
            .failed,
            "\(counted.step.table) would change in \(Sentence.count(changed, "row")) instead of the planned \(counted.rows)",
            outcome: .rolledBack)
        }
      }
      var planned: [Key: Int] = [:]
      for counted in plan.steps {
        planned[Key(table: counted.step.table, change: counted.step.change), default: 0] += counted.rows
        switch counted.step.change {
        case .insert: rows[counted.step.table, default: 0] += counted.rows
        case .delete: rows[counted.step.table, default: 0] -= counted.rows
        case .update: break
        }
      }
      try compare(counted, planned) { $0.table }
      // SQLite doesn't report each row of every table: not those WITHOUT ROWID, of its own sequences, or that a REPLACE
      // takes away. https://www.sqlite.org/c3ref/update_hook.html
      try compare(rowCounts(connection), rows) { $0 }
      guard connection.totalChanges - total == plan.rows else {
        throw StoreScopeError(
          .failed,
          "\(Sentence.count(connection.totalChanges - total, "row")) would change instead of the planned \(plan.rows)",
          outcome: .rolledBack)
      }
      try check()
    }
    return plan.steps.map {
      Applied.Change(table: $0.step.table, action: $0.step.change.rawValue, rows: $0.rows)
    }
  }

  private static func compare<K: Hashable>(_ found: [K: Int], _ planned: [K: Int], table: (K) -> String)
    throws
  {
    guard found != planned else { return }
    let odd = Set(found.keys).union(planned.keys).first { found[$0] != planned[$0] }.map(table) ?? "a table"
    throw StoreScopeError(.failed, "Rows of \(odd) changed that weren't planned", outcome: .rolledBack)
  }

  /// How many rows each table has. A virtual table keeps its own in ordinary ones, and may lack its module here.
  private static func rowCounts(_ connection: Connection) throws -> [String: Int] {
    let tables = try connection.rows(
      "SELECT name FROM pragma_table_list WHERE schema = 'main' AND type NOT IN ('view', 'virtual')"
    ) { $0.text(0) }
    var counts: [String: Int] = [:]
    for table in tables {
      counts[table] = try connection.first("SELECT COUNT(*) FROM main.\(quotedIdentifier(table))") {
        Int($0.integer(0))
      }
    }
    return counts
  }

  private struct Key: Hashable {
    var table: String
    var change: RowChange
  }
}

/// Tries an operation in memory: the store's files are only read.
package enum Rehearsal {
  /// Runs the plan's steps over a copy-on-write view of the store.
  /// - Parameter body: is given the store as it would be.
  package static func run<R>(
    _ operation: Operation, _ choices: Choices, path: String, modelPath: String?,
    _ body: (OpenStore, Plan) throws -> R
  ) throws -> R {
    let files = try StoreFiles(path: path)
    var options = OpenOptions.overlay()
    options.runsSchemaCode = false
    let connection = try Connection(path: files.resolvedPath, options: options)
    defer { connection.close() }
    _ = try connection.ignoreSchemaExpressions()
    func open() throws -> OpenStore {
      try OpenStore(connection, path: path, resolvedPath: files.resolvedPath, modelPath: modelPath)
    }
    let before = try Target(open(), file: files.main.identity)
    let plan = try Planner.plan(operation, choices, on: before)
    _ = try Change.run(plan, on: connection) {}
    return try body(open(), plan)
  }
}
