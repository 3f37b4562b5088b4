import Explanations
import Lens

extension Rule {
  static let eventThrottled = Rule(about) { examination, findings in
    let least = examination.setting("least", of: about)
    let failures = (try examination.mirror?.events.failures ?? []).filter { $0.last.concern == .throttling }
    for kind in MirrorEvent.Kind.allCases {
      let own = failures.filter { $0.kind == kind }
      guard Double(own.reduce(0) { $0 + $1.count }) >= least else { continue }
      for failure in own { findings.add(failure) }
    }
  }
}

private let about = RuleHeader(
  "event-throttled", .warning,
  title: "CloudKit is throttling the app",
  looksFor: """
    One finding per type of run and error: runs that ended with CKErrorDomain 6 or 7 several times, and no \
    success since.
    """,
  why: """
    The server asks the app to wait, and nothing syncs until then. App authors saw it after bursts of \
    thousands of changes, with pauses of more than an hour.
    """,
  nextLaunch: "The mirror tries again; launching over and over prolongs the wait.",
  remedy: """
    Wait, for hours if necessary; the store itself needs no repair. Then find the cause of so many requests: \
    the rules history-update-loop and history-oversized-transaction report it.
    """,
  needs: [.table(.events)],
  falsePositives: """
    A success of the same type clears it. CKErrorDomain 6 also comes from outages at Apple, which the app \
    didn't cause.
    """,
  evidence: """
    Documented by Apple: https://developer.apple.com/documentation/cloudkit/ckerror/code/requestratelimited
    """,
  message: """
    {runs} failed with {error}, and none succeeded since {first}. {meaning}
    """,
  thresholds: [
    Threshold(
      "least", 3,
      """
      runs of one type rejected with either code since the last success; one or two are normal when the \
      server is busy
      """)
  ])
