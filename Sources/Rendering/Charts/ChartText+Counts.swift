extension ChartText {
  private static let rows = 6
  /// More sparklines than this would be a table.
  private static let mostSeries = 12

  func lines(_ chart: CountChart) -> [String] {
    let subject = TerminalText.escaped(chart.subject)
    let series = chart.largest(Self.mostSeries)
    let undated = Self.sum(chart.series.map(\.undated))
    let notes = undated == 0 ? [] : ["\(undated) without a usable time stamp"]
    let total = Self.sum(chart.series.flatMap(\.counts.values))
    guard total > 0 else { return [style.bold(subject), "(none)"] + notes }

    let digits = String(total).count
    let labels = labels(series.map(\.label))
    let margin = max(labels.first.map(TerminalText.width) ?? 0, digits) + 2
    let columns = max(10, width - margin - 2 - digits)
    guard let axis = TimeAxis(chart.series.lazy.flatMap(\.counts.keys), columns: columns) else { return [] }
    let cellWidth = cellWidth(axis, columns: columns)
    func steps(_ counts: [Int64: Int]) -> [Int] {
      var steps = [Int](repeating: 0, count: axis.count)
      for (hour, count) in counts {
        steps[axis.column(of: hour)] = Self.sum([steps[axis.column(of: hour)], count])
      }
      return steps
    }

    let parts = series.map { steps($0.counts) }
    let all = (0..<axis.count).map { column in Self.sum(parts.map { $0[column] }) }
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
    return lines.map(Self.trimmed) + notes
  }
}
