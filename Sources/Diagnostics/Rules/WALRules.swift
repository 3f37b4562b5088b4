import Containers
import Evidence
import Lens
import SQLite
import StoreModel
import Values

extension Rule {
  static let walForeign = Rule(
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
    """
  ) { examination, findings in
    guard let opened = examination.opened else { throw filesUnknown }
    guard opened.way == .withoutWAL else { return }
    findings.add(subject: "wal", ["bytes": .integer(opened.files.wal?.size ?? 0)])
  }

  static let walDamaged = Rule(
    """
    Rule: wal-damaged
    Severity: warning
    Title: Damaged or truncated -wal
    Shows: A -wal whose header is wrong, that ends in the middle of a frame, or that has frames of its current
      generation after a frame whose checksum is wrong. Leftover frames of an earlier generation are normal and
      ignored.
    Why: SQLite uses the -wal up to its last complete transaction before the damage. Later commits are lost without
      any error.
    Next launch: SQLite ignores the rest, and the app continues from an older state, possibly newer than the last
      checkpoint left in the store.
    Remedy: Keep a copy of the store with its -wal before the app runs again: the next checkpoint overwrites it. Get
      the -wal again from its source, or restore a backup.
    False positives: A process that was killed in the middle of a save, or that rolled back a large save, can leave
      such a tail; then no commits are missing. A store that another process has open isn't checked.
    Evidence: Documented by SQLite: https://www.sqlite.org/fileformat2.html#walformat
    Message: The -wal is {state}: {bytesLeftOut} of its {bytes} bytes come after its last complete transaction and are
      ignored.
    """
  ) { examination, findings in
    guard let opened = examination.opened else { throw filesUnknown }
    guard let index = try opened.walIndex() else { return }
    let state: String
    switch index.tail {
    case .end, .earlierGeneration: return
    case .incompleteFrame: state = "cut off in the middle of a frame"
    case .badFrame: state = "damaged in a frame"
    case .badHeader: state = "damaged in its header"
    }
    guard opened.holder == nil else {
      throw StoreScopeError(.busy, "Another process has the store open; it may be writing the -wal")
    }
    findings.add(
      subject: index.tail.name,
      [
        "state": .text(state), "bytes": .integer(index.size),
        "bytesLeftOut": .integer(max(0, index.size - (index.commits.last?.endOffset ?? 0))),
        "wholeFrames": .count(index.frameCount), "transactions": .count(index.commits.count),
      ])
  }

  /// Why a rule about files is skipped if there is only a connection.
  static let filesUnknown = StoreScopeError(
    .lacking, "The rule looks at the store's files, and only the database was read")

  static let walMissing = Rule(
    """
    Rule: wal-missing
    Severity: warning
    Title: No -wal file: newer commits may be missing
    Shows: A store in WAL mode that has no -wal file (a note). If the -wal is missing or empty and the store
      contradicts itself, it is a warning: history has changes without their transaction, the file has fewer pages
      than its header counts, or rows have keys that neither history nor the key counter contains.
    Why: The newest transactions are in the -wal, often all of them. Copied or restored without it, the store falls
      back to the last checkpoint.
    Next launch: Nothing if no -wal was left behind. Otherwise the app continues from an older state, and later saves
      are lost; a mirrored store no longer records its latest uploads.
    Remedy: \(StoreFiles.walAdvice) Quit the app there first. Until then, don't run the app on this store.
    False positives: A store without a -wal is complete if the last program that used it closed it; backups that hold
      no -wal are ignored. Keys above the counter alone prove nothing; 'object-id-above-max' reports them.
      Contradictions may have another cause, such as raw SQL.
    Evidence: Inferred from how checkpoints work: https://www.sqlite.org/wal.html#ckpt
    Message: {what}: {sign}.
    """
  ) { examination, findings in
    guard let opened = examination.opened else { throw filesUnknown }
    guard opened.files.header.usesWAL, (opened.files.wal?.size ?? 0) == 0 else { return }
    let store = examination.store
    var signs: [String] = []
    if opened.files.missingPages > 0 {
      let pages = Sentence.count(opened.files.missingPages, "page")
      signs.append("\(pages) fewer in the file than the header counts")
    }
    let history = try HistoryReader(store)
    if let history, let changed = try history.newestChangedTransaction() {
      let newest = try history.transactions.newestTransaction() ?? 0
      if changed > newest {
        signs.append("history has changes of transaction \(changed), and transactions up to \(newest)")
      }
    }
    for root in try KeyCounter.all(store) where root.highestKey > root.lastKey {
      // Raw SQL leaves keys that were never assigned; if history doesn't contain them either, they are a sign.
      guard try !signs.isEmpty || isUnknown(root, to: history, in: store) else { continue }
      signs.append("\(root.entity) has key \(root.highestKey), but \(root.lastKey) was the last one assigned")
    }
    if signs.isEmpty {
      guard opened.files.isWALMissing else { return }
      findings.severity = .info
      signs = ["normal if the last program that used it closed it"]
    }
    for sign in signs {
      findings.add(
        subject: sign,
        [
          "sign": .text(sign),
          "what": .text(opened.files.wal == nil ? "This WAL store has no -wal file" : "The -wal is empty"),
        ])
    }
  }

  private static func isUnknown(
    _ root: KeyCounter, to history: HistoryReader?, in store: CoreDataStore
  ) throws -> Bool {
    guard let history, let entity = store.schema.entities.first(where: { $0.name == root.entity }) else {
      return false
    }
    let filter = HistoryFilter(entities: store.schema.hierarchy(of: entity), primaryKey: root.highestKey)
    return try history.count(filter) == 0
  }

  static let dataOnlyInWAL = Rule(
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
    """
  ) { examination, findings in
    guard let opened = examination.opened else { throw filesUnknown }
    guard let wal = try WALPages(opened) else { return }
    let share = Double(wal.pages.count) / Double(wal.pageCount)
    let pagesInFile = opened.files.main.size / Int64(opened.files.header.pageSize)
    let entities = try entities(examination, rootsAbove: pagesInFile)
    guard share >= examination.setting("share", of: findings.header) || !entities.isEmpty else { return }
    let whole =
      entities.isEmpty
      ? ""
      : ", with all of \(Sentence.count(entities.count, "entity", "entities")) (\(entities.prefix(3).joined(separator: ", "))\(entities.count > 3 ? ", …" : ""))"
    findings.add(
      subject: "wal",
      [
        "pages": .count(wal.pages.count), "pagesOfStore": .count(wal.pageCount),
        "percent": .integer(Int64((share * 100).rounded())), "bytes": .integer(opened.files.wal?.size ?? 0),
        "entities": .array(entities.map(DataValue.text)), "what": .text(whole),
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

  static let journalNotWAL = Rule(
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
    """
  ) { examination, findings in
    guard let opened = examination.opened else { throw filesUnknown }
    if !opened.files.header.usesWAL {
      findings.add(subject: "journal", ["journal": .text("rollback")])
    }
  }
}
