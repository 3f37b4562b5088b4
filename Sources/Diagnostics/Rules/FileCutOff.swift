import Evidence
import Values

extension Rule {
  static let fileCutOff = Rule(about) { examination, findings in
    guard let opened = examination.opened else { throw filesUnknown }
    let missing = try opened.missingPages()
    guard missing > 0 || opened.files.isInWALAlone else { return }
    if opened.files.isInWALAlone { findings.remedy = remedyOfEmptyFile }
    findings.add(
      subject: "file",
      [
        .init("missingPages", .count(missing)), .init("bytes", .integer(opened.files.main.size)),
        .init(
          "what",
          .text(
            opened.files.isInWALAlone
              ? "The file is empty (0 bytes). What is shown is in its -wal alone, which an app or SQLite deletes when it opens the store"
              : "The file is \(opened.files.cutOff(missing))")),
      ])
  }
}

extension Rule {
  static let remedyOfEmptyFile = """
    Don't open it with an app or sqlite3. Copy both files, then get the main file again from where it came. 'storescope \
    export' saves what is in the -wal.
    """
}

private let about = RuleHeader(
  """
  Rule: file-cut-off
  Severity: error
  Title: The file is cut off
  Shows: A main file with fewer pages than its header counts, of which the -wal doesn't have the rest; and an empty
    main file next to a -wal with commits.
  Why: What was in the missing pages can't be read: it isn't in the file.
  Next launch: SQLite refuses the file (NSSQLiteErrorDomain 11), or fails at the first missing page. If the file is
    empty, SQLite deletes the -wal, and the app begins with an empty store.
  Remedy: Copy the store again from where it came, together with its -wal: copying was probably interrupted. If that
    is all that's left, restore a backup; sqlite3's '.recover' finds only what is in the remaining pages.
  False positives: None known. In a store with a -wal that wasn't copied, the rest may be in there: the fix is the
    same.
  Evidence: Documented by SQLite: https://www.sqlite.org/fileformat2.html#in_header_database_size
  Message: {what}.
  """)
