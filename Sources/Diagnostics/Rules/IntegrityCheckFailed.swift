import SQLite
import StoreModel
import Values

extension Rule {
  /// Damage in one page may show in thousands of lines.
  private static let integrityLines = 100

  static let integrityCheckFailed = Rule(about) { examination, findings in
    let connection = examination.store.connection
    let check = try connection.damage(isThorough: examination.isThorough, atMost: integrityLines)
    for problem in check.problems { findings.add(subject: problem, [.init("problem", .text(problem))]) }
    findings.omission = check.omission
  }
}

private let about = RuleHeader(
  """
  Rule: integrity-check-failed
  Severity: error
  Title: SQLite's check finds damage
  Shows: Damage that SQLite's quick check finds in the database's structure: it reads every page of every table and
    index. With --thorough it is SQLite's full integrity check, which also compares each index with its table and
    takes many times as long. The check stops after 100 problems. Expressions that the schema holds aren't
    evaluated: CHECK constraints, and tables with generated columns; with --thorough, indexes on expressions or with
    a condition.
  Why: A damaged page loses rows, and what Core Data reads from it may be wrong. Damage grows with every save.
  Next launch: The store opens as long as its first pages are intact; fetches and saves that touch the damage fail
    with NSSQLiteErrorDomain 11.
  Remedy: Quit the app, copy the store with its -wal and -shm, and restore a backup, or rebuild the copy with
    sqlite3's '.recover'. storescope can't repair damage.
  False positives: If a store was copied while an app wrote to it, or without its -wal, only the copy is damaged:
    copy all its files together, with the app closed.
  Evidence: Documented by SQLite: https://www.sqlite.org/pragma.html#pragma_quick_check
  Message: The file is damaged: SQLite's check finds {count} {problem|problems}, such as "{problem}".
  """)
