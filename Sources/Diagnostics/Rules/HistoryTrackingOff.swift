import Lens
import Values

extension Rule {
  static let historyTrackingOff = Rule(
    about,
    code: { examination, findings in
      let tables = examination.tables
      guard !tables.hasHistory else { return }
      if let damage = examination.historyDamage { throw StoreScopeError(.damaged, damage) }
      findings.add(
        subject: "history", [.init("changes", false), .init("transactions", false)])
    })
}

private let about = RuleHeader(
  """
  Rule: history-tracking-off
  Severity: warning
  Title: Mirrored without history
  Shows: The tables of a CloudKit mirror in a store that has no tables of persistent history.
  Why: The mirror detects the app's changes only through history. Without history nothing is uploaded, and requests
    for history fail with error 134091. The cause is opening the store without NSPersistentHistoryTrackingKey.
  Next launch: Once history is on, the framework creates the tables; changes saved until then aren't in history, and
    a scan finds only rows that have no record yet.
  Remedy: Set NSPersistentHistoryTrackingKey to true in every process and code path that opens this store, then run
    'storescope repair STORE register-missing' for objects that were added in the meantime, and 'storescope resync
    STORE --push' if objects may have been changed.
  Needs: mirror
  False positives: A store that will never be mirrored again keeps the mirror's tables, which are harmless. If one
    of the two tables of history exists, history isn't off but broken: the rule is skipped, with that reason.
  Evidence: Documented by Apple: https://developer.apple.com/documentation/coredata/nspersistenthistorytrackingkey
  Message: The store has CloudKit mirror tables but no persistent history.
  """)
