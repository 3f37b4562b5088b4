import Base

/// Rows behind those that were seen before.
extension Document {
  /// The document without the first rows of its payload, and of the tables that show the same.
  func skipping(_ count: Int) -> Document {
    guard count > 0 else { return self }
    var document = self
    for index in fields.indices where fields[index].name == payload {
      document.fields[index].content =
        if case .value(.array(let elements)) = fields[index].content {
          .value(.array(Array(elements.dropFirst(count))))
        } else {
          fields[index].content.replacingRows { $0.skipping(count) }
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
    stream.produce = { sink in try produce(RowsBehind(number, of: columns, into: sink)) }
    stream.parts = { nil }
    stream.impossibleDates = { try impossibleDates($0 == .max ? .max : $0 + number) }
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
  private let saidOnce: Set<Int>
  /// What rows that were left out have said for the first one that is passed on.
  private var said: [Int: DataValue] = [:]
  private var column = 0
  private var left: Int
  private var isFirst = true
  private var passes: Bool { left == 0 }

  init(_ number: Int, of columns: [RowStream.Column], into sink: any RowSink) {
    left = number
    self.sink = sink
    saidOnce = Set(columns.indices.filter { columns[$0].isSaidOnce })
  }

  func beginRow() {
    column = 0
    if passes { sink.beginRow() }
  }

  func endRow() throws -> Bool {
    if passes {
      isFirst = false
      return try sink.endRow()
    }
    left -= 1
    return true
  }

  /// A cell's value is asked for where rows to come may go without it.
  private func cell(_ value: @autoclosure () -> DataValue, _ pass: () -> Void) {
    if passes {
      pass()
    } else if saidOnce.contains(column) {
      said[column] = value()
    }
    column += 1
  }

  func skip() {
    defer { column += 1 }
    guard passes else { return }
    if isFirst, let value = said[column] { sink.value(value) } else { sink.skip() }
  }

  func integer(_ value: Int64) { cell(.integer(value)) { sink.integer(value) } }
  func text(_ utf8: UnsafeRawBufferPointer) {
    cell(.text(String(decoding: utf8, as: UTF8.self))) { sink.text(utf8) }
  }
  func date(_ date: CoreDataDate) { cell(.date(date)) { sink.date(date) } }
  func uuid(_ bytes: UnsafeRawBufferPointer) {
    cell(.optional(Hexadecimal.uuid(bytes))) { sink.uuid(bytes) }
  }
  func value(_ value: DataValue) { cell(value) { sink.value(value) } }

  func objectURI(prefix: [UInt8], primaryKey: Int64) {
    cell(.text(String(decoding: prefix, as: UTF8.self) + String(primaryKey))) {
      sink.objectURI(prefix: prefix, primaryKey: primaryKey)
    }
  }

  func blob(_ bytes: UnsafeRawBufferPointer, summary: () -> BlobSummary) {
    cell(.blob(summary())) { sink.blob(bytes, summary: summary) }
  }
}
