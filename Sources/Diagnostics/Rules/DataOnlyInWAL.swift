import Evidence
import SQLite
import StoreModel
import Values

extension Rule {
  static let dataOnlyInWAL = Rule(about) { examination, findings in
    guard let opened = examination.opened else { throw filesUnknown }
    guard let wal = try WALPages(opened) else { return }
    let share = Double(wal.pages.count) / Double(wal.pageCount)
    let pagesInFile = opened.files.main.size / Int64(opened.files.header.pageSize)
    let entities = try entities(examination, rootsAbove: pagesInFile)
    guard share >= examination.setting("share", of: about) || !entities.isEmpty else { return }
    let whole =
      entities.isEmpty
      ? ""
      : ", with all of \(Sentence.count(entities.count, "entity", "entities")) (\(entities.prefix(3).joined(separator: ", "))\(entities.count > 3 ? ", …" : ""))"
    findings.add(
      subject: "wal",
      [
        .init("pages", .count(wal.pages.count)), .init("pagesOfStore", .count(wal.pageCount)),
        .init("percent", .integer(Int64((share * 100).rounded()))),
        .init("bytes", .integer(opened.files.wal?.size ?? 0)),
        .init("entities", .array(entities.map(DataValue.text))), .init("what", .text(whole)),
      ])
  }

  /// Entities with rows whose tables begin on pages that the main file doesn't have.
  private static func entities(_ examination: Examination, rootsAbove page: Int64) throws -> [String] {
    let store = examination.store
    let tables = Set(
      try store.connection.rows(
        "SELECT name FROM main.sqlite_schema WHERE type = 'table' AND rootpage > ?", [.integer(page)]
      ) { $0.name(0).uppercased() })
    guard !tables.isEmpty else { return [] }
    return try store.schema.entities.filter { entity in
      guard entity.parent == nil, tables.contains(entity.table.uppercased()) else { return false }
      return try store.connection.first("SELECT 1 FROM main.\(quotedIdentifier(entity.table)) LIMIT 1") { _ in
        true
      } ?? false
    }.map(\.name)
  }
}

private let about = RuleHeader(
  """
  Rule: data-only-in-wal
  Severity: info
  Title: Much of the data is in the -wal file only
  Shows: A -wal with newer versions of at least 'share' of the store's pages, or with whole entities that the main
    file doesn't have.
  Why: A copy of the main file alone is an old state, or an empty store. Tools that read without the -wal show that
    state without a warning.
  Next launch: Nothing: the app reads both files, and moves the data to the main file now and then.
  Remedy: Copy the store together with its -wal and -shm, or export it from the app. Nothing is wrong with the
    store.
  False positives: Usual after a large import, and in an app that is running.
  Evidence: Measured on real stores, some of which have all their rows in the -wal.
  Message: {percent}% of the store's pages ({pages}) are newer in the -wal than in the main file{what}.
  Param share: part of the store's pages; SQLite moves them when there are a thousand, default 0.25
  """)
