package import Values

/// Small numbers as people read them.
package enum TextForPeople {
  /// `137 B`, `24 kB`, `1.5 MB`: three digits at most, in powers of 1000 as Apple's systems count.
  package static func bytes(_ count: Int64) -> String { Sentence.size(count) }

  /// Digits in groups of three: `19,929`.
  package static func count(_ number: Int) -> String { Sentence.number(number) }

  /// `1 row`, `12,345 rows`.
  package static func count(_ number: Int, _ one: String, _ many: String? = nil) -> String {
    Sentence.count(number, one, many)
  }

  /// `Person/p12` of an object's URI.
  package static func objectName(ofURI uri: String) -> String {
    uri.split(separator: "/").suffix(2).joined(separator: "/")
  }

  /// With zeros before it where it has fewer digits.
  static func digits(_ number: Int64, _ count: Int) -> String {
    let text = String(number)
    return String(repeating: "0", count: max(0, count - text.utf8.count)) + text
  }

  /// A sentence whose times are shown to the minute.
  package static func shortTimes(_ sentence: String) -> String {
    DateText().shortened(sentence, namesZone: false)
  }

  /// `2026-04-16 06:45`, in UTC.
  package static func minute(_ date: CoreDataDate) -> String { DateText().minute(date) }
}
