import Values

/// Times in a page: short to read, exact on a closer look, and marked so that the page's script can show local ones.
enum TimeMarkup {
  enum Precision { case minute, second }

  /// `2026-04-16 06:45`, with the exact time as its title; text for a date that no calendar has.
  static func time(_ date: CoreDataDate, _ precision: Precision = .minute) -> Markup {
    guard let exact = date.shortISO8601 else { return .text(TextForPeople.minute(date)) }
    let second = String(DateText().second(date).dropLast())
    return .tag(
      "time", ["datetime": exact, "title": exact],
      .text(precision == .second ? second : TextForPeople.minute(date)))
  }

  /// A sentence, in which the times of JSON become times to read; the last one names the zone.
  static func sentence(_ text: String) -> Markup {
    guard text.utf8.contains(UInt8(ascii: "T")), text.utf8.contains(UInt8(ascii: "Z")) else {
      return .text(text)
    }
    let words = text.split(separator: " ", omittingEmptySubsequences: false)
    let dates = words.map(date)
    let last = dates.lastIndex { $0 != nil }
    var parts: [Markup] = []
    var plain = ""
    for (index, word) in words.enumerated() {
      if index > 0 { plain += " " }
      guard let found = dates[index] else {
        plain += word
        continue
      }
      parts += [.text(plain + found.head), time(found.date), index == last ? zone : .nothing]
      plain = String(found.tail)
    }
    return .group(parts + [.text(plain)])
  }

  /// The date in a word, and what stands around it.
  private static func date(
    in word: Substring
  ) -> (head: Substring, date: CoreDataDate, tail: Substring)? {
    guard let start = word.firstIndex(where: \.isNumber), let end = word.lastIndex(of: "Z"), start < end,
      let date = ISO8601.parse(String(word[start...end]))
    else { return nil }
    return (word[..<start], date, word[word.index(after: end)...])
  }

  /// Names the zone of the times before it, or of the column below it.
  static let zone = Markup.tag("span", ["class": "zone"], " UTC")
}
