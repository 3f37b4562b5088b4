/// A date as people write it: `2026`, `2026-03`, `2026-03-20`, `2026-03-20 12:00`, `2026-03-20T12:00:00.25+01:00`. SQL,
/// options and search share this definition. What is left out makes it a period: a whole month, day or minute.
package struct WrittenDate: Sendable, Equatable {
  /// The smallest part that is written.
  package enum Unit: Sendable, Equatable {
    case year, month, day, minute, second
    /// So many digits of a second.
    case fraction(Int)
  }

  /// The beginning, in microseconds since 1970.
  package let microseconds: Int64
  package let unit: Unit

  package init?(_ text: String) {
    var text = text
    guard let date = text.withUTF8({ WrittenDate(UnsafeRawBufferPointer($0)) }) else { return nil }
    self = date
  }

  package init?(_ utf8: UnsafeRawBufferPointer) {
    if utf8.count == 4 || utf8.count == 7 {
      var day = String(decoding: utf8, as: UTF8.self) + (utf8.count == 4 ? "-01-01" : "-01")
      guard let start = day.withUTF8({ ISO8601.microseconds(UnsafeRawBufferPointer($0)) }) else { return nil }
      microseconds = start
      unit = utf8.count == 4 ? .year : .month
    } else {
      guard let start = ISO8601.microseconds(utf8) else { return nil }
      microseconds = start
      let time = utf8.dropFirst(11).prefix {
        (0x30...0x39).contains($0) || $0 == UInt8(ascii: ":") || $0 == UInt8(ascii: ".")
      }
      switch time.count {
      case 0: unit = .day
      case 5: unit = .minute
      case 8: unit = .second
      case let count: unit = .fraction(count - 9)
      }
    }
  }

  package var start: CoreDataDate { CoreDataDate(unixMicroseconds: microseconds) }

  /// Where the period ends: the next moment that can be written in the same form.
  package var end: CoreDataDate {
    let day: Int64 = 86_400_000_000
    let length: Int64
    switch unit {
    case .year, .month:
      // Both begin at a midnight, so that nothing is rounded.
      let (year, month, _) = ISO8601.civil(fromDays: microseconds / day)
      let isLast = unit == .year || month == 12
      let next = ISO8601.days(year: isLast ? year + 1 : year, month: isLast ? 1 : month + 1, day: 1)
      return CoreDataDate(unixMicroseconds: next * day)
    case .day: length = day
    case .minute: length = 60_000_000
    case .second: length = 1_000_000
    // Dates are stored and printed to the microsecond.
    case .fraction(let digits): length = [100_000, 10_000, 1000, 100, 10, 1][min(max(digits, 1), 6) - 1]
    }
    return CoreDataDate(unixMicroseconds: microseconds + length)
  }
}
