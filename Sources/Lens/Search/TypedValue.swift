import Base

/// A value as people type it, and what else it may stand for than its letters.
struct TypedValue {
  let text: String
  private let numbers: WrittenNumber?
  private let tolerance: Double
  /// In seconds since 2001: from the moment that was typed to the next that is written in the same length.
  let moments: Range<Double>?
  /// The same for a number: seconds since 2001 or 1970, or milliseconds, as files and logs have them.
  private let stamps: [Range<Double>]
  /// Yes and no; 1 and 0 are numbers.
  let truth: Bool?
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
    tolerance = Self.tolerance(text)
    moments = Self.moments(text, period)
    stamps = Self.stamps(text, numbers)
    uuid = WrittenUUID(text)
    truth =
      ["true", "yes"].contains(text.lowercased())
      ? true : ["false", "no"].contains(text.lowercased()) ? false : nil
    mayBeMade =
      numbers != nil || moments != nil || uuid != nil
      || text.utf8.allSatisfy { "0123456789abcdefABCDEF+-:. TZ".utf8.contains($0) }
    // Shorter numbers are in half of all UUIDs.
    mayBeUUID =
      uuid != nil
      || (numbers == nil || text.utf8.count > 3) && text.utf8.count <= 36
        && text.utf8.allSatisfy { "0123456789abcdefABCDEF-".utf8.contains($0) }
  }

  var isNumber: Bool { numbers != nil }

  /// Whether a date is within what was typed.
  func isMoment(_ seconds: Double) -> Bool {
    moments?.contains(seconds) ?? stamps.contains { $0.contains(seconds) }
  }

  /// What a Boolean would have to be.
  var asTruth: Bool? { truth ?? (equals(1) ? true : equals(0) ? false : nil) }

  /// Its words, if it has several.
  var words: WordSequence? { WordSequence(text) }

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
    numbers?.readings.contains {
      $0.real == value || isFloat && Float($0.real) == Float(value) || abs($0.real - value) < tolerance
    } ?? false
  }

  /// Half of what the last digit stands for, where a number is that long that it was probably rounded: the sqlite3 shell
  /// prints 15 digits.
  private static func tolerance(_ text: String) -> Double {
    guard let point = text.lastIndex(of: ".") else { return 0 }
    let digits = text[text.index(after: point)...].prefix(while: \.isNumber).count
    return digits < 8 ? 0 : (0..<digits).reduce(0.500_001) { unit, _ in unit / 10 }
  }

  /// From the number to the next one of its length. Seconds of nine digits and more have no fraction where they are read.
  private static func stamps(_ text: String, _ numbers: WrittenNumber?) -> [Range<Double>] {
    guard let number = numbers?.readings.last?.real else { return [] }
    guard abs(number) >= 1e8 else { return [number..<number.nextUp] }
    let digits = text.contains(".") ? text.reversed().prefix(while: \.isNumber).count : 0
    let unit = (0..<min(digits, 6)).reduce(1.0) { unit, _ in unit / 10 }
    var stamps = [number..<max(number + unit, number.nextUp)]
    let unix = CoreDataDate(unixSeconds: number).seconds
    if (1e9..<5e9).contains(number) { stamps.append(unix..<unix + unit) }
    let milliseconds = CoreDataDate(unixSeconds: number / 1000).seconds
    if (1e12..<5e12).contains(number) { stamps.append(milliseconds..<milliseconds + unit / 1000) }
    return stamps
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

/// The forms of a typed value, looked for in texts. A class, as a copy for each text would count references.
final class TextForms {
  private let patterns: [TextPattern]
  /// Of several words, what they are where something other than one blank stands between them.
  private let words: WordSequence?
  /// What every text has that has a hit; nil if there are several forms.
  private let always: TextPattern?
  private var hasOneForm: Bool { always != nil }

  init(_ typed: TypedValue, _ options: TextPattern.Options = .init()) {
    let patterns = typed.forms.map { TextPattern($0, options) }
    let words = options.isWhole || options.isCaseSensitive ? nil : typed.words
    (self.patterns, self.words) = (patterns, words)
    // What has all of the words has the longest of them.
    always = patterns.count == 1 ? words?.pattern ?? patterns[0] : nil
  }

  func hit(in utf8: UnsafeRawBufferPointer) -> TextHit? {
    // Most texts end here.
    if let always, !always.mayBeHit(in: utf8) { return nil }
    if hasOneForm, let words, words.pattern.hit(in: utf8) == nil { return nil }
    for pattern in patterns { if let hit = pattern.hit(in: utf8) { return hit } }
    guard let words, hasOneForm || words.pattern.hit(in: utf8) != nil else { return nil }
    return words.hit(in: String(decoding: utf8, as: UTF8.self))
  }

  func hit(in text: String) -> TextHit? {
    var text = text
    return text.withUTF8 { hit(in: UnsafeRawBufferPointer($0)) }
  }

  func mayOccur(in bytes: UnsafeRawBufferPointer) -> Bool {
    if let always { return always.mayOccur(in: bytes) }
    return patterns.contains { $0.mayOccur(in: bytes) } || words?.pattern.mayOccur(in: bytes) == true
  }
}
