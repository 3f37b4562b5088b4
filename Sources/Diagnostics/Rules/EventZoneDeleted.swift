import Explanations
import Lens

extension Rule {
  static let eventZoneDeleted = Rule(about) { examination, findings in
    for failure in try examination.mirror?.events.failures ?? [] where failure.last.concern == .zone {
      findings.add(failure)
    }
  }
}

private let about = RuleHeader(
  "event-zone-deleted", .error,
  title: "The zone is gone from the server",
  looksFor: """
    One finding per type of run and an error: runs that ended with CKErrorDomain 26 or 28 and no success of \
    the same type since.
    """,
  why: """
    26: the zone doesn't exist; of an own zone the mirror sends everything again, of a shared one it deletes the \
    local objects. 28: the user deleted the app's data in the iCloud settings, and the mirror deletes the zone's \
    local objects.
    """,
  nextLaunch: """
    The mirror makes the default zone again. What the local store still has is uploaded as far as history knows of \
    it; what it deleted doesn't come back.
    """,
  remedy: """
    Back the store up before the next launch. Compare container and environment with the build's if nobody deleted \
    anything. Where objects stay unsent afterwards, 'storescope resync STORE --push' uploads all of them again. A \
    zone that the user deleted on purpose should stay deleted.
    """,
  needs: [.table(.events)],
  falsePositives: """
    A success of the same type clears it, and then the rule past-wipe tells what was deleted. The end of a share \
    also shows as 26.
    """,
  evidence: """
    Documented by Apple: https://developer.apple.com/documentation/cloudkit/ckerror/code/userdeletedzone
    """,
  message: """
    {runs} failed with {error}, and none succeeded since {first}. {meaning}
    """)
