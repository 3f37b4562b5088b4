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
  looksFor: "One finding per error with which imports ended since the last one that succeeded.",
  why: """
    What other devices do doesn't arrive here. Where people go on editing old values, theirs may later overwrite \
    newer ones.
    """,
  nextLaunch: """
    The mirror fetches again from its last change token and, with the same cause, ends with the same error.
    """,
  remedy: """
    Look the code up with 'storescope explain CODE'. Where one record can't be taken in, the app's log names it; \
    where the token or leftovers of earlier imports are to blame, 'storescope resync STORE --pull' fetches \
    everything anew.
    """,
  needs: [.table(.events)],
  falsePositives: """
    Errors that mean nothing (134407, 134417, 134419, 134422 and the like) and errors that pass by themselves, \
    such as throttling, a missing network or an expired change token, don't count.
    """,
  evidence: """
    App authors report it; Apple shows how to read the log: \
    https://developer.apple.com/documentation/technotes/tn3164-debugging-the-synchronization-of-nspersistentcloudkitcontainer
    """,
  message: """
    {runs} failed with {error}, and none succeeded since {first}. {meaning}
    """,
  thresholds: [
    Threshold(
      "least", 3,
      """
      imports that failed without a success since, with whatever errors; imports follow every push, so that one or \
      two that fail are soon made up for
      """)
  ])
