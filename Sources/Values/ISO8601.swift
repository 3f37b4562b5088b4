/// Dates to and from ISO 8601, in integers.
///
/// Foundation's formatters take 280 to 1,270 ns a date, this one about 40, and a store has millions of them;
/// hence by hand. The calendar is the proleptic Gregorian one, as in SQLite's own date functions
/// (https://www.sqlite.org/lang_datefunc.html). Day arithmetic after
/// https://howardhinnant.github.io/date_algorithms.html.
package enum ISO8601 {
  /// Bytes that the longest date takes: `2024-02-29T12:00:00.123456Z`.
  package static let capacity = 27

  /// Writes the date and returns how many bytes it took; 0 where the year hasn't four digits or the seconds
  /// aren't finite. Fractions are rounded to microseconds and printed with three or six digits, or none.
  package static func write(coreDataSeconds: Double, to buffer: UnsafeMutableRawBufferPointer) -> Int {
    // 1e12 seconds are 31,000 years: beyond it the products below could overflow.
    guard coreDataSeconds.isFinite, abs(coreDataSeconds) < 1e12 else { return 0 }
    let whole = coreDataSeconds.rounded(.down)
    var microseconds = Int64(((coreDataSeconds - whole) * 1_000_000).rounded())
    var unix = Int64(whole) + CoreDataDate.unixOffset
    if microseconds >= 1_000_000 {
      microseconds -= 1_000_000
      unix += 1
    }
    var days = unix / 86_400
    var second = unix % 86_400
    if second < 0 {
      second += 86_400
      days -= 1
    }
    let (year, month, day) = civil(fromDays: days)
    guard (0...9999).contains(year) else { return 0 }

    var at = 0
    func put(_ value: Int64, digits: Int) {
      var rest = value
      for position in stride(from: at + digits - 1, through: at, by: -1) {
        buffer[position] = UInt8(48 + rest % 10)
        rest /= 10
      }
      at += digits
    }
    func put(_ character: UInt8) {
      buffer[at] = character
      at += 1
    }
    put(year, digits: 4)
    put(UInt8(ascii: "-"))
    put(month, digits: 2)
    put(UInt8(ascii: "-"))
    put(day, digits: 2)
    put(UInt8(ascii: "T"))
    put(second / 3600, digits: 2)
    put(UInt8(ascii: ":"))
    put(second / 60 % 60, digits: 2)
    put(UInt8(ascii: ":"))
    put(second % 60, digits: 2)
    if microseconds != 0 {
      put(UInt8(ascii: "."))
      if microseconds % 1000 == 0 {
        put(microseconds / 1000, digits: 3)
      } else {
        put(microseconds, digits: 6)
      }
    }
    put(UInt8(ascii: "Z"))
    return at
  }

  /// Reads `2024-02-29`, `2024-02-29T12:00` or `…12:00:00.25`, with `T` or a blank between, and `Z`, an offset
  /// such as `+02:00`, or nothing (UTC) behind. Nil for anything else.
  package static func parse(_ text: String) -> CoreDataDate? {
    var rest = Substring(text)
    func number(digits: Int) -> Int64? {
      let head = rest.prefix(digits)
      guard head.utf8.count == digits, head.utf8.allSatisfy({ (48...57).contains($0) }) else { return nil }
      rest = rest.dropFirst(digits)
      return Int64(head)
    }
    func take(_ characters: Set<Character>) -> Bool {
      guard let first = rest.first, characters.contains(first) else { return false }
      rest = rest.dropFirst()
      return true
    }
    guard let year = number(digits: 4), take(["-"]), let month = number(digits: 2), take(["-"]),
      let day = number(digits: 2), (1...12).contains(month), (1...31).contains(day)
    else { return nil }
    let days = self.days(year: year, month: month, day: day)
    // The 31st of a shorter month would count as a day of the next.
    guard civil(fromDays: days).month == month else { return nil }
    var seconds = Double(days * 86_400)
    if take(["T", "t", " "]) {
      guard let hour = number(digits: 2), take([":"]), let minute = number(digits: 2), hour < 24, minute < 60
      else { return nil }
      seconds += Double(hour * 3600 + minute * 60)
      if take([":"]) {
        guard let second = number(digits: 2), second < 61 else { return nil }
        seconds += Double(second)
        if take(["."]) {
          let digits = rest.prefix { $0.isASCII && $0.isNumber }
          guard !digits.isEmpty, let fraction = Double("0." + digits) else { return nil }
          seconds += fraction
          rest = rest.dropFirst(digits.count)
        }
      }
      if !take(["Z", "z"]), let sign = rest.first, sign == "+" || sign == "-" {
        rest = rest.dropFirst()
        guard let hours = number(digits: 2) else { return nil }
        _ = take([":"])
        guard let minutes = number(digits: 2) else { return nil }
        seconds += (sign == "+" ? -1 : 1) * Double(hours * 3600 + minutes * 60)
      }
    }
    return rest.isEmpty ? CoreDataDate(unixSeconds: seconds) : nil
  }

  /// The date that lies so many days after 1970-01-01.
  package static func civil(fromDays days: Int64) -> (year: Int64, month: Int64, day: Int64) {
    let shifted = days + 719_468
    let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
    let dayOfEra = shifted - era * 146_097
    let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let shiftedMonth = (5 * dayOfYear + 2) / 153
    let day = dayOfYear - (153 * shiftedMonth + 2) / 5 + 1
    let month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
    return (yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, day)
  }

  /// Days from 1970-01-01 to a date.
  package static func days(year: Int64, month: Int64, day: Int64) -> Int64 {
    let shiftedYear = month <= 2 ? year - 1 : year
    let era = (shiftedYear >= 0 ? shiftedYear : shiftedYear - 399) / 400
    let yearOfEra = shiftedYear - era * 400
    let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
    return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
  }
}
