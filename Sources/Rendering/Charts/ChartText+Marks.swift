extension ChartText {
  func lines(_ chart: MarkChart) -> [String] {
    let subject = TerminalText.escaped(chart.subject)
    guard chart.lines.contains(where: { !$0.counts.isEmpty }) else { return [style.bold(subject), "(none)"] }
    let labels = labels(chart.lines.map(\.label))
    let sums = chart.lines.map { String(Self.sum($0.counts.values)) }
    let digits = sums.map(\.count).max() ?? 0
    let margin = (labels.first.map(TerminalText.width) ?? 0) + 2
    let columns = max(10, width - margin - 2 - digits)
    guard let axis = TimeAxis(chart.lines.lazy.flatMap(\.marks.keys), columns: columns) else {
      return [style.bold(subject)] + zip(labels, sums).map { "\(style.faint($0))  \($1)" } + [legend(chart)]
    }
    let cellWidth = min(3, cellWidth(axis, columns: columns))
    var lines = [style.bold("\(subject) per \(axis.unit.name) (UTC)")]
    for ((line, label), sum) in zip(zip(chart.lines, labels), sums) {
      var steps = [MarkChart.Mark?](repeating: nil, count: axis.count)
      for (hour, mark) in line.marks {
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
    return lines.map(Self.trimmed) + [legend(chart)]
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
    let entries = MarkChart.Mark.allCases.compactMap { mark -> String? in
      let count = Self.sum(chart.lines.compactMap { $0.counts[mark] })
      guard count > 0 else { return nil }
      let meaning =
        switch mark {
        case .succeeded: "succeeded"
        case .noise: "failed with noise"
        case .open: "never ended"
        case .failed: "failed"
        }
      return "\(symbol(mark)) \(count) \(meaning)"
    }
    return entries.joined(separator: "   ")
  }
}
