import Base
import Explanations
package import Lens

/// Comes to the verdict. The first rule that holds decides:
///
/// 1. No table of a mirror: `notMirrored`.
/// 2. A layout that isn't known, or one from before upload flags: `unknown`.
/// 3. No successful event, no record, no zone on the server and no token: `neverSetUp`. The setup's error, if there is
///    one, is a reason.
/// 4. The tables of records or metadata entries are missing, the token can't be read, or what is pending can't be counted:
///    `unknown`.
/// 5. A token from which no export can start, an identity half recorded, a setup that fails and no success since, an
///    export that fails while something is pending, an import that fails: `blocked`. Errors that pass by themselves and
///    errors that are noise don't block; throttling does, for as long as it lasts.
/// 6. The next export has something to send: `waiting`. Rows without a record count where it will look for them.
/// 7. Else `idle`. What is still to be fetched, and rows that no export looks for, are mentioned and don't count.
///
/// Whatever the state, everything that is known to stand in the way is named.
package struct VerdictReader {
  private let mirror: Mirror
  private let counts: [PendingItem.Kind: Int]
  /// Why what is pending can't be counted.
  private let uncounted: String?

  /// The verdict on a store; `mirror` is nil where it has none, and then `counts` aren't needed.
  package static func verdict(_ mirror: Mirror?, counts: @autoclosure () throws -> [PendingItem.Kind: Int])
    throws
    -> Verdict
  {
    guard let mirror else {
      return Verdict(
        .notMirrored, because: ["The store has no tables of NSPersistentCloudKitContainer's mirroring."])
    }
    return try VerdictReader(mirror: mirror, counts: try counts(), uncounted: nil).verdict()
  }

  /// The verdict where what is pending can't be counted.
  /// - Parameter problem: why, a sentence.
  package static func verdict(_ mirror: Mirror, uncounted problem: String) throws -> Verdict {
    try VerdictReader(mirror: mirror, counts: [:], uncounted: problem).verdict()
  }

  private func verdict() throws -> Verdict {
    let noise = try mirror.noise()
    let remarks = try VerdictRemarks(mirror, uncounted == nil ? counts : nil)
    let undecided = try undecided()
    let isWaiting = try counts.sent(scanning: mirror.nextExportScans) > 0
    // Where what is pending isn't known, a failing export stands in the way of whatever it is.
    let events = try EventBlockers(mirror, isWaiting: isWaiting || undecided != nil)
    let obstacles =
      try [Obstacle.of(mirror.token), Obstacle.ofIdentity(mirror)].compactMap(\.self) + events.obstacles
    let blockers = obstacles.map(\.sentence)
    let unscanned = try unscannedRows()
    let rest =
      try [remarks.wipe].compactMap(\.self) + pending() + unscanned + events.passing.map(\.sentence)
      + [remarks.success].compactMap(\.self)
      + remarks.sentences
    func verdict(_ state: Verdict.State, _ because: [String]) -> Verdict {
      Verdict(
        state, because: because, noise: noise, obstacles: obstacles, passing: events.passing,
        remarks: unscanned + remarks.sentences, wipe: remarks.wipe,
        hasUnsent: !isWaiting && counts.total > 0)
    }
    if let undecided { return verdict(undecided.state, undecided.reasons + blockers + rest) }
    if !blockers.isEmpty { return verdict(.blocked, blockers + rest) }
    if isWaiting { return verdict(.waiting, rest) }
    let nothing =
      counts.total == 0 ? "Nothing is pending." : "Nothing is pending that the next export sends."
    return verdict(.idle, [nothing] + rest)
  }

  /// The states that don't depend on what is pending, and the reasons for them.
  private func undecided() throws -> (state: Verdict.State, reasons: [String])? {
    if let reasons = layoutReasons { return (.unknown, reasons) }
    if try isNeverSetUp {
      return (
        .neverSetUp,
        ["No setup has succeeded as far as the store shows: there is no zone, no record and no token."]
          + [uncounted].compactMap(\.self)
      )
    }
    let reasons = try evidenceReasons()
    return reasons.isEmpty ? nil : (.unknown, reasons)
  }

  private var layoutReasons: [String]? {
    if mirror.layout == .unknown {
      return ["The mirror's tables have an unknown layout."]
        + mirror.tables.unknownTables.map { "The table \($0) isn't known." }
    }
    guard !mirror.layout.hasUploadFlags else { return nil }
    return [
      "The mirror's tables are of the layout \(mirror.layout.name), which doesn't flag pending changes."
    ]
  }

  private var isNeverSetUp: Bool {
    get throws {
      let hasZone = try mirror.zones.contains {
        $0.flags.contains(.hasRecordZone) || $0.changeToken.isPresent
      }
      guard try !mirror.events.hasAnySuccess, try mirror.token.state == .missing, !hasZone else {
        return false
      }
      return try mirror.recordCount() == 0
    }
  }

  private func evidenceReasons() throws -> [String] {
    var reasons = [FrameworkTable.records, .metadataEntries].compactMap { mirror.tables.absence(of: $0) }.map
    {
      $0 + ", so pending changes can't be determined."
    }
    if mirror.tables.has(.records), !mirror.tables.has(.records, "ZNEEDSUPLOAD") {
      reasons.append("The records have no column ZNEEDSUPLOAD, so pending changes can't be determined.")
    }
    if let problem = try mirror.token.problem {
      reasons.append("The history token can't be read or compared: \(problem).")
    }
    return reasons + [uncounted].compactMap(\.self)
  }

  /// What the next export sends.
  private func pendingWords() throws -> [String] {
    let scans = try mirror.nextExportScans
    return PendingItem.Kind.allCases.compactMap { kind -> String? in
      guard let count = counts[kind], count > 0, scans || kind != .unregistered else { return nil }
      return Sentence.count(count, kind.words.one, kind.words.many)
    }
  }

  private func pending() throws -> [String] {
    let words = try pendingWords()
    return words.isEmpty ? [] : ["Pending: \(words.joined(separator: ", "))."]
  }

  /// Rows that no export sends.
  private func unscannedRows() throws -> [String] {
    let unregistered = counts[.unregistered, default: 0]
    guard try !mirror.nextExportScans, unregistered > 0 else { return [] }
    let rows =
      unregistered == 1
      ? "1 row has no record. It isn't uploaded"
      : "\(Sentence.count(unregistered, "row")) have no record. They aren't uploaded"
    let when =
      try mirror.scope == .shared
      ? "which it never does in a shared database" : "which regular exports don't do"
    let fix =
      try mirror.lostRecords().isEmpty == false
      ? LostRecords.fix
      : mirror.scope == .shared ? "The app has to save them again." : LostRecords.registration
    return ["\(rows) until the framework scans for such rows, \(when). \(fix)"]
  }
}

/// Which failing events stand in the way, and which pass.
struct EventBlockers {
  /// What blocks.
  private(set) var obstacles: [Obstacle] = []
  /// Failures that pass by themselves.
  private(set) var passing: [Obstacle] = []
  private let mirror: Mirror

  /// - Parameter isWaiting: whether a failing export stands in anything's way.
  init(_ mirror: Mirror, isWaiting: Bool) throws {
    self.mirror = mirror
    let events = try mirror.events
    let others =
      [MirrorEvent.Kind.import, .export].compactMap { events[$0].lastSuccess?.primaryKey }.max() ?? .min
    // Nothing is imported or exported before a setup, so a later success shows that one got through.
    if let failure = events[.setup].failure, failure.primaryKey > others {
      try add(failure, .setup, events[.setup])
    }
    if isWaiting, let failure = events[.export].failure { try add(failure, .export, events[.export]) }
    if let failure = events[.import].failure { try add(failure, .import, events[.import]) }
  }

  private mutating func add(
    _ failure: MirrorEvent, _ kind: MirrorEvent.Kind, _ standing: EventDigest.Standing
  ) throws {
    let words = try Obstacle.words(failure, kind, mirror)
    var sentence = try sentence(failure, kind.name, words.cause)
    if standing.failuresInARow > 1 {
      let since = standing.failingSince?.moment?.iso8601.map { " since \($0)" } ?? ""
      sentence += " \(Sentence.count(standing.failuresInARow, "failure")) in a row\(since)."
    }
    let obstacle = Obstacle(
      cause: words.cause, fix: words.fix, sentence: sentence, kind: kind,
      error: failure.errorText ?? failure.errorDomain,
      since: standing.failingSince?.moment ?? failure.moment, failures: standing.failuresInARow)
    if Self.passes(failure) { passing.append(obstacle) } else { obstacles.append(obstacle) }
  }

  /// The server asks to wait: https://developer.apple.com/documentation/cloudkit/ckerror/code/requestratelimited
  private static let throttling: [Explanation.Concern?] = [.throttling, .busyZone]

  private static func passes(_ failure: MirrorEvent) -> Bool {
    failure.resolvesItself && !throttling.contains(failure.concern)
  }

  /// What failed, what it means, and whether it passes.
  private func sentence(_ failure: MirrorEvent, _ kind: String, _ cause: String) throws -> String {
    let moment = failure.moment?.iso8601.map { " at \($0)" } ?? ""
    let beginning = "The last \(kind)\(moment) failed"
    guard let error = failure.errorText ?? failure.errorDomain else {
      return "\(beginning), and the event doesn't record the error."
    }
    var sentence = "\(beginning) with \(error)."
    // What the objects show says more than what the error means in general.
    if failure.concern == nil, !cause.hasSuffix(error) {
      return "\(sentence) \(Sentence.begun(cause))."
    }
    guard let explanation = failure.explanation else {
      return "\(sentence) That error isn't known, so it isn't known either whether it resolves itself."
    }
    sentence += " \(try meaning(explanation))"
    if let words = explanation.resolvesItself.words { sentence += " \(words)" }
    return sentence
  }

  /// What the error means; of a full storage also whose it is, which depends on the database.
  private func meaning(_ explanation: Explanation) throws -> String {
    guard explanation.concern == .quota, let scope = try mirror.scope else { return explanation.meaning }
    let full =
      scope == .private ? "The user's iCloud storage is full" : Sentence.begun(Obstacle.quota(scope).cause)
    return full + ". Uploads stop without a message to the user; downloads continue."
  }
}
