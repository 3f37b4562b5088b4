import Base

/// A `GraphChart` as boxes and lines.
struct GraphDrawing {
  private let chart: GraphChart
  private let layout: GraphLayout

  /// The names of the nodes, as they are drawn.
  private let names: [[String]]

  init(_ chart: GraphChart) {
    self.chart = chart
    let boxWidth = GraphName.boxWidth(for: chart.nodes.map(\.label))
    names = chart.nodes.map { GraphName.lines(of: $0.label, in: boxWidth) }
    layout = GraphLayout(
      count: chart.nodes.count, edges: chart.edges.map { ($0.from, $0.to) },
      boxHeight: names.contains { $0.count > 1 } ? 56 : 42, boxWidth: boxWidth)
  }

  func markup(id: String, title: String, description: String) -> Markup {
    guard !chart.nodes.isEmpty else { return .nothing }
    let width = Length.number(width)
    let height = Length.number(layout.height)
    return .tag(
      "svg",
      [
        "role": "img", "class": "graph live " + size, "width": width, "height": height,
        "viewBox": "0 0 \(width) \(height)", "aria-labelledby": "\(id)-t \(id)-d",
      ],
      all: [
        .tag("title", ["id": "\(id)-t"], .text(title)), .tag("desc", ["id": "\(id)-d"], .text(description)),
      ] + lines + chart.nodes.indices.map(box))
  }

  private func box(_ index: Int) -> Markup {
    let node = chart.nodes[index]
    let place = layout.places[index]
    let left = place.x + 12
    let middle = place.y + (layout.boxHeight - 42) / 2 - Double(names[index].count - 1) * 7
    let label = names[index].enumerated().map { line, text in
      Markup.tag(
        "text",
        ["class": "label", "x": Length.number(left), "y": Length.number(middle + 18 + Double(line) * 14)],
        .text(text))
    }
    return .tag(
      "g",
      [
        "class": node.isAbstract ? "k box abstract" : "k box", "data-n": String(index),
        "data-name": node.label,
      ],
      all: [
        Drawing.hint(hint(index)),
        .tag(
          "rect",
          [
            "x": Length.number(place.x), "y": Length.number(place.y), "rx": "5",
            "width": Length.number(layout.boxWidth), "height": Length.number(layout.boxHeight),
          ]),
      ] + label + [
        .tag(
          "text",
          [
            "class": "tick", "x": Length.number(left),
            "y": Length.number(middle + 19 + Double(names[index].count) * 14),
          ], .text(node.note))
      ])
  }

  private static let mostHinted = 12

  /// The name in full, and what leads from there and to it.
  private func hint(_ index: Int) -> String {
    let node = chart.nodes[index]
    let lines = chart.edges.filter { $0.from == index || $0.to == index }.map(\.label)
    let more = lines.count - Self.mostHinted
    return
      (["\(node.label): \(node.note)"] + lines.prefix(Self.mostHinted)
      + (more > 0 ? ["and \(more) more"] : [])).joined(separator: "; ")
  }

  /// Small ones stay what they are; larger ones shrink as long as their text can be read.
  private var size: String { width < 700 ? "small" : width < 1200 ? "large" : "huge" }

  /// With room for the lines that go round on the right of the last column.
  private var width: Double {
    chart.edges.map { edge -> Double in
      let (from, to) = (layout.places[edge.from], layout.places[edge.to])
      guard from.x == to.x else { return 0 }
      return from.x + layout.boxWidth + 14 + Self.bulge(abs(to.y - from.y))
    }.reduce(layout.width, max)
  }

  /// How far the guides of such a line reach out.
  private static func bulge(_ distance: Double) -> Double { 26 + distance * 0.12 }

  // MARK: - Lines

  private struct End {
    var x: Double
    var y: Double
    /// 1 where the line leaves to the right, -1 to the left.
    var side: Double
  }

  /// The ends of all lines, each box's sides shared among those that end there.
  private var lines: [Markup] {
    var sides: [[(edge: Int, isStart: Bool, other: Double)]] = Array(
      repeating: [], count: chart.nodes.count * 2)
    var ends = [(start: End, end: End)](
      repeating: (End(x: 0, y: 0, side: 1), End(x: 0, y: 0, side: 1)), count: chart.edges.count)
    for (index, edge) in chart.edges.enumerated() {
      let (from, to) = (layout.places[edge.from], layout.places[edge.to])
      // In one column, and to itself, a line goes round on the right.
      let start = from.x <= to.x ? 1 : -1
      let end = from.x < to.x ? -1 : 1
      sides[edge.from * 2 + (start > 0 ? 1 : 0)].append((index, true, to.y))
      sides[edge.to * 2 + (end > 0 ? 1 : 0)].append((index, false, from.y + (edge.from == edge.to ? 1 : 0)))
    }
    for (slot, side) in sides.enumerated() {
      let place = layout.places[slot / 2]
      let isRight = slot % 2 == 1
      for (position, use) in side.sorted(by: { ($0.other, $0.edge) < ($1.other, $1.edge) }).enumerated() {
        let share = Double(position + 1) / Double(side.count + 1)
        let end = End(
          x: place.x + (isRight ? layout.boxWidth : 0), y: place.y + share * layout.boxHeight,
          side: isRight ? 1 : -1)
        if use.isStart { ends[use.edge].start = end } else { ends[use.edge].end = end }
      }
    }
    return chart.edges.indices.map { line(chart.edges[$0], ends[$0].start, ends[$0].end) }
  }

  private func line(_ edge: GraphChart.Edge, _ start: End, _ end: End) -> Markup {
    // Room for the sign at either end.
    let (from, to) = (start.x + start.side * 10, end.x + end.side * 10)
    let isRound = start.side == end.side
    let reach = isRound ? Self.bulge(abs(end.y - start.y)) : max(20, abs(to - from) * 0.5)
    func point(_ x: Double, _ y: Double) -> String { "\(Length.number(x)) \(Length.number(y))" }
    let curve =
      "M\(point(start.x, start.y))L\(point(from, start.y))"
      + "C\(point(from + start.side * reach, start.y)) \(point(to + end.side * reach, end.y)) \(point(to, end.y))"
    let ends: [Markup]
    let name: String
    switch edge.kind {
    case .inheritance:
      name = "edge inherits"
      ends = [triangle(end)]
    case .relationship(let manyAtStart, let manyAtEnd):
      name = "edge"
      ends = [manyAtStart == true ? fork(start) : .nothing, manyAtEnd ? fork(end) : bar(end, to)]
    }
    // The line reaches the box itself but for the sign's own shape.
    let tail = edge.kind == .inheritance ? "" : "L\(point(end.x, end.y))"
    return .tag(
      "g", ["class": "k " + name, "data-a": String(edge.from), "data-b": String(edge.to)],
      all: [
        Drawing.hint(edge.label), .tag("path", ["class": "hit", "d": curve]),
        .tag("path", ["class": "curve", "d": curve + tail]),
      ] + ends)
  }

  /// Many: three toes at the box.
  private func fork(_ end: End) -> Markup {
    let knee = Length.number(end.x + end.side * 9)
    let x = Length.number(end.x)
    let (up, down) = (Length.number(end.y - 4.5), Length.number(end.y + 4.5))
    return .tag("path", ["d": "M\(x) \(up)L\(knee) \(Length.number(end.y))L\(x) \(down)"])
  }

  /// One: a bar across.
  private func bar(_ end: End, _ x: Double) -> Markup {
    let at = Length.number(end.x + end.side * 6)
    return .tag("path", ["d": "M\(at) \(Length.number(end.y - 4))L\(at) \(Length.number(end.y + 4))"])
  }

  /// Inheritance, as in UML: a hollow head at the parent.
  private func triangle(_ end: End) -> Markup {
    let foot = Length.number(end.x + end.side * 10)
    let tip = "\(Length.number(end.x)) \(Length.number(end.y))"
    return .tag(
      "path",
      [
        "class": "head",
        "d": "M\(tip)L\(foot) \(Length.number(end.y - 5))L\(foot) \(Length.number(end.y + 5))Z",
      ])
  }
}

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
    return String(decoding: OutputBuffer.collecting(markup.write), as: UTF8.self)
  }
}
