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
  looksFor: "A store whose header says that it works with a rollback journal.",
  why: """
    Core Data works with a -wal unless an app's pragmas say otherwise. Without one, query generations aren't to be \
    had, readers wait for writers, and code that counts on either fails.
    """,
  nextLaunch: """
    The framework opens the store with the journal that the app's options name. Pinning a context to a query \
    generation fails with "Unsupported feature in this configuration" where that isn't WAL.
    """,
  remedy: """
    Leave the pragma journal_mode out of NSSQLitePragmasOption, or set it to WAL. A store that was only prepared \
    for shipping, as one file, needs nothing.
    """,
  falsePositives: """
    Stores that apps ship, and copies made by VACUUM INTO, have a rollback journal until they are first opened.
    """,
  evidence: "Documented by Apple: https://developer.apple.com/library/archive/qa/qa1809/_index.html",
  message: "The store works with a rollback journal.")
