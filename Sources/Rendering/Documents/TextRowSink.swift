import Base

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
  /// `Trip/p` by the bytes of a URI before its number.
  private var names: [[UInt8]: String] = [:]
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
    if let name = names[prefix] { return add(name + String(primaryKey), .text) }
    let uri = String(decoding: prefix, as: UTF8.self)
    let name = TerminalText.escaped(TextForPeople.objectName(ofURI: uri))
    names[prefix] = name
    add(name + String(primaryKey), .text)
  }
}

/// A cell as text for people, and what it shows.
struct TextCell: Equatable {
  enum Kind {
    /// The row has no such property.
    case absent
    case null, number, date, text
  }

  var text: String
  var kind: Kind

  /// A number or a date: cut short it would be another one.
  var isExact: Bool { kind == .number || kind == .date }
}
