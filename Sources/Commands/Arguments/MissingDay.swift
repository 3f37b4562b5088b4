import Rendering
import Values

/// A day that has the form of a date and isn't in the calendar: `2026-02-30`.
struct MissingDay {
  let sentence: String

  init?(_ text: String) {
    guard let match = text.prefixMatch(of: /(\d{4})-(\d\d)-(\d\d)(?!\d)/), let year = Int64(match.1),
      let month = Int64(match.2), let day = Int64(match.3)
    else { return nil }
    guard (1...12).contains(month) else {
      sentence = "there is no month \(match.2); write the year, the month and the day."
      return
    }
    let next = month == 12 ? (year: year + 1, month: Int64(1)) : (year: year, month: month + 1)
    let length =
      ISO8601.days(year: next.year, month: next.month, day: 1)
      - ISO8601.days(year: year, month: month, day: 1)
    guard !(1...length).contains(day) else { return nil }
    sentence =
      "there is no such day; the last of \(DateText.months[Int(month) - 1]) \(match.1) is the \(length)\(length == 31 ? "st" : "th")."
  }
}
