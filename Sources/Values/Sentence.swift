/// Small help for texts that people read.
package enum Sentence {
  /// The text with a full stop, unless it ends with a mark of its own: what SQLite says may end with either.
  package static func ended(_ text: String) -> String {
    text.isEmpty || isEnded(text) ? text : text + "."
  }

  package static func isEnded(_ text: String) -> Bool { text.last.map { ".?!".contains($0) } ?? false }

  /// The text with a capital letter.
  package static func begun(_ text: String) -> String { text.prefix(1).uppercased() + text.dropFirst() }

  /// `1 row`, `2 rows`.
  package static func count(_ number: Int, _ one: String, _ many: String? = nil) -> String {
    "\(number) \(form(number, one, many))"
  }

  /// The form of a word that goes with so many: `row` and `rows`, `has` and `have`.
  package static func form(_ number: Int, _ one: String, _ many: String? = nil) -> String {
    number == 1 ? one : many ?? one + "s"
  }
}
