import Values

/// Rows as texts, a cell a string, for what people read. Hands each row on when it is whole, with a flag for each
/// column that held nothing but numbers so far: of an SQL expression nothing else tells that.
final class TextRowSink: RowSink {
  private let limit: Int
  private let longestCell: Int
  private let receive: ([String], [Bool]) -> Bool
  private var cells: [String] = []
  /// Nil for columns that were NULL in all rows.
  private var numbers: [Bool?] = []
  private(set) var rows = 0
  /// True where rows were left out.
  private(set) var wasLimited = false

  init(limit: Int, longestCell: Int, receive: @escaping ([String], [Bool]) -> Bool) {
    self.limit = limit
    self.longestCell = longestCell
    self.receive = receive
  }

  func beginRow() { cells.removeAll(keepingCapacity: true) }

  func endRow() -> Bool {
    // One row more than is shown is taken, to know whether any is left out.
    if rows == limit {
      wasLimited = true
      return false
    }
    rows += 1
    return receive(cells, numbers.map { $0 ?? false })
  }

  private func cell(_ text: String) { add(TerminalText.shortened(text, to: longestCell), isNumber: false) }

  private func add(_ text: String, isNumber: Bool?) {
    if cells.count == numbers.count { numbers.append(nil) }
    if let isNumber { numbers[cells.count] = isNumber && numbers[cells.count] ?? true }
    cells.append(text)
  }

  func skip() { add("", isNumber: nil) }
  func null() { add("", isNumber: nil) }
  func bool(_ value: Bool) { add(value ? "true" : "false", isNumber: false) }
  func integer(_ value: Int64) { add(String(value), isNumber: true) }
  func real(_ value: Double) { add(value.description, isNumber: true) }
  func date(_ date: CoreDataDate) { add(CellText.of(.date(date)), isNumber: false) }
  func uuid(_ bytes: UnsafeRawBufferPointer) { add(Hexadecimal.uuid(bytes) ?? "", isNumber: false) }
  func blob(_ bytes: UnsafeRawBufferPointer, summary: () -> BlobSummary) {
    cell(CellText.of(.blob(summary())))
  }

  func value(_ value: DataValue) {
    switch value {
    case .null: null()
    case .integer, .real: add(CellText.of(value), isNumber: true)
    default: cell(CellText.of(value))
    }
  }

  func text(_ utf8: UnsafeRawBufferPointer) {
    // A megabyte of text in one cell is cut before it is looked at: no character takes more than 64 bytes here.
    let head = UnsafeRawBufferPointer(rebasing: utf8.prefix(longestCell * 64))
    cell(TerminalText.escaped(String(decoding: head, as: UTF8.self)))
  }

  func objectURI(prefix: [UInt8], primaryKey: Int64) {
    // `Person/p12`: scheme and store are the same in every cell.
    let entity = prefix.split(separator: UInt8(ascii: "/")).dropLast().last ?? []
    add(String(decoding: entity, as: UTF8.self) + "/p" + String(primaryKey), isNumber: false)
  }
}

/// A nested value, a member a line, indented by its depth.
enum TreeText {
  static func of(_ value: DataValue, style: TextStyle) -> String {
    var text = ""
    write(value, depth: 0, style: style, into: &text)
    return text
  }

  private static func write(_ value: DataValue, depth: Int, style: TextStyle, into text: inout String) {
    switch value {
    case .object(let members): entries(members.map { ($0.name, $0.value) }, depth, style, &text)
    case .array(let elements): entries(elements.map { ("-", $0) }, depth, style, &text)
    default: text += indentation(depth) + CellText.of(value) + "\n"
    }
  }

  private static func entries(
    _ entries: [(String, DataValue)], _ depth: Int, _ style: TextStyle, _ text: inout String
  ) {
    let width = entries.filter { !isNested($0.1) }.map { TerminalText.width($0.0) }.max() ?? 0
    for (name, value) in entries {
      let name = TerminalText.escaped(name)
      if isNested(value) {
        text += indentation(depth) + style.faint(name) + "\n"
        write(value, depth: depth + 1, style: style, into: &text)
      } else {
        text +=
          indentation(depth) + style.faint(TerminalText.padded(name, to: width, right: false)) + "  "
          + CellText.of(value) + "\n"
      }
    }
  }

  private static func isNested(_ value: DataValue) -> Bool {
    switch value {
    case .object(let members): !members.isEmpty
    case .array(let elements): elements.contains { isContainer($0) }
    default: false
    }
  }

  private static func isContainer(_ value: DataValue) -> Bool {
    switch value {
    case .object, .array: true
    default: false
    }
  }

  private static func indentation(_ depth: Int) -> String { String(repeating: "  ", count: depth) }
}
