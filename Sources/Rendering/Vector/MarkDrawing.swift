import Base

/// A `MarkChart` as a lane for each kind of run. Each outcome of a time has a sign of its own, with a number if it stands
/// for several runs, so that the picture has every run that the legend counts.
struct MarkDrawing {
  /// As many as leave room for a number of two digits on a phone.
  private static let columns = 32
  private static let level = 30
  private static let heading = 20

  let chart: MarkChart
  let axis: TimeAxis?

  init(_ chart: MarkChart) {
    self.chart = chart
    axis = TimeAxis(chart.lines.lazy.flatMap(\.runs.keys), columns: Self.columns)
  }

  var isEmpty: Bool { !chart.lines.contains { !$0.counts.isEmpty } }

  func markup(id: String, description: String) -> Markup {
    guard let axis, !isEmpty else { return .nothing }
    var drawn: [Markup] = []
    var y = 0
    for line in chart.lines where !line.counts.isEmpty {
      let columns = line.columns(axis)
      let foot = y + Self.heading + Self.level * max(1, columns.map(\.count).max() ?? 1)
      drawn.append(Drawing.rule("grid", y: "\(foot)"))
      drawn.append(
        .tag(
          "text", ["class": "lane", "x": "0", "y": "\(y + 14)"],
          .text("\(line.label) · \(Sentence.number(ChartText.sum(line.counts.values)))")))
      for (column, runs) in columns.enumerated() {
        drawn += marks(runs, of: line, at: column, in: axis, foot: foot)
      }
      y = foot + 8
    }
    drawn += TimeRuler.markup(axis, y: y + 12)
    return .group([
      Drawing.fluid(
        id: id, title: "\(chart.subject) per \(axis.unit.name) (UTC)", description: description,
        height: y + 20, class: "lanes", drawn),
      legend,
    ])
  }

  /// One above the other, the better below.
  private func marks(
    _ runs: [MarkChart.Mark: MarkChart.Runs], of line: MarkChart.Line, at column: Int, in axis: TimeAxis,
    foot: Int
  ) -> [Markup] {
    // Half a sign of room at both ends.
    let place = Length.percent(0.01 + 0.98 * (Double(column) + 0.5) / Double(axis.count))
    return MarkChart.Mark.allCases.compactMap { mark in runs[mark].map { (mark, $0) } }.enumerated().map {
      level, found in
      let (mark, runs) = found
      let y = foot - level * Self.level - 19
      let number: Markup =
        runs.count == 1
        ? .nothing
        : .tag(
          "text", ["class": runs.count > 99 ? "times many" : "times", "x": place, "y": "\(y + 15)"],
          .text(Self.short(runs.count)))
      return .tag(
        "g", ["class": "k"], Drawing.hint(Self.words(runs, mark, line.label)),
        .tag("use", ["href": "#\(Self.sign(mark))", "class": Self.sign(mark), "x": place, "y": "\(y)"]),
        number)
    }
  }

  private static func words(_ runs: MarkChart.Runs, _ mark: MarkChart.Mark, _ kind: String) -> String {
    let more = runs.count - runs.notes.count
    return
      (["\(Sentence.count(runs.count, kind)) \(mark.word)"] + runs.notes.filter { !$0.isEmpty }
      + (more > 0 ? ["and \(Sentence.number(more)) more"] : [])).joined(separator: "; ")
  }

  /// `12`, `1.2k`
  private static func short(_ count: Int) -> String {
    count < 1000 ? String(count) : Length.number(Double(count) / 1000) + "k"
  }

  private static func sign(_ mark: MarkChart.Mark) -> String {
    switch mark {
    case .succeeded: "m-done"
    case .noise: "m-noise"
    case .open: "m-open"
    case .failed: "m-failed"
    }
  }

  /// The signs, once per page: each has a shape of its own.
  static let symbols = Markup.tag(
    "svg", ["aria-hidden": "true", "class": "symbols", "width": "0", "height": "0"],
    .tag(
      "defs", [:],
      .tag("g", ["id": "m-done"], .tag("circle", ["r": "3.5"])),
      .tag("g", ["id": "m-noise"], .tag("circle", ["r": "4"])),
      .tag("g", ["id": "m-open"], .tag("path", ["d": "M-4 -4H4V4H-4Z"])),
      .tag("g", ["id": "m-failed"], .tag("path", ["d": "M-4.5 -4.5L4.5 4.5M4.5 -4.5L-4.5 4.5"]))))

  private var legend: Markup {
    let entries = chart.sums.map { mark, count in
      Markup.tag(
        "li", [:],
        .tag(
          "svg", ["aria-hidden": "true", "class": "sign", "width": "14", "height": "14"],
          .tag("use", ["href": "#\(Self.sign(mark))", "class": Self.sign(mark), "x": "7", "y": "7"])),
        .text("\(Sentence.number(count)) \(mark.word)"))
    }
    return .tag("ul", ["class": "legend"], all: entries)
  }

  var notes: [String] {
    let dated = chart.lines.flatMap(\.runs.values).flatMap(\.values).map(\.count)
    let undated = ChartText.sum(chart.lines.flatMap(\.counts.values)) - ChartText.sum(dated)
    return undated == 0 ? [] : ["\(Sentence.number(undated)) without a usable timestamp are left out."]
  }
}
