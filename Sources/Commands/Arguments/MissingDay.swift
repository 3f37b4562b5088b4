import Rendering
import Values

/// A day that has the form of a date and isn't in the calendar, `2026-02-30`, or a time that no clock shows,
/// `2026-03-20 25:00`.
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
    guard !(1...length).contains(day) else {
      let clock = text.wholeMatch(of: /.{10}[T ](\d\d):(\d\d)(?::(\d\d)(?:\.\d+)?)?(?:Z|[+-]\d\d:\d\d)?/)
      guard let clock, let hour = Int(clock.1), let minute = Int(clock.2),
        hour > 23 || minute > 59 || clock.3.flatMap({ Int($0) }) ?? 0 > 59
      else { return nil }
      sentence = "there is no such time; hours go up to 23, minutes and seconds to 59."
      return
    }
    sentence =
      "there is no such day; the last of \(DateText.months[Int(month) - 1]) \(match.1) is the \(length)\(length == 31 ? "st" : "th")."
  }
}
