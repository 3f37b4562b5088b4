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
  "journal-not-wal", .info,
  title: "A store without write-ahead logging",
  looksFor: "A store whose header specifies a rollback journal.",
  why: """
    Core Data uses a -wal unless an app's pragmas specify otherwise. Without a -wal, query generations \
    aren't available, readers wait for writers, and code that relies on either fails.
    """,
  nextLaunch: """
    The framework opens the store with the journal mode of the app's options. If that isn't WAL, pinning a \
    context to a query generation fails with "Unsupported feature in this configuration".
    """,
  remedy: """
    Leave the pragma journal_mode out of NSSQLitePragmasOption, or set it to WAL. A store that was only \
    prepared for shipping as a single file needs no fix.
    """,
  falsePositives: """
    Stores shipped with apps, and copies made with VACUUM INTO, have a rollback journal until they are first \
    opened.
    """,
  evidence: "Documented by Apple: https://developer.apple.com/library/archive/qa/qa1809/_index.html",
  message: "The store uses a rollback journal.")
