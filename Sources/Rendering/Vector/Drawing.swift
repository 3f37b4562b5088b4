/// What all pictures of a page have in common: a name and a description for those who don't see them, and shapes that get
/// their colours from the page's style sheet.
enum Drawing {
  /// An SVG as wide as the room there is.
  /// - Parameters:
  ///   - id: unique in the page.
  ///   - title: what the picture shows, in a few words.
  ///   - description: what there is to see in it, in a sentence.
  static func fluid(
    id: String, title: String, description: String, height: Int, class name: String = "",
    _ children: [Markup]
  ) -> Markup {
    .tag(
      "svg",
      [
        "role": "img", "class": "fluid " + name, "width": "100%", "height": String(height),
        "aria-labelledby": "\(id)-t \(id)-d",
      ],
      all: [
        .tag("title", ["id": "\(id)-t"], .text(title)), .tag("desc", ["id": "\(id)-d"], .text(description)),
      ] + children)
  }

  /// A small one whose meaning stands beside it in words.
  static func decoration(height: Int, class name: String, _ children: [Markup]) -> Markup {
    .tag(
      "svg",
      ["aria-hidden": "true", "class": "fluid " + name, "width": "100%", "height": String(height)],
      all: children)
  }

  /// A swatch in a legend or before a name.
  static func swatch(_ ink: Ink) -> Markup {
    .tag(
      "svg", ["aria-hidden": "true", "class": "swatch \(ink.name)", "width": "10", "height": "10"],
      .tag("rect", ["width": "10", "height": "10", "rx": "2"]))
  }
}

/// What a shape stands for; the style sheet knows the colour of each, in light and in dark.
package enum Ink: Sendable, Equatable {
  /// One of several equals, counted from 0.
  case series(Int)
  /// The rest of them.
  case others
  /// One step of an order, from 0 (least) to 5 (most).
  case step(Int)
  case good, waiting, bad

  /// As many as can be told apart.
  package static let mostSeries = 6

  var name: String {
    switch self {
    case .series(let index): index < Self.mostSeries ? "s\(index + 1)" : "so"
    case .others: "so"
    case .step(let step): "a\(min(max(step, 0), 5) + 1)"
    case .good: "good"
    case .waiting: "wait"
    case .bad: "bad"
    }
  }
}
