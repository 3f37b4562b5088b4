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
