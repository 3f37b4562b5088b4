extension ChartText {
  func lines(_ chart: BarChart) -> [String] {
    let title = style.bold(TerminalText.escaped(chart.title))
    let most = chart.bars.map(\.count).max() ?? 0
    guard most > 0 else { return [title, "(nothing)"] }
    let labels = labels(chart.bars.map(\.label))
    let used = TerminalText.width(labels[0]) + 2 + 1 + String(most).count
    let cells = max(10, width - used)
    return [title]
      + zip(labels, chart.bars).map { label, bar in
        let drawn = self.bar(bar.count, of: most, cells: cells)
        return style.faint(label) + "  " + drawn + (drawn.isEmpty ? "" : " ") + String(bar.count)
      }
  }
}
