import Lens

extension Rule {
  static let eventImportFailing = Rule(about) { examination, findings in
    findings.addRun(
      try examination.mirror?.events.failures(of: .import) ?? [],
      least: examination.setting("least", of: about))
  }
}

private let about = RuleHeader(
  "event-import-failing", .error,
  title: "Imports fail again and again",
  looksFor: "Imports that failed since the last successful one: one finding per error.",
  why: """
    Changes from other devices don't arrive here. If people keep editing old values, their edits may later \
    overwrite newer ones.
    """,
  nextLaunch: """
    The mirror fetches again from its last change token and, if the cause persists, fails with the same error.
    """,
  remedy: """
    Look the code up with 'storescope explain CODE'. If a record can't be imported, the app's log shows it; \
    if the token or leftovers of earlier imports cause the failure, 'storescope resync STORE --pull' fetches \
    everything again.
    """,
  needs: [.table(.events)], log: .events,
  falsePositives: """
    Harmless errors (134407, 134417, 134419, 134422 and similar) and errors that resolve themselves, such as \
    throttling, a missing network or an expired change token, don't count.
    """,
  evidence: """
    App authors report it; Apple shows how to read the log: \
    https://developer.apple.com/documentation/technotes/tn3164-debugging-the-synchronization-of-nspersistentcloudkitcontainer
    """,
  message: """
    {runs} failed with {error} since {first}, and none has succeeded. {meaning}
    """,
  thresholds: [
    Threshold(
      "least", 3,
      """
      imports that failed, with any error, without a success since; imports follow every push, so one or two \
      failures are soon made up for
      """)
  ])
