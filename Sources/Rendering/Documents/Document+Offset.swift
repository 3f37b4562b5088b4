import Values

/// Rows behind those that were seen before.
extension Document {
  /// The document without the first rows of its payload, and of the tables that show the same.
  func skipping(_ count: Int) -> Document {
    guard count > 0 else { return self }
    var document = self
    document.fields = fields.map { field in
      guard field.name == payload else { return field }
      return switch field.content {
      case .rows(let stream): Field(field.name, rows: stream.skipping(count))
      case .rowsAndColumns(let stream): Field(field.name, rowsAndColumns: stream.skipping(count))
      case .list(let stream): Field(field.name, list: stream.skipping(count))
      case .value(.array(let elements)): Field(field.name, .array(Array(elements.dropFirst(count))))
      case .value, .objects: field
      }
    }
    document.blocks = blocks.map { block in
      if case .table(let stream) = block { .table(stream.skipping(count)) } else { block }
    }
    return document
  }
}

extension RowStream {
  fileprivate func skipping(_ number: Int) -> RowStream {
    var stream = self
    stream.skipped = number
    stream.produce = { sink in try produce(RowsBehind(number, into: sink)) }
    stream.parts = { nil }
    stream.emptyText = {
      if let all = try count(), all > 0 { return "(no more rows: there are \(Sentence.number(all)))" }
      let first = RowCollector(limit: 1)
      try produce(first)
      return first.rows.isEmpty ? try emptyText() : "(no more rows)"
    }
    stream.footer = footer.map { footer in { try footer($0 + number, $1, $2) } }
    return stream
  }
}

/// Passes on what comes behind the first rows.
private final class RowsBehind: RowSink {
  private let sink: any RowSink
  private var left: Int
  private var passes: Bool { left == 0 }

  init(_ number: Int, into sink: any RowSink) {
    left = number
    self.sink = sink
  }

  func beginRow() { if passes { sink.beginRow() } }

  func endRow() throws -> Bool {
    if passes { return try sink.endRow() }
    left -= 1
    return true
  }

  func skip() { if passes { sink.skip() } }
  func null() { if passes { sink.null() } }
  func bool(_ value: Bool) { if passes { sink.bool(value) } }
  func integer(_ value: Int64) { if passes { sink.integer(value) } }
  func real(_ value: Double) { if passes { sink.real(value) } }
  func text(_ utf8: UnsafeRawBufferPointer) { if passes { sink.text(utf8) } }
  func date(_ date: CoreDataDate) { if passes { sink.date(date) } }
  func uuid(_ bytes: UnsafeRawBufferPointer) { if passes { sink.uuid(bytes) } }
  func value(_ value: DataValue) { if passes { sink.value(value) } }

  func objectURI(prefix: [UInt8], primaryKey: Int64) {
    if passes { sink.objectURI(prefix: prefix, primaryKey: primaryKey) }
  }

  func blob(_ bytes: UnsafeRawBufferPointer, summary: () -> BlobSummary) {
    if passes { sink.blob(bytes, summary: summary) }
  }
}
