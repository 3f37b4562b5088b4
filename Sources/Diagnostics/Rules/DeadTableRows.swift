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
  "dead-table-rows", .info,
  title: "Unused tables with rows",
  looksFor: """
    Rows in the mirror's export tables, or tables of the first betas (ZNSCK…), which no current framework uses.
    """,
  why: """
    They only use disk space. Tools that count rows of ANSCKEXPORTEDOBJECT or ANSCKEXPORTOPERATION as \
    pending changes report meaningless numbers.
    """,
  nextLaunch: "Nothing; a migration of the mirror's tables may remove them.",
  remedy: """
    Ignore them, or free the space: 'storescope repair STORE clear-events' removes the rows of the export tables together with \
    the event log; 'storescope pending STORE' shows the changes that are really pending.
    """,
  needs: [.mirror],
  falsePositives: "A store that is still opened by iOS 13 or macOS 10.15 may use them.",
  evidence: "App authors report that these tables stay empty on current systems.",
  message: "{count} unused {table has|tables have} rows, such as {table} with {rows}.")
