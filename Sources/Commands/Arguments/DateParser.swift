import Base
import Rendering

/// A moment as people type it: `2026-03-01`, `2026-03-01 12:00`, `Apr 18 08:02`, `now`, `yesterday`, `10:31` or `2h`.
///
/// A date is UTC unless it has an offset, as everything printed is; one with a month's name is what tables print. Words
/// and bare clock times are people's own time: `yesterday` begins at their midnight, and `10:31` is what their clock
/// showed last.
struct DateParser {
  var now = Platform.now()
  /// Whether tables print local time.
  var printsLocal = false
  /// By how many seconds local time is ahead of UTC at a moment, in seconds since 1970.
  var offset: (Int64) -> Int64 = Platform.secondsFromUTC(atUnixSeconds:)

  /// For messages and help.
  static let examples =
    "2026-03-01, '2026-03-01 12:00' (UTC), 'Apr 18 08:02' as in tables, yesterday, 10:31 (local time) or 2h (2 hours ago)"

  /// Whether only the moment at which it is read decides on its year.
  func lacksYear(_ text: String) -> Bool {
    WrittenDate(text) == nil && printed(Self.words(of: text)) != nil
  }

  private static func words(of text: String) -> [String] {
    text.lowercased().split(separator: " ").map(String.init)
  }

  /// The moment, or the beginning of a day, a minute and the like.
  func parse(_ text: String) -> CoreDataDate? { period(text)?.lowerBound }

  /// The last moment that is meant as an end: of a day or a minute, which is what tables show, its last microsecond. What
  /// has seconds is a moment.
  func last(_ text: String) -> CoreDataDate? {
    period(text).map { max($0.lowerBound, CoreDataDate(seconds: $0.upperBound.seconds - 0.000_001)) }
  }

  /// What a date as tables print it stands for, in the zone of what is printed; nil for what is a word or a number too.
  /// - Parameter isDate: whether it is a date for certain, so that a year isn't a number.
  func printedPeriod(_ text: String, isDate: Bool = false) -> Range<CoreDataDate>? {
    guard text.utf8.count <= 100 else { return nil }
    guard let date = WrittenDate(text) else { return printed(Self.words(of: text)) }
    guard isDate || date.unit != .year else { return nil }
    let hasTime = ![.year, .month, .day].contains(date.unit)
    let hasZone = hasTime && WrittenDate(text + "Z") == nil
    guard printsLocal, !hasZone else { return date.start..<date.end }
    func local(_ date: CoreDataDate) -> CoreDataDate {
      let shift = date.unixSeconds - utc(date.unixSeconds).unixSeconds
      return CoreDataDate(seconds: date.seconds - shift.rounded())
    }
    return local(date.start)..<local(date.end)
  }

  private func period(_ text: String) -> Range<CoreDataDate>? {
    let text = String(text.drop { $0 == " " })
    if let date = WrittenDate(text) {
      return date.start..<([.year, .month, .day, .minute].contains(date.unit) ? date.end : date.start)
    }
    let words = Self.words(of: text)
    if let period = printed(words) { return period }
    guard let first = words.first, words.count <= 3 else { return nil }
    if first == "now" { return words.count == 1 ? now..<now : nil }
    if let day = midnight(first) {
      if words.count == 1 { return utc(day)..<utc(day + Self.day) }
      return words.count == 2 ? Self.clock(words[1]).map { period(day, $0) } : nil
    }
    if words.count == 1, let time = Self.clock(first), let today = midnight("today") {
      let moment = period(today, time)
      // What is still to come today was meant of yesterday.
      return moment.lowerBound > now ? period(today - Self.day, time) : moment
    }
    return ago(words).map { $0..<$0 }
  }

  private static let day = 86_400.0

  /// `Apr 18 08:02` and `Apr 18`, with or without `UTC`: the latest such day that isn't in the future, as tables print
  /// the year of those that are.
  private func printed(_ words: [String]) -> Range<CoreDataDate>? {
    guard words.count > 1, let place = DateText.months.firstIndex(where: { $0.lowercased() == words[0] }),
      let dayOfMonth = Self.number(words[1]).map(Int64.init), dayOfMonth > 0
    else { return nil }
    let isUTC = words.last == "utc"
    let time = isUTC ? words.dropFirst(2).dropLast() : words.dropFirst(2)
    guard time.count <= 1, let latest = DateText.year(of: CoreDataDate(seconds: now.seconds + Self.day))
    else { return nil }
    var clock = (seconds: 0.0, length: Self.day)
    if let word = time.first {
      guard let typed = Self.clock(word) else { return nil }
      clock = typed
    }
    let month = Int64(place + 1)
    // February 29 may be eight years away.
    for year in stride(from: latest, through: latest - 8, by: -1) {
      let days = ISO8601.days(year: year, month: month, day: dayOfMonth)
      guard ISO8601.civil(fromDays: days).month == month else { continue }
      let midnight = Double(days) * Self.day
      let start = CoreDataDate(unixSeconds: midnight + clock.seconds)
      let found =
        printsLocal && !isUTC
        ? period(midnight, clock)
        : start..<CoreDataDate(seconds: start.seconds + clock.length)
      if found.lowerBound <= now { return found }
    }
    return nil
  }

  /// Midnight as a clock shows it: seconds since 1970, had local time always been UTC.
  private func midnight(_ word: String) -> Double? {
    guard word == "today" || word == "yesterday" else { return nil }
    let local = now.unixSeconds + Double(offset(Int64(now.unixSeconds)))
    return (local / Self.day).rounded(.down) * Self.day - (word == "today" ? 0 : Self.day)
  }

  private func period(_ midnight: Double, _ time: (seconds: Double, length: Double)) -> Range<CoreDataDate> {
    let start = utc(midnight + time.seconds)
    return start..<CoreDataDate(seconds: start.seconds + time.length)
  }

  /// The moment at which a clock shows that. The offset is the one of that moment, which isn't now's if clocks were changed
  /// in between.
  private func utc(_ local: Double) -> CoreDataDate {
    let guess = local - Double(offset(Int64(local - Double(offset(Int64(now.unixSeconds))))))
    return CoreDataDate(unixSeconds: local - Double(offset(Int64(guess))))
  }

  /// Seconds since midnight of `10:31` and `10:31:05`, and how long that lasts.
  private static func clock(_ word: String) -> (seconds: Double, length: Double)? {
    let parts = word.split(separator: ":", omittingEmptySubsequences: false)
    guard (2...3).contains(parts.count) else { return nil }
    let numbers = parts.compactMap(number)
    guard numbers.count == parts.count, numbers[0] < 24, numbers.dropFirst().allSatisfy({ $0 < 60 }) else {
      return nil
    }
    let minute = Double(numbers[0]) * 3600 + Double(numbers[1]) * 60
    return numbers.count > 2 ? (minute + Double(numbers[2]), 0) : (minute, 60)
  }

  /// Of one or two digits: without a sign.
  private static func number(_ text: some StringProtocol) -> UInt8? {
    (1...2).contains(text.utf8.count) && text.utf8.allSatisfy { (0x30...0x39).contains($0) }
      ? UInt8(text) : nil
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
    else { return nil }
    return CoreDataDate(seconds: now.seconds - Double(count) * seconds.seconds)
  }
}

/// What `--since` and `--until` select.
struct DateRange {
  var since: CoreDataDate?
  var until: CoreDataDate?

  /// ` since Nov 25 10:31 UTC`, as it was understood: `10:31` is a time of today or yesterday, however old the store is, and
  /// an empty answer must show that. Empty if everything is selected.
  func words(_ dates: DateText) -> String {
    func text(_ date: CoreDataDate?) -> String? { date.map { dates.minute($0) } }
    return switch (text(since), text(until)) {
    case (let since?, let until?): " from \(since) to \(until)\(dates.zone)"
    case (let since?, nil): " since \(since)\(dates.zone)"
    case (nil, let until?): " until \(until)\(dates.zone)"
    case (nil, nil): ""
    }
  }
}
