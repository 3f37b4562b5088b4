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
    One finding per error with which setups ended again and again since the last one that succeeded, and \
    since the last import or export that did.
    """,
  why: """
    Without a setup nothing is imported and nothing exported: every change stays on this device, and every other \
    device's stays away.
    """,
  nextLaunch: """
    The mirror tries once more and, with the same cause, ends with the same error. With NSCocoaErrorDomain 134405 \
    it also deletes the local objects.
    """,
  remedy: """
    Look the code up with 'storescope explain CODE' and remove the cause: 134060 is a model that CloudKit doesn't \
    take, 134400 the account, container or entitlement. Back the store up before anybody signs in or out.
    """,
  needs: [.table(.events)],
  falsePositives: """
    Errors that mean nothing (134407, 134415, 134417, 134419, 134422 and the like) and errors that pass by \
    themselves, such as a missing network, don't count. A simulator or a test build without an account fails like \
    this for ever.
    """,
  evidence: """
    App authors report it; what setup checks is in Apple's technote: \
    https://developer.apple.com/documentation/technotes/tn3163-understanding-the-synchronization-of-nspersistentcloudkitcontainer
    """,
  message: """
    {runs} failed with {error}, and none succeeded since {first}. {meaning}
    """,
  thresholds: [
    Threshold(
      "least", 3,
      """
      setups that ended with the same error, without any success since; the mirror tries at each launch, and one \
      or two that fail are a launch at the wrong moment
      """)
  ])
