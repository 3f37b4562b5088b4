import Base

/// What the cells of a column hold, whatever its declared type is: SQLite lets any column hold anything, and a program
/// that reads a file needs a type that fits all of its values.
package struct ValueKinds: OptionSet, Sendable, Hashable {
  package let rawValue: UInt16
  package init(rawValue: UInt16) { self.rawValue = rawValue }

  package static let bool = ValueKinds(rawValue: 1)
  package static let integer = ValueKinds(rawValue: 2)
  package static let real = ValueKinds(rawValue: 4)
  package static let text = ValueKinds(rawValue: 8)
  package static let uuid = ValueKinds(rawValue: 16)
  package static let date = ValueKinds(rawValue: 32)
  /// NULL in the column, and the stored number in `NAME.raw`.
  package static let impossibleDate = ValueKinds(rawValue: 64)
  /// Of texts.
  package static let list = ValueKinds(rawValue: 128)
  /// Objects, blobs and other lists.
  package static let structure = ValueKinds(rawValue: 256)

  private static let names: [(kind: ValueKinds, name: String)] = [
    (.bool, "bool"), (.integer, "integer"), (.real, "real"), (.text, "text"), (.uuid, "uuid"),
    (.date, "date"),
    (.impossibleDate, "impossibleDate"), (.list, "list"), (.structure, "structure"),
  ]

  /// As the manifest lists them.
  var value: DataValue { .array(Self.names.filter { contains($0.kind) }.map { .text($0.name) }) }

  /// Nil for what `value` doesn't make.
  init?(_ value: DataValue) {
    guard case .array(let elements) = value else { return nil }
    self = []
    for element in elements {
      guard let kind = Self.names.first(where: { .text($0.name) == element })?.kind else { return nil }
      formUnion(kind)
    }
  }

  /// What a column without any value would hold, by its type in the manifest.
  static func declared(_ type: String) -> ValueKinds {
    switch type {
    case "Integer 16", "Integer 32", "Integer 64", "integer", "key": .integer
    case "Double", "Float", "Decimal", "real", "float": .real
    case "Boolean", "bool", "boolean": .bool
    case "Date", "date", "timestamp": .date
    case "UUID", "uuid": .uuid
    case "references", "array": .list
    case "Binary", "Transformable", "Composite", "archive", "object", "data": .structure
    default: .text
    }
  }
}

/// Hands the rows of a part on, counts them, notes of each column what it holds, and keeps the bytes of blobs if there is
/// a folder.
final class PartSink: RowSink {
  private let sink: any RowSink
  private let blobs: BlobFolder?
  private let run: ExportRun
  private(set) var rows = 0
  /// Of each column; a pointer, as each note in an array of this object's would cost as much as writing a number.
  private let noted: UnsafeMutableBufferPointer<ValueKinds>
  private var column = 0
  /// What could not be written.
  private var failure: (any Error)?

  init(_ sink: any RowSink, columns: Int, blobs: BlobFolder?, _ run: ExportRun) {
    self.sink = sink
    self.blobs = blobs
    self.run = run
    noted = .allocate(capacity: columns)
    noted.initialize(repeating: [])
  }

  deinit {
    run.add(rows: rows % Self.rowsBetweenNotes)
    noted.deallocate()
  }

  /// Adding one by one, the threads would wait for each other.
  private static let rowsBetweenNotes = 1024

  var kinds: [ValueKinds] { Array(noted) }

  @inline(__always)
  private func note(_ kind: ValueKinds) {
    if column < noted.count { noted[column].formUnion(kind) }
    column += 1
  }

  private static func kinds(of value: DataValue) -> ValueKinds {
    switch value {
    case .null: []
    case .bool: .bool
    case .integer: .integer
    case .real: .real
    case .text: .text
    case .date(let date): kinds(of: date)
    case .array(let elements): elements.allSatisfy { $0.text != nil } ? .list : .structure
    case .object, .blob: .structure
    }
  }

  private static func kinds(of date: CoreDataDate) -> ValueKinds {
    date.hasISO8601 ? .date : .impossibleDate
  }

  func beginRow() {
    column = 0
    sink.beginRow()
  }
  func endRow() throws -> Bool {
    if let failure { throw failure }
    rows += 1
    if rows % Self.rowsBetweenNotes == 0 { run.add(rows: Self.rowsBetweenNotes) }
    return try sink.endRow()
  }
  func skip() {
    note([])
    sink.skip()
  }
  func null() {
    note([])
    sink.null()
  }
  func bool(_ value: Bool) {
    note(.bool)
    sink.bool(value)
  }
  func integer(_ value: Int64) {
    note(.integer)
    sink.integer(value)
  }
  func real(_ value: Double) {
    // What JSON has no number for is written as null or text.
    note(value.isFinite ? .real : [.real, .text])
    sink.real(value)
  }
  func text(_ utf8: UnsafeRawBufferPointer) {
    note(.text)
    sink.text(utf8)
  }
  func date(_ date: CoreDataDate) {
    note(Self.kinds(of: date))
    sink.date(date)
  }
  func uuid(_ bytes: UnsafeRawBufferPointer) {
    note(.uuid)
    sink.uuid(bytes)
  }
  func objectURI(prefix: [UInt8], primaryKey: Int64) {
    note(.text)
    sink.objectURI(prefix: prefix, primaryKey: primaryKey)
  }
  func blob(_ bytes: UnsafeRawBufferPointer, summary: () -> BlobSummary) {
    note(.structure)
    sink.blob(bytes, summary: summary)
    guard failure == nil else { return }
    do { try blobs?.keep(bytes) } catch { failure = error }
  }
  func value(_ value: DataValue) {
    note(Self.kinds(of: value))
    sink.value(value)
  }
}
