import Base
import Evidence
import Lens
import SQLite
import StoreModel

extension Rule {
  static let walForeign = Rule(
    "wal-foreign"
  ) { examination, findings in
    guard let opened = examination.opened else { throw filesUnknown }
    guard opened.way == .withoutWAL else { return }
    findings.add(subject: "wal", ["bytes": .integer(opened.files.wal?.size ?? 0)])
  }

  static let walDamaged = Rule(
    "wal-damaged"
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
    "wal-missing"
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
    "data-only-in-wal"
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
    "journal-not-wal"
  ) { examination, findings in
    guard let opened = examination.opened else { throw filesUnknown }
    if !opened.files.header.usesWAL {
      findings.add(subject: "journal", ["journal": .text("rollback")])
    }
  }
}
