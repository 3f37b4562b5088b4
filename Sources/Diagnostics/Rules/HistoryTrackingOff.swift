import Lens
import Values

extension Rule {
  static let historyTrackingOff = Rule(
    about,
    code: { examination, findings in
      let tables = examination.tables
      guard !tables.hasHistory else { return }
      if let half = Need.halfOfHistory(tables) { throw StoreScopeError(.lacking, half) }
      findings.add(
        subject: "history", [.init("changes", false), .init("transactions", false)])
    })
}

private let about = RuleHeader(
  "history-tracking-off", .warning,
  title: "Mirrored without history",
  looksFor: "The tables of a CloudKit mirror in a store that has no tables of persistent history.",
  why: """
    The mirror learns from history alone what the app changed. Without it nothing is uploaded, and requests for \
    history fail with error 134091. It comes from opening the store without NSPersistentHistoryTrackingKey.
    """,
  nextLaunch: """
    With history switched on, the framework makes the tables; changes saved until then are in no history, and only \
    rows that have no record yet are found by a scan.
    """,
  remedy: """
    Set NSPersistentHistoryTrackingKey to true in every process and code path that opens this store, then run \
    'storescope repair STORE register-missing' for objects that were added meanwhile, and 'storescope resync STORE \
    --push' where objects may have been changed.
    """,
  needs: [.mirror],
  falsePositives: """
    A store that shall never be mirrored again keeps the mirror's tables, and they do no harm. Where one of the \
    two tables of history is there, history isn't off but broken: the rule is skipped and says so.
    """,
  evidence: """
    Documented by Apple: https://developer.apple.com/documentation/coredata/nspersistenthistorytrackingkey
    """,
  message: "The store has CloudKit mirror tables but no persistent history.")
