import Values

/// Text of unknown origin in a page.
enum HTMLText {
  /// Neither markup nor an attribute's end, and nothing that turns or hides the text around it: controls and characters
  /// that turn the writing direction or show nothing become visible escapes.
  static func escaped(_ text: String) -> String {
    guard text.utf8.contains(where: isSpecial) else { return text }
    var result = ""
    HiddenCharacters.forEach(in: text) { scalar, isHidden in
      switch scalar {
      case "&": result += "&amp;"
      case "<": result += "&lt;"
      case ">": result += "&gt;"
      case "\"": result += "&quot;"
      case "'": result += "&#39;"
      // The last two of each plane aren't characters: XML doesn't take them (https://www.w3.org/TR/xml/#charsets).
      case _ where isHidden || scalar.value & 0xFFFE == 0xFFFE: result += HiddenCharacters.escape(scalar)
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
