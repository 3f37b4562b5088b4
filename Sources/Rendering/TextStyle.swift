/// What the place where text is shown can do.
package struct TextStyle: Sendable, Equatable {
  /// Columns; nil where nothing limits them (a file, a pipe).
  package var width: Int?
  package var hasColor: Bool
  package var hasUnicode: Bool

  package init(width: Int? = nil, hasColor: Bool = false, hasUnicode: Bool = true) {
    self.width = width
    self.hasColor = hasColor
    self.hasUnicode = hasUnicode
  }

  var rule: String { hasUnicode ? "─" : "-" }

  /// https://ecma-international.org/publications-and-standards/standards/ecma-48/ (SGR).
  package func bold(_ text: String) -> String { hasColor ? "\u{1B}[1m\(text)\u{1B}[0m" : text }
  package func faint(_ text: String) -> String { hasColor ? "\u{1B}[2m\(text)\u{1B}[0m" : text }
}
