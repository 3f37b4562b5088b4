import Lens
import Values

extension Rule {
  static let eventExportStale = Rule(about) { examination, findings in
    guard let mirror = examination.mirror else { return }
    let token = try mirror.token
    if token.state == .unreadable { throw StoreScopeError.unreadable(token) }
    if token.state == .foreign { throw StoreScopeError.foreignToken }
    guard let firstEvent = try mirror.events.first else {
      throw StoreScopeError(
        .lacking, "The event log is empty, so the time of the last successful export can't be determined")
    }
    let standing = try mirror.events[.export]
    let success = standing.lastSuccess?.moment
    // If the log begins later than the change, a success may have been cut off.
    let exported = success ?? firstEvent
    let hours = examination.setting("hours", of: about)
    // What is pending takes all of history to find; where an export has just succeeded, nothing of it can be old.
    guard examination.clock.days(since: exported) * 24 >= hours,
      let oldest = try PendingReader(mirror).oldest(), oldest.since > exported,
      examination.clock.days(since: oldest.since) * 24 >= hours
    else { return }
    let age = Age(oldest.since, examination.clock)
    findings.ofAll = [.init("gap", .text(standing.gapSentence(.export).map { " \($0)" } ?? ""))]
    findings.add(
      subject: "export",
      [
        .init("pendingSince", .date(oldest.since)), .init("transaction", .optional(oldest.transaction)),
        .init("lastSuccess", .optional(success)),
        .init("hours", .optional(age.days.map { Int64(clamping: $0 * 24) })),
        .init("age", .text(age.inDays)),
      ])
  }
}

private let about = RuleHeader(
  """
  Rule: event-export-stale
  Severity: warning
  Title: No export since the oldest pending change
  Shows: The newest successful export is older than the oldest pending change, and the newest timestamp in the store
    is much later than that change.
  Why: The app was used, but no export succeeded in all that time. Every change since then exists only on this
    device.
  Next launch: The mirror starts an export as soon as its setup has succeeded; if setup keeps failing, nothing
    changes.
  Remedy: See 'storescope pending STORE' for the pending changes and what blocks them, and 'storescope events STORE'
    for how the last exports ended. If there are no exports at all, mirroring is turned off or the app ends before
    they start.
  Needs: ANSCKEVENT, ANSCKMETADATAENTRY, ATRANSACTION
  Log: ANSCKEVENT
  False positives: Apps that turn mirroring off on purpose. Pending links and shares have no date and don't count;
    neither does a record that stays pending while others are exported.
  Evidence: App authors report it.
  Message: Changes have been pending since {pendingSince}, {age} before the newest timestamp in the store, and no
    export succeeded in that time (last success: {lastSuccess}).{gap}
  Param hours: hours from the oldest pending change to the newest timestamp in the store; the system may defer
    exports until the device is charging and idle, which usually happens once a day, default 24
  """)
