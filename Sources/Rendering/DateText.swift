package import Base
import Synchronization

/// Dates as people read them: to the second in cells, to the minute in sentences and short lists.
package struct DateText: Sendable, Equatable {
  /// Whether the local time zone counts; otherwise times are UTC.
  package let isLocal: Bool
  /// The year that goes without saying in short dates; nil to always give it.
  package var thisYear: Int64?
  /// The year of later dates is always given: without one, the past is meant.
  private let now: CoreDataDate?

  /// Nil if times are UTC.
  private let use: Use?

  /// Whether any local time was given out. Copies share it.
  private final class Use: Sendable {
    let hasBegun = Atomic<Bool>(false)
  }

  package init(isLocal: Bool = false, thisYear: Int64? = nil, now: CoreDataDate? = nil) {
    self.isLocal = isLocal
    self.thisYear = thisYear
    self.now = now
    use = isLocal ? Use() : nil
  }

  package static func == (one: DateText, other: DateText) -> Bool {
    one.isLocal == other.isLocal && one.thisYear == other.thisYear && one.now == other.now
  }

  /// What follows a time in a sentence: local ones have their zone named at the end of all.
  package var zone: String { isLocal ? "" : " UTC" }

  /// The sentence that names the zone of the local times that were given out; nil if there were none.
  package var zoneNote: String? {
    guard let use, use.hasBegun.load(ordering: .relaxed) else { return nil }
    return "Times are local (\(Platform.timeZoneName))."
  }

  private func moment(_ date: CoreDataDate) -> Moment? {
    use?.hasBegun.store(true, ordering: .relaxed)
    return Moment(date, isLocal)
  }

  /// `2026-04-16 06:45:22Z`, without the `Z` in local time, or `06:45:22.871Z`: what people copy must find the value.
  package func second(_ date: CoreDataDate) -> String {
    guard let moment = moment(date) else { return "\(date.seconds) s since 2001-01-01" }
    let seconds = TextForPeople.digits(moment.second % 60, 2)
    return "\(moment.day) \(moment.time):\(seconds)\(moment.fraction)\(isLocal ? "" : "Z")"
  }

  /// `Apr 16 06:45`, or `2025-04-16 06:45` where the year has to be said.
  /// - Parameter aligned: whether days of one digit take the place of two, as in a column.
  package func minute(_ date: CoreDataDate, aligned: Bool = false) -> String {
    guard let moment = moment(date) else { return "an impossible time" }
    return "\(day(of: moment, date, aligned)) \(moment.time)"
  }

  /// `Apr 16`, or `2025-04-16`.
  package func day(_ date: CoreDataDate) -> String {
    moment(date).map { day(of: $0, date, false) } ?? "an impossible day"
  }

  private func day(of moment: Moment, _ date: CoreDataDate, _ aligned: Bool) -> String {
    guard moment.year == thisYear, now.map({ date <= $0 }) ?? true else { return moment.day }
    let day = aligned && moment.dayOfMonth < 10 ? " \(moment.dayOfMonth)" : "\(moment.dayOfMonth)"
    return "\(Self.months[Int(moment.month) - 1]) \(day)"
  }

  /// A text with the times in it to the minute: `2026-04-16T06:45:22.871000Z` is more than people read. What is in quotes
  /// people type, or it shows how dates look: it stays.
  /// - Parameter namesZone: whether times that are UTC say so.
  package func shortened(_ text: String, namesZone: Bool = true) -> String {
    // Most texts have no date.
    guard text.utf8.contains(UInt8(ascii: "Z")), text.utf8.contains(UInt8(ascii: "T")) else { return text }
    var words = text.split(separator: " ", omittingEmptySubsequences: false)
    // Of several times the last one names the zone.
    var zone = namesZone ? self.zone : ""
    for index in words.indices.reversed() {
      guard let (head, date, tail) = Self.date(in: words[index]), head.last != "'" else { continue }
      // What happened at a moment happened on a day.
      if head.isEmpty, index > 0, let on = Self.on[words[index - 1]] { words[index - 1] = on }
      words[index] = head + minute(date) + zone + tail
      zone = ""
    }
    return words.joined(separator: " ")
  }

  /// The date in a word, and what stands around it.
  static func date(in word: Substring) -> (head: Substring, date: CoreDataDate, tail: Substring)? {
    // A date begins with its century, and ends with the zone.
    guard let start = word.firstIndex(where: \.isNumber), let end = word.lastIndex(of: "Z"), start < end,
      let date = ISO8601.parse(String(word[start...end]))
    else { return nil }
    return (word[..<start], date, word[word.index(after: end)...])
  }

  /// The word before a day in place of the one before a time.
  private static let on: [Substring: Substring] = ["at": "on", "At": "On", "(at": "(on"]

  /// As short dates begin.
  package static let months = [
    "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
  ]

  /// The year of a moment, in UTC.
  package static func year(of date: CoreDataDate) -> Int64? { Moment(date, false)?.year }
}

/// A date taken apart.
private struct Moment {
  var year: Int64
  var month: Int64
  var dayOfMonth: Int64
  /// Of the day.
  var second: Int64
  /// Of the second.
  var microsecond: Int64

  /// Nil for a moment without a year of four digits.
  init?(_ date: CoreDataDate, _ isLocal: Bool) {
    guard let unix = ISO8601.microseconds(coreDataSeconds: date.seconds) else { return nil }
    var seconds = unix >= 0 ? unix / 1_000_000 : (unix - 999_999) / 1_000_000
    microsecond = unix - seconds * 1_000_000
    if isLocal { seconds += Platform.secondsFromUTC(atUnixSeconds: seconds) }
    let days = seconds >= 0 ? seconds / 86_400 : (seconds - 86_399) / 86_400
    (year, month, dayOfMonth) = ISO8601.civil(fromDays: days)
    second = seconds - days * 86_400
    guard (1...9999).contains(year) else { return nil }
  }

  var day: String { TextForPeople.day(year, month, dayOfMonth) }

  /// `.871`, as short as it can be; empty for a whole second.
  var fraction: String {
    guard microsecond > 0 else { return "" }
    var digits = TextForPeople.digits(microsecond, 6)
    while digits.last == "0" { digits.removeLast() }
    return "." + digits
  }

  var time: String {
    "\(TextForPeople.digits(second / 3600, 2)):\(TextForPeople.digits(second / 60 % 60, 2))"
  }
}

/// Small numbers as people read them.
package enum TextForPeople {
  /// `Person/p12` of an object's URI, and `Größe/p1` where the entity is encoded. Only a name that could be typed again is
  /// decoded.
  package static func objectName(ofURI uri: String) -> String {
    let parts = uri.split(separator: "/").suffix(2)
    guard uri.contains("%"), let entity = parts.first?.percentDecoded,
      entity.allSatisfy({ $0.isLetter || $0.isNumber || $0 == "_" })
    else { return parts.joined(separator: "/") }
    return ([entity] + parts.dropFirst().map(String.init)).joined(separator: "/")
  }

  /// With zeros before it where it has fewer digits.
  static func digits(_ number: Int64, _ count: Int) -> String {
    let text = String(number)
    return String(repeating: "0", count: max(0, count - text.utf8.count)) + text
  }

  /// `2026-04-16`
  static func day(_ year: Int64, _ month: Int64, _ day: Int64) -> String {
    "\(digits(year, 4))-\(digits(month, 2))-\(digits(day, 2))"
  }

  /// A sentence whose times are shown to the minute.
  package static func shortTimes(_ sentence: String) -> String {
    DateText().shortened(sentence, namesZone: false)
  }

  /// `2026-04-16 06:45`, in UTC.
  package static func minute(_ date: CoreDataDate) -> String { DateText().minute(date) }
}
