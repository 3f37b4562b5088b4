/// Bytes as text.
package enum Hexadecimal {
  package static func lowercase(_ bytes: some Sequence<UInt8>) -> String { text(bytes, letters: 0x57) }
  package static func uppercase(_ bytes: some Sequence<UInt8>) -> String { text(bytes, letters: 0x37) }

  /// Sixteen bytes in the usual grouping, upper-case: `6B29FC40-CA47-1067-B31D-00DD010662DA`. Nil for another length.
  package static func uuid(_ bytes: UnsafeRawBufferPointer) -> String? {
    guard bytes.count == 16 else { return nil }
    let digits = Array(uppercase(bytes).utf8)
    let groups = [0..<8, 8..<12, 12..<16, 16..<20, 20..<32]
    return groups.map { String(decoding: digits[$0], as: UTF8.self) }.joined(separator: "-")
  }

  /// The sixteen bytes of a UUID in that grouping, in upper or lower case; nil for any other text.
  package static func uuidBytes(_ text: String) -> [UInt8]? {
    var bytes: [UInt8] = []
    var high: UInt8?
    guard text.utf8.count == 36 else { return nil }
    for (index, character) in text.utf8.enumerated() {
      switch index {
      case 8, 13, 18, 23:
        guard character == 0x2D else { return nil }
      default:
        guard let digit = value(ofDigit: character) else { return nil }
        if let first = high { bytes.append(first << 4 | digit) }
        high = high == nil ? digit : nil
      }
    }
    return bytes
  }

  /// The bytes behind pairs of digits, in upper or lower case; nil for any other text.
  package static func bytes(_ text: String) -> [UInt8]? {
    let digits = text.utf8.compactMap(value(ofDigit:))
    guard digits.count == text.utf8.count, digits.count.isMultiple(of: 2) else { return nil }
    return stride(from: 0, to: digits.count, by: 2).map { digits[$0] << 4 | digits[$0 + 1] }
  }

  private static func value(ofDigit character: UInt8) -> UInt8? {
    switch character {
    case 0x30...0x39: character - 0x30
    case 0x41...0x46: character - 0x37
    case 0x61...0x66: character - 0x57
    default: nil
    }
  }

  private static func text(_ bytes: some Sequence<UInt8>, letters: UInt8) -> String {
    var digits: [UInt8] = []
    digits.reserveCapacity(bytes.underestimatedCount * 2)
    func put(_ nibble: UInt8) { digits.append(nibble + (nibble < 10 ? 0x30 : letters)) }
    for byte in bytes {
      put(byte >> 4)
      put(byte & 15)
    }
    return String(decoding: digits, as: UTF8.self)
  }
}
