/// Small help for texts that people read.
package enum Sentence {
  /// The text with a full stop, unless it ends with a mark of its own: what SQLite says may end with either.
  package static func ended(_ text: String) -> String {
    text.isEmpty || isEnded(text) ? text : text + "."
  }

  package static func isEnded(_ text: String) -> Bool { text.last.map { ".?!".contains($0) } ?? false }

  /// The text with a capital letter.
  package static func begun(_ text: String) -> String { text.prefix(1).uppercased() + text.dropFirst() }

  /// `1 row`, `19,929 rows`.
  package static func count(_ number: Int, _ one: String, _ many: String? = nil) -> String {
    "\(self.number(number)) \(form(number, one, many))"
  }

  /// Digits in groups of three: `19,929`.
  package static func number(_ number: Int) -> String {
    let digits = Array(String(number.magnitude))
    var text = number < 0 ? "-" : ""
    for (index, digit) in digits.enumerated() {
      if index > 0, (digits.count - index) % 3 == 0 { text.append(",") }
      text.append(digit)
    }
    return text
  }

  /// The form of a word that goes with so many: `row` and `rows`, `has` and `have`.
  package static func form(_ number: Int, _ one: String, _ many: String? = nil) -> String {
    number == 1 ? one : many ?? one + "s"
  }
}
