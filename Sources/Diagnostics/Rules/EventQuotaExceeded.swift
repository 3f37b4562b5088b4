import Explanations
import Lens
import Values

extension Rule {
  static let eventQuotaExceeded = Rule(about) { examination, findings in
    guard let events = try examination.mirror?.events else { return }
    for failure in events.failures where failure.last.concern == .quota {
      findings.add(
        failure, [.init("reading", .text("iCloud storage is full")), .init("more", .text(""))])
    }
    guard let named = events.lastQuotaFailure?.moment else { return }
    let exports = events.failures(of: .export)
    let least = examination.setting("partials", of: about)
    let seconds = examination.setting("days", of: about) * 86_400
    for failure in exports
    where failure.last.concern == .partialFailure && Double(failure.count) >= least
      && !exports.contains(where: { $0.last.concern == .quota })
    {
      if let first = failure.first.moment, first.seconds - named.seconds <= seconds {
        findings.add(
          failure,
          [
            .init("reading", .text("iCloud storage was full shortly before, and may be again")),
            .init("more", .text("; iCloud storage was full shortly before")),
          ])
      }
    }
  }
}

private let about = RuleHeader(
  "event-quota-exceeded", .error,
  title: "iCloud storage is full",
  looksFor: """
    Runs that ended with CKErrorDomain 25 and no success of the same type since, or \
    repeated partial failures of exports soon after CKErrorDomain 25 was logged.
    """,
  why: """
    Uploads stop, and the user isn't notified: downloads continue. Pending changes exist only on this device.
    """,
  nextLaunch: """
    The mirror keeps trying to export and keeps failing until there is free storage; then it resumes on its \
    own.
    """,
  remedy: """
    \(StorageAdvice.free) If records of a share are rejected, the share's owner has to free storage. 'storescope pending \
    STORE' lists the pending changes.
    """,
  needs: [.table(.events)], log: .events,
  falsePositives: """
    An export with nothing to upload may succeed although storage is full; the rule then reports nothing \
    until the next export fails. Partial failures alone can have any cause, so they count only soon after \
    CKErrorDomain 25 was logged.
    """,
  evidence: """
    App authors report how uploads stop. The code is documented by Apple: https://developer.apple.com/documentation/cloudkit/ckerror/code/quotaexceeded
    """,
  message: """
    {runs} failed with {error} since {first}, and none has succeeded{more}.
    """,
  thresholds: [
    Threshold(
      "partials", 3,
      """
      exports that ended in a partial failure since the last success; one or two can come from conflicts \
      between devices
      """),
    Threshold(
      "days", 7,
      """
      days from the last CKErrorDomain 25 in the log to the first of the partial failures; storage that was \
      freed briefly is full again within a week, and later failures are probably unrelated
      """),
  ])
