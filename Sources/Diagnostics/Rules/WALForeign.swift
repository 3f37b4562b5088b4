import Evidence
import Values

extension Rule {
  static let walForeign = Rule(about) { examination, findings in
    guard let opened = examination.opened else { throw filesUnknown }
    guard opened.way == .withoutWAL else { return }
    findings.add(subject: "wal", [.init("bytes", .integer(opened.files.wal?.size ?? 0))])
  }
}

private let about = RuleHeader(
  """
  Rule: wal-foreign
  Severity: error
  Title: The -wal belongs to another store
  Shows: A main file that is intact alone, next to a -wal with which it is damaged: pages that the -wal counts are
    in neither file, or SQLite's quick check finds damage only with the -wal. Everything else is then checked
    without it. Stores of more than 32 MB are judged by the pages alone.
  Why: SQLite doesn't notice that a -wal is another store's, or that of another copy of the same store, and mixes
    the pages of both.
  Next launch: SQLite shows the mix to the app and writes it to the main file at the next checkpoint, which damages
    that permanently (NSSQLiteErrorDomain 11).
  Remedy: Quit the app, and move the -wal and the -shm away before anything opens the store. If newer commits are
    missing then, copy the store and its own -wal again, together, from where they came.
  False positives: Damage that an app wrote through SQLite itself and that is still in the -wal alone. A -wal that
    fits by chance isn't noticed; nor is one whose main file is damaged, too.
  Evidence: Documented by SQLite:
    https://www.sqlite.org/howtocorrupt.html#_mispairing_database_files_and_hot_journals
  Message: The -wal next to the store belongs to another store, or to another copy of this one. The main file is
    intact: move the -wal away, and don't let the app open the two together.
  """)
