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

  package init(_ state: State, because: [String], noise: [String] = []) {
    self.state = state
    self.because = because
    self.noise = noise
  }

  package var value: DataValue {
    [
      "state": .text(state.rawValue), "because": .array(because.map(DataValue.text)),
      "noise": .array(noise.map(DataValue.text)),
    ]
  }
}
