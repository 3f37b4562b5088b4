/// What the place where text is shown can do.
package struct TextStyle: Sendable, Equatable {
  /// Columns; nil where nothing limits them (a file, a pipe).
  package var width: Int?
  package var hasColor: Bool
  package var hasUnicode: Bool
  package var dates: DateText
  /// Whether sentences are wrapped; tables and lists fit the width in any case.
  package var wrapsText = true

  package init(
    width: Int? = nil, hasColor: Bool = false, hasUnicode: Bool = true, dates: DateText = DateText()
  ) {
    self.width = width
    self.hasColor = hasColor
    self.hasUnicode = hasUnicode
    self.dates = dates
  }

  var rule: String { hasUnicode ? "─" : "-" }

  /// https://ecma-international.org/publications-and-standards/standards/ecma-48/ (SGR).
  package func bold(_ text: String) -> String { hasColor ? "\u{1B}[1m\(text)\u{1B}[0m" : text }
  package func faint(_ text: String) -> String { hasColor ? "\u{1B}[2m\(text)\u{1B}[0m" : text }
  package func colored(_ text: String, _ color: Color) -> String {
    hasColor ? "\u{1B}[\(color.rawValue)m\(text)\u{1B}[0m" : text
  }

  /// For the words of a severity or a state, and nothing else.
  package enum Color: Int, Sendable {
    case red = 31
    case green, yellow
  }
}
