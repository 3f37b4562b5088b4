package import Values

/// How the mirror stands, in one word and the reasons for it.
package struct Verdict: Sendable, Equatable {
  package enum State: String, Sendable, CaseIterable {
    /// Nothing waits to be sent.
    case idle
    /// Something waits, and nothing is known to stand in its way but time.
    case waiting
    /// Something must happen first: of the app, of the user, or of the server.
    case blocked
    /// The tables are there, and setup never got through.
    case neverSetUp
    /// No tables of a mirror.
    case notMirrored
    /// The store doesn't say.
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

  package init(
    _ state: State, because: [String], noise: [String] = [], obstacles: [Obstacle] = [],
    passing: [Obstacle] = []
  ) {
    self.state = state
    self.because = because
    self.noise = noise
    self.obstacles = obstacles
    self.passing = passing
  }

  package var value: DataValue {
    [
      "state": .text(state.rawValue), "because": .array(because.map(DataValue.text)),
      "noise": .array(noise.map(DataValue.text)),
    ]
  }
}
