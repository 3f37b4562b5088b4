import Lens
import Values

extension Rule {
  static let identityHalfRecorded = Rule(about) { examination, findings in
    guard let mirror = examination.mirror, try mirror.scope != .public else { return }
    if let problem = try mirror.entries.problem {
      throw StoreScopeError(.lacking, "The iCloud identity can't be checked: \(problem)")
    }
    guard try mirror.identity == .halfRecorded else { return }
    let scope = try mirror.scope?.name
    findings.add(
      subject: "identity",
      [.init("checked", .bool(true)), .init("recordName", .null), .init("scope", .optional(scope))])
  }
}

private let about = RuleHeader(
  """
  Rule: identity-half-recorded
  Severity: error
  Title: iCloud identity recorded incompletely
  Shows: A store that marks its iCloud user as checked, but has no record name of that user.
  Why: The mirror compares the signed-in user with the name that it keeps. Without a name it treats the user as a
    different user than before, and deletes all local data so that two people's data doesn't mix.
  Next launch: As soon as the user's record is fetched, setup fails with NSCocoaErrorDomain 134405, all objects of
    mirrored entities are deleted, and the account's data is fetched. Pending changes are lost.
  Remedy: Don't launch the app with a network connection before the store is backed up. Restore a backup that has
    both entries: 'storescope restore BACKUP'. Never remove one of the two entries by hand without the other.
  Needs: ANSCKMETADATAENTRY
  False positives: A public database is mirrored without an account, and then the framework itself leaves the
    entries in this state: these stores are left out, although a first sign-in wipes them too. An account with
    broken credentials may leave a private store in this state; it is reported, because the wipe is real.
  Evidence: App authors report the wipe; how the framework gets there is inferred.
  Message: The iCloud user is marked as checked, but there is no record name: the next launch that reaches iCloud
    deletes the local data (NSCocoaErrorDomain 134405).
  """)
