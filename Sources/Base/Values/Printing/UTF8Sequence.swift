/// One character's bytes in text that may not be UTF-8 at all (RFC 3629).
package enum UTF8Sequence {
  /// Two to four for a well-formed sequence that begins here, 0 for anything else. Call it for bytes from 0x80.
  package static func length(at index: Int, in bytes: UnsafeRawBufferPointer) -> Int {
    let lead = bytes[index]
    let length: Int
    var second: ClosedRange<UInt8> = 0x80...0xBF
    switch lead {
    case 0xC2...0xDF: length = 2
    case 0xE0:
      length = 3
      second = 0xA0...0xBF
    case 0xED:
      length = 3
      second = 0x80...0x9F
    case 0xE1...0xEF: length = 3
    case 0xF0:
      length = 4
      second = 0x90...0xBF
    case 0xF1...0xF3: length = 4
    case 0xF4:
      length = 4
      second = 0x80...0x8F
    default: return 0
    }
    guard index + length <= bytes.count, second.contains(bytes[index + 1]) else { return 0 }
    for offset in 2..<max(2, length) where bytes[index + offset] & 0xC0 != 0x80 { return 0 }
    return length
  }

  /// The scalar of a well-formed sequence.
  package static func scalar(at index: Int, length: Int, in bytes: UnsafeRawBufferPointer) -> UInt32 {
    var scalar = UInt32(bytes[index]) & (0x7F >> UInt32(length))
    for offset in 1..<length { scalar = scalar << 6 | UInt32(bytes[index + offset] & 0x3F) }
    return scalar
  }

  /// Only the lead bytes of the characters in `isUnsafe` need a closer look.
  package static func needsEscape(at index: Int, length: Int, in bytes: UnsafeRawBufferPointer) -> Bool {
    switch bytes[index] {
    case 0xC2, 0xD8, 0xE2, 0xEF: isUnsafe(scalar(at: index, length: length, in: bytes))
    default: false
    }
  }

  /// Controls, line separators, and characters that turn or hide the text around them
  /// (https://www.unicode.org/reports/tr36/#Bidirectional_Text_Spoofing).
  package static func isUnsafe(_ scalar: UInt32) -> Bool {
    switch scalar {
    case 0...0x1F, 0x7F...0x9F, 0x61C, 0x200E, 0x200F, 0x2028...0x202E, 0x2066...0x2069, 0xFEFF: true
    default: false
    }
  }
}
