import Lens
import SQLite
import StoreModel
import Values

extension Rule {
  static let deadTableRows = Rule(about) { examination, findings in
    let dead = FrameworkTable.allCases.filter { $0.isDead && examination.tables.has($0) }.map(\.rawValue)
    for table in dead + examination.tables.betaTables {
      let rows = try examination.store.connection.first(
        "SELECT COUNT(*) FROM main.\(quotedIdentifier(table))"
      ) { $0.integer(0) }
      guard let rows, rows > 0 else { continue }
      findings.add(subject: table, [.init("table", .text(table)), .init("rows", .integer(rows))])
    }
  }
}

private let about = RuleHeader(
  """
  Rule: dead-table-rows
  Severity: info
  Title: Unused tables with rows
  Shows: Rows in the mirror's export tables, or tables of the first betas (ZNSCK…), which no current framework uses.
  Why: They only use disk space. Tools that count rows of ANSCKEXPORTEDOBJECT or ANSCKEXPORTOPERATION as pending
    changes report meaningless numbers.
  Next launch: Nothing; a migration of the mirror's tables may remove them.
  Remedy: Ignore them, or free the space: 'storescope repair STORE clear-events' removes the rows of the export
    tables together with the event log; 'storescope pending STORE' shows the changes that are really pending.
  Needs: mirror
  False positives: A store that is still opened by iOS 13 or macOS 10.15 may use them.
  Evidence: App authors report that these tables stay empty on current systems.
  Message: {count} unused {table has|tables have} rows, such as {table} with {rows}.
  """)
