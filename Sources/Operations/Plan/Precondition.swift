/// Something that must be so before anything is written.
package struct Precondition: Sendable, Equatable {
  package var name: String
  package var holds: Bool
  /// One sentence: what was found, and where it doesn't hold, what to do.
  package var why: String
  /// It holds because somebody said so, and must be read again before they consent.
  package var isStated: Bool
  /// It doesn't hold because something wasn't chosen yet.
  package var isOpen: Bool

  package init(_ name: String, holds: Bool, isStated: Bool = false, isOpen: Bool = false, _ why: String) {
    self.name = name
    self.holds = holds
    self.isStated = isStated
    self.isOpen = isOpen
    self.why = why
  }
}
