import Explanations
import Lens

extension Rule {
  static let eventSetupFailing = Rule(about) { examination, findings in
    let least = examination.setting("least", of: about)
    for failure in try examination.mirror?.events.failures(of: .setup) ?? []
    where !failure.last.resolvesItself && Double(failure.count) >= least {
      findings.add(failure)
    }
  }
}

private let about = RuleHeader(
  "event-setup-failing", .error,
  title: "Setup of mirroring fails again and again",
  looksFor: """
    Setups that failed repeatedly since the last successful setup, import or export: one finding per error.
    """,
  why: """
    Without a setup nothing is imported or exported: changes made here stay on this device, and changes from \
    other devices don't arrive.
    """,
  nextLaunch: """
    The mirror tries again and, if the cause persists, fails with the same error. With NSCocoaErrorDomain \
    134405 it also deletes the local objects.
    """,
  remedy: """
    Look the code up with 'storescope explain CODE' and fix the cause: 134060 means a model incompatible \
    with CloudKit, 134400 a problem with the account, container or entitlement. Back the store up before \
    anybody signs in or out.
    """,
  needs: [.table(.events)], log: .events,
  falsePositives: """
    Harmless errors (134407, 134415, 134417, 134419, 134422 and similar) and errors that resolve themselves, \
    such as a missing network, don't count. A simulator or a test build without an account always fails like \
    this.
    """,
  evidence: """
    App authors report it; Apple's technote documents the checks of a setup: \
    https://developer.apple.com/documentation/technotes/tn3163-understanding-the-synchronization-of-nspersistentcloudkitcontainer
    """,
  message: """
    {runs} failed with {error} since {first}, and none has succeeded. {meaning}
    """,
  thresholds: [
    Threshold(
      "least", 3,
      """
      setups that ended with the same error, without any success since; the mirror tries at each launch, and \
      one or two failures just mean a launch at the wrong moment
      """)
  ])
