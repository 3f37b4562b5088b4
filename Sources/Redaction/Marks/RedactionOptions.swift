package import Base

/// How a store is redacted.
package struct RedactionOptions: Sendable {
  /// What may stay as it is.
  package struct Kept: OptionSet, Sendable {
    package let rawValue: Int
    package init(rawValue: Int) { self.rawValue = rawValue }

    /// Numbers and Booleans of the app's attributes.
    package static let numbers = Kept(rawValue: 1)
    /// Dates of the app's attributes. Times of history and of the mirror stay anyway.
    package static let dates = Kept(rawValue: 2)
    /// Names of bundles and processes in history, and of authors that aren't shared otherwise: see `SharedNames`.
    package static let programs = Kept(rawValue: 4)

    /// By the words that people type.
    package static let words: [(word: String, kept: Kept)] = [
      ("numbers", .numbers), ("dates", .dates), ("programs", .programs),
    ]
  }

  package var marks: Marks
  package var kept: Kept
  /// Whether the mark of a text or of plain data is as long as what it stands for.
  package var keepsLengths: Bool

  package init(marks: Marks = .random(), kept: Kept = [], keepsLengths: Bool = false) {
    self.marks = marks
    self.kept = kept
    self.keepsLengths = keepsLengths
  }
}

/// What kind of value was replaced, as people read it.
package enum Replaced: String, Sendable, CaseIterable {
  case text, number, date, boolean, uuid, data, archive, file, program, identifier, metadata
}
