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
