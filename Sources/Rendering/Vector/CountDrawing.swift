import Base

/// A `CountChart` as stacked columns, and below them each part by itself.
struct CountDrawing {
  private static let columns = 90
  private static let height = 150
  private static let top = 14

  let chart: CountChart
  let series: [CountChart.Series]
  let axis: TimeAxis?
  /// By series, then by column.
  private let parts: [[Int]]
  private let all: [Int]

  init(_ chart: CountChart) {
    let series = chart.largest
    let axis = TimeAxis(series.lazy.flatMap(\.counts.keys), columns: Self.columns)
    (self.chart, self.series, self.axis) = (chart, series, axis)
    (parts, all) = axis.map { CountChart.steps(series, on: $0) } ?? ([], [])
  }

  var isEmpty: Bool { ChartText.sum(all) == 0 }

  func markup(id: String, description: String) -> Markup {
    guard let axis, !isEmpty else { return .nothing }
    let scale = NiceScale(upTo: all.max() ?? 0)
    let room = Double(Self.height - Self.top)
    func y(_ count: Int) -> Double {
      Double(Self.height) - Double(count) / Double(scale.top) * room
    }
    var drawn = scale.ticks.map { Drawing.rule("grid", y: Length.number(y($0))) }
    var feet = [Int](repeating: 0, count: axis.count)
    for (index, part) in parts.enumerated() {
      var columns: [Markup] = []
      for (column, count) in part.enumerated() where count > 0 {
        let foot = y(feet[column])
        feet[column] += count
        columns.append(rectangle(column, of: axis.count, from: y(feet[column]), to: foot))
      }
      drawn.append(.tag("g", ["class": ink(index).name], all: columns))
    }
    drawn.append(Drawing.rule("foot", y: "\(Self.height).5"))
    drawn += TimeRuler.markup(axis, y: Self.height + 18) + hints(axis)
    let scaleTexts = scale.ticks.map { tick in
      Markup.tag(
        "text",
        ["class": "tick", "x": "100%", "y": Length.number(y(tick) + 4), "text-anchor": "end"],
        .text(Sentence.number(tick)))
    }
    return .group([
      .tag(
        "div", ["class": "plot"], Drawing.decoration(height: Self.height + 26, class: "scale", scaleTexts),
        Drawing.fluid(
          id: id, title: "\(chart.subject) per \(axis.unit.name) (UTC)", description: description,
          height: Self.height + 26, drawn)), multiples(axis),
    ])
  }

  private func ink(_ index: Int) -> Ink { series[index].ink ?? .series(index) }

  /// Over each column one that nobody sees, for its words.
  private func hints(_ axis: TimeAxis) -> [Markup] {
    all.indices.filter { all[$0] > 0 }.map { column in
      let counts = zip(series, parts).map { ($0.label, $1[column]) }.filter { $0.1 > 0 }
      let lines = counts.count > 1 ? counts.map { "\(TableMarkup.shortened($0)) \(Sentence.number($1))" } : []
      let who = counts.count == 1 && series.count > 1 ? " by \(TableMarkup.shortened(counts[0].0))" : ""
      let subject = Sentence.count(all[column], chart.unit) + who
      return .tag(
        "g", ["class": "k hint"],
        Drawing.hint((["\(axis.label(of: column)) UTC: \(subject)"] + lines).joined(separator: "; ")),
        rectangle(column, of: axis.count, from: Double(Self.top), to: Double(Self.height)))
    }
  }

  private func rectangle(_ column: Int, of columns: Int, from top: Double, to foot: Double) -> Markup {
    let width = 1 / Double(columns)
    return .tag(
      "rect",
      [
        "x": Length.percent(Double(column) * width), "y": Length.number(top),
        "width": Length.percent(width * (columns > 45 ? 0.86 : 0.92)),
        "height": Length.number(max(1, foot - top)),
      ])
  }

  /// Each part in a line of its own, so that nobody must tell colors apart.
  private func multiples(_ axis: TimeAxis) -> Markup {
    guard series.count > 1 else { return .nothing }
    let most = max(1, parts.flatMap { $0 }.max() ?? 1)
    let height = 26.0
    let lines = series.indices.map { index -> Markup in
      let columns = parts[index].enumerated().filter { $0.element > 0 }.map { column, count in
        rectangle(
          column, of: axis.count, from: height - max(1.5, Double(count) / Double(most) * height), to: height)
      }
      return .tag(
        "li", [:],
        .tag(
          "span", ["class": "name"], Drawing.swatch(ink(index)), .tag("bdi", [:], .text(series[index].label))),
        Drawing.decoration(height: Int(height), class: "strip \(ink(index).name)", columns),
        .tag(
          "span", ["class": "number"], .text(Sentence.number(ChartText.sum(series[index].counts.values))))
      )
    }
    return .tag("ul", ["class": "multiples"], all: lines)
  }

  /// The same in numbers: one line per step, without the steps in which nothing was.
  var table: PageTable? {
    guard let axis, !isEmpty else { return nil }
    let shown = all.indices.filter { all[$0] > 0 }
    let sum = series.count > 1 ? ["all"] : []
    return PageTable(
      "\(chart.subject) per \(axis.unit.name) (UTC)", [axis.unit.name] + series.map(\.label) + sum, of: shown
    ) { column in
      [.text(axis.label(of: column))] + parts.map { .count($0[column]) }
        + (series.count > 1 ? [.count(all[column])] : [])
    }
  }

  var notes: [String] {
    chart.undated == 0
      ? [] : ["\(Sentence.number(chart.undated)) without a usable timestamp are left out."]
  }
}

/// Round numbers for the lines of a chart.
struct NiceScale {
  /// From the lowest above 0 up; the last is the largest that fits.
  let ticks: [Int]
  let top: Int

  /// One to four lines at 1, 2 or 5 times a power of ten; a chart of ones has one.
  init(upTo most: Int) {
    let top = max(1, most)
    self.top = top
    var step = 1
    outer: while true {
      for factor in [1, 2, 5] where top / (step * factor) <= 3 {
        step *= factor
        break outer
      }
      guard step < Int.max / 100 else { break }
      step *= 10
    }
    let last = top / step
    ticks = (1...max(1, last)).map { $0 * step }.filter { $0 <= top }
  }
}
