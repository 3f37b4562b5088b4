/// What all pictures of a page have in common: a name and a description for those who don't see them, and shapes that get
/// their colors from the page's style sheet.
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
        "role": "img", "class": "fluid live " + name, "width": "100%", "height": String(height),
        "aria-labelledby": "\(id)-t \(id)-d",
      ],
      all: [
        .tag("title", ["id": "\(id)-t"], .text(title)), .tag("desc", ["id": "\(id)-d"], .text(description)),
      ] + children)
  }

  /// The text of a mark, which is shown to whoever points at it, and read to whoever gets to it.
  static func hint(_ text: String) -> Markup { .tag("title", [:], .text(text)) }

  /// A small one whose meaning stands next to it in words.
  static func decoration(height: Int, class name: String, _ children: [Markup]) -> Markup {
    .tag(
      "svg",
      ["aria-hidden": "true", "class": "fluid " + name, "width": "100%", "height": String(height)],
      all: children)
  }

  /// A line all across.
  static func rule(_ name: String, y: String) -> Markup {
    .tag("line", ["class": name, "x1": "0", "x2": "100%", "y1": y, "y2": y])
  }

  /// A swatch in a legend or before a name.
  static func swatch(_ ink: Ink) -> Markup {
    .tag(
      "svg", ["aria-hidden": "true", "class": "swatch \(ink.name)", "width": "10", "height": "10"],
      .tag("rect", ["width": "10", "height": "10", "rx": "2"]))
  }
}

/// Lengths as SVG takes them. Across, pictures are drawn in percent of the room there is, so that they fit a phone and a
/// large screen without their text being scaled: https://www.w3.org/TR/SVG2/coords.html#Units
enum Length {
  /// `12.5%`, with two digits at most.
  static func percent(_ part: Double) -> String { number(part * 100, digits: 2) + "%" }

  /// `12.5`, with two digits at most, which are as fine as screens are.
  static func number(_ value: Double, digits: Int = 1) -> String {
    let scale = digits == 1 ? 10.0 : 100.0
    guard value.isFinite, abs(value) < 1e12 else { return "0" }
    let scaled = Int64((value * scale).rounded())
    let (whole, rest) = (scaled.magnitude / UInt64(scale), scaled.magnitude % UInt64(scale))
    let sign = scaled < 0 ? "-" : ""
    guard rest > 0 else { return sign + String(whole) }
    var fraction = String(rest)
    if digits == 2, rest < 10 { fraction = "0" + fraction }
    while fraction.hasSuffix("0") { fraction.removeLast() }
    return "\(sign)\(whole).\(fraction)"
  }
}

/// The line below a picture of a time: dates under their columns.
enum TimeRuler {
  /// - Parameter y: where the dates' feet are.
  static func markup(_ axis: TimeAxis, y: Int) -> [Markup] {
    let last = axis.count - 1
    func label(
      _ text: String, zone: String = "", at place: Double, _ anchor: String, _ name: String
    ) -> Markup {
      let words = Markup.text(text + zone)
      return .tag(
        "text",
        ["x": Length.percent(place), "y": String(y), "class": "tick \(name)", "text-anchor": anchor],
        axis.moment(of: text).map { .tag("tspan", ["data-t": $0], words) } ?? words)
    }
    guard last > 0 else { return [label(axis.label(of: 0), zone: " UTC", at: 0.5, "middle", "")] }
    var labels = [label(axis.label(of: 0), at: 0, "start", "")]
    // On a phone there is room for the ends only; the style sheet takes the others away.
    if last >= 8 {
      for quarter in [0.25, 0.5, 0.75] {
        let column = Int(Double(last) * quarter)
        labels.append(
          label(axis.label(of: column), at: (Double(column) + 0.5) / Double(axis.count), "middle", "inner"))
      }
    }
    labels.append(label(axis.end, zone: " UTC", at: 1, "end", ""))
    return labels
  }
}

/// A `BarChart` as lines of bars: names and numbers are the page's own text, next to them.
struct BarDrawing {
  /// More bars would be a table, and there is one below.
  private static let mostRows = 14

  let chart: BarChart

  init(_ chart: BarChart) { self.chart = chart }

  var isEmpty: Bool { !chart.bars.contains { $0.sum > 0 } }

  /// The bars need no description: their names and numbers are text.
  func markup() -> Markup {
    guard !isEmpty else { return .nothing }
    let most = chart.bars.map(\.sum).max() ?? 1
    let lines = chart.bars.prefix(Self.mostRows).map { row -> Markup in
      var start = 0.0
      var parts: [Markup] = []
      for (kind, count) in zip(chart.kinds, row.counts) where count > 0 {
        let width = Double(count) / Double(most)
        parts.append(
          .tag(
            "rect",
            [
              "class": kind.ink.name, "x": Length.percent(start), "height": "16",
              "width": Length.percent(max(0.003, width)),
            ]))
        start += width
      }
      return .tag(
        "li", [:], .tag("span", ["class": "name"], .tag("bdi", [:], .text(row.label))),
        Drawing.decoration(height: 16, class: "bar", parts),
        .tag("span", ["class": "number"], .text(chart.text(row.sum))), words(row))
    }
    let more = chart.bars.count - Self.mostRows
    return .group([
      legend, .tag("ul", ["class": "bars"], all: Array(lines)),
      more > 0 ? .tag("p", ["class": "more"], .text("and \(more) more, in the table")) : .nothing,
    ])
  }

  /// The parts in words, so that nobody must distinguish colors.
  private func words(_ row: BarChart.Bar) -> Markup {
    let parts = zip(chart.kinds, row.counts).filter { $0.1 > 0 }
    guard chart.kinds.count > 1, parts.count > 1 || chart.unit == .count else { return .nothing }
    return .tag(
      "span", ["class": "parts"],
      .text(parts.map { "\(chart.text($0.1)) \($0.0.label)" }.joined(separator: " · ")))
  }

  private var legend: Markup {
    guard chart.kinds.count > 1 else { return .nothing }
    let entries = chart.kinds.enumerated().compactMap { index, kind -> Markup? in
      let sum = ChartText.sum(chart.bars.map { $0.counts.indices.contains(index) ? $0.counts[index] : 0 })
      guard sum > 0 else { return nil }
      return .tag("li", [:], Drawing.swatch(kind.ink), .text("\(chart.text(sum)) \(kind.label)"))
    }
    return .tag("ul", ["class": "legend"], all: entries)
  }
}
