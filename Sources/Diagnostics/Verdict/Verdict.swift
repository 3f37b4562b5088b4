package import Values

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

  /// Something is pending that the next export won't send.
  package var hasUnsent: Bool

  package init(
    _ state: State, because: [String], noise: [String] = [], obstacles: [Obstacle] = [],
    passing: [Obstacle] = [], remarks: [String] = [], hasUnsent: Bool = false
  ) {
    self.state = state
    self.because = because
    self.noise = noise
    self.obstacles = obstacles
    self.passing = passing
    self.remarks = remarks
    self.hasUnsent = hasUnsent
  }

  package static let fields: [Field<Self>] = [
    Field("state", "the state of sync") { $0.state },
    Field("because", "why, one sentence each, the most important first") { $0.because },
    Field("noise", "failures that are harmless, one sentence each") { $0.noise },
  ]

  package static let shape = Shape.named("verdict", fields.keys())
}
