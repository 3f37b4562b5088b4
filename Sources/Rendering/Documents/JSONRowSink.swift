import Base

/// Rows as JSON objects or bare values, one after the other, for JSON and NDJSON.
final class JSONRowSink: RowSink {
  enum Shape {
    case objects
    /// One column, bare.
    case values
  }

  private let output: OutputBuffer
  private let json: JSONWriter
  private let shape: Shape
  private let opening: String
  private let separator: String
  private let limit: Int
  /// `{"first":`, `,"second":` …, ready to be copied: all in one place, as counting references to one for each value takes
  /// longer than copying it.
  private let prefixes: UnsafeMutableBufferPointer<UInt8>
  /// Where each begins, and where the last one ends.
  private let bounds: UnsafeMutableBufferPointer<Int>
  /// `,"first.raw":` … for the stored numbers of impossible dates.
  private let rawPrefixes: [[UInt8]]
  private var column = 0
  private(set) var rows = 0

  /// `opening` comes before the first row, `separator` between two.
  init(
    columns: [RowStream.Column], shape: Shape, opening: String, separator: String, limit: Int,
    to output: OutputBuffer
  ) {
    self.output = output
    json = JSONWriter(output)
    self.shape = shape
    self.opening = opening
    self.separator = separator
    self.limit = limit
    var (bytes, bounds) = ([UInt8](), [0])
    for (index, column) in columns.enumerated() {
      if shape == .objects {
        bytes += ((index == 0 ? "{" : ",") + JSONText.compact(.text(column.name)) + ":").utf8
      }
      bounds.append(bytes.count)
    }
    prefixes = .allocate(capacity: bytes.count)
    _ = prefixes.initialize(fromContentsOf: bytes)
    self.bounds = .allocate(capacity: bounds.count)
    _ = self.bounds.initialize(fromContentsOf: bounds)
    rawPrefixes = columns.map { Array(",\(JSONText.compact(.text($0.name + ".raw"))):".utf8) }
  }

  deinit {
    prefixes.deallocate()
    bounds.deallocate()
  }

  func beginRow() {
    output.text(rows == 0 ? opening : separator)
    column = 0
  }

  func endRow() -> Bool {
    if shape != .values {
      if bounds.count == 1 { output.text("{") }
      output.byte(UInt8(ascii: "}"))
    }
    rows += 1
    return rows < limit && !output.isClosed
  }

  @inline(__always)
  private func next() {
    output.bytes(
      UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(prefixes)[bounds[column]..<bounds[column + 1]]))
    column += 1
  }

  /// Only objects can leave a member out, and never the first.
  func skip() {
    guard shape == .objects, column > 0 else { return null() }
    column += 1
  }

  func null() {
    next()
    json.null()
  }

  func integer(_ value: Int64) {
    next()
    output.integer(value)
  }

  func real(_ value: Double) {
    next()
    json.real(value)
  }

  func text(_ utf8: UnsafeRawBufferPointer) {
    next()
    json.string(utf8)
  }

  func date(_ date: CoreDataDate) {
    next()
    guard !json.date(date), shape == .objects else { return }
    output.bytes(rawPrefixes[column - 1])
    json.real(date.seconds)
  }

  func uuid(_ bytes: UnsafeRawBufferPointer) {
    next()
    json.uuid(bytes)
  }

  func objectURI(prefix: [UInt8], primaryKey: Int64) {
    next()
    output.byte(UInt8(ascii: "\""))
    output.bytes(prefix)
    output.integer(primaryKey)
    output.byte(UInt8(ascii: "\""))
  }

  func value(_ value: DataValue) {
    if case .date(let date) = value { return self.date(date) }
    next()
    json.value(value)
  }
}
