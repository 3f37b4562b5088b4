import Explanations
import Lens
import Values

extension Rule {
  static let eventExportStale = Rule(
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
    """
  ) { examination, findings in
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
    let hours = examination.setting("hours", of: findings.header)
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
        "pendingSince": .date(oldest.since), "transaction": .optional(oldest.transaction),
        "lastSuccess": .optional(success), "hours": .optional(age.days.map { Int64(clamping: $0 * 24) }),
        "age": .text(age.inDays),
      ])
  }

  static let eventPartialFailureRepeating = Rule(
    """
    Rule: event-partial-failure-repeating
    Severity: warning
    Title: The server rejects the same records again and again
    Shows: Exports that end with CKErrorDomain 2 (partialFailure) at least 'least' times without a success, and
      records that have been pending through all of them.
    Why: The server accepts some records of an export and rejects others, and the framework doesn't keep the reason
      per record. The rejected ones stay pending through every export, and on this device only.
    Next launch: The next export sends the same records again, and fails the same way.
    Remedy: Look at the app's log during an export: NSCloudKitMirroringDelegate logs an error per record. If all
      records are of one entity, the production schema probably lacks its record type or a field: deploy the schema in
      CloudKit Console. 'storescope records STORE --state pendingUpload' lists the records.
    Needs: ANSCKEVENT, ANSCKRECORDMETADATA
    Log: ANSCKEVENT
    False positives: Conflicts also end this way and pass with one of the next exports. A record that was changed
      again since the first failure still counts if its oldest pending change is older.
    Evidence: App authors report records that stay pending through every failed export, without a reason on the
      device.
    Message: {runs} ended with {error}, and {records} {records:record has|records have} been pending through all of
      them, {ofEntity} of {ofEntity:it|them} of {entity}.
    Param least: failed exports since the last success; conflicts are usually resolved by the second, default 3
    """
  ) { examination, findings in
    guard let mirror = examination.mirror else { return }
    let failures = try mirror.events.unresolved(.export)
    guard let failure = failures.first(where: { $0.last.concern == .partialFailure }),
      Double(failure.unresolved) >= examination.setting("least", of: findings.header),
      let began = failure.since?.moment
    else { return }
    var stuck = 0
    var names: [String] = []
    var entities: [String: Int] = [:]
    var filter = PendingFilter()
    filter.kinds = [.upload, .cloudDelete]
    try PendingReader(mirror, filter: filter).forEach { item in
      // What has no cause in history was flagged by something older.
      if let since = item.since, since > began { return true }
      stuck += 1
      entities[item.entity ?? "unknown", default: 0] += 1
      if names.count < 5, let name = item.recordName { names.append(name) }
      return true
    }
    guard stuck > 0 else { return }
    let largest = entities.max { ($0.value, $1.key) < ($1.value, $0.key) }
    findings.add(
      failure,
      [
        "records": .count(stuck), "recordNames": .array(names.map(DataValue.text)),
        "entity": .optional(largest?.key), "ofEntity": .count(largest?.value ?? 0),
        "entities": .count(entities.count),
      ])
  }

  static let eventThrottled = Rule(
    """
    Rule: event-throttled
    Severity: warning
    Title: CloudKit is throttling the app
    Shows: Runs that ended with CKErrorDomain 6 or 7 several times in a row: one finding per type of run and error. It
      is a warning as long as none of that type has succeeded since, otherwise a note about the last long series.
    Why: The server asks the app to wait, and nothing syncs until then. App authors saw it after bursts of thousands
      of changes, with pauses of more than an hour.
    Next launch: The mirror tries again; relaunching the app again and again prolongs the wait.
    Remedy: Wait, for hours if necessary; the store itself needs no repair. Then find the cause of so many requests:
      the rules history-update-loop and history-oversized-transaction report it.
    Needs: ANSCKEVENT
    Log: ANSCKEVENT
    False positives: A success of the same type makes it a note. CKErrorDomain 6 also comes from outages at Apple,
      which the app didn't cause.
    Evidence: App authors report the bursts and the pauses. The codes are documented by Apple:
      https://developer.apple.com/documentation/cloudkit/ckerror/code/requestratelimited
    Message: {runs} failed with {error}{more}. {meaning}
    Param least: runs of one type rejected with either code without a success in between; one or two are normal when
      the server is busy, default 3
    """
  ) { examination, findings in
    guard let events = try examination.mirror?.events else { return }
    let least = examination.setting("least", of: findings.header)
    func bursts(_ failures: (MirrorEvent.Kind) -> [EventFailure]) -> [EventFailure] {
      MirrorEvent.Kind.allCases.map(failures).filter {
        Double($0.reduce(0) { $0 + $1.unresolved }) >= least
      }.flatMap(\.self)
    }
    let lasting = bursts { events.unresolved($0).filter { $0.last.concern == .throttling } }
    for failure in lasting {
      let beginning = since(" since", failure.since)
      findings.add(failure, ["more": .text("\(beginning), and none has succeeded")])
    }
    guard lasting.isEmpty else { return }
    findings.severity = .info
    for failure in bursts(events.pastThrottling) {
      findings.add(failure, ["more": .text(since(" until one succeeded after", failure.last))])
    }
  }

  private static func since(_ words: String, _ event: MirrorEvent?) -> String {
    "\(words) \(event?.moment?.iso8601 ?? "an unknown time")"
  }
}
