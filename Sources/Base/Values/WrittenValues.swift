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

/// A number as people write it: `1312.4`, `1,312.40`, `1.312,40`, `1 312,4`, `4,75`. A comma
/// before three digits sets thousands apart, as in `1,312`.
package struct WrittenNumber: Sendable, Equatable {
  package struct Reading: Sendable, Equatable {
    package var real: Double
    /// A whole number that isn't too large, as it is.
    package var integer: Int64?

    fileprivate init?(_ text: String) {
      guard let real = Double(text), real.isFinite else { return nil }
      (self.real, integer) = (real, Int64(text))
    }
  }

  /// Never empty.
  package let readings: [Reading]

  private static let plain = Set("+-.0123456789eE")
  private static let points: Set<Character> = [".", ","]
  /// https://en.wikipedia.org/wiki/Decimal_separator#Digit_grouping
  private static let groupers: Set<Character> = [".", ",", "'", "’", " ", "\u{A0}", "\u{202F}"]

  package init?(_ text: String) {
    // Nobody types a longer one.
    guard text.utf8.count <= 64, text.contains(where: Self.isDigit) else { return nil }
    let readings: [Reading]
    // Typographers' minus sign.
    let text = Self.withoutCurrency(text.replacing("−", with: "-"))
    if text.allSatisfy(Self.plain.contains), let plain = Reading(text) {
      readings = [plain]
    } else {
      readings = Self.written(text).compactMap(Reading.init)
    }
    guard !readings.isEmpty else { return nil }
    self.readings = readings
  }

  /// `€1,312.40` and `1.312,40 €` without the sign.
  private static func withoutCurrency(_ text: String) -> String {
    func isSign(_ character: Character) -> Bool { character.isCurrencySymbol }
    guard text.contains(where: isSign) else { return text }
    let inner =
      text.first.map(isSign) == true ? text.dropFirst() : text.last.map(isSign) == true ? text.dropLast() : ""
    return String(inner.trimmed)
  }

  private static func isDigit(_ character: Character) -> Bool { ("0"..."9").contains(character) }

  /// The same in the digits of the programming languages.
  private static func written(_ text: String) -> [String] {
    let sign = text.prefix { "+-".contains($0) }
    let digits = text.dropFirst(sign.count)
    guard sign.count < 2, digits.first.map(isDigit) == true, digits.last.map(isDigit) == true,
      digits.allSatisfy({ isDigit($0) || groupers.contains($0) }),
      let last = digits.lastIndex(where: groupers.contains)
    else { return [] }
    // No thousands begin with a zero.
    if digits.first != "0", let whole = joined(digits) { return [sign + whole] }
    var found: [String] = []
    let whole = digits[..<last]
    let (point, fraction) = (digits[last], digits[digits.index(after: last)...])
    if points.contains(point), !whole.contains(point),
      let joined = whole.allSatisfy(isDigit) ? String(whole) : joined(whole)
    {
      found.append("\(sign)\(joined).\(fraction)")
    }
    return found
  }

  /// Groups of three digits behind a shorter one, all set apart by the same character.
  private static func joined(_ digits: Substring) -> String? {
    guard let grouper = digits.first(where: groupers.contains) else { return nil }
    let groups = digits.split(separator: grouper, omittingEmptySubsequences: false)
    guard let first = groups.first, (1...3).contains(first.count),
      groups.dropFirst().allSatisfy({ $0.count == 3 }),
      groups.allSatisfy({ $0.allSatisfy(isDigit) })
    else { return nil }
    return groups.joined()
  }
}

/// A UUID as people write it, whole or its beginning: in capitals or not, with hyphens or without, in braces.
package struct WrittenUUID: Sendable, Equatable {
  /// In capitals, with the hyphens.
  package let text: String

  private static let fewestDigits = 8
  private static let hyphens = [8, 13, 18, 23]
  private static let length = 36

  package init?(_ word: String) {
    guard word.utf8.count <= Self.length + 2 else { return nil }
    var word = word.uppercased()[...]
    if word.first == "{", word.last == "}" { word = word.dropFirst().dropLast() }
    let digits = word.filter { $0 != "-" }
    guard digits.utf8.count >= Self.fewestDigits, digits.utf8.count <= Self.length - Self.hyphens.count,
      digits.allSatisfy({ "0123456789ABCDEF".contains($0) })
    else { return nil }
    var text = ""
    for digit in digits {
      if Self.hyphens.contains(text.utf8.count) { text.append("-") }
      text.append(digit)
    }
    // Hyphens elsewhere make it something else; one may stand at the end of a beginning.
    guard
      word == digits[...] || word == text[...] || word == "\(text)-" && Self.hyphens.contains(text.utf8.count)
    else { return nil }
    self.text = text
  }

  package var isWhole: Bool { text.utf8.count == Self.length }

  package var withoutHyphens: String { text.filter { $0 != "-" } }
}
