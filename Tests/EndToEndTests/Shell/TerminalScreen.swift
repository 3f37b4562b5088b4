/// What a person sees: a terminal's screen, as far as the shell, readline and our own output use one.
/// https://invisible-island.net/xterm/ctlseqs/ctlseqs.html
struct TerminalScreen {
  /// How a character looks: what SGR sets of it (https://ecma-international.org/publications-and-standards/standards/ecma-48/).
  struct Look: Hashable {
    var isBold = false
    var isFaint = false
    /// 31 for red, and so on.
    var color: Int?
  }

  struct Cell {
    static let blank = Cell(character: " ", look: Look())

    var character: Character
    var look: Look
  }

  private(set) var columns: Int
  private(set) var rows: Int
  private var cells: [[Cell]]
  private var (row, column) = (0, 0)
  private var look = Look()
  /// Lines that went out at the top.
  private var scrolled: [[Cell]] = []
  private var rest: [UInt8] = []

  init(columns: Int, rows: Int) {
    (self.columns, self.rows) = (columns, rows)
    cells = Array(repeating: Array(repeating: .blank, count: columns), count: rows)
  }

  /// The lines on the screen without blanks at their ends, and without empty lines at the end.
  var text: String { Self.joined(cells) }

  /// All that was ever on it.
  var wholeText: String { Self.joined(wholeLines) }

  var wholeLines: [[Cell]] { scrolled + cells }

  private static func joined(_ lines: [[Cell]]) -> String {
    var lines = lines.map { cells -> String in
      var line = String(cells.map(\.character))
      while line.last == " " { line.removeLast() }
      return line
    }
    while lines.last == "" { lines.removeLast() }
    return lines.map { $0 + "\n" }.joined()
  }

  mutating func forgetScrolled() { scrolled = [] }

  mutating func resize(columns: Int, rows: Int) {
    for index in cells.indices {
      cells[index] = Array((cells[index] + Array(repeating: .blank, count: columns)).prefix(columns))
    }
    while cells.count < rows { cells.append(Array(repeating: .blank, count: columns)) }
    while cells.count > rows {
      scrolled.append(cells.removeFirst())
      row = max(0, row - 1)
    }
    (self.columns, self.rows) = (columns, rows)
    column = min(column, columns - 1)
  }

  mutating func feed(_ bytes: [UInt8]) {
    let all = rest + bytes
    // A character or a sequence that isn't whole waits for the next bytes.
    var end = all.count
    if let escape = all.suffix(32).lastIndex(of: 0x1B), !Self.isWhole(all[escape...]) { end = escape }
    if end == all.count {
      let missing = (0...min(3, end)).first { String(validating: all[..<(end - $0)], as: UTF8.self) != nil }
      end -= missing ?? 0
    }
    rest = Array(all[end...])
    var characters = Array(String(decoding: all[..<end], as: UTF8.self).unicodeScalars)[...]
    while let scalar = characters.popFirst() {
      switch scalar.value {
      case 0x0D: column = 0
      case 0x0A: lineFeed()
      case 0x08: column = max(0, min(column, columns) - 1)
      case 0x1B: escape(&characters)
      case 0..<0x20: break
      default: put(Character(scalar))
      }
    }
  }

  private static func isWhole(_ sequence: ArraySlice<UInt8>) -> Bool {
    let body = sequence.dropFirst()
    guard let kind = body.first else { return false }
    return kind != UInt8(ascii: "[") || body.dropFirst().contains { (0x40...0x7E).contains($0) }
  }

  private mutating func lineFeed() {
    if row < rows - 1 { return row += 1 }
    scrolled.append(cells.removeFirst())
    cells.append(Array(repeating: .blank, count: columns))
  }

  private mutating func put(_ character: Character) {
    if column >= columns {
      column = 0
      lineFeed()
    }
    cells[row][column] = Cell(character: character, look: look)
    column += 1
  }

  private mutating func escape(_ characters: inout ArraySlice<Unicode.Scalar>) {
    guard characters.popFirst() == "[" else { return }
    var parameters = ""
    while let scalar = characters.popFirst() {
      guard (0x40...0x7E).contains(scalar.value) else {
        parameters.unicodeScalars.append(scalar)
        continue
      }
      return control(scalar, parameters)
    }
  }

  private mutating func control(_ kind: Unicode.Scalar, _ parameters: String) {
    let number = Int(parameters.split(separator: ";").first ?? "")
    let count = max(1, number ?? 1)
    let at = min(column, columns - 1)
    switch kind {
    case "A": row = max(0, row - count)
    case "B": row = min(rows - 1, row + count)
    case "C": column = min(columns - 1, column + count)
    case "D": column = max(0, at - count)
    case "G": column = min(columns, count) - 1
    case "H": (row, column) = (0, 0)
    case "K": for index in at..<columns { cells[row][index] = .blank }
    case "J":
      let first = number == 2 ? 0 : row + 1
      if number != 2 { for index in at..<columns { cells[row][index] = .blank } }
      for line in first..<max(first, rows) { cells[line] = Array(repeating: .blank, count: columns) }
    case "P":
      cells[row].removeSubrange(at..<min(columns, at + count))
      cells[row] += Array(repeating: .blank, count: columns - cells[row].count)
    case "@":
      cells[row].insert(contentsOf: Array(repeating: .blank, count: count), at: at)
      cells[row] = Array(cells[row].prefix(columns))
    case "m":
      for number in parameters.isEmpty ? ["0"] : parameters.split(separator: ";") {
        setLook(Int(number) ?? 0)
      }
    default: break
    }
  }

  private mutating func setLook(_ number: Int) {
    switch number {
    case 0: look = Look()
    case 1: look.isBold = true
    case 2: look.isFaint = true
    default: look.color = number
    }
  }
}
