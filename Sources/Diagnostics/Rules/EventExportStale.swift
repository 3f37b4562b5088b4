import Lens
import Values

extension Rule {
  static let eventExportStale = Rule(about) { examination, findings in
    guard let mirror = examination.mirror else { return }
    // What is pending is what comes after the token; without one all of history would seem to.
    let token = try mirror.token
    if token.state == .unreadable { throw StoreScopeError.unreadable(token) }
    if token.state == .foreign { throw StoreScopeError.foreignToken }
    guard let firstEvent = try mirror.events.first else {
      throw StoreScopeError(
        .lacking, "The event log is empty, so when the last export succeeded can't be told")
    }
    let success = try mirror.events[.export].lastSuccess?.moment
    // Where the log begins later than the change, a success may have been cut off.
    guard let oldest = try OldestWaiting(mirror, after: success ?? firstEvent) else { return }
    let hours = examination.clock.days(since: oldest.since) * 24
    guard hours >= examination.setting("hours", of: about) else { return }
    let age = Age(oldest.since, examination.clock)
    findings.add(
      subject: "export",
      [
        .init("waitingSince", .date(oldest.since)), .init("transaction", .integer(oldest.transaction)),
        .init("lastSuccess", .optional(success)),
        .init("hours", .optional(age.days.map { Int64(clamping: $0 * 24) })),
        .init("age", .text(age.inHours)),
      ])
  }
}

private let about = RuleHeader(
  "event-export-stale", .warning,
  title: "No export since the oldest pending change",
  looksFor: """
    The newest export that succeeded is older than the oldest change that waits, and the store shows signs of life \
    long after that change.
    """,
  why: """
    The app was used, and in all that time no export got through. Every change since then exists on this device \
    only.
    """,
  nextLaunch: """
    The mirror starts an export as soon as its setup has succeeded; if that is what doesn't happen, nothing \
    changes.
    """,
  remedy: """
    See 'storescope pending STORE' for what waits and what stands in its way, and 'storescope events STORE' for \
    how the last exports ended. Where there are no exports at all, mirroring is switched off or the app ends \
    before they start.
    """,
  needs: [.table(.events), .table(.metadataEntries), .table(.transactions)],
  falsePositives: """
    Apps that switch mirroring off on purpose. Links and shares that wait have no date and don't count; a record \
    that waits while others are exported isn't this rule's.
    """,
  evidence: "App authors report it.",
  message: """
    Changes have been pending since {waitingSince}, {age} before the newest timestamp in the store, and no export \
    succeeded in that time (last success: {lastSuccess}).
    """,
  thresholds: [
    Threshold(
      "hours", 24,
      """
      hours from the oldest change that waits to the newest timestamp in the store; the system may put \
      exports off until the device is charged and at rest, which it is once a day
      """)
  ])
