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
    let text = Array(text.utf8)
    guard text.count == 36 else { return nil }
    for (index, character) in text.enumerated() {
      if [8, 13, 18, 23].contains(index) {
        guard character == 0x2D else { return nil }
        continue
      }
      guard let digit = Character(UnicodeScalar(character)).hexDigitValue else { return nil }
      if let first = high { bytes.append(first << 4 | UInt8(digit)) }
      high = high == nil ? UInt8(digit) : nil
    }
    return bytes
  }

  private static func text(_ bytes: some Sequence<UInt8>, letters: UInt8) -> String {
    var digits: [UInt8] = []
    digits.reserveCapacity(bytes.underestimatedCount * 2)
    for byte in bytes {
      for nibble in [byte >> 4, byte & 15] { digits.append(nibble + (nibble < 10 ? 0x30 : letters)) }
    }
    return String(decoding: digits, as: UTF8.self)
  }
}
