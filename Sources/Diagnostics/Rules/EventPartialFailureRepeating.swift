import Explanations
import Lens
import Values

extension Rule {
  static let eventPartialFailureRepeating = Rule(about) { examination, findings in
    guard let mirror = examination.mirror else { return }
    let failures = try mirror.events.unresolved(.export)
    guard let failure = failures.first(where: { $0.last.concern == .partialFailure }),
      Double(failure.unresolved) >= examination.setting("least", of: about), let began = failure.since?.moment
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
        .init("records", .count(stuck)), .init("recordNames", .array(names.map(DataValue.text))),
        .init("entity", .optional(largest?.key)), .init("ofEntity", .count(largest?.value ?? 0)),
        .init("entities", .count(entities.count)),
      ])
  }
}

private let about = RuleHeader(
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
  """)
