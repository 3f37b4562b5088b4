import Values

/// A `GraphChart` as a picture of its own, outside of a page.
package enum GraphPicture {
  /// Colors follow the reader's light or dark mode.
  private static let style = """
    .label { font: 600 13px system-ui, sans-serif; fill: #1d1f23; }
    .tick { font: 11px system-ui, sans-serif; fill: #5a5e66; }
    .box rect { fill: #ffffff; stroke: #8a8d93; }
    .abstract rect { stroke-dasharray: 4 3; }
    .edge path { fill: none; stroke: #5a5e66; stroke-width: 1.2; }
    .edge .head { fill: #ffffff; }
    .edge .hit { stroke: transparent; stroke-width: 11; }
    @media (prefers-color-scheme: dark) {
      .label { fill: #e9e9e5; } .tick { fill: #a5a9b0; }
      .box rect, .edge .head { fill: #15171a; } .edge path { stroke: #a5a9b0; }
      .edge .hit { stroke: transparent; }
    }
    """

  /// An SVG file.
  package static func svg(_ chart: GraphChart, title: String, description: String) -> String {
    var markup = GraphDrawing(chart).markup(id: "model", title: title, description: description)
    if case .element(let name, let attributes, let children) = markup {
      markup = .element(
        name, [.init(name: "xmlns", value: "http://www.w3.org/2000/svg")] + attributes,
        [.tag("style", [:], .verbatim(style))] + children)
    } else {
      markup = .tag("svg", ["xmlns": "http://www.w3.org/2000/svg"])
    }
    var bytes: [UInt8] = []
    let output = OutputBuffer(capacity: 4096) {
      bytes.append(contentsOf: $0)
      return true
    }
    markup.write(to: output)
    output.flush()
    return String(decoding: bytes, as: UTF8.self)
  }
}
