import Explanations
import Lens

extension Rule {
  static let eventAccountProblem = Rule(about) { examination, findings in
    guard let mirror = examination.mirror else { return }
    let success = try mirror.events.lastSuccess?.primaryKey ?? .min
    for failure in try mirror.events.failures where failure.last.concern == .account {
      // Any success shows that there is an account, but in a public database, which is read without one.
      if try mirror.scope == .public || success < failure.last.primaryKey { findings.add(failure) }
    }
  }
}

private let about = RuleHeader(
  "event-account-problem", .error,
  title: "iCloud account problem",
  looksFor: """
    Runs that ended with NSCocoaErrorDomain 134400 or 134405 or with CKErrorDomain 9 or 36, and no successful \
    run since: one finding per type of run and error.
    """,
  why: """
    Without its account the mirror neither uploads nor fetches. With a different account than before \
    (134405), it deletes the local objects and starts over with the new account's data; pending changes are \
    lost.
    """,
  nextLaunch: """
    134400, 9 and 36: the mirror checks the account again and deletes nothing. 134405: the local objects are \
    deleted, if they weren't already, and the current account's objects are fetched.
    """,
  remedy: """
    Back the store up before the next launch. Then the user has to sign in to the previous iCloud account, \
    accept its terms and allow iCloud for the app; if the account is fine, check the container and the \
    entitlement.
    """,
  needs: [.table(.events)], log: .events,
  falsePositives: """
    Any later success clears it; for a public database, which is read without an account, only a success of \
    the same type. 134400 can also mean a wrong container, a missing entitlement or an unsigned build.
    """,
  evidence: """
    App authors report the codes of NSCocoaErrorDomain. Documented by Apple: \
    https://developer.apple.com/documentation/cloudkit/ckerror/code/notauthenticated
    """,
  message: """
    {runs} failed with {error} since {first}, and none has succeeded. {meaning}
    """)
