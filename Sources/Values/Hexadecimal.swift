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

  private static func text(_ bytes: some Sequence<UInt8>, letters: UInt8) -> String {
    var digits: [UInt8] = []
    digits.reserveCapacity(bytes.underestimatedCount * 2)
    for byte in bytes {
      for nibble in [byte >> 4, byte & 15] { digits.append(nibble + (nibble < 10 ? 0x30 : letters)) }
    }
    return String(decoding: digits, as: UTF8.self)
  }
}
