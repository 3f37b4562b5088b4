package import Values

/// One step in the story of an object.
package struct TraceStep: Sendable, Equatable {
  package enum Kind: String, Sendable, CaseIterable {
    /// A change in persistent history.
    case change
    /// A run of the mirror that carried a change, or should have.
    case event
    /// The object's record as it stands now.
    case record
    /// What waits to be sent of it now.
    case pending
  }

  /// Nil for what stands now.
  package var at: CoreDataDate?
  package var kind: Kind
  /// One sentence.
  package var text: String
  /// What else is known, by kind.
  package var details: [DataValue.Member]

  /// A step without a time.
  static func now(_ kind: Kind, _ text: String, _ details: [DataValue.Member] = []) -> TraceStep {
    TraceStep(at: nil, kind: kind, text: text, details: details)
  }

  package var value: DataValue {
    .object(
      [.init("at", .optional(at)), .init("kind", .text(kind.rawValue)), .init("text", .text(text))] + details)
  }
}
