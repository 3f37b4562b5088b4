/// Something that must be so before anything is written.
package struct Precondition: Sendable, Equatable {
  package var name: String
  package var holds: Bool
  /// One sentence: what was found, and where it doesn't hold, what to do.
  package var why: String
  /// It holds because somebody said so, and must be read again before they consent.
  package var isStated: Bool

  package init(_ name: String, holds: Bool, isStated: Bool = false, _ why: String) {
    self.name = name
    self.holds = holds
    self.isStated = isStated
    self.why = why
  }
}
