package import Base
import Explanations
package import Lens

/// Something that blocks pending changes, or a run that failed and is retried.
package struct Obstacle: Sendable, Equatable {
  /// A clause that can follow "Blocked:" or "because": `iCloud storage is full`.
  package var cause: String
  /// How to fix it, in sentences.
  package var fix: String
  /// The whole of it, with the error and its meaning.
  package var sentence: String
  /// The kind of run that fails; nil if the next launch fails for what the store itself says.
  package var kind: MirrorEvent.Kind?
  /// `CKErrorDomain 25 (quotaExceeded)`; nil if no run failed, or without an error.
  package var error: String?
  /// The first of the failures in a row.
  package var since: CoreDataDate?
  /// Runs that failed in a row.
  package var failures = 0

  /// Since when runs fail and why, in a sentence: `Exports have failed 2 times in a row since …: iCloud storage is full.`
  /// Of what the store itself says, all of it.
  package var why: String {
    guard let kind else { return sentence }
    let at = since?.iso8601
    let failed =
      failures > 1
      ? "\(Sentence.begun(kind.name))s have failed \(Sentence.times(failures)) in a row\(at.map { " since \($0)" } ?? "")"
      : "The last \(kind.name)\(at.map { ", at \($0)," } ?? "") failed"
    return namesCause
      ? "\(failed): \(cause)." : "\(failed) with \(error ?? "an error that the event doesn't record")."
  }

  /// Whether the cause says more than the error does.
  private var namesCause: Bool { error.map { !cause.hasSuffix($0) } ?? false }
}

extension Obstacle {
  /// What a failed run is about, and what to do, by what errors have in common.
  static func words(
    _ failure: MirrorEvent, _ kind: MirrorEvent.Kind, _ mirror: Mirror
  ) throws -> (cause: String, fix: String) {
    if kind != .import, failure.errorDomain == "NSCocoaErrorDomain",
      failure.errorCode.map(ZoneSplits.codes.contains) == true, let cause = try ZoneSplits(mirror).cause()
    {
      return (cause, ZoneSplits.fix)
    }
    switch failure.concern {
    case .quota: return try quota(mirror.scope)
    case .account:
      return (
        "the iCloud account isn't available",
        "Back the store up, then sign in to iCloud with the same account as before and allow iCloud for the app."
      )
    case .restriction:
      return (
        "the iCloud account is managed and doesn't allow CloudKit",
        "Ask the account's administrator to allow it."
      )
    case .encryptionKeys:
      return (
        "the encryption keys of the zone are missing",
        "Back the store up; 'zone-needs-recovery' in 'storescope doctor STORE' has the details."
      )
    case .throttling:
      return ("CloudKit is throttling the app", "Wait, sometimes for hours; sync resumes on its own.")
    case .busyZone: return ("the zone is busy on the server", "Wait; sync resumes on its own.")
    case .zone:
      return (
        "the zone isn't on the server anymore",
        "Back the store up before the next launch; 'storescope doctor STORE' shows what it will do."
      )
    case .secondInstance:
      return ("another container already syncs the store", "Let only one container sync the store.")
    case .partialFailure:
      return (
        "the server rejects some of the records",
        """
        Check the app's log for the errors of the individual records: often a record type or field is \
        missing in production.
        """
      )
    case nil: break
    }
    let log = "Check the app's log from that time."
    guard let error = failure.errorText ?? failure.errorDomain else {
      return ("\(kind.name)s fail, and the event doesn't record the error", log)
    }
    return ("\(kind.name)s fail with \(error)", failure.explanation?.advice ?? log)
  }

  /// Whose storage is full depends on the database:
  /// https://developer.apple.com/documentation/cloudkit/ckerror/code/quotaexceeded
  static func quota(_ scope: DatabaseScope?) -> (cause: String, fix: String) {
    switch scope {
    case .shared:
      (
        "the iCloud storage of the share's owner is full",
        "Ask the share's owner to free iCloud storage; uploads then resume on their own."
      )
    case .public:
      (
        "the app's public database has no storage left",
        "Free storage in the app's public database; uploads then resume on their own."
      )
    case .private, nil:
      ("iCloud storage is full", StorageAdvice.free)
    }
  }
}

extension Obstacle {
  static let rescan =
    "'storescope resync STORE --rescan' removes the token, so the mirror processes all of history."

  /// A token from which no export can start.
  static func of(_ token: HistoryTokenReading) -> Obstacle? {
    let number = token.transaction.map(String.init) ?? "?"
    return switch token.state {
    case .foreign:
      Obstacle(
        cause: "the history token is of another store", fix: rescan,
        sentence:
          "The history token is of another store, so every export fails with NSCocoaErrorDomain 134501 until the token is gone."
      )
    case .expired:
      Obstacle(
        cause: "the history token has expired", fix: "Before the next launch: \(rescan)",
        sentence:
          """
          Transaction \(number), which the history token refers to, is gone from history: the next \
          launch ends with NSCocoaErrorDomain 134301, deletes the local objects that have records, and \
          fetches everything again.
          """
      )
    case .ahead:
      Obstacle(
        cause: "the history token has expired", fix: "Before the next launch: \(rescan)",
        sentence:
          """
          The history token refers to transaction \(number), but history ends before it: the \
          framework treats the token as expired, and the next launch deletes the local objects that have \
          records and fetches everything again.
          """
      )
    case .current, .behind, .missing, .unreadable: nil
    }
  }

  static func ofIdentity(_ mirror: Mirror) throws -> Obstacle? {
    // Without an account a public database is mirrored all the same, and leaves the same entries.
    guard try mirror.identity == .halfRecorded, try mirror.scope != .public else { return nil }
    return Obstacle(
      cause: "the iCloud identity is recorded incompletely",
      fix: "Back the store up before the next launch, or restore a backup that has both entries.",
      sentence:
        """
        The iCloud identity was checked, but the user's record name is missing: the next launch treats the \
        account as a different account and deletes the local data (NSCocoaErrorDomain 134405).
        """
    )
  }
}
