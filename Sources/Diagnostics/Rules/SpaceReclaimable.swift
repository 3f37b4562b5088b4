import Evidence
import SQLite
import StoreModel
import SystemCalls
import Values

extension Rule {
  static let spaceReclaimable = Rule(about) { examination, findings in
    func pragma(_ name: String) throws -> Int64 {
      max(0, try examination.store.connection.first("PRAGMA main.\(name)") { $0.integer(0) } ?? 0)
    }
    let (pages, free, size) = try (pragma("page_count"), pragma("freelist_count"), pragma("page_size"))
    let bytes = free.multipliedReportingOverflow(by: size)
    guard pages > 0, !bytes.overflow, Double(bytes.partialValue) >= examination.setting("bytes", of: about),
      Double(free) >= examination.setting("share", of: about) * Double(pages)
    else { return }
    let needed = (pages - min(free, pages)) * size
    let folder = examination.opened.map { opened in
      let path = opened.files.resolvedPath
      return String(path[..<(path.lastIndex(of: "/") ?? path.startIndex)])
    }
    let room = folder.flatMap { Files.freeBytes(at: $0.isEmpty ? "/" : $0) }
    // The copy is made in a temporary file, and goes through the WAL.
    let fits = room.map { $0 / 2 >= needed }
    let vacuum =
      switch fits {
      case true?: "There is enough disk space for VACUUM."
      case false?: "VACUUM needs \(Sentence.size(needed * 2)), and \(Sentence.size(room ?? 0)) are free here."
      case nil: "VACUUM needs \(Sentence.size(needed * 2)) of disk space."
      }
    findings.add(
      subject: "free pages",
      [
        .init("bytes", .integer(bytes.partialValue)),
        .init("percent", .integer(Int64((Double(free) / Double(pages) * 100).rounded()))),
        .init("freePages", .integer(free)), .init("pages", .integer(pages)),
        .init("vacuumBytes", .integer(needed * 2)), .init("fits", fits.map(DataValue.bool) ?? .null),
        .init("what", .text(vacuum)),
      ])
  }
}

private let about = RuleHeader(
  """
  Rule: space-reclaimable
  Severity: info
  Title: Free pages that the file still has
  Shows: Free pages that are worth at least 'bytes', and at least 'share' of the file.
  Why: SQLite keeps the pages of deleted rows for later. After a large clean-up the file stays as large as it was,
    with every backup of it.
  Next launch: Nothing: the free pages are used for new rows.
  Remedy: Open the store once in the app with NSSQLiteManualVacuumOption, or run VACUUM with all programs closed.
    VACUUM copies the file: it needs up to twice its future size.
  False positives: An app that regularly deletes and inserts that much uses the pages again.
  Evidence: Documented by SQLite: https://www.sqlite.org/lang_vacuum.html
  Message: {bytes:size} of the file, {percent}%, are free pages. {what}
  Param bytes: bytes of free pages; less isn't worth a copy of the file, default 10000000
  Param share: part of the file; a database in use has some free pages, default 0.25
  """)
