import Base

/// How a command's result is printed. `Renderer` is the one place that distinguishes them.
package enum Format: String, Sendable, CaseIterable {
  case table
  /// As `table`, one line per cell.
  case vertical
  case json, ndjson, csv, markdown
  /// https://docs.oasis-open.org/sarif/sarif/v2.1.0/sarif-v2.1.0.html
  case sarif
  /// The XML that build servers read test results from.
  case junit
  /// A page for a browser.
  case html
  /// Diagrams: https://mermaid.js.org, https://graphviz.org, and a picture.
  case mermaid, dot, svg

  /// Those that every command prints; a document brings the text of the others along.
  package static let common: [Format] = [.table, .vertical, .json, .ndjson, .csv, .markdown]
}

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
  func styled(_ text: String, _ code: String) -> String {
    hasColor ? "\u{1B}[\(code)m\(text)\u{1B}[0m" : text
  }

  package func bold(_ text: String) -> String { styled(text, "1") }
  package func faint(_ text: String) -> String { styled(text, "2") }
  package func colored(_ text: String, _ color: Color) -> String { styled(text, "\(color.rawValue)") }

  /// For the words of a severity or a state, and nothing else.
  package enum Color: Int, Sendable {
    case red = 31
    case green, yellow
  }
}

extension OutputBuffer {
  /// All that is written, in memory.
  static func collecting(_ write: (OutputBuffer) throws -> Void) rethrows -> [UInt8] {
    var bytes: [UInt8] = []
    let output = OutputBuffer(capacity: 4096) { piece in
      bytes += piece
      return true
    }
    try write(output)
    output.flush()
    return bytes
  }
}
