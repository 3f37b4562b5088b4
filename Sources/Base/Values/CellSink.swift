/// Where decoded cells go, one call a cell, without a value being built for each: a table of ten million rows
/// must cost no memory and little time. Renderers are sinks; what reads the store pushes.
package protocol CellSink: AnyObject {
  /// The row has nothing here, not even NULL: its entity lacks the column's property.
  func skip()
  func null()
  func bool(_ value: Bool)
  func integer(_ value: Int64)
  func real(_ value: Double)
  /// Bytes as the store has them, which should be UTF-8 but may be anything.
  func text(_ utf8: UnsafeRawBufferPointer)
  func date(_ date: CoreDataDate)
  /// Sixteen bytes.
  func uuid(_ bytes: UnsafeRawBufferPointer)
  /// `prefix` is `x-coredata://STORE-UUID/Entity/p` in UTF-8.
  func objectURI(prefix: [UInt8], primaryKey: Int64)
  /// `summary` says what the bytes hold. It decodes them, which takes time, so only those who need it call it.
  func blob(_ bytes: UnsafeRawBufferPointer, summary: () -> BlobSummary)
  func value(_ value: DataValue)
}

/// By default, each cell arrives as a value.
extension CellSink {
  package func null() { value(.null) }
  package func bool(_ bool: Bool) { value(.bool(bool)) }
  package func integer(_ integer: Int64) { value(.integer(integer)) }
  package func real(_ real: Double) { value(.real(real)) }
  package func text(_ utf8: UnsafeRawBufferPointer) { value(.text(String(decoding: utf8, as: UTF8.self))) }
  package func date(_ date: CoreDataDate) { value(.date(date)) }
  package func uuid(_ bytes: UnsafeRawBufferPointer) { value(.optional(Hexadecimal.uuid(bytes))) }
  package func blob(_ bytes: UnsafeRawBufferPointer, summary: () -> BlobSummary) { value(.blob(summary())) }
  package func objectURI(prefix: [UInt8], primaryKey: Int64) {
    value(.text(String(decoding: prefix, as: UTF8.self) + String(primaryKey)))
  }
}

/// A sink of whole rows. Each row is `beginRow`, one call a column in the columns' order, `endRow`.
package protocol RowSink: CellSink {
  func beginRow()
  /// False when no more rows are wanted.
  func endRow() throws -> Bool
}

/// The rows of a large table in numbered parts, which several threads may make at the same time. One part after the other
/// they are all of the rows, in their order.
package struct RowParts {
  /// Pushes the rows of the part with that number.
  package typealias Maker = (_ part: Int, any RowSink) throws -> Void

  package var count: Int
  /// One for each thread, each with a connection of its own.
  package var makers: [Maker]
  /// Called again and again, by the thread that waits for the others.
  package var whileWaiting: () -> Void

  package init(count: Int, makers: [Maker], whileWaiting: @escaping () -> Void = {}) {
    self.count = count
    self.makers = makers
    self.whileWaiting = whileWaiting
  }
}
