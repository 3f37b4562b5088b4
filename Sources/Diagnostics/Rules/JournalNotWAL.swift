import Evidence
import Values

extension Rule {
  static let journalNotWAL = Rule(about) { examination, findings in
    guard let opened = examination.opened else { throw filesUnknown }
    if !opened.files.header.usesWAL {
      findings.add(subject: "journal", [.init("journal", .text("rollback"))])
    }
  }
}

private let about = RuleHeader(
  """
  Rule: journal-not-wal
  Severity: info
  Title: A store without write-ahead logging
  Shows: A store whose header specifies a rollback journal.
  Why: Core Data uses a -wal unless an app's pragmas specify otherwise. Without a -wal, query generations aren't
    available, readers wait for writers, and code that relies on either fails.
  Next launch: The framework opens the store with the journal mode of the app's options. If that isn't WAL, pinning
    a context to a query generation fails with "Unsupported feature in this configuration".
  Remedy: Leave the pragma journal_mode out of NSSQLitePragmasOption, or set it to WAL. A store that was only
    prepared for shipping as a single file needs no fix.
  False positives: Stores shipped with apps, and copies made with VACUUM INTO, have a rollback journal until they
    are first opened.
  Evidence: Documented by Apple: https://developer.apple.com/library/archive/qa/qa1809/_index.html
  Message: The store uses a rollback journal.
  """)
