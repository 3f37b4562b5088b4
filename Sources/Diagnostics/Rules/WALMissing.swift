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
    if let history = try HistoryReader(store), let changed = try history.newestChangedTransaction() {
      let newest = try history.transactions.newestTransaction() ?? 0
      if changed > newest {
        signs.append("history has changes of transaction \(changed), and transactions up to \(newest)")
      }
    }
    guard !signs.isEmpty else { return }
    for root in try KeyCounter.all(store) where root.highestKey > root.lastKey {
      signs.append("\(root.entity) has key \(root.highestKey), and \(root.lastKey) was the last handed out")
    }
    for sign in signs { findings.add(subject: sign, [.init("sign", .text(sign))]) }
  }
}

private let about = RuleHeader(
  "wal-missing", .warning,
  title: "Signs that the store was separated from its -wal",
  looksFor: """
    A store that works with a -wal, has none or an empty one, and contradicts itself: changes of transactions that \
    history doesn't have yet, or fewer pages than the header says; besides these, keys above the highest one \
    handed out.
    """,
  why: """
    The newest transactions lie in the -wal, often all of them. Copied or restored without it, the store falls \
    back to what the last checkpoint left.
    """,
  nextLaunch: """
    The app goes on from the older state; what was saved since is gone. A mirrored store doesn't know any longer \
    what it uploaded.
    """,
  remedy: """
    Look for the -wal where the store came from, and copy the store, -wal and -shm together, with the app closed. \
    Don't run the app on this store before.
    """,
  falsePositives: """
    A store without a -wal is whole where the last process that had it open closed it, and isn't meant. Keys alone \
    prove nothing, and are left to 'object-id-above-max'. What contradicts itself may have another reason, such as \
    raw SQL.
    """,
  evidence: "Inferred from how checkpoints work: https://www.sqlite.org/wal.html#ckpt",
  message: "The store has no -wal, and {count} {sign says|signs say} that transactions are missing: {sign}.")
