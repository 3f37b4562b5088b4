/// Small help for texts that people read.
package enum Sentence {
  /// The text with a full stop, unless it ends with a mark of its own: what SQLite says may end with either.
  package static func ended(_ text: String) -> String {
    text.isEmpty || isEnded(text) ? text : text + "."
  }

  package static func isEnded(_ text: String) -> Bool { text.last.map { ".?!:".contains($0) } ?? false }

  /// The text with a capital letter.
  package static func begun(_ text: String) -> String { text.prefix(1).uppercased() + text.dropFirst() }

  /// The text as the rest of a sentence, unless it begins with a name such as `NSPersistentHistoryTrackingKey`.
  package static func continued(_ text: String) -> String {
    text.dropFirst().first?.isUppercase == true ? text : text.prefix(1).lowercased() + text.dropFirst()
  }

  /// `1 row`, `19,929 rows`.
  package static func count(_ number: Int, _ one: String, _ many: String? = nil) -> String {
    "\(self.number(number)) \(form(number, one, many))"
  }

  /// `once`, `twice`, `3 times`.
  package static func times(_ number: Int) -> String {
    switch number {
    case 1: "once"
    case 2: "twice"
    default: count(number, "time")
    }
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

  /// `137 B`, `24 kB`, `1.5 MB`: in powers of 1000, as Apple's systems count.
  package static func size(_ bytes: Int64) -> String {
    var (rest, unit) = (Double(bytes), "B")
    for larger in ["kB", "MB", "GB", "TB"] where abs(rest) >= 999.5 { (rest, unit) = (rest / 1000, larger) }
    guard unit != "B", abs(rest) < 9.95 else { return "\(Int64(rest.rounded())) \(unit)" }
    let tenths = Int64((rest * 10).rounded())
    return tenths % 10 == 0 ? "\(tenths / 10) \(unit)" : "\(tenths / 10).\(abs(tenths % 10)) \(unit)"
  }

  /// `1.5 s`, `12.0 s`: a duration with one decimal.
  package static func seconds(_ seconds: Double) -> String {
    // 1e12 seconds are 31,000 years: no run took them.
    guard abs(seconds) < 1e12 else { return "unknown" }
    let tenths = Int64((seconds * 10).rounded())
    return "\(tenths < 0 ? "-" : "")\(tenths.magnitude / 10).\(tenths.magnitude % 10) s"
  }

  /// `58%`, and `<1%` for less than one; empty where there is no whole.
  package static func percent(_ part: Int64, of whole: Int64) -> String {
    guard whole > 0 else { return "" }
    let percent = Double(part) / Double(whole) * 100
    return percent > 0 && percent < 1 ? "<1%" : "\(Int64(percent.rounded()))%"
  }

  /// `ZITEM, ACHANGE and 3 more`
  package static func listed(_ words: [String], atMost most: Int) -> String {
    let shown = words.count > most ? words.prefix(most - 1) + ["\(words.count - most + 1) more"] : words[...]
    guard let last = shown.last, shown.count > 1 else { return shown.first ?? "" }
    return "\(shown.dropLast().joined(separator: ", ")) and \(last)"
  }

  /// The form of a word that goes with so many: `row` and `rows`, `has` and `have`.
  package static func form(_ number: Int, _ one: String, _ many: String? = nil) -> String {
    number == 1 ? one : many ?? one + "s"
  }
}

extension StringProtocol {
  /// Without the white space around it: it comes along with what is copied, and stands between the names of a list.
  package var trimmed: SubSequence {
    let start = firstIndex { !$0.isWhitespace } ?? endIndex
    let end = self[start...].lastIndex { !$0.isWhitespace }.map { index(after: $0) } ?? start
    return self[start..<end]
  }
}
