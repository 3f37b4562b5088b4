import Values

/// A `MarkChart` as a lane for each kind of run, with a sign for the worst of each time.
struct MarkDrawing {
  private static let columns = 80
  private static let lane = 34

  let chart: MarkChart
  let axis: TimeAxis?

  init(_ chart: MarkChart) {
    self.chart = chart
    axis = TimeAxis(chart.lines.lazy.flatMap(\.marks.keys), columns: Self.columns)
  }

  var isEmpty: Bool { !chart.lines.contains { !$0.counts.isEmpty } }

  func markup(id: String, description: String) -> Markup {
    guard let axis, !isEmpty else { return .nothing }
    var drawn: [Markup] = []
    for (index, line) in chart.lines.enumerated() {
      let middle = Double(index * Self.lane) + 24
      drawn.append(
        .tag(
          "line",
          [
            "class": "grid", "x1": "0", "x2": "100%", "y1": Length.number(middle),
            "y2": Length.number(middle),
          ]
        ))
      drawn.append(
        .tag(
          "text", ["class": "lane", "x": "0", "y": Length.number(middle - 12)],
          .text("\(line.label) · \(Self.total(line))")))
      drawn += marks(line, axis, y: middle)
    }
    let foot = chart.lines.count * Self.lane + 8
    drawn += TimeRuler.markup(axis, y: foot + 16)
    return .group([
      Drawing.fluid(
        id: id, title: "\(chart.subject) per \(axis.unit.name) (UTC)", description: description,
        height: foot + 24, class: "lanes", drawn),
      legend,
    ])
  }

  private func marks(_ line: MarkChart.Line, _ axis: TimeAxis, y: Double) -> [Markup] {
    var steps = [MarkChart.Mark?](repeating: nil, count: axis.count)
    for (hour, mark) in line.marks {
      let column = axis.column(of: hour)
      if steps[column].map({ $0.rawValue < mark.rawValue }) ?? true { steps[column] = mark }
    }
    // The worse are drawn over the better.
    return MarkChart.Mark.allCases.flatMap { mark in
      steps.enumerated().filter { $0.element == mark }.map { column, _ in
        // Half a sign of room at both ends.
        let place = 0.01 + 0.98 * (Double(column) + 0.5) / Double(axis.count)
        return Markup.tag(
          "use",
          [
            "href": "#\(Self.sign(mark))", "class": Self.sign(mark), "x": Length.percent(place),
            "y": Length.number(y),
          ])
      }
    }
  }

  static func sign(_ mark: MarkChart.Mark) -> String {
    switch mark {
    case .succeeded: "m-done"
    case .noise: "m-noise"
    case .open: "m-open"
    case .failed: "m-failed"
    }
  }

  private static func meaning(_ mark: MarkChart.Mark) -> String {
    switch mark {
    case .succeeded: "succeeded"
    case .noise: "failed, harmlessly"
    case .open: "never ended"
    case .failed: "failed"
    }
  }

  /// The signs, once a page: each has a shape of its own.
  static let symbols = Markup.tag(
    "svg", ["aria-hidden": "true", "class": "symbols", "width": "0", "height": "0"],
    .tag(
      "defs", [:],
      .tag("g", ["id": "m-done"], .tag("circle", ["r": "3"])),
      .tag("g", ["id": "m-noise"], .tag("circle", ["r": "4"])),
      .tag("g", ["id": "m-open"], .tag("path", ["d": "M-4 -4H4V4H-4Z"])),
      .tag("g", ["id": "m-failed"], .tag("path", ["d": "M-5 -5L5 5M5 -5L-5 5"]))))

  private var legend: Markup {
    let entries = MarkChart.Mark.allCases.compactMap { mark -> Markup? in
      let count = ChartText.sum(chart.lines.compactMap { $0.counts[mark] })
      guard count > 0 else { return nil }
      return .tag(
        "li", [:],
        .tag(
          "svg", ["aria-hidden": "true", "class": "sign", "width": "14", "height": "14"],
          .tag("use", ["href": "#\(Self.sign(mark))", "class": Self.sign(mark), "x": "7", "y": "7"])),
        .text("\(Sentence.number(count)) \(Self.meaning(mark))"))
    }
    return .tag("ul", ["class": "legend"], all: entries)
  }

  private static func total(_ line: MarkChart.Line) -> String {
    Sentence.number(ChartText.sum(line.counts.values))
  }

  /// The same in numbers.
  var table: PageTable? {
    guard !isEmpty else { return nil }
    return PageTable(
      caption: "\(chart.subject) by kind and outcome",
      columns: [.init("kind")] + MarkChart.Mark.allCases.map { .init(Self.meaning($0), isNumber: true) },
      rows: chart.lines.map { line in
        [.text(line.label)] + MarkChart.Mark.allCases.map { .count(line.counts[$0] ?? 0) }
      })
  }
}
