/// A moment as Core Data stores it: seconds since 2001-01-01 00:00 UTC.
/// https://developer.apple.com/documentation/foundation/nsdate/timeintervalsincereferencedate
package struct CoreDataDate: Sendable, Hashable, Comparable {
  package var seconds: Double

  package init(seconds: Double) { self.seconds = seconds }

  /// Seconds between 1970-01-01 and 2001-01-01.
  package static let unixOffset: Int64 = 978_307_200

  package init(unixSeconds: Double) { seconds = unixSeconds - Double(Self.unixOffset) }

  package init(unixMicroseconds: Int64) {
    let (seconds, fraction) = unixMicroseconds.quotientAndRemainder(dividingBy: 1_000_000)
    self.seconds = Double(seconds - Self.unixOffset) + Double(fraction) / 1_000_000
  }

  package var unixSeconds: Double { seconds + Double(Self.unixOffset) }

  package static func < (one: Self, other: Self) -> Bool { one.seconds < other.seconds }

  /// ISO 8601 in UTC, for example `2024-02-29T12:00:00.250000Z`, or nil if the year isn't one of 1 to 9999.
  package var iso8601: String? { text(separator: UInt8(ascii: "T")) }

  /// As SQL has it, for example `2024-02-29 12:00:00.250000Z`.
  package var sqlText: String? { text(separator: UInt8(ascii: " ")) }

  private func text(separator: UInt8) -> String? {
    withUnsafeTemporaryAllocation(byteCount: ISO8601.capacity, alignment: 1) { buffer in
      let length = ISO8601.write(coreDataSeconds: seconds, to: buffer, separator: separator)
      return length == 0 ? nil : String(decoding: buffer[..<length], as: UTF8.self)
    }
  }

  /// Seconds for which `iso8601` is never nil: the years 1 to 9999 but for the last second, which may be rounded.
  package static let calendar = ISO8601.coreDataSeconds

  /// Whether `iso8601` isn't nil.
  package var hasISO8601: Bool { ISO8601.canWrite(coreDataSeconds: seconds) }

  /// As `iso8601`, for pages: with milliseconds or no fraction at all if that loses nothing. JSON has one form, in its
  /// sentences, too.
  package var shortISO8601: String? {
    guard let text = iso8601 else { return nil }
    if text.hasSuffix(".000000Z") { return String(text.dropLast(8)) + "Z" }
    return text.hasSuffix("000Z") ? String(text.dropLast(4)) + "Z" : text
  }
}

/// Dates to and from ISO 8601, in integers.
///
/// Foundation's formatters take 280 to 1,270 ns a date, this one about 40, and a store has millions of them;
/// hence by hand. The calendar is the proleptic Gregorian one, as in SQLite's own date functions
/// (https://www.sqlite.org/lang_datefunc.html). Day arithmetic after
/// https://howardhinnant.github.io/date_algorithms.html.
package enum ISO8601 {
  /// Bytes that the longest date takes: `2024-02-29T12:00:00.123456Z`.
  package static let capacity = 27

  /// Writes the date, always with six digits of a fraction, and returns how many bytes it took: `capacity`, or 0 if the
  /// year isn't one of 1 to 9999 or the seconds aren't finite. With one width the order of texts is the order of time.
  /// - Parameter separator: what stands between day and time.
  package static func write(
    coreDataSeconds: Double, to buffer: UnsafeMutableRawBufferPointer, separator: UInt8 = UInt8(ascii: "T")
  ) -> Int {
    guard let (unix, microseconds) = rounded(coreDataSeconds), written.contains(unix) else { return 0 }
    var days = unix / 86_400
    var second = unix % 86_400
    if second < 0 {
      second += 86_400
      days -= 1
    }
    let (year, month, day) = civil(fromDays: days)

    var at = 0
    func put(_ value: Int64, digits: Int) {
      var rest = value
      var position = at + digits
      while position > at {
        position -= 1
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
    put(separator)
    put(second / 3600, digits: 2)
    put(UInt8(ascii: ":"))
    put(second / 60 % 60, digits: 2)
    put(UInt8(ascii: ":"))
    put(second % 60, digits: 2)
    put(UInt8(ascii: "."))
    put(microseconds, digits: 6)
    put(UInt8(ascii: "Z"))
    return at
  }

  /// Whether `write` writes anything.
  package static func canWrite(coreDataSeconds: Double) -> Bool {
    rounded(coreDataSeconds).map { written.contains($0.unix) } ?? false
  }

  /// The years 1 to 9999, in seconds since 1970.
  private static let written =
    days(year: 1, month: 1, day: 1) * 86_400..<days(year: 10_000, month: 1, day: 1) * 86_400

  static let coreDataSeconds =
    written.lowerBound - CoreDataDate.unixOffset...written.upperBound - 1 - CoreDataDate.unixOffset

  /// Whole seconds since 1970 and the microseconds after them; nil for what is no moment of any calendar.
  private static func rounded(_ coreDataSeconds: Double) -> (unix: Int64, microseconds: Int64)? {
    // 1e12 seconds are 31,000 years: beyond it, microseconds could overflow.
    guard coreDataSeconds.isFinite, abs(coreDataSeconds) < 1e12 else { return nil }
    let whole = coreDataSeconds.rounded(.down)
    let microseconds = Int64(((coreDataSeconds - whole) * 1_000_000).rounded())
    let unix = Int64(whole) + CoreDataDate.unixOffset
    return microseconds < 1_000_000 ? (unix, microseconds) : (unix + 1, microseconds - 1_000_000)
  }

  /// Microseconds since 1970, as `write` rounds them; nil for what is no moment of any calendar.
  package static func microseconds(coreDataSeconds: Double) -> Int64? {
    rounded(coreDataSeconds).map { $0.unix * 1_000_000 + $0.microseconds }
  }

  /// Reads `2024-02-29`, `2024-02-29T12:00` or `…12:00:00.25`, with `T` or a blank in between, followed by `Z`, an offset
  /// such as `+02:00`, `+0200` or `+02`, or nothing (UTC). Nil for anything else.
  package static func parse(_ text: String) -> CoreDataDate? {
    var text = text
    return text.withUTF8 { microseconds(UnsafeRawBufferPointer($0)) }.map(
      CoreDataDate.init(unixMicroseconds:))
  }

  /// As `parse`, in microseconds since 1970; further digits of a fraction are rounded.
  package static func microseconds(_ text: UnsafeRawBufferPointer) -> Int64? {
    var reader = Reader(text: text)
    guard let year = reader.number(digits: 4), reader.take("-"), let month = reader.number(digits: 2),
      reader.take("-"), let day = reader.number(digits: 2), (1...12).contains(month), (1...31).contains(day)
    else { return nil }
    let days = self.days(year: year, month: month, day: day)
    // The 31st of a shorter month would count as a day of the next.
    guard civil(fromDays: days).month == month else { return nil }
    guard !reader.isAtEnd else { return days * 86_400_000_000 }
    guard reader.take("T") || reader.take("t") || reader.take(" "), let hour = reader.number(digits: 2),
      reader.take(":"), let minute = reader.number(digits: 2), hour < 24, minute < 60
    else { return nil }
    var seconds = days * 86_400 + hour * 3600 + minute * 60
    var fraction: Int64 = 0
    if reader.take(":") {
      // 60 is a leap second, which this calendar counts as the first of the next minute.
      guard let second = reader.number(digits: 2), second < 61 else { return nil }
      seconds += second
      if reader.take(".") {
        guard let microseconds = reader.fraction() else { return nil }
        fraction = microseconds
      }
    }
    if !reader.isAtEnd, !reader.take("Z"), !reader.take("z") {
      let isEast = reader.take("+")
      guard isEast || reader.take("-"), let hours = reader.number(digits: 2), hours < 24 else { return nil }
      var minutes: Int64 = 0
      if !reader.isAtEnd {
        _ = reader.take(":")
        guard let number = reader.number(digits: 2), number < 60 else { return nil }
        minutes = number
      }
      seconds -= (isEast ? 1 : -1) * (hours * 3600 + minutes * 60)
    }
    return reader.isAtEnd ? seconds * 1_000_000 + fraction : nil
  }

  /// Whether a text has digits and separators where SQL has them, with a blank between day and time as SQLite writes it
  /// (https://www.sqlite.org/lang_datefunc.html); the numbers may be impossible.
  package static func hasSQLForm(_ text: UnsafeRawBufferPointer) -> Bool {
    let form: StaticString = "0000-00-00 00:00:00.000000Z"
    guard text.count == capacity, form.utf8CodeUnitCount == capacity else { return false }
    for index in 0..<capacity {
      let (byte, expected) = (text[index], form.utf8Start[index])
      guard expected == UInt8(ascii: "0") ? 0x30...0x39 ~= byte : byte == expected else { return false }
    }
    return true
  }

  /// The date, if `write` writes exactly this text for it, with a `T` or with a blank.
  package static func written(_ text: UnsafeRawBufferPointer) -> CoreDataDate? {
    guard text.count == capacity, let date = microseconds(text).map(CoreDataDate.init(unixMicroseconds:))
    else { return nil }
    return withUnsafeTemporaryAllocation(byteCount: capacity, alignment: 1) { buffer in
      let separator = text[10] == UInt8(ascii: " ") ? text[10] : UInt8(ascii: "T")
      let length = write(coreDataSeconds: date.seconds, to: buffer, separator: separator)
      return length == capacity && buffer.elementsEqual(text) ? date : nil
    }
  }

  private struct Reader {
    let text: UnsafeRawBufferPointer
    var position = 0

    var isAtEnd: Bool { position == text.count }

    mutating func take(_ character: Unicode.Scalar) -> Bool {
      guard position < text.count, text[position] == UInt8(ascii: character) else { return false }
      position += 1
      return true
    }

    private mutating func digit() -> Int64? {
      guard position < text.count, (48...57).contains(text[position]) else { return nil }
      position += 1
      return Int64(text[position - 1]) - 48
    }

    mutating func number(digits: Int) -> Int64? {
      var number: Int64 = 0
      for _ in 0..<digits {
        guard let digit = digit() else { return nil }
        number = number * 10 + digit
      }
      return number
    }

    /// One digit at least; in microseconds.
    mutating func fraction() -> Int64? {
      guard var value = digit() else { return nil }
      for _ in 1..<6 { value = value * 10 + (digit() ?? 0) }
      let seventh = digit() ?? 0
      while digit() != nil {}
      return seventh >= 5 ? value + 1 : value
    }
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
