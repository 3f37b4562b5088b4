package import Base

/// Reads JSON text strictly by RFC 8259 (https://www.rfc-editor.org/rfc/rfc8259).
///
/// By hand, as FoundationEssentials offers only `JSONDecoder`, which fills types that are known beforehand;
/// `JSONSerialization` is in the whole Foundation, whose loading takes longer than most commands.
///
/// Members keep their order, and a name that stands twice is there twice. Whole numbers stay exact: those that
/// 64 bits can't hold, and numbers too large for a Double, become text with their digits.
package struct JSONReader {
  private let bytes: UnsafeRawBufferPointer
  private let builds: Bool
  private var position = 0
  private var valuesLeft: Int

  private static let depthLimit = 128

  /// The one value that the text holds. Throws where it holds anything else, nests deeper than 128 levels, or
  /// has more values than allowed.
  package static func read(
    _ bytes: UnsafeRawBufferPointer, valueLimit: Int = 1_000_000
  ) throws(ArchiveError) -> DataValue {
    var valuesLeft = valueLimit
    return try read(bytes, valuesLeft: &valuesLeft)
  }

  /// As above, and takes the values that were made off what is left.
  static func read(_ bytes: UnsafeRawBufferPointer, valuesLeft: inout Int) throws(ArchiveError) -> DataValue {
    guard UTF8Text.isPrintable(bytes) else { throw ArchiveError("the JSON isn't valid UTF-8") }
    var reader = JSONReader(bytes: bytes, builds: true, valuesLeft: valuesLeft)
    defer { valuesLeft = reader.valuesLeft }
    return try reader.whole()
  }

  package static func read(_ text: String) throws(ArchiveError) -> DataValue {
    let bytes = Array(text.utf8)
    return try bytes.withUnsafeBufferPointer { buffer throws(ArchiveError) in
      try read(UnsafeRawBufferPointer(buffer))
    }
  }

  /// Whether the bytes, known to be UTF-8, are JSON as a whole. Makes no values.
  static func isWhole(_ bytes: UnsafeRawBufferPointer) -> Bool {
    var reader = JSONReader(bytes: bytes, builds: false, valuesLeft: .max)
    return (try? reader.whole()) != nil
  }

  private init(bytes: UnsafeRawBufferPointer, builds: Bool, valuesLeft: Int) {
    self.bytes = bytes
    self.builds = builds
    self.valuesLeft = valuesLeft
  }

  private mutating func whole() throws(ArchiveError) -> DataValue {
    skipBlanks()
    let value = try value(depth: 0)
    skipBlanks()
    guard position == bytes.count else { throw unexpected() }
    return value
  }

  private mutating func value(depth: Int) throws(ArchiveError) -> DataValue {
    guard depth <= Self.depthLimit else {
      throw ArchiveError("the JSON nests deeper than \(Self.depthLimit) levels")
    }
    guard valuesLeft > 0 else { throw ArchiveError("the JSON holds more values than allowed") }
    valuesLeft -= 1
    switch peek() {
    case UInt8(ascii: "{"): return try object(depth: depth)
    case UInt8(ascii: "["): return try array(depth: depth)
    case UInt8(ascii: "\""): return .text(try string())
    case UInt8(ascii: "t"): return try word("true", .bool(true))
    case UInt8(ascii: "f"): return try word("false", .bool(false))
    case UInt8(ascii: "n"): return try word("null", .null)
    default: return try number()
    }
  }

  private mutating func object(depth: Int) throws(ArchiveError) -> DataValue {
    var members: [DataValue.Member] = []
    position += 1
    skipBlanks()
    if take("}") { return .object(members) }
    while true {
      guard peek() == UInt8(ascii: "\"") else { throw unexpected() }
      let name = try string()
      skipBlanks()
      guard take(":") else { throw unexpected() }
      skipBlanks()
      let value = try value(depth: depth + 1)
      if builds { members.append(DataValue.Member(name, value)) }
      skipBlanks()
      if take("}") { return .object(members) }
      guard take(",") else { throw unexpected() }
      skipBlanks()
    }
  }

  private mutating func array(depth: Int) throws(ArchiveError) -> DataValue {
    var elements: [DataValue] = []
    position += 1
    skipBlanks()
    if take("]") { return .array(elements) }
    while true {
      let value = try value(depth: depth + 1)
      if builds { elements.append(value) }
      skipBlanks()
      if take("]") { return .array(elements) }
      guard take(",") else { throw unexpected() }
      skipBlanks()
    }
  }

  private mutating func word(_ word: StaticString, _ value: DataValue) throws(ArchiveError) -> DataValue {
    for offset in 0..<word.utf8CodeUnitCount {
      guard peek() == word.utf8Start[offset] else { throw unexpected() }
      position += 1
    }
    return value
  }

  private mutating func number() throws(ArchiveError) -> DataValue {
    let start = position
    let isNegative = take("-")
    let firstDigit = position
    try digits()
    guard position == firstDigit + 1 || bytes[firstDigit] != UInt8(ascii: "0") else { throw unexpected() }
    var isWhole = true
    if take(".") {
      isWhole = false
      try digits()
    }
    if take("e") || take("E") {
      isWhole = false
      if !take("+") { _ = take("-") }
      try digits()
    }
    guard builds else { return .null }
    let text = String(decoding: bytes[start..<position], as: UTF8.self)
    if isWhole, let value = Int64(text), value != 0 || !isNegative { return .integer(value) }
    if isWhole, text != "-0" { return .text(text) }
    guard let value = Double(text), value.isFinite else { return .text(text) }
    return .real(value)
  }

  private mutating func digits() throws(ArchiveError) {
    let start = position
    while let byte = peek(), (0x30...0x39).contains(byte) { position += 1 }
    guard position > start else { throw unexpected() }
  }

  private mutating func string() throws(ArchiveError) -> String {
    position += 1
    let start = position
    while let byte = peek(), byte != UInt8(ascii: "\""), byte != UInt8(ascii: "\\"), byte >= 0x20 {
      position += 1
    }
    if take("\"") { return builds ? String(decoding: bytes[start..<position - 1], as: UTF8.self) : "" }
    var units = Array(bytes[start..<position])
    while let byte = peek(), byte >= 0x20 {
      position += 1
      switch byte {
      case UInt8(ascii: "\""): return String(decoding: units, as: UTF8.self)
      case UInt8(ascii: "\\"): units += try escape()
      default: units.append(byte)
      }
    }
    throw unexpected()
  }

  private mutating func escape() throws(ArchiveError) -> [UInt8] {
    guard let byte = peek() else { throw unexpected() }
    position += 1
    switch byte {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): return [byte]
    case UInt8(ascii: "b"): return [0x08]
    case UInt8(ascii: "f"): return [0x0C]
    case UInt8(ascii: "n"): return [0x0A]
    case UInt8(ascii: "r"): return [0x0D]
    case UInt8(ascii: "t"): return [0x09]
    case UInt8(ascii: "u"): return try unicodeEscape()
    default:
      position -= 1
      throw unexpected()
    }
  }

  /// Characters beyond 16 bits come as two escapes; half of such a pair becomes U+FFFD.
  private mutating func unicodeEscape() throws(ArchiveError) -> [UInt8] {
    var units = [try fourHexDigits()]
    let afterFirst = position
    if UTF16.isLeadSurrogate(units[0]), take("\\"), take("u") {
      units.append(try fourHexDigits())
      if !UTF16.isTrailSurrogate(units[1]) {
        units.removeLast()
        position = afterFirst
      }
    } else {
      position = afterFirst
    }
    return Array(String(decoding: units, as: UTF16.self).utf8)
  }

  private mutating func fourHexDigits() throws(ArchiveError) -> UInt16 {
    var value: UInt16 = 0
    for _ in 0..<4 {
      guard let byte = peek(), let digit = Character(UnicodeScalar(byte)).hexDigitValue else {
        throw unexpected()
      }
      value = value << 4 | UInt16(digit)
      position += 1
    }
    return value
  }

  private mutating func skipBlanks() {
    while let byte = peek(), byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 { position += 1 }
  }

  private func peek() -> UInt8? { position < bytes.count ? bytes[position] : nil }

  private mutating func take(_ character: Unicode.Scalar) -> Bool {
    guard let byte = peek(), UInt32(byte) == character.value else { return false }
    position += 1
    return true
  }

  private func unexpected() -> ArchiveError {
    position < bytes.count
      ? ArchiveError("the JSON is invalid at byte \(position)")
      : ArchiveError("the JSON is cut off after \(bytes.count) bytes")
  }
}

/// Whether bytes are text that can be shown.
enum UTF8Text {
  /// Whether these bytes are valid UTF-8 without control characters other than tab and line ends. Stops at the
  /// first byte that decides, which in binary data comes soon.
  static func isPrintable(_ bytes: UnsafeRawBufferPointer) -> Bool {
    var position = 0
    while position < bytes.count {
      switch bytes[position] {
      case 0x20...0x7F, 0x09, 0x0A, 0x0D: position += 1
      case 0...0x1F: return false
      default:
        let length = UTF8Sequence.length(at: position, in: bytes)
        guard length > 0 else { return false }
        position += length
      }
    }
    return true
  }
}
