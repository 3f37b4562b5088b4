import Values

/// Lays rows out in columns that fit the terminal, or as records where a row is too wide for that.
///
/// Widths are taken from the first rows, so that a long table streams.
final class TextTable {
  private var columns: [RowStream.Column]
  private let style: TextStyle
  private let output: OutputBuffer
  private var waiting: [[String]] = []
  private var numbers: [Bool] = []
  private var widths: [Int]?
  private var recordNumber = 0
  /// Whether the first column is the number that an object goes by.
  private let isNumbered: Bool

  private static let measuredRows = 500
  private static let gap = 2
  private static let narrowestColumn = 8
  /// No name or UUID is cut; sentences may be. Where a terminal is too narrow for that, so it is for records.
  private static let longestWholeCell = 36
  private static let narrowTerminal = 80

  init(columns: [RowStream.Column], style: TextStyle, output: OutputBuffer, isNumbered: Bool = false) {
    self.isNumbered = isNumbered
    // Names of properties come out of the store, as values do.
    self.columns = columns.map { column in
      var column = column
      column.name = TerminalText.escaped(column.name)
      return column
    }
    self.style = style
    self.output = output
  }

  /// `numbers` tells which columns held nothing but numbers so far.
  func add(_ row: [String], numbers: [Bool]) {
    if let widths {
      print(row, widths)
      return
    }
    waiting.append(row)
    self.numbers = numbers
    if waiting.count == Self.measuredRows { start() }
  }

  func finish() { if widths == nil { start() } }

  private func start() {
    for (index, isNumber) in zip(columns.indices, numbers) where isNumber { columns[index].isNumber = true }
    var widths = columns.map { TerminalText.width($0.name) }
    for row in waiting {
      for (index, cell) in row.enumerated() where index < widths.count {
        widths[index] = max(widths[index], TerminalText.width(cell))
      }
    }
    let fitted = style.width.flatMap { fit(widths, into: $0) } ?? (style.width == nil ? widths : [])
    self.widths = fitted
    if !fitted.isEmpty {
      let header = line(columns.map(\.name), fitted)
      output.text(style.bold(header) + "\n")
      output.text(style.faint(line(fitted.map { String(repeating: style.rule, count: $0) }, fitted)) + "\n")
    }
    for row in waiting { print(row, fitted) }
    waiting = []
  }

  /// Narrows the widest columns until the row fits; nil where that would leave too little of them, or less than
  /// a number or a date needs.
  private func fit(_ widths: [Int], into available: Int) -> [Int]? {
    var widths = widths
    let whole = available < Self.narrowTerminal ? Self.narrowestColumn : Self.longestWholeCell
    var least = [Int](repeating: whole, count: widths.count)
    for row in waiting {
      for (index, cell) in row.enumerated() where index < least.count && Self.isExact(cell) {
        least[index] = max(least[index], TerminalText.width(cell))
      }
    }
    var excess = widths.reduce(0, +) + Self.gap * max(0, widths.count - 1) - available
    while excess > 0 {
      let wide = widths.indices.filter { widths[$0] > least[$0] }
      guard let widest = wide.max(by: { widths[$0] < widths[$1] }) else { return nil }
      let second = wide.filter { $0 != widest }.map { widths[$0] }.max() ?? 0
      let step = min(excess, max(1, widths[widest] - max(second, least[widest])))
      widths[widest] -= step
      excess -= step
    }
    return widths
  }

  /// A number or a time stamp: cut short it would be another one.
  private static func isExact(_ cell: String) -> Bool {
    let longest = 32
    guard cell.utf8.count <= longest, cell.utf8.contains(where: { 0x30...0x39 ~= $0 }) else { return false }
    return cell.utf8.allSatisfy { "0123456789+-:.TZe".utf8.contains($0) }
  }

  /// A number may be wider than its column where the widths were fixed before it came: it pushes the rest aside.
  private static func shortened(_ cell: String, to width: Int) -> String {
    isExact(cell) ? cell : TerminalText.shortened(cell, to: width)
  }

  private func print(_ row: [String], _ widths: [Int]) {
    output.text(widths.isEmpty ? record(row) : line(row, widths) + "\n")
  }

  private func line(_ cells: [String], _ widths: [Int]) -> String {
    var result = ""
    for (index, cell) in cells.enumerated() where index < widths.count {
      let isLast = index == widths.count - 1
      let right = columns[index].isNumber
      if isLast, columns[index].isSentence, style.width != nil {
        let start = widths.dropLast().reduce(0) { $0 + $1 + Self.gap }
        result += TerminalText.wrapped(cell, to: start + widths[index], indent: start)
        break
      }
      let text = Self.shortened(cell, to: widths[index])
      result += isLast && !right ? text : TerminalText.padded(text, to: widths[index], right: right)
      if !isLast { result += String(repeating: " ", count: Self.gap) }
    }
    while result.last == " " { result.removeLast() }
    return result
  }

  private func record(_ row: [String]) -> String {
    recordNumber += 1
    let nameWidth = columns.map { TerminalText.width($0.name) }.max() ?? 0
    let room = style.width.map { max(Self.narrowestColumn, $0 - nameWidth - Self.gap) } ?? .max
    let title = isNumbered ? row.first ?? "" : String(recordNumber)
    var result = style.faint("\(style.rule)\(style.rule) \(title)") + "\n"
    for (column, cell) in zip(columns, row).dropFirst(isNumbered ? 1 : 0) {
      let name = TerminalText.padded(column.name, to: nameWidth, right: true)
      let value =
        column.isSentence
        ? TerminalText.wrapped(cell, to: style.width ?? .max, indent: nameWidth + Self.gap)
        : Self.shortened(cell, to: room)
      result += style.bold(name) + "  " + value + "\n"
    }
    return result
  }
}
