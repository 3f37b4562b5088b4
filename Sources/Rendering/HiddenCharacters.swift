import Base

/// Finds the characters of a text that people must see as escapes: those that a terminal obeys, those that show nothing,
/// and those that pile up on one place.
///
/// A name with such a character looks like another name, and can carry a message that only programs read
/// (https://www.unicode.org/reports/tr36/#Security_of_Invisible_Characters). Invisible characters stay where a reader
/// needs them: a joiner between two emoji or between two letters of a script that joins its letters, and one variation
/// selector behind an emoji or an ideograph.
struct HiddenCharacters {
  /// The last character that shows something.
  private var base: Unicode.Scalar?
  private var previous: Unicode.Scalar?
  private var marks = 0
  /// No language needs as many on one letter.
  private static let mostMarks = 8

  /// - Returns: whether `scalar`, which `next` follows, must be shown as an escape.
  mutating func hides(_ scalar: Unicode.Scalar, before next: Unicode.Scalar?) -> Bool {
    if scalar.isASCII {
      (base, previous, marks) = (scalar, scalar, 0)
      return UTF8Sequence.isUnsafe(scalar.value)
    }
    defer { previous = scalar }
    if isInvisible(scalar) { return !isNeeded(scalar, before: next) }
    switch scalar.properties.generalCategory {
    case .nonspacingMark, .enclosingMark:
      marks += 1
      return marks > Self.mostMarks
    default:
      (base, marks) = (scalar, 0)
      return false
    }
  }

  private func isInvisible(_ scalar: Unicode.Scalar) -> Bool {
    UTF8Sequence.isUnsafe(scalar.value) || scalar.properties.isDefaultIgnorableCodePoint
      // Anchors of annotations, which show nothing either.
      || (0xFFF9...0xFFFB).contains(scalar.value)
  }

  private func isNeeded(_ scalar: Unicode.Scalar, before next: Unicode.Scalar?) -> Bool {
    guard let base, let previous else { return false }
    return switch scalar.value {
    case 0xFE00...0xFE0F, 0xE0100...0xE01EF:
      previous == base && (Self.isEmoji(base) || base.properties.isIdeographic)
    case 0x200C: Self.isJoining(previous) && next.map(Self.isJoining) ?? false
    case 0x200D:
      next.map { Self.isJoining(previous) && Self.isJoining($0) || Self.isEmoji(base) && Self.isEmoji($0) }
        ?? false
    default: false
    }
  }

  /// Digits count as emoji too, as parts of keycaps.
  private static func isEmoji(_ scalar: Unicode.Scalar) -> Bool {
    !scalar.isASCII && scalar.properties.isEmoji
  }

  /// Letters and marks of the scripts from Arabic to Sinhala, and of Myanmar, Khmer and Mongolian.
  private static func isJoining(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x620...0xDFF, 0x1000...0x109F, 0x1780...0x18AF: !scalar.properties.isDefaultIgnorableCodePoint
    default: false
    }
  }
}

extension HiddenCharacters {
  /// Passes on every character of the text, and whether it must be shown as an escape.
  static func forEach(in text: String, _ body: (Unicode.Scalar, Bool) -> Void) {
    var hidden = HiddenCharacters()
    var rest = text.unicodeScalars.makeIterator()
    var following = rest.next()
    while let scalar = following {
      following = rest.next()
      body(scalar, hidden.hides(scalar, before: following))
    }
  }

  static func escape(_ scalar: Unicode.Scalar) -> String {
    switch scalar {
    case "\n": "\\n"
    case "\r": "\\r"
    case "\t": "\\t"
    default: "\\u{\(String(scalar.value, radix: 16))}"
    }
  }
}
