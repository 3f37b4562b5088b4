import SystemCalls
import Values

/// A moment as people type it: `2026-03-01`, `2026-03-01 12:00`, `now`, `yesterday`, `10:31`, `2h`.
///
/// A date is UTC unless it has an offset, as everything printed is. Words and bare clock times are people's own time:
/// `yesterday` begins at their midnight, and `10:31` is what their clock showed last.
struct TypedMoment {
  let now: CoreDataDate
  /// By how many seconds local time is ahead of UTC at a moment, in seconds since 1970.
  let offset: (Int64) -> Int64

  init(
    now: CoreDataDate = Platform.now(),
    offset: @escaping (Int64) -> Int64 = Platform.secondsFromUTC(atUnixSeconds:)
  ) {
    self.now = now
    self.offset = offset
  }

  /// For messages and help.
  static let examples = "2026-03-01, '2026-03-01 12:00' (UTC), yesterday, 10:31 (local time) or 2h"

  func parse(_ text: String) -> CoreDataDate? {
    let text = String(text.drop { $0 == " " })
    if let date = ISO8601.parse(text) ?? Self.beginning(text) { return date }
    let words = text.lowercased().split(separator: " ").map(String.init)
    guard let first = words.first, words.count <= 3 else { return nil }
    if let day = day(first) {
      guard words.count > 1 else { return first == "now" ? now : day }
      guard words.count == 2, first != "now" else { return nil }
      return Self.clock(words[1]).map { CoreDataDate(seconds: day.seconds + $0) }
    }
    if words.count == 1, let time = Self.clock(first), let today = day("today") {
      let moment = today.seconds + time
      // What is still to come today was meant of yesterday.
      return CoreDataDate(seconds: moment > now.seconds ? moment - Self.day : moment)
    }
    return ago(words)
  }

  private static let day = 86_400.0

  /// A year or a month is its beginning.
  private static func beginning(_ text: String) -> CoreDataDate? {
    switch text.utf8.count {
    case 4: ISO8601.parse(text + "-01-01")
    case 7: ISO8601.parse(text + "-01")
    default: nil
    }
  }

  /// Midnight, in local time.
  private func day(_ word: String) -> CoreDataDate? {
    let days: Double
    switch word {
    case "now", "today": days = 0
    case "yesterday": days = 1
    default: return nil
    }
    let ahead = Double(offset(Int64(now.unixSeconds)))
    let local = ((now.unixSeconds + ahead) / Self.day).rounded(.down) * Self.day - days * Self.day
    // The night before a change of clocks has another offset.
    return CoreDataDate(unixSeconds: local - Double(offset(Int64(local - ahead))))
  }

  /// Seconds since midnight of `10:31` and `10:31:05`.
  private static func clock(_ word: String) -> Double? {
    let parts = word.split(separator: ":", omittingEmptySubsequences: false)
    guard (2...3).contains(parts.count), parts.allSatisfy({ (1...2).contains($0.utf8.count) }) else {
      return nil
    }
    let numbers = parts.compactMap { UInt8($0) }
    guard numbers.count == parts.count, numbers[0] < 24, numbers.dropFirst().allSatisfy({ $0 < 60 }) else {
      return nil
    }
    return Double(numbers[0]) * 3600 + Double(numbers[1]) * 60 + (numbers.count > 2 ? Double(numbers[2]) : 0)
  }

  private static let units: [(names: [String], seconds: Double)] = [
    (["s", "sec", "secs", "second", "seconds"], 1), (["m", "min", "mins", "minute", "minutes"], 60),
    (["h", "hr", "hrs", "hour", "hours"], 3600), (["d", "day", "days"], day),
    (["w", "week", "weeks"], 7 * day),
  ]

  /// `2h`, `2 hours`, `2 hours ago`.
  private func ago(_ words: [String]) -> CoreDataDate? {
    var words = words
    if words.last == "ago" { words.removeLast() }
    let text = words.joined()
    let number = text.prefix { $0.isASCII && $0.isNumber }
    let unit = String(text.dropFirst(number.count))
    guard let count = UInt32(number), let seconds = Self.units.first(where: { $0.names.contains(unit) })
    else {
      return nil
    }
    return CoreDataDate(seconds: now.seconds - Double(count) * seconds.seconds)
  }
}
