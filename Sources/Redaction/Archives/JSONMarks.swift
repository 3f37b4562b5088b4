import Archives
import Values

/// JSON with the same structure and other values; what an object calls its members counts as values too.
struct JSONMarks {
  private let marks: ValueMarks

  init(_ marks: ValueMarks) { self.marks = marks }

  /// Nil where the bytes can't be decoded.
  func json(_ bytes: UnsafeRawBufferPointer) -> [UInt8]? {
    guard let value = try? JSONReader.read(bytes) else { return nil }
    var written: [UInt8] = []
    let output = OutputBuffer(capacity: 4096) { bytes in
      written += bytes
      return true
    }
    JSONWriter(output).value(marked(value))
    output.flush()
    return written
  }

  private func marked(_ value: DataValue) -> DataValue {
    switch value {
    case .null, .blob: value
    case .text(let text): .text(marks.text(text))
    case .bool(let bool): .bool(marks.bool(bool, kind: "json"))
    case .integer(let integer): .integer(marks.number(integer))
    case .real(let real): .real(marks.number(real))
    case .date(let date): .date(CoreDataDate(seconds: marks.date(date.seconds)))
    case .array(let elements): .array(elements.map(marked))
    case .object(let members): .object(members.map { .init(marks.text($0.name), marked($0.value)) })
    }
  }
}
