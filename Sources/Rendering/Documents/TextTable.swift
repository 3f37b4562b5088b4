import Base

/// Lays rows out in columns that fit the terminal, or as records: one line per cell.
///
/// Widths are taken from the first rows, so that a long table streams. Records are for those who ask for them, and
/// for columns that were asked for and don't fit.
final class TextTable {
  struct Options {
    /// Whether the first column is the number that an object goes by.
    var isNumbered = false
    /// One line per cell, whatever the width.
    var isVertical = false
    /// Whether the columns were asked for by name, so that none may be left out.
    var isChosen = false
    var showsNull = false
    /// Whether columns with nothing in any row aren't there at all.
    var leavesOutEmpty = false
  }

  private enum Shape {
    case columns(TableLayout)
    case records
  }

  private var columns: [RowStream.Column]
  private let style: TextStyle
  private let output: OutputBuffer
  private let options: Options
  private var waiting: [[TextCell]] = []
  private var shape: Shape?
  /// Columns of dates that are all at midnight: their times say nothing.
  private var days: Set<Int> = []
  private var recordNumber = 0
  /// How the cells of a column are cut that names what its row is about.
  private var cuts: [Int: TerminalText.Cut] = [:]
  /// Whether all rows are measured: a number that is the same in the first ones may differ in a later one.
  private var isWhole = false

  /// Whether what people copy has lines of its own, below those of the rows.
  private var hasOwnLines = false

  private static let measuredRows = 500
  private static let gap = TableLayout.gap
  /// Texts stay recognizable down to these widths; the first column holds the name.
  private static let (leastText, leastSentence, leastHeading) = (14, 28, 14)
  /// Columns that are all of equal weight become as narrow as this before one is left out.
  private static let leastTight = 8
  /// No UUID is cut in the first column, unless it would take half of the line.
  private var leastName: Int { min(36, (style.width ?? 80) / 2) }
  /// Dropped before all others: they show nothing, the same number in every row, or something in few rows.
  private static let (rankOfEmpty, rankOfConstant, rankOfSparse) = (100, 20, 2)

  init(columns: [RowStream.Column], style: TextStyle, output: OutputBuffer, options: Options = Options()) {
    // Names of properties come out of the store, as values do.
    self.columns = columns.map { column in
      var column = column
      column.name = TerminalText.escaped(column.name)
      return column
    }
    self.style = style
    self.output = output
    self.options = options
  }

  func add(_ row: [TextCell]) {
    if let shape { return print(row, shape) }
    waiting.append(row)
    if waiting.count == Self.measuredRows { _ = start(isWhole: false) }
  }

  /// - Returns: the names of columns that were left out.
  func finish() -> [String] {
    guard case .columns(let layout) = shape ?? start(isWhole: true) else { return [] }
    return columns.indices.filter { !layout.shown.contains($0) && !(hasOwnLines && $0 == copied) }
      .map { columns[$0].name }
  }

  /// - Parameter isWhole: whether no further row comes.
  private func start(isWhole: Bool) -> Shape {
    self.isWhole = isWhole
    if isWhole, options.leavesOutEmpty, !options.isChosen { removeEmptyColumns() }
    for index in columns.indices where !columns[index].isNumber {
      let kinds = Set(waiting.compactMap { $0.indices.contains(index) ? $0[index].kind : nil })
      columns[index].isNumber = kinds.contains(.number) && kinds.isSubset(of: [.number, .null, .absent])
      if kinds.contains(.date), kinds.isSubset(of: [.date, .null, .absent]),
        waiting.allSatisfy({ row in
          !row.indices.contains(index) || row[index].kind != .date || Self.day(row[index].text) != nil
        })
      {
        days.insert(index)
      }
    }
    let shape = chooseShape()
    self.shape = shape
    if case .columns(let layout) = shape {
      for (index, width) in zip(layout.shown, layout.widths) where isName(index) {
        let texts = waiting.compactMap { $0.indices.contains(index) ? text($0[index], in: index) : nil }
        cuts[index] = TerminalText.cut(telling: texts, apartIn: width)
      }
      let names = zip(layout.shown, layout.widths).map {
        aligned(TerminalText.shortened(columns[$0].name, to: $1), in: $0, to: $1)
      }
      output.text(style.bold(joined(names)) + "\n")
      output.text(style.faint(joined(layout.widths.map { String(repeating: style.rule, count: $0) })) + "\n")
    }
    for row in waiting { print(row, shape) }
    waiting = []
    return shape
  }

  private func removeEmptyColumns() {
    let empty = columns.indices.dropFirst(options.isNumbered ? 1 : 0).filter { isEmpty($0) }
    for index in empty.reversed() {
      columns.remove(at: index)
      for row in waiting.indices where waiting[row].indices.contains(index) {
        waiting[row].remove(at: index)
      }
    }
  }

  private func isEmpty(_ index: Int) -> Bool { filled(index) == 0 }

  /// In how many rows the column shows something.
  private func filled(_ index: Int) -> Int {
    waiting.count { row in
      row.indices.contains(index) && !row[index].text.isEmpty && row[index].kind != .null
    }
  }

  /// Whether three rows of four show nothing. Rare sentences are what people look for: an error, a problem.
  private func isSparse(_ index: Int) -> Bool {
    !columns[index].isSentence && !columns[index].isSaidOnce && waiting.count > 3
      && filled(index) * 4 <= waiting.count
  }

  private func chooseShape() -> Shape {
    if options.isVertical { return .records }
    var measured = columns.indices.map { measure($0) }
    guard let width = style.width else { return .columns(TableLayout(whole: measured)) }
    // Whatever a row holds, people find it in the same place: all in lines of their own, or none.
    if copied != nil {
      let whole = TableLayout(whole: measured)
      if isWhole, whole.width <= width { return .columns(whole) }
      hasOwnLines = true
      measured.removeLast()
      return TableLayout(measured, into: width).map(Shape.columns) ?? .records
    }
    let layout = TableLayout(measured, into: width)
    if let layout, layout.shown.count == columns.count { return .columns(layout) }
    // Columns that show nothing are no loss.
    let filled = measured.indices.filter { measured[$0].rank < Self.rankOfEmpty }
    if let layout, filled.allSatisfy(layout.shown.contains) { return .columns(layout) }
    if columns.allSatisfy({ $0.rank == 0 }),
      let tight = TableLayout(columns.indices.map { measure($0, isTight: true) }, into: width),
      filled.allSatisfy(tight.shown.contains)
    {
      return .columns(tight)
    }
    return layout.map(Shape.columns) ?? .records
  }

  private var copied: Int? { columns.indices.last.flatMap { columns[$0].isCopied ? $0 : nil } }

  private func measure(_ index: Int, isTight: Bool = false) -> TableLayout.Column {
    let heading = TerminalText.width(columns[index].name)
    var (natural, least) = (0, 0)
    for row in waiting where row.indices.contains(index) {
      let width = TerminalText.width(text(row[index], in: index))
      natural = max(natural, width)
      if row[index].isExact { least = max(least, width) }
    }
    let isFirst = isFirst(index)
    let isName = isName(index)
    let usual =
      columns[index].isSentence
      ? Self.leastSentence
      : isTight
        ? (isName ? Self.leastText : Self.leastTight) : isName ? leastName : Self.leastText
    let useful = columns[index].leastWidth ?? usual
    natural = max(natural, heading)
    if columns[index].isWhole { least = natural }
    // Where nothing is exact, a text counts as far as it is of use.
    let isText = least == 0
    least = max(
      least, min(heading, isTight ? Self.leastTight : Self.leastHeading), isText ? min(natural, useful) : 0)
    return TableLayout.Column(
      natural: natural, least: min(least, natural),
      rank: columns[index].rank + (columns[index].isAsked ? 0 : penalty(index)),
      isRequired: options.isChosen || isFirst || (options.isNumbered && index == 0),
      isEmpty: isEmpty(index) && !columns[index].isAsked)
  }

  private func isFirst(_ index: Int) -> Bool { index == (options.isNumbered ? 1 : 0) }
  private func isName(_ index: Int) -> Bool { isFirst(index) || columns[index].isName }

  private func penalty(_ index: Int) -> Int {
    isEmpty(index)
      ? Self.rankOfEmpty
      : isConstant(index) ? Self.rankOfConstant : isSparse(index) ? Self.rankOfSparse : 0
  }

  private func isConstant(_ index: Int) -> Bool {
    let cells = waiting.compactMap { $0.indices.contains(index) ? $0[index] : nil }
    guard isWhole, cells.count > 2, let first = cells.first else { return false }
    return cells.allSatisfy { $0.text == first.text && $0.kind == .number }
  }

  /// A date without its time, where that is midnight.
  private static func day(_ text: String) -> String? {
    for suffix in [" 00:00:00Z", " 00:00:00"] where text.hasSuffix(suffix) {
      return String(text.dropLast(suffix.count))
    }
    return nil
  }

  private func text(_ cell: TextCell, in index: Int) -> String {
    if cell.kind == .null { return options.showsNull ? "NULL" : "" }
    return days.contains(index) ? Self.day(cell.text) ?? cell.text : cell.text
  }

  // MARK: - Rows

  private func print(_ row: [TextCell], _ shape: Shape) {
    switch shape {
    case .columns(let layout): output.text(line(row, layout) + "\n")
    case .records: output.text(record(row))
    }
  }

  private func line(_ row: [TextCell], _ layout: TableLayout) -> String {
    let shown = layout.shown.filter(row.indices.contains)
    let texts = shown.map { text(row[$0], in: $0) }
    let widths = fitted(shown.map { row[$0] }, texts, layout)
    var cells: [String] = []
    // A long one may come after the widths were chosen.
    let hasOwnLine =
      copied.map { copied in
        row.indices.contains(copied)
          && (hasOwnLines
            || shown.last == copied && style.width != nil
              && TerminalText.width(text(row[copied], in: copied)) > (widths.last ?? 0))
      } ?? false
    for (place, index) in shown.enumerated() where !(hasOwnLine && index == copied) {
      if columns[index].isSentence, style.width != nil, index == columns.indices.last {
        let start = widths[..<place].reduce(0) { $0 + $1 + Self.gap }
        cells.append(
          TerminalText.wrapped(
            texts[place], to: max(start + widths[place], style.width ?? 0), indent: start, breaksWords: true))
      } else {
        let cell = TerminalText.shortened(texts[place], to: widths[place], cuts[index] ?? .usual)
        let isDimmed = row[index].kind == .null && options.showsNull
        cells.append(aligned(cell, in: index, to: widths[place], isDimmed: isDimmed))
      }
    }
    guard hasOwnLine, let copied, !row[copied].text.isEmpty else {
      return joined(cells)
    }
    return "\(joined(cells))\n\(Self.indentation)\(text(row[copied], in: copied))"
  }

  private static let indentation = "  "

  /// The layout's widths for this row. An exact cell that came after the widths were fixed may need more: it takes what
  /// others don't use, then what texts can do without.
  private func fitted(_ cells: [TextCell], _ texts: [String], _ layout: TableLayout) -> [Int] {
    var widths = Array(layout.widths.prefix(cells.count))
    guard let available = style.width else { return widths }
    var excess = 0
    for (index, cell) in cells.enumerated() where cell.isExact {
      let more = TerminalText.width(texts[index]) - widths[index]
      if more > 0 { (widths[index], excess) = (widths[index] + more, excess + more) }
    }
    guard excess > 0 else { return widths }
    excess = widths.reduce(0, +) + Self.gap * (widths.count - 1) - available
    // Blanks first, then texts, and at last what must be marked as cut.
    for least in [{ TerminalText.width(texts[$0]) }, { cells[$0].isExact ? .max : 1 }, { _ in 1 }]
      as [(Int) -> Int]
    {
      for index in widths.indices.reversed() where excess > 0 {
        let less = min(excess, widths[index] - least(index))
        if less > 0 { (widths[index], excess) = (widths[index] - less, excess - less) }
      }
    }
    return widths
  }

  private func aligned(_ text: String, in index: Int, to width: Int, isDimmed: Bool = false) -> String {
    let padded = TerminalText.padded(text, to: width, right: columns[index].isNumber)
    guard isDimmed, style.hasColor else { return padded }
    let parts =
      columns[index].isNumber ? (padded.dropLast(text.count), "") : ("", padded.dropFirst(text.count))
    return parts.0 + style.faint(text) + parts.1
  }

  /// Cells side by side, without blanks at the line's end.
  private func joined(_ cells: [String]) -> String {
    TerminalText.trimmed(cells.joined(separator: String(repeating: " ", count: Self.gap)))
  }

  private func record(_ row: [TextCell]) -> String {
    recordNumber += 1
    let most = style.width.map { max(8, $0 / 2) } ?? .max
    let widths = columns.map { TerminalText.width($0.name) }
    let nameWidth = widths.filter { $0 <= most }.max() ?? min(most, 8)
    let title = options.isNumbered ? row.first?.text ?? "" : String(recordNumber)
    var result = style.faint("\(style.rule)\(style.rule) \(title)") + "\n"
    for index in row.indices.dropFirst(options.isNumbered ? 1 : 0)
    where index < columns.count && (options.showsNull || ![.null, .absent].contains(row[index].kind)) {
      // Cut short, long names that begin alike would be the same: their values go on a line below.
      let isLong = widths[index] > nameWidth
      let name =
        isLong
        ? TerminalText.wrapped(columns[index].name, to: style.width ?? .max, breaksWords: true)
        : TerminalText.padded(columns[index].name, to: nameWidth, right: true)
      let value = TerminalText.wrapped(
        text(row[index], in: index), to: columns[index].isCopied ? .max : style.width ?? .max,
        indent: nameWidth + Self.gap, breaksWords: true)
      let shown = row[index].kind == .null && !value.isEmpty ? style.faint(value) : value
      let gap =
        isLong
        ? "\n" + String(repeating: " ", count: nameWidth + Self.gap) : String(repeating: " ", count: Self.gap)
      result += style.bold(name) + (shown.isEmpty ? "" : gap + shown) + "\n"
    }
    return result
  }
}
