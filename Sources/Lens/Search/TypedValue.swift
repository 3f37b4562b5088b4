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

  /// A year alone is a number. Dates are printed to the microsecond nearest to them.
  private static func moments(_ text: String) -> Range<Double>? {
    guard text.utf8.count <= 40, let date = WrittenDate(text), date.unit != .year else { return nil }
    return date.start.seconds - 0.000_000_5..<date.end.seconds - 0.000_000_5
  }
}
