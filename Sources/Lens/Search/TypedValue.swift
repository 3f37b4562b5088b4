import Values

/// A value as people type it, and what else it may stand for than its letters.
struct TypedValue {
  let text: String
  private let numbers: WrittenNumber?
  /// In seconds since 2001: from the moment that was typed to the next that is written in the same length.
  let moments: Range<Double>?
  /// Yes and no; 1 and 0 are numbers.
  let truth: Bool?
  let isNull: Bool
  /// Whether it may be a part of what decoders make text of: a number, a date, a UUID. Such text can't be found in the
  /// bytes that it is made of.
  let mayBeMade: Bool
  let mayBeUUID: Bool
  /// With its hyphens, if it is one or the beginning of one.
  let uuid: WrittenUUID?

  /// - Parameter period: what it stands for as a date, if somebody knows more of it than its letters: the zone of printed
  ///   dates, or a year that goes without saying.
  init(_ text: String, period: Range<CoreDataDate>? = nil) {
    self.text = text
    numbers = WrittenNumber(text)
    moments = Self.moments(text, period)
    uuid = WrittenUUID(text)
    truth =
      ["true", "yes"].contains(text.lowercased())
      ? true : ["false", "no"].contains(text.lowercased()) ? false : nil
    isNull = ["null", "nil"].contains(text.lowercased())
    mayBeMade =
      numbers != nil || moments != nil || uuid != nil
      || text.utf8.allSatisfy { "0123456789abcdefABCDEF+-:. TZ".utf8.contains($0) }
    mayBeUUID =
      uuid != nil
      || text.utf8.count <= 36 && text.utf8.allSatisfy { "0123456789abcdefABCDEF-".utf8.contains($0) }
  }

  var isNumber: Bool { numbers != nil }

  /// How it may be written in a text: a UUID with hyphens and without.
  var forms: [String] {
    guard let uuid, uuid.isWhole else { return [text] }
    let others = [uuid.text, uuid.withoutHyphens].filter { $0 != text.uppercased() }
    return [text] + others
  }

  func equals(_ value: Int64) -> Bool {
    numbers?.readings.contains { $0.integer.map { $0 == value } ?? ($0.real == Double(value)) } ?? false
  }

  /// A 32-bit number is stored with the digits that it has as one of 64 bits.
  func equals(_ value: Double, isFloat: Bool = false) -> Bool {
    numbers?.readings.contains { $0.real == value || isFloat && Float($0.real) == Float(value) } ?? false
  }

  /// A year alone is a number. Dates are printed to the microsecond nearest to them.
  private static func moments(_ text: String, _ period: Range<CoreDataDate>?) -> Range<Double>? {
    var period = period
    if period == nil, text.utf8.count <= 40, let date = WrittenDate(text), date.unit != .year {
      period = date.start..<date.end
    }
    return period.map { $0.lowerBound.seconds - 0.000_000_5..<$0.upperBound.seconds - 0.000_000_5 }
  }
}

/// The forms of a typed value, looked for in texts.
struct TextForms {
  private let patterns: [TextPattern]

  init(_ typed: TypedValue, _ options: TextPattern.Options = .init()) {
    patterns = typed.forms.map { TextPattern($0, options) }
  }

  func hit(in utf8: UnsafeRawBufferPointer) -> TextHit? {
    for pattern in patterns { if let hit = pattern.hit(in: utf8) { return hit } }
    return nil
  }

  func hit(in text: String) -> TextHit? {
    for pattern in patterns { if let hit = pattern.hit(in: text) { return hit } }
    return nil
  }

  func mayOccur(in bytes: UnsafeRawBufferPointer) -> Bool { patterns.contains { $0.mayOccur(in: bytes) } }
}
