import Values

/// Rows as texts, a cell a string, for what people read. Hands each row on when it is whole.
final class TextRowSink: RowSink {
  private let limit: Int
  private let longestCell: Int
  private let receive: ([String]) -> Bool
  private var cells: [String] = []
  private(set) var rows = 0
  /// True where rows were left out.
  private(set) var wasLimited = false

  init(limit: Int, longestCell: Int, receive: @escaping ([String]) -> Bool) {
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
    return receive(cells)
  }

  private func cell(_ text: String) { cells.append(TerminalText.shortened(text, to: longestCell)) }

  func skip() { cells.append("") }
  func null() { cells.append("") }
  func bool(_ value: Bool) { cells.append(value ? "true" : "false") }
  func integer(_ value: Int64) { cells.append(String(value)) }
  func real(_ value: Double) { cells.append(value.description) }
  func date(_ date: CoreDataDate) { cells.append(CellText.of(.date(date))) }
  func uuid(_ bytes: UnsafeRawBufferPointer) { cells.append(Hexadecimal.uuid(bytes) ?? "") }
  func blob(_ bytes: UnsafeRawBufferPointer) { cell(CellText.of(bytes)) }
  func value(_ value: DataValue) { cell(CellText.of(value)) }

  func text(_ utf8: UnsafeRawBufferPointer) {
    // A megabyte of text in one cell is cut before it is looked at: no character takes more than 64 bytes here.
    let head = UnsafeRawBufferPointer(rebasing: utf8.prefix(longestCell * 64))
    cell(TerminalText.escaped(String(decoding: head, as: UTF8.self)))
  }

  func objectURI(prefix: [UInt8], primaryKey: Int64) {
    // `Person/p12`: scheme and store are the same in every cell.
    let entity = prefix.split(separator: UInt8(ascii: "/")).dropLast().last ?? []
    cells.append(String(decoding: entity, as: UTF8.self) + "/p" + String(primaryKey))
  }
}
