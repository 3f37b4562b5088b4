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

/// Base64 as in RFC 4648, section 4.
package enum Base64 {
  /// The bytes that the text stands for. Blanks and line ends may stand anywhere; nil for any other character
  /// outside the alphabet, and for a length that no bytes have.
  package static func decode(_ text: String) -> [UInt8]? {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(text.utf8.count / 4 * 3)
    var bits: UInt32 = 0
    var count = 0
    var padding = 0
    for character in text.utf8 {
      switch character {
      case 0x09, 0x0A, 0x0D, 0x20: continue
      case UInt8(ascii: "="): padding += 1
      default:
        guard padding == 0, let value = value(of: character) else { return nil }
        bits = bits << 6 | UInt32(value)
        count += 1
        if count % 4 == 0 {
          bytes += [UInt8(truncatingIfNeeded: bits >> 16), UInt8(truncatingIfNeeded: bits >> 8)]
          bytes.append(UInt8(truncatingIfNeeded: bits))
        }
      }
    }
    switch (count % 4, padding) {
    case (0, 0): break
    case (2, 2): bytes.append(UInt8(truncatingIfNeeded: bits >> 4))
    case (3, 1): bytes += [UInt8(truncatingIfNeeded: bits >> 10), UInt8(truncatingIfNeeded: bits >> 2)]
    default: return nil
    }
    return bytes
  }

  /// The bytes as text, filled up with `=`.
  package static func encode(_ bytes: [UInt8]) -> String {
    let letters = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
    var text: [UInt8] = []
    for start in stride(from: 0, to: bytes.count, by: 3) {
      let group = bytes[start..<min(start + 3, bytes.count)]
      var bits: UInt32 = 0
      for offset in 0..<3 { bits = bits << 8 | UInt32(offset < group.count ? group[start + offset] : 0) }
      for place in 0..<4 {
        let letter = letters[Int(bits >> UInt32(18 - 6 * place)) & 63]
        text.append(place <= group.count ? letter : UInt8(ascii: "="))
      }
    }
    return String(decoding: text, as: UTF8.self)
  }

  private static func value(of character: UInt8) -> UInt8? {
    switch character {
    case UInt8(ascii: "A")...UInt8(ascii: "Z"): character - UInt8(ascii: "A")
    case UInt8(ascii: "a")...UInt8(ascii: "z"): character - UInt8(ascii: "a") + 26
    case UInt8(ascii: "0")...UInt8(ascii: "9"): character - UInt8(ascii: "0") + 52
    case UInt8(ascii: "+"): 62
    case UInt8(ascii: "/"): 63
    default: nil
    }
  }
}

extension StringProtocol {
  /// Whatever a URI may not have, and what has a meaning there, percent-encoded (RFC 3986, §2.1).
  /// - Parameter keepsSlashes: for a path as a whole.
  package func percentEncoded(keepingSlashes keepsSlashes: Bool = false) -> String {
    let digits = Array("0123456789ABCDEF".utf8)
    var bytes: [UInt8] = []
    for byte in utf8 {
      switch byte {
      case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2D, 0x2E, 0x5F, 0x7E: bytes.append(byte)
      case UInt8(ascii: "/") where keepsSlashes: bytes.append(byte)
      default: bytes += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// The text that is percent-encoded in it.
  package var percentDecoded: String {
    guard contains("%") else { return String(self) }
    var bytes: [UInt8] = []
    var rest = Array(utf8)[...]
    while let byte = rest.popFirst() {
      let digits = String(decoding: rest.prefix(2), as: UTF8.self)
      if byte == UInt8(ascii: "%"), digits.count == 2, let value = UInt8(digits, radix: 16) {
        bytes.append(value)
        rest = rest.dropFirst(2)
      } else {
        bytes.append(byte)
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}
