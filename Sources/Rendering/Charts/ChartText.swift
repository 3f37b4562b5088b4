/// Draws charts: the one place that knows how they look.
struct ChartText {
  let style: TextStyle
  let width: Int

  static func of(_ chart: Chart, style: TextStyle) -> String {
    // Narrower than this there is no room next to the labels; a file has no width, and is read on a screen of 80.
    let drawing = ChartText(style: style, width: max(40, min(style.width ?? 80, 400)))
    let lines =
      switch chart {
      case .bars(let chart): drawing.lines(chart)
      case .counts(let chart): drawing.lines(chart)
      case .marks(let chart): drawing.lines(chart)
      }
    return lines.map { $0 + "\n" }.joined()
  }

  // MARK: - Labels

  private static let longestLabel = 24

  /// Names come out of the store, as hostile as they may be.
  private func label(_ text: String) -> String {
    TerminalText.shortened(
      TerminalText.escaped(text), to: Self.longestLabel, ellipsis: style.hasUnicode ? "…" : ".")
  }

  func labels(_ texts: [String]) -> [String] {
    let labels = texts.map(label)
    let width = labels.map(TerminalText.width).max() ?? 0
    return labels.map { TerminalText.padded($0, to: width, right: false) }
  }

  // MARK: - Eighths

  private static let rising = Array(" ▁▂▃▄▅▆▇█")
  private static let risingASCII = Array(" .:-=+*#@")
  private static let growing = Array(" ▏▎▍▌▋▊▉█")

  /// How many eighths of a cell, of `cells` that stand for `whole`, a part of it fills: at least one where it is
  /// anything.
  func eighths(_ part: Int, of whole: Int, cells: Int) -> Int {
    guard part > 0, whole > 0 else { return 0 }
    let eighths = (Double(part) / Double(whole) * Double(cells * 8)).rounded()
    return max(1, min(cells * 8, Int(eighths)))
  }

  /// One line that goes up and down.
  func sparkline(_ counts: [Int], of whole: Int, cellWidth: Int) -> String {
    let levels = style.hasUnicode ? Self.rising : Self.risingASCII
    return counts.map { cell(levels[eighths($0, of: whole, cells: 1)], cellWidth) }.joined()
  }

  /// A line of columns that are `rows` high; row 0 is at their foot.
  func columnRow(_ row: Int, _ counts: [Int], of whole: Int, rows: Int, cellWidth: Int) -> String {
    counts.map { count in
      let filled = max(0, min(8, eighths(count, of: whole, cells: rows) - row * 8))
      // ASCII has no parts of a cell: half of one is enough for one, and the foot shows that there is anything.
      let character =
        style.hasUnicode ? Self.rising[filled] : filled >= 4 || (row == 0 && filled > 0) ? "#" : " "
      return cell(character, cellWidth)
    }.joined()
  }

  func bar(_ count: Int, of whole: Int, cells: Int) -> String {
    let eighths = eighths(count, of: whole, cells: cells)
    guard style.hasUnicode else {
      return String(repeating: "#", count: eighths == 0 ? 0 : max(1, (eighths + 4) / 8))
    }
    let rest = eighths % 8
    return String(repeating: "█", count: eighths / 8) + (rest == 0 ? "" : String(Self.growing[rest]))
  }

  /// Wide cells have a gap behind them.
  func cell(_ character: Character, _ width: Int) -> String {
    let filled = width > 2 ? width - 1 : width
    return String(repeating: character, count: filled) + String(repeating: " ", count: width - filled)
  }

  // MARK: - Time

  private static let widestCell = 8

  func cellWidth(_ axis: TimeAxis, columns: Int) -> Int { max(1, min(Self.widestCell, columns / axis.count)) }

  /// The line below: when it begins, and when its last step does.
  func axisLine(_ axis: TimeAxis, cellWidth: Int, indent: Int) -> String {
    let first = axis.label(of: 0)
    let last = axis.label(of: axis.count - 1)
    let room = axis.count * cellWidth - (cellWidth > 2 ? 1 : 0) - first.count - last.count
    let blanks = String(repeating: " ", count: indent)
    if axis.count == 1 { return blanks + first }
    // Under a narrow chart they stand next to each other.
    return blanks + (room > 0 ? first + String(repeating: " ", count: room) + last : "\(first) to \(last)")
  }

  static func sum(_ counts: some Sequence<Int>) -> Int {
    counts.reduce(0) { sum, count in
      let (result, isTooMuch) = sum.addingReportingOverflow(count)
      return isTooMuch ? .max : result
    }
  }
}

extension ChartText {
  func lines(_ chart: BarChart) -> [String] {
    let title = style.bold(TerminalText.escaped(chart.title))
    let most = chart.bars.map(\.sum).max() ?? 0
    guard most > 0 else { return [title, "(nothing)"] }
    let labels = labels(chart.bars.map(\.label))
    let longest = chart.bars.map { chart.text($0.sum).count }.max() ?? 0
    let used = TerminalText.width(labels[0]) + 2 + 1 + longest
    let cells = max(10, width - used)
    return [title]
      + zip(labels, chart.bars).map { label, bar in
        let drawn = self.bar(bar.sum, of: most, cells: cells)
        return style.faint(label) + "  " + drawn + (drawn.isEmpty ? "" : " ") + chart.text(bar.sum)
      }
  }
}

extension ChartText {
  private static let rows = 6
  /// More sparklines than this would be a table.
  private static let mostSeries = 12

  func lines(_ chart: CountChart) -> [String] {
    let subject = TerminalText.escaped(chart.subject)
    let series = chart.largest(Self.mostSeries)
    let notes = chart.undated == 0 ? [] : ["\(chart.undated) without a usable timestamp"]
    let total = Self.sum(chart.series.flatMap(\.counts.values))
    guard total > 0 else { return [style.bold(subject), "(none)"] + notes }

    let digits = String(total).count
    let labels = labels(series.map(\.label))
    let margin = max(labels.first.map(TerminalText.width) ?? 0, digits) + 2
    let columns = max(10, width - margin - 2 - digits)
    guard let axis = TimeAxis(chart.series.lazy.flatMap(\.counts.keys), columns: columns) else { return [] }
    let cellWidth = cellWidth(axis, columns: columns)
    let (parts, all) = CountChart.steps(series, on: axis)
    let most = all.max() ?? 0
    var lines = [style.bold("\(subject) per \(axis.unit.name) (UTC)")]
    for row in (0..<Self.rows).reversed() {
      let scale = row == Self.rows - 1 ? String(most) : ""
      lines.append(
        style.faint(TerminalText.padded(scale, to: margin - 2, right: true)) + "  "
          + columnRow(row, all, of: most, rows: Self.rows, cellWidth: cellWidth))
    }
    lines.append(style.faint(axisLine(axis, cellWidth: cellWidth, indent: margin)))
    if series.count > 1 {
      let drawn = axis.count * cellWidth
      for (label, counts) in zip(labels, parts) {
        let sum = TerminalText.padded(String(Self.sum(counts)), to: digits, right: true)
        let name = TerminalText.padded(label, to: margin - 2, right: false)
        lines.append(
          style.faint(name) + "  "
            + TerminalText.padded(
              sparkline(counts, of: most, cellWidth: cellWidth), to: drawn, right: false) + "  " + sum)
      }
    }
    return lines.map(TerminalText.trimmed) + notes
  }
}

extension ChartText {
  func lines(_ chart: MarkChart) -> [String] {
    let subject = TerminalText.escaped(chart.subject)
    guard chart.lines.contains(where: { !$0.counts.isEmpty }) else { return [style.bold(subject), "(none)"] }
    let labels = labels(chart.lines.map(\.label))
    let sums = chart.lines.map { String(Self.sum($0.counts.values)) }
    let digits = sums.map(\.count).max() ?? 0
    let margin = (labels.first.map(TerminalText.width) ?? 0) + 2
    let columns = max(10, width - margin - 2 - digits)
    guard let axis = TimeAxis(chart.lines.lazy.flatMap(\.runs.keys), columns: columns) else {
      return [style.bold(subject)] + zip(labels, sums).map { "\(style.faint($0))  \($1)" } + [legend(chart)]
    }
    let cellWidth = min(3, cellWidth(axis, columns: columns))
    var lines = [style.bold("\(subject) per \(axis.unit.name) (UTC)")]
    for ((line, label), sum) in zip(zip(chart.lines, labels), sums) {
      var steps = [MarkChart.Mark?](repeating: nil, count: axis.count)
      for (hour, mark) in line.worst {
        let column = axis.column(of: hour)
        if steps[column].map({ $0.rawValue < mark.rawValue }) ?? true { steps[column] = mark }
      }
      let cells = steps.map { mark in
        let text = mark.map(symbol) ?? (style.hasUnicode ? "·" : ".")
        let shown = mark == .failed ? style.bold(text) : mark == nil ? style.faint(text) : text
        return shown + String(repeating: " ", count: cellWidth - 1)
      }
      lines.append(
        "\(style.faint(label))  \(cells.joined())  \(TerminalText.padded(sum, to: digits, right: true))")
    }
    lines.append(style.faint(axisLine(axis, cellWidth: cellWidth, indent: margin)))
    return lines.map(TerminalText.trimmed) + [legend(chart)]
  }

  private func symbol(_ mark: MarkChart.Mark) -> String {
    switch mark {
    case .succeeded: style.hasUnicode ? "●" : "+"
    case .noise: style.hasUnicode ? "○" : "o"
    case .open: style.hasUnicode ? "◌" : "?"
    case .failed: style.hasUnicode ? "✗" : "x"
    }
  }

  private func legend(_ chart: MarkChart) -> String {
    chart.sums.map { "\(symbol($0.mark)) \($0.count) \($0.mark.word)" }.joined(separator: "   ")
  }
}
