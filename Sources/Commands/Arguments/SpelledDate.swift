import Rendering
import Values

/// Dates as people and other programs write them, such as `20.03.2026`, `2026/3/20`, `March 20, 2026 at 4:30 PM`,
/// `Fri, 20 Mar 2026 16:30:00 +0000` or `20 Mar`, in the forms that `TypedMoment` reads.
enum SpelledDate {
  /// `2026-03-20 16:30`, `2026-03`, or `mar 20 16:30` if the year is left out. Two for `3/4/2026`, which is a day in March
  /// to some people and one in April to others; none for what isn't a date.
  static func forms(of text: String) -> [String] {
    guard text.utf8.count <= 100 else { return [] }
    var parts = Parts()
    // JavaScript names the zone in parentheses behind its offset.
    for word in text.lowercased().replacing(/\s\(.*\)$/, with: "").split(whereSeparator: {
      $0.isWhitespace || $0 == ","
    }) {
      guard parts.take(word) else { return [] }
    }
    return parts.forms
  }

  private struct Parts {
    /// From 1.
    private var month: Int?
    private var day: String?
    private var year: String?
    /// `2026-03-20`
    private var days: [String] = []
    private var clock: String?
    private var isAfternoon: Bool?
    /// `Z` or `+01:00`
    private var zone: String?

    /// - Returns: whether a date may have such a word, which it hasn't had yet.
    mutating func take(_ word: Substring) -> Bool {
      if SpelledDate.isName(word, of: SpelledDate.weekdays) || word == "at" { return true }
      if let number = SpelledDate.number(ofMonth: word) { return Self.set(&month, number) }
      if word == "am" || word == "pm" { return Self.set(&isAfternoon, word == "pm") }
      if ["utc", "gmt", "z"].contains(word) { return Self.set(&zone, "Z") }
      if let match = word.wholeMatch(of: /(?:gmt|utc)?([+-]\d\d):?(\d\d)/) {
        return Self.set(&zone, "\(match.1):\(match.2)")
      }
      if let match = word.wholeMatch(of: /(\d{1,2}(?::\d\d){1,2})(am|pm|z)?/) {
        switch match.2 {
        case nil: break
        case "z": guard Self.set(&zone, "Z") else { return false }
        case let half: guard Self.set(&isAfternoon, half == "pm") else { return false }
        }
        return Self.set(&clock, String(match.1))
      }
      if let match = word.wholeMatch(of: /(\d{1,2})(st|nd|rd|th|\.)?/) {
        return Self.set(&day, String(match.1))
      }
      if word.wholeMatch(of: /\d{4}/) != nil { return Self.set(&year, String(word)) }
      if let match = word.wholeMatch(of: /(\d{1,2})[-\/]([a-z]{3,9})[-\/](\d{4}|\d\d)/),
        let number = SpelledDate.number(ofMonth: match.2), let year = Int(match.3)
      {
        return Self.set(&month, number) && Self.set(&day, String(match.1))
          && Self.set(&self.year, String(SpelledDate.year(year)))
      }
      guard days.isEmpty else { return false }
      if let match = word.wholeMatch(of: /(\d{4})(\d\d)(\d\d)t(\d\d)(\d\d)(\d\d)?(z)?/) {
        days = ["\(match.1)-\(match.2)-\(match.3)"]
        return Self.set(&clock, "\(match.4):\(match.5)" + (match.6.map { ":\($0)" } ?? ""))
          && (match.7 == nil || Self.set(&zone, "Z"))
      }
      if let match = word.wholeMatch(of: /((?:19|20)\d\d)([01]\d)([0-3]\d)/) {
        days = SpelledDate.days("\(match.1)-\(match.2)-\(match.3)")
        return !days.isEmpty
      }
      days = SpelledDate.days(word)
      return !days.isEmpty
    }

    private static func set<Part>(_ part: inout Part?, _ value: Part) -> Bool {
      guard part == nil else { return false }
      part = value
      return true
    }

    var forms: [String] {
      guard let time else { return [] }
      if !days.isEmpty { return month == nil && day == nil && year == nil ? days.map { $0 + time } : [] }
      guard let month else { return [] }
      switch (year, day) {
      case (let year?, let day?): return ["\(year)-\(padded(month))-\(padded(Int(day) ?? 0))\(time)"]
      case (let year?, nil): return time.isEmpty ? ["\(year)-\(padded(month))"] : []
      case (nil, let day?):
        // Without a year, another zone isn't read.
        guard zone == nil || zone == "Z" else { return [] }
        let words = time.last == "Z" ? time.dropLast() + " utc" : time[...]
        return ["\(DateText.months[month - 1].lowercased()) \(day)\(words)"]
      case (nil, nil): return []
      }
    }

    /// With a blank in front; empty without one, nil if the words make none.
    private var time: String? {
      guard let clock else { return isAfternoon == nil && zone == nil ? "" : nil }
      guard let hour = Int(clock.prefix { $0 != ":" }) else { return nil }
      let rest = clock.drop { $0 != ":" }
      guard let isAfternoon else { return " \(padded(hour))\(rest)\(zone ?? "")" }
      // https://en.wikipedia.org/wiki/12-hour_clock
      guard (1...12).contains(hour) else { return nil }
      return " \(padded(hour % 12 + (isAfternoon ? 12 : 0)))\(rest)\(zone ?? "")"
    }

    private func padded(_ number: Int) -> String { SpelledDate.padded(number) }
  }

  private static func padded(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }

  private static let months = [
    "january", "february", "march", "april", "may", "june", "july", "august", "september", "october",
    "november", "december",
  ]
  private static let weekdays = [
    "monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday",
  ]

  /// Whether it is one of these names, or its first letters: three at least.
  private static func isName(_ word: Substring, of names: [String]) -> Bool {
    word.utf8.count > 2 && names.contains { $0.hasPrefix(word) }
  }

  private static func number(ofMonth word: Substring) -> Int? {
    let name = word.last == "." ? word.dropLast() : word
    guard isName(name, of: months) else { return nil }
    return months.firstIndex { $0.hasPrefix(name) }.map { $0 + 1 }
  }

  /// The days that three numbers may be. With dots the day is first
  /// (https://en.wikipedia.org/wiki/List_of_date_formats_by_country); with slashes or hyphens it may be the month.
  private static func days(_ word: Substring) -> [String] {
    // With colons in pictures: https://exiftool.org/TagNames/EXIF.html
    if let match = word.wholeMatch(of: /(\d{4}):(\d\d):(\d\d)/), let year = Int(match.1),
      let month = Int(match.2), let day = Int(match.3)
    {
      return self.day(year, month, day)
    }
    guard let match = word.wholeMatch(of: /(\d{1,4})([.\/-])(\d{1,2})\2(\d{1,4})\.?/),
      let first = Int(match.1), let second = Int(match.3), let third = Int(match.4)
    else { return [] }
    let separator = match.2
    if match.1.count == 4, match.4.count < 3 { return day(first, second, third) }
    guard match.1.count < 3 else { return [] }
    let year: Int
    switch match.4.count {
    case 4: year = third
    case 2 where separator != "-": year = Self.year(third)
    default: return []
    }
    let european = day(year, second, first)
    guard separator != ".", first != second else { return european }
    return day(year, first, second) + european
  }

  /// https://pubs.opengroup.org/onlinepubs/9699919799/functions/strptime.html
  private static func year(_ number: Int) -> Int {
    number > 99 ? number : number < 69 ? 2000 + number : 1900 + number
  }

  private static func day(_ year: Int, _ month: Int, _ day: Int) -> [String] {
    let text = "\(year)-\(padded(month))-\(padded(day))"
    return WrittenDate(text) == nil ? [] : [text]
  }
}
