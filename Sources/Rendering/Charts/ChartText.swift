/// Draws charts: the one place that knows how they look.
struct ChartText {
  let style: TextStyle
  let width: Int

  static func of(_ chart: Chart, style: TextStyle) -> String {
    // Narrower than this there is no room beside the labels; a file has no width, and is read on a screen of 80.
    let drawing = ChartText(style: style, width: max(40, min(style.width ?? 80, 400)))
    let lines =
      switch chart {
      case .bars(let chart): drawing.lines(chart)
      case .counts(let chart): drawing.lines(chart)
      case .marks(let chart): drawing.lines(chart)
      }
    return lines.map { $0 + "\n" }.joined()
  }

  private init(style: TextStyle, width: Int) {
    self.style = style
    self.width = width
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
    // Under a narrow chart they stand beside each other.
    return blanks + (room > 0 ? first + String(repeating: " ", count: room) + last : "\(first) to \(last)")
  }

  static func sum(_ counts: some Sequence<Int>) -> Int {
    counts.reduce(0) { sum, count in
      let (result, isTooMuch) = sum.addingReportingOverflow(count)
      return isTooMuch ? .max : result
    }
  }

  static func trimmed(_ line: String) -> String {
    var line = Substring(line)
    while line.last == " " { line = line.dropLast() }
    return String(line)
  }
}
