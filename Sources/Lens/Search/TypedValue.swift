import Values

/// A value as people type it, and what else it may stand for than its letters.
struct TypedValue {
  let text: String
  let number: Double?
  private let integer: Int64?
  /// In seconds since 2001: from the moment that was typed to the next that is written in the same length.
  let moments: Range<Double>?
  /// Yes and no; 1 and 0 are numbers.
  let truth: Bool?
  let isNull: Bool
  /// Whether it may be a part of what decoders make text of: a number, a date, a UUID. Such text can't be found in the
  /// bytes that it is made of.
  let mayBeMade: Bool
  let mayBeUUID: Bool

  init(_ text: String) {
    self.text = text
    let isNumber =
      text.utf8.allSatisfy { "+-.0123456789eE".utf8.contains($0) } && text.contains(where: \.isNumber)
    number = isNumber ? Double(text).flatMap { $0.isFinite ? $0 : nil } : nil
    integer = isNumber ? Int64(text) : nil
    moments = Self.moments(text)
    truth =
      ["true", "yes"].contains(text.lowercased())
      ? true : ["false", "no"].contains(text.lowercased()) ? false : nil
    isNull = ["null", "nil"].contains(text.lowercased())
    mayBeMade = text.utf8.allSatisfy { "0123456789abcdefABCDEF+-:. TZ".utf8.contains($0) }
    mayBeUUID = text.utf8.count <= 36 && text.utf8.allSatisfy { "0123456789abcdefABCDEF-".utf8.contains($0) }
  }

  func equals(_ value: Int64) -> Bool { integer.map { $0 == value } ?? (number == Double(value)) }

  /// A 32-bit number is stored with the digits that it has as one of 64 bits.
  func equals(_ value: Double, isFloat: Bool = false) -> Bool {
    guard let number else { return false }
    return number == value || isFloat && Float(number) == Float(value)
  }

  /// A year alone is a number; months, days, minutes, seconds and fractions are periods.
  private static func moments(_ text: String) -> Range<Double>? {
    guard text.utf8.first.map({ (0x30...0x39).contains($0) }) == true, text.utf8.count <= 40 else {
      return nil
    }
    if text.utf8.count == 7, let start = ISO8601.parse(text + "-01"), let date = start.iso8601 {
      let (year, month) = (Int64(date.prefix(4)) ?? 0, Int64(date.dropFirst(5).prefix(2)) ?? 0)
      let days =
        ISO8601.days(year: month == 12 ? year + 1 : year, month: month % 12 + 1, day: 1)
        - ISO8601.days(year: year, month: month, day: 1)
      return period(start.seconds, Double(days) * 86_400)
    }
    guard let start = ISO8601.parse(text) else { return nil }
    let time = text.dropFirst(11).prefix { $0.isNumber || $0 == ":" || $0 == "." }
    let length: Double =
      switch time.utf8.count {
      case 0: 86_400
      case 5: 60
      case 8: 1
      // As printed: microseconds at most.
      case let count: [0.1, 0.01, 0.001, 0.0001, 0.00001][min(max(count - 10, 0), 4)]
      }
    return period(start.seconds, time.utf8.count > 14 ? 0.000_001 : length)
  }

  /// Dates are printed to the microsecond nearest to them.
  private static func period(_ start: Double, _ length: Double) -> Range<Double> {
    start - 0.000_000_5..<start + length - 0.000_000_5
  }
}
