package import Base
package import Lens

/// The mirror's state, in one word, and the reasons for it.
package struct Verdict: HasFields, Sendable, Equatable {
  package enum State: String, FieldWord, Sendable {
    /// Nothing is pending.
    case idle
    /// Changes are pending, and nothing is known to block them.
    case waiting
    /// Something must happen first: of the app, of the user, or of the server.
    case blocked
    /// The tables are there, but setup has never succeeded.
    case neverSetUp
    /// No tables of a mirror.
    case notMirrored
    /// The store doesn't record it.
    case unknown
  }

  package var state: State
  /// Why, a sentence each, the weightiest first.
  package var because: [String]
  /// Failures that mean nothing, a sentence each.
  package var noise: [String]
  /// What blocks, the weightiest first; `because` has their sentences.
  package var obstacles: [Obstacle]
  /// Failures that pass by themselves; `because` has their sentences, too.
  package var passing: [Obstacle]
  /// What else there is to know; `because` has it, too.
  package var remarks: [String]
  /// Why the store is empty, if the mirror emptied it, a sentence; `because` has it, too.
  package var wipe: String?

  /// Something is pending that the next export won't send.
  package var hasUnsent: Bool

  package init(
    _ state: State, because: [String], noise: [String] = [], obstacles: [Obstacle] = [],
    passing: [Obstacle] = [], remarks: [String] = [], wipe: String? = nil, hasUnsent: Bool = false
  ) {
    self.state = state
    self.because = because
    self.noise = noise
    self.obstacles = obstacles
    self.passing = passing
    self.remarks = remarks
    self.wipe = wipe
    self.hasUnsent = hasUnsent
  }

  package static let fields: [Field<Self>] = [
    Field("state", "the state of sync") { $0.state },
    Field("because", "why, one sentence each, the most important first") { $0.because },
    Field("noise", "failures that are harmless, one sentence each") { $0.noise },
  ]

  package static let shape = Shape.named("verdict", fields.keys())
}

extension Verdict.State {
  /// `Blocked`: how a sentence about the mirror begins.
  package var word: String {
    switch self {
    case .idle: "Nothing pending"
    case .waiting: "Pending"
    case .blocked: "Blocked"
    case .neverSetUp: "Never set up"
    case .notMirrored: "Not mirrored"
    case .unknown: "Unknown"
    }
  }
}

/// The verdict in words, for those who lead with it.
extension Verdict {
  package var word: String { state.word }

  /// What follows it in the same sentence: `: iCloud storage is full`, without a full stop.
  /// - Parameter namesError: whether an error is named next to what it means.
  package func rest(namesError: Bool) -> String {
    switch state {
    case .idle:
      hasUnsent ? " that the next export sends" : ""
    case .waiting:
      passing.first.map { ": \($0.cause)\(error(of: $0, namesError)), which usually resolves on its own" }
        ?? ": nothing in the store blocks the next export"
    case .blocked: obstacles.first.map { ": \($0.cause)\(error(of: $0, namesError))" } ?? ""
    case .neverSetUp:
      ": " + (obstacles.first.map { $0.cause + error(of: $0, namesError) } ?? "no setup has succeeded yet")
    case .notMirrored: " to CloudKit"
    case .unknown:
      because.first.map { ". " + ($0.hasSuffix(".") ? String($0.dropLast()) : $0) } ?? ""
    }
  }

  /// ` (CKErrorDomain 25, quotaExceeded)`, where the cause doesn't name it.
  private func error(of obstacle: Obstacle, _ isNamed: Bool) -> String {
    guard isNamed, let error = obstacle.error, !obstacle.cause.contains(error) else { return "" }
    guard let name = error.firstIndex(of: "("), error.last == ")", name > error.startIndex else {
      return " (\(error))"
    }
    return " (\(error[..<error.index(before: name)]), \(error[error.index(after: name)...])"
  }

  /// Since when it is so, and when a run of that kind got through last; with times as in JSON.
  package func story(_ mirror: Mirror) throws -> [String] {
    guard let obstacle = obstacles.first ?? passing.first else {
      let success = try mirror.events[.export].lastSuccess?.moment?.iso8601
      return success.map { ["The last export succeeded at \($0)."] } ?? []
    }
    guard let kind = obstacle.kind else { return [obstacle.sentence] }
    let since = obstacle.since?.iso8601
    let failures =
      obstacle.failures > 1
      ? "\(since.map { "Since \($0), " } ?? "")\(obstacle.failures) \(kind.name)s failed in a row."
      : "The last \(kind.name)\(since.map { ", at \($0)," } ?? "") failed."
    let standing = try mirror.events[kind]
    let success = standing.lastSuccess?.moment?.iso8601
    return [failures + (success.map { " Last success: \($0)." } ?? " None has succeeded.")]
      + [standing.gapSentence(kind)].compactMap(\.self)
  }
}

extension EventDigest.Standing {
  /// `No export was logged from Mar 29 02:59 to Apr 15 19:20.` Why, no store says: there may have been nothing to send.
  /// Nil if runs followed each other as usual.
  func gapSentence(_ kind: MirrorEvent.Kind) -> String? {
    guard let gap, let from = gap.from.iso8601, let to = gap.to.iso8601 else { return nil }
    return "No \(kind.name) was logged from \(from) to \(to)."
  }
}
