/// Whether bytes are text that can be shown.
enum UTF8Text {
  /// Whether these bytes are valid UTF-8 without control characters other than tab and line ends. Stops at the
  /// first byte that decides, which in binary data comes soon.
  ///
  /// The ranges are those of https://www.unicode.org/versions/Unicode15.0.0/ch03.pdf, table 3-7.
  static func isPrintable(_ bytes: UnsafeRawBufferPointer) -> Bool {
    var position = 0
    while position < bytes.count {
      let lead = bytes[position]
      position += 1
      var second: ClosedRange<UInt8> = 0x80...0xBF
      let more: Int
      switch lead {
      case 0x20...0x7F, 0x09, 0x0A, 0x0D: continue
      case 0xC2...0xDF: more = 1
      case 0xE0...0xEF:
        more = 2
        if lead == 0xE0 { second = 0xA0...0xBF }
        if lead == 0xED { second = 0x80...0x9F }
      case 0xF0...0xF4:
        more = 3
        if lead == 0xF0 { second = 0x90...0xBF }
        if lead == 0xF4 { second = 0x80...0x8F }
      default: return false
      }
      guard position + more <= bytes.count, second.contains(bytes[position]) else { return false }
      for offset in 1..<more where !(0x80...0xBF).contains(bytes[position + offset]) { return false }
      position += more
    }
    return true
  }
}
