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
