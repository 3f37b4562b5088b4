import Lens
import Values

extension Rule {
  static let identityHalfRecorded = Rule(about) { examination, findings in
    guard let mirror = examination.mirror, try mirror.scope != .public else { return }
    if let problem = try mirror.entries.problem {
      throw StoreScopeError(.lacking, "The iCloud identity can't be judged: \(problem)")
    }
    guard try mirror.identity == .halfRecorded else { return }
    findings.add(
      subject: "identity",
      [
        .init("checked", .bool(true)), .init("recordName", .null),
        .init("scope", .optional(try mirror.scope?.name)),
      ])
  }
}

private let about = RuleHeader(
  "identity-half-recorded", .error,
  title: "The iCloud identity is only half recorded",
  looksFor: "A store that says its iCloud user was checked, and keeps no record name of that user.",
  why: """
    The mirror compares the signed-in user with the name that it keeps. With none it takes the user for another \
    one than before, and deletes all local data so as not to mix two people's.
    """,
  nextLaunch: """
    As soon as the user's record is fetched, setup fails with NSCocoaErrorDomain 134405, all objects of \
    mirrored entities are deleted, and the account's data is fetched. What wasn't sent is lost.
    """,
  remedy: """
    Don't launch the app with a network before the store is backed up. Restore a backup in which both \
    entries are there: 'storescope restore BACKUP'. Never remove one of the two entries by hand without the \
    other.
    """,
  needs: [.table(.metadataEntries)],
  falsePositives: """
    A public database is mirrored without an account, and then the framework itself leaves the entries like this: \
    such stores are left out, although a first sign-in wipes them too. An account with broken credentials may \
    leave a private store so; that is reported, as the wipe is real.
    """,
  evidence: "App authors report the wipe; how the framework gets there is inferred.",
  message: """
    The iCloud user is marked as checked and no record name is kept: the next launch that reaches iCloud deletes \
    the local data (NSCocoaErrorDomain 134405).
    """)
