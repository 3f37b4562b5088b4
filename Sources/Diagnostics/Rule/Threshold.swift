/// A number that decides what a rule takes for too much, too old or too often. People may set another.
package struct Threshold: Sendable, Equatable {
  package var name: String
  /// What it limits, in which unit, and why it is what it is.
  package var meaning: String
  package var defaultValue: Double

  package init(_ name: String, _ defaultValue: Double, _ meaning: String) {
    self.name = name
    self.meaning = meaning
    self.defaultValue = defaultValue
  }
}
