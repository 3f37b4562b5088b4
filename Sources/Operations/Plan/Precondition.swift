/// Something that must be so before anything is written.
package struct Precondition: Sendable, Equatable {
  package var name: String
  package var holds: Bool
  /// One sentence: what was found, and where it doesn't hold, what to do.
  package var why: String

  package init(_ name: String, holds: Bool, _ why: String) {
    self.name = name
    self.holds = holds
    self.why = why
  }
}
