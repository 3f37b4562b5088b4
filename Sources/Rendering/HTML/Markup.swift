package import Base

/// A piece of a page: elements and text, escaped when it is written. Written as XML, which HTML parsers read as well, so
/// that any XML reader can check a page.
/// https://www.w3.org/TR/html-polyglot/
package indirect enum Markup: Sendable, Equatable {
  package struct Attribute: Sendable, Equatable {
    package var name: String
    package var value: String
  }

  case element(String, [Attribute], [Markup])
  case text(String)
  /// The program's own text without `<` and `&`: a style sheet, a script. Never anything out of a store.
  case verbatim(String)
  case group([Markup])

  package static let nothing = Markup.group([])

  package static func tag(
    _ name: String, _ attributes: KeyValuePairs<String, String> = [:], _ children: Markup...
  ) -> Markup {
    tag(name, attributes, all: children)
  }

  package static func tag(
    _ name: String, _ attributes: KeyValuePairs<String, String> = [:], all children: [Markup]
  ) -> Markup {
    .element(name, attributes.map { Attribute(name: $0.key, value: $0.value) }, children)
  }

  /// Elements that have no end tag in HTML: https://html.spec.whatwg.org/multipage/syntax.html#void-elements
  private static let empty: Set = ["meta", "br", "hr", "col", "input", "img", "link"]
  /// Elements of SVG that hold nothing here; in HTML, too, they may end at once.
  private static let shapes: Set = ["rect", "path", "line", "circle", "use", "polyline"]

  package func write(to output: OutputBuffer) {
    switch self {
    case .text(let text): output.text(HTMLText.escaped(text))
    case .verbatim(let text): output.text(text)
    case .group(let children): children.forEach { $0.write(to: output) }
    case .element(let name, let attributes, let children):
      output.text("<" + name)
      for attribute in attributes {
        output.text(" \(attribute.name)=\"\(HTMLText.escaped(attribute.value))\"")
      }
      if Self.empty.contains(name) || (children.isEmpty && Self.shapes.contains(name)) {
        output.text("/>")
      } else {
        output.text(">")
        children.forEach { $0.write(to: output) }
        output.text("</\(name)>")
      }
      if Self.lineEnders.contains(name) { output.text("\n") }
    }
  }

  /// A page of one endless line can't be compared or read.
  private static let lineEnders: Set = [
    "tr", "p", "section", "h1", "h2", "h3", "svg", "li", "div", "dl", "table", "head", "meta", "title",
    "style",
    "script", "body", "details", "figure", "header", "footer", "nav", "ul", "summary", "thead", "caption",
  ]
}

extension Markup: ExpressibleByStringLiteral {
  package init(stringLiteral value: String) { self = .text(value) }
}

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

/// Times in a page: short to read, exact on a closer look, and marked so that the page's script can show local ones.
enum TimeMarkup {
  enum Precision { case minute, second }

  /// `2026-04-16 06:45`, with the exact time as its title; text for a date that no calendar has.
  static func time(_ date: CoreDataDate, _ precision: Precision = .minute) -> Markup {
    guard let exact = date.shortISO8601 else { return .text(TextForPeople.minute(date)) }
    let second = String(DateText().second(date).dropLast())
    return .tag(
      "time", ["datetime": exact, "title": exact],
      .text(precision == .second ? second : TextForPeople.minute(date)))
  }

  /// A sentence, in which the times of JSON become times to read; the last one names the zone.
  static func sentence(_ text: String) -> Markup {
    guard text.utf8.contains(UInt8(ascii: "T")), text.utf8.contains(UInt8(ascii: "Z")) else {
      return .text(text)
    }
    let words = text.split(separator: " ", omittingEmptySubsequences: false)
    let dates = words.map(DateText.date)
    let last = dates.lastIndex { $0 != nil }
    var parts: [Markup] = []
    var plain = ""
    for (index, word) in words.enumerated() {
      if index > 0 { plain += " " }
      guard let found = dates[index] else {
        plain += word
        continue
      }
      parts += [.text(plain + found.head), time(found.date), index == last ? zone : .nothing]
      plain = String(found.tail)
    }
    return .group(parts + [.text(plain)])
  }

  /// Names the zone of the times before it, or of the column below it.
  static let zone = Markup.tag("span", ["class": "zone"], " UTC")
}
