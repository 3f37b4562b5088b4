import Base
import Explanations
import Lens

extension Rule {
  static let eventExportStale = Rule(
    "event-export-stale"
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
    "event-partial-failure-repeating"
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
    "event-throttled"
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
