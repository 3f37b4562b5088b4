import Values

/// Rows as texts, for what people read. Hands each row on when it is whole.
final class TextRowSink: RowSink {
  private let limit: Int
  private let longestCell: Int
  private let dates: DateText
  private let minutes: Set<Int>
  private let sentences: Set<Int>
  private let copied: Set<Int>
  private let objects: Set<Int>
  private let receive: ([TextCell]) -> Bool
  private var cells: [TextCell] = []
  private(set) var rows = 0
  private static let longestSentence = 1000
  /// True where rows were left out.
  private(set) var wasLimited = false

  init(
    of stream: RowStream, limit: Int, longestCell: Int, dates: DateText,
    receive: @escaping ([TextCell]) -> Bool
  ) {
    self.limit = limit
    self.longestCell = longestCell
    self.dates = dates
    minutes = Set(stream.columns.indices.filter { stream.columns[$0].showsMinutes })
    sentences = Set(stream.columns.indices.filter { stream.columns[$0].isSentence })
    copied = Set(stream.columns.indices.filter { stream.columns[$0].isCopied })
    objects = Set(stream.columns.indices.filter { stream.columns[$0].isObjects })
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
    return receive(cells)
  }

  private func add(_ text: String, _ kind: TextCell.Kind) { cells.append(TextCell(text: text, kind: kind)) }

  private func add(long text: String) {
    if copied.contains(cells.count) { return add(text, .text) }
    let longest = sentences.contains(cells.count) ? max(longestCell, Self.longestSentence) : longestCell
    add(TerminalText.shortened(text, to: longest), .text)
  }

  func skip() { add("", .absent) }
  func null() { add("", .null) }
  func integer(_ value: Int64) { add(String(value), .number) }
  func real(_ value: Double) { add(value.description, .number) }
  func date(_ date: CoreDataDate) {
    add(minutes.contains(cells.count) ? dates.minute(date, aligned: true) : dates.second(date), .date)
  }
  func uuid(_ bytes: UnsafeRawBufferPointer) { add(Hexadecimal.uuid(bytes) ?? "", .text) }

  func value(_ value: DataValue) {
    switch value {
    case .null: null()
    case .integer(let value): integer(value)
    case .real(let value): real(value)
    case .date(let date): self.date(date)
    case .array(let elements) where objects.contains(cells.count):
      let names = elements.map { TextForPeople.objectName(ofURI: $0.text ?? "") }
      add(long: TerminalText.escaped(names.joined(separator: ", ")))
    default: add(long: CellText.of(value, dates: dates))
    }
  }

  func text(_ utf8: UnsafeRawBufferPointer) {
    // A megabyte of text in one cell is cut before it is looked at: no character takes more than 64 bytes here.
    let head = UnsafeRawBufferPointer(rebasing: utf8.prefix(longestCell * 64))
    add(long: TerminalText.escaped(String(decoding: head, as: UTF8.self)))
  }

  func objectURI(prefix: [UInt8], primaryKey: Int64) {
    // Scheme and store are the same in every cell.
    let uri = String(decoding: prefix, as: UTF8.self) + String(primaryKey)
    add(TerminalText.escaped(TextForPeople.objectName(ofURI: uri)), .text)
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
    default: text += indentation(depth) + line(value, indent: 2 * depth, style) + "\n"
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
          + line(value, indent: 2 * depth + width + 2, style) + "\n"
      }
    }
  }

  private static func line(_ value: DataValue, indent: Int, _ style: TextStyle) -> String {
    let text = CellText.of(value, dates: style.dates)
    return style.width.map { TerminalText.wrapped(text, to: $0, indent: indent) } ?? text
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
