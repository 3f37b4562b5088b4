import Base

/// Rows as CSV (RFC 4180, lines ended by a line feed). NULL is an empty field, empty text is `""`; what isn't a
/// scalar is JSON in one field. A column that may have impossible dates, which are empty fields, is followed by one with their
/// stored numbers.
final class CSVRowSink: RowSink {
  private let output: OutputBuffer
  private let limit: Int
  /// On a terminal, control characters are shown as escapes; in a file they stay what they are.
  private let escapesControls: Bool
  /// By column, whether one with stored numbers follows; empty if none does.
  private let hasRaw: [Bool]
  /// The stored number of the last cell.
  private var raw: Double?
  private var column = 0
  private(set) var rows = 0

  /// - Parameter impossibleDates: names of columns, see `RowStream`.
  init(
    columns: [RowStream.Column], impossibleDates: Set<String> = [], hasHeader: Bool = true, limit: Int,
    escapesControls: Bool, to output: OutputBuffer
  ) {
    self.output = output
    self.limit = limit
    self.escapesControls = escapesControls
    hasRaw = impossibleDates.isEmpty ? [] : columns.map { impossibleDates.contains($0.name) }
    guard hasHeader else { return }
    for (index, column) in columns.enumerated() {
      if index > 0 { output.byte(UInt8(ascii: ",")) }
      let name = escapesControls ? TerminalText.escaped(column.name) : column.name
      field(name)
      guard !hasRaw.isEmpty, hasRaw[index] else { continue }
      output.byte(UInt8(ascii: ","))
      field(name + ".raw")
    }
    output.byte(UInt8(ascii: "\n"))
  }

  func beginRow() { column = 0 }

  func endRow() -> Bool {
    endCell()
    output.byte(UInt8(ascii: "\n"))
    rows += 1
    return rows < limit && !output.isClosed
  }

  @inline(__always)
  private func next() {
    if column > 0 {
      endCell()
      output.byte(UInt8(ascii: ","))
    }
    column += 1
  }

  @inline(__always)
  private func endCell() {
    guard !hasRaw.isEmpty, column > 0, hasRaw[column - 1] else { return }
    output.byte(UInt8(ascii: ","))
    raw.map(output.real)
    raw = nil
  }

  func skip() { next() }
  func null() { next() }

  func bool(_ value: Bool) {
    next()
    output.text(value ? "true" : "false")
  }

  func integer(_ value: Int64) {
    next()
    output.integer(value)
  }

  func real(_ value: Double) {
    next()
    output.real(value)
  }

  func text(_ utf8: UnsafeRawBufferPointer) {
    next()
    if escapesControls {
      field(TerminalText.escaped(String(decoding: utf8, as: UTF8.self)))
    } else {
      field(utf8)
    }
  }

  func date(_ date: CoreDataDate) {
    next()
    guard !output.date(date), !hasRaw.isEmpty, hasRaw[column - 1] else { return }
    raw = date.seconds
  }

  func uuid(_ bytes: UnsafeRawBufferPointer) {
    next()
    output.uuid(bytes)
  }

  func objectURI(prefix: [UInt8], primaryKey: Int64) {
    next()
    output.bytes(prefix)
    output.integer(primaryKey)
  }

  func value(_ value: DataValue) {
    switch value {
    case .null: null()
    case .bool(let value): bool(value)
    case .integer(let value): integer(value)
    case .real(let value): real(value)
    case .date(let date): self.date(date)
    case .text(var text): text.withUTF8 { self.text(UnsafeRawBufferPointer($0)) }
    case .blob, .array, .object:
      next()
      field(JSONText.compact(value))
    }
  }

  private func field(_ text: String) {
    var text = text
    text.withUTF8 { field(UnsafeRawBufferPointer($0)) }
  }

  private func field(_ bytes: UnsafeRawBufferPointer) {
    let needsQuotes =
      bytes.isEmpty
      || bytes.contains { $0 == 0x22 || $0 == 0x2C || $0 == 0x0A || $0 == 0x0D }
    guard needsQuotes else { return output.bytes(bytes) }
    output.byte(0x22)
    var start = 0
    for index in bytes.indices where bytes[index] == 0x22 {
      output.bytes(UnsafeRawBufferPointer(rebasing: bytes[start...index]))
      start = index
    }
    output.bytes(UnsafeRawBufferPointer(rebasing: bytes[start...]))
    output.byte(0x22)
  }
}
