import Values

/// Text of unknown origin in a page.
enum HTMLText {
  /// Neither markup nor an attribute's end, and nothing that turns or hides the text around it: controls and
  /// characters that turn the writing direction become visible escapes.
  static func escaped(_ text: String) -> String {
    guard text.utf8.contains(where: isSpecial) else { return text }
    var result = ""
    for scalar in text.unicodeScalars {
      switch scalar.value {
      case 0x26: result += "&amp;"
      case 0x3C: result += "&lt;"
      case 0x3E: result += "&gt;"
      case 0x22: result += "&quot;"
      case 0x27: result += "&#39;"
      case 0x0A: result += "\\n"
      case 0x0D: result += "\\r"
      case 0x09: result += "\\t"
      // Not characters: XML takes neither (https://www.w3.org/TR/xml/#charsets).
      case let value where UTF8Sequence.isUnsafe(value) || value & 0xFFFE == 0xFFFE:
        result += "\\u{\(String(value, radix: 16))}"
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result
  }

  /// Any byte beyond ASCII may begin a character that needs a closer look.
  private static func isSpecial(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x26, 0x3C, 0x3E, 0x22, 0x27, 0...0x1F, 0x7F...: true
    default: false
    }
  }
}
