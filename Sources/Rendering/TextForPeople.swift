package import Values

/// Small numbers as people read them.
package enum TextForPeople {
  package static func bytes(_ count: Int64) -> String {
    switch count {
    case ..<10_000: "\(count) B"
    case ..<10_000_000: "\(count / 1000) kB"
    case ..<10_000_000_000: "\(count / 1_000_000) MB"
    default: "\(count / 1_000_000_000) GB"
    }
  }

  /// Digits in groups of three, with narrow blanks at which no line breaks: ISO 80000-1.
  package static func count(_ number: Int) -> String {
    let digits = Array(String(number.magnitude))
    guard digits.count > 4 else { return String(number) }
    var text = number < 0 ? "-" : ""
    for (index, digit) in digits.enumerated() {
      if index > 0, (digits.count - index) % 3 == 0 { text.append("\u{202F}") }
      text.append(digit)
    }
    return text
  }

  /// `1 row`, `12 345 rows`.
  package static func count(_ number: Int, _ one: String, _ many: String? = nil) -> String {
    "\(count(number)) \(Sentence.form(number, one, many))"
  }

  /// A sentence whose times are told to the minute: `2026-04-16T06:45:22.871Z` is more than people read.
  package static func shortTimes(_ sentence: String) -> String {
    sentence.split(separator: " ", omittingEmptySubsequences: false).map { word in
      // A date begins with its century, and ends with the zone.
      guard let start = word.firstIndex(where: \.isNumber), let end = word.lastIndex(of: "Z"), start < end,
        let date = ISO8601.parse(String(word[start...end]))
      else { return String(word) }
      return word[..<start] + minute(date) + word[word.index(after: end)...]
    }.joined(separator: " ")
  }

  /// `2026-04-16 06:45`, in UTC.
  package static func minute(_ date: CoreDataDate) -> String {
    guard let text = date.shortISO8601 else { return "an impossible time" }
    return text.prefix(16).split(separator: "T").joined(separator: " ")
  }
}
