import Base

/// Text that is safe and measurable on a terminal.
package enum TerminalText {
  /// Controls, characters that turn the writing direction and those that show nothing become visible escapes; line ends
  /// too, as a cell has one line.
  package static func escaped(_ text: String) -> String {
    // Most text is plain.
    guard text.utf8.contains(where: { $0 < 0x20 || $0 >= 0x7F }) else { return text }
    var result = ""
    var isSame = true
    HiddenCharacters.forEach(in: text) { scalar, isHidden in
      if isHidden {
        result += HiddenCharacters.escape(scalar)
        isSame = false
      } else {
        result.unicodeScalars.append(scalar)
      }
    }
    return isSame ? text : result
  }

  /// Columns that the text takes on a terminal.
  package static func width(_ text: String) -> Int {
    if text.utf8.allSatisfy({ $0 < 0x80 }) { return text.utf8.count }
    return text.reduce(0) { $0 + width($1) }
  }

  /// The text, cut to that many columns with an ellipsis of one column where it is longer.
  /// - Parameter keepsEnd: whether a name without blanks, such as a path or a URI, is cut in its middle: people know it by
  ///   its end as well.
  package static func shortened(
    _ text: String, to columns: Int, ellipsis: String = "…", keepsEnd: Bool = false
  ) -> String {
    guard text.utf8.count > columns, width(text) > columns else { return text }
    if keepsEnd, columns > 8, text.utf8.allSatisfy({ 0x21...0x7E ~= $0 }) {
      let head = (columns - 1) / 2
      return text.prefix(head) + ellipsis + text.suffix(columns - 1 - head)
    }
    return head(of: text, columns - 1) + ellipsis
  }

  /// Where a text that is too long is cut.
  enum Cut: CaseIterable {
    /// As `shortened` does for a text without blanks and for others.
    case usual
    case end, middle, start
  }

  /// The first way to cut these texts that leaves different ones different; the usual one if none does.
  static func cut(telling texts: [String], apartIn columns: Int) -> Cut {
    let count = Set(texts).count
    return Cut.allCases.first { cut in
      Set(texts.lazy.map { shortened($0, to: columns, cut) }).count == count
    } ?? .usual
  }

  static func shortened(_ text: String, to columns: Int, _ cut: Cut) -> String {
    guard cut != .usual else { return shortened(text, to: columns, keepsEnd: true) }
    guard text.utf8.count > columns, width(text) > columns else { return text }
    let left =
      switch cut {
      case .usual, .end: columns - 1
      case .middle: (columns - 1) / 2
      case .start: 0
      }
    return head(of: text, left) + "…"
      + String(head(of: String(text.reversed()), columns - 1 - left).reversed())
  }

  /// As much of the text as takes so many columns.
  private static func head(of text: some StringProtocol, _ columns: Int) -> String {
    var result = ""
    var used = 0
    for character in text {
      let width = width(character)
      if used + width > columns { break }
      result.append(character)
      used += width
    }
    return result
  }

  /// The text in lines of at most so many columns, broken at blanks. Lines after the first begin with `indent` blanks,
  /// which count. A line that begins with blanks keeps them.
  /// - Parameter breaksWords: whether a word that is longer than a line is broken as well; otherwise it stands alone, so
  ///   that it can be copied.
  package static func wrapped(_ text: String, to columns: Int, indent: Int = 0, breaksWords: Bool = false)
    -> String
  {
    let room = max(breaksWords ? 2 : 20, columns - indent)
    guard width(text) > room else { return text }
    var lines: [String] = []
    var line = String(text.prefix { $0 == " " })
    var used = line.count
    var isFirst = true
    for word in text.dropFirst(line.count).split(separator: " ", omittingEmptySubsequences: false) {
      var (word, width) = (word, width(String(word)))
      if !isFirst, used + 1 + width > room {
        lines.append(line)
        (line, used) = ("", 0)
      } else if !isFirst {
        (line, used) = (line + " ", used + 1)
      }
      while breaksWords, used + width > room {
        let head = head(of: word, room - used)
        if head.isEmpty, used == 0 { break }
        lines.append(line + head)
        (line, used) = ("", 0)
        word = word.dropFirst(head.count)
        width = self.width(String(word))
      }
      line += word
      used += width
      isFirst = false
    }
    return (lines + [line]).joined(separator: "\n" + String(repeating: " ", count: indent))
  }

  package static func padded(_ text: String, to columns: Int, right: Bool) -> String {
    let blanks = String(repeating: " ", count: max(0, columns - width(text)))
    return right ? blanks + text : text + blanks
  }

  /// A line without blanks at its end.
  static func trimmed(_ line: String) -> String {
    var line = line
    while line.last == " " { line.removeLast() }
    return line
  }

  /// An emoji is one picture, whatever it is made of; of other characters all parts count.
  private static func width(_ character: Character) -> Int {
    let scalars = character.unicodeScalars
    if let first = scalars.first, !first.isASCII,
      first.properties.isEmojiPresentation || scalars.contains(where: { $0.value == 0xFE0F })
    {
      return 2
    }
    return scalars.reduce(0) { $0 + width($1) }
  }

  /// Neither Swift nor the C library has the East Asian width without a locale; these are the wide blocks of
  /// https://www.unicode.org/reports/tr11/ without emoji.
  private static func width(_ scalar: Unicode.Scalar) -> Int {
    if scalar.isASCII { return 1 }
    switch scalar.value {
    case 0x1100...0x115F, 0x2329...0x232A, 0x2E80...0x303E, 0x3041...0x4DBF, 0x4E00...0xA4CF, 0xA960...0xA97C,
      0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE10...0xFE19, 0xFE30...0xFE6B, 0xFF01...0xFF60, 0xFFE0...0xFFE6,
      0x16FE0...0x18D08, 0x1AFF0...0x1B2FB, 0x1F200...0x1F265, 0x20000...0x3FFFD:
      return isMark(scalar) ? 0 : 2
    // Vowels and endings of a Korean syllable stand in its place.
    case 0x1160...0x11FF, 0xD7B0...0xD7FB: return 0
    default: return isMark(scalar) ? 0 : 1
    }
  }

  private static func isMark(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .nonspacingMark, .enclosingMark, .format: true
    default: false
    }
  }
}

/// Text for a terminal that shows no UTF-8: our own signs by look-alikes, all others as escapes.
package struct ASCIIFilter {
  /// The beginning of a character whose end is still to come.
  private var rest: [UInt8] = []

  package init() {}

  package mutating func filtered(_ bytes: UnsafeRawBufferPointer) -> [UInt8] {
    let all = rest + bytes
    // A character has at most four bytes; those after the first begin with the bits 10.
    let tail = all.suffix(3).lastIndex { $0 >= 0xC0 }
    let cut = tail.flatMap { all.count - $0 < Self.length(all[$0]) ? $0 : nil } ?? all.count
    rest = Array(all[cut...])
    var result: [UInt8] = []
    result.reserveCapacity(cut)
    for scalar in String(decoding: all[..<cut], as: UTF8.self).unicodeScalars {
      if scalar.isASCII {
        result.append(UInt8(scalar.value))
      } else {
        result += Self.replacement(scalar).utf8
      }
    }
    return result
  }

  package static func filtered(_ text: String) -> String {
    text.unicodeScalars.map { $0.isASCII ? String($0) : replacement($0) }.joined()
  }

  private static func length(_ lead: UInt8) -> Int { lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : 2 }

  private static func replacement(_ scalar: Unicode.Scalar) -> String {
    switch scalar {
    case "…": "~"
    case "─": "-"
    case "‹": "<"
    case "›": ">"
    case "“", "”": "\""
    case "·": "."
    case "–", "—": "-"
    case "•": "*"
    default: "\\u{\(String(scalar.value, radix: 16))}"
    }
  }
}
