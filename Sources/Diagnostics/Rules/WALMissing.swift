import Containers
import Evidence
import Lens
import SQLite
import StoreModel
import Values

extension Rule {
  static let walMissing = Rule(about) { examination, findings in
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
          .init("sign", .text(sign)),
          .init(
            "what",
            .text(opened.files.wal == nil ? "This WAL store has no -wal file" : "The -wal is empty")),
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
}

private let about = RuleHeader(
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
  """)
