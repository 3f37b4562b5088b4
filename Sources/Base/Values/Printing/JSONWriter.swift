/// JSON (RFC 8259) into an output buffer. Integers keep all their digits; what isn't a finite number becomes text;
/// control characters, line separators and characters that turn the writing direction are escaped, so that a
/// terminal shows data instead of obeying it.
package struct JSONWriter {
  private let output: OutputBuffer

  package init(_ output: OutputBuffer) { self.output = output }

  /// A whole value. `indent` is the depth at which it stands, nil for everything on one line. After a member that is an
  /// impossible date, and therefore null, follows one with the stored number, `NAME.raw`.
  package func value(_ value: DataValue, indent: Int? = nil) {
    switch value {
    case .null: null()
    case .bool(let value): bool(value)
    case .integer(let value): output.integer(value)
    case .real(let value): real(value)
    case .text(let text): string(text)
    case .date(let date): self.date(date)
    case .blob(let blob): self.blob(blob, indent: indent)
    case .array(let elements):
      list("[", "]", elements.count, indent) { self.value(elements[$0], indent: indent.map { $0 + 1 }) }
    case .object(let members):
      let members = members.flatMap { member in
        guard case .date(let date) = member.value, date.iso8601 == nil else { return [member] }
        return [member, DataValue.Member(member.name + ".raw", .real(date.seconds))]
      }
      list("{", "}", members.count, indent) { index in
        string(members[index].name)
        output.text(indent == nil ? ":" : ": ")
        self.value(members[index].value, indent: indent.map { $0 + 1 })
      }
    }
  }

  package func null() { output.literal("null") }

  package func bool(_ value: Bool) { output.literal(value ? "true" : "false") }

  package func real(_ value: Double) {
    if value.isFinite { output.real(value) } else { string(value.description) }
  }

  /// False if it has no year of 1 to 9999, and null was written for it.
  @discardableResult package func date(_ date: CoreDataDate) -> Bool {
    guard output.date(date, in: Self.quote) else {
      null()
      return false
    }
    return true
  }

  package func uuid(_ bytes: UnsafeRawBufferPointer) {
    output.byte(Self.quote)
    output.uuid(bytes)
    output.byte(Self.quote)
  }

  package func blob(_ blob: BlobSummary, indent: Int? = nil) {
    let facts: DataValue = [
      "bytes": .count(blob.bytes), "kind": .text(blob.kind), "sha256": .text(blob.sha256),
    ]
    var members = [DataValue.Member("blob", facts)]
    if let value = blob.value { members.append(DataValue.Member("value", value)) }
    value(.object(members), indent: indent)
  }

  package func string(_ text: String) {
    var text = text
    text.withUTF8 { string(UnsafeRawBufferPointer($0)) }
  }

  /// Text of unknown origin: what isn't UTF-8 is replaced by U+FFFD.
  package func string(_ bytes: UnsafeRawBufferPointer) {
    output.byte(Self.quote)
    guard let start = bytes.baseAddress else {
      output.byte(Self.quote)
      return
    }
    var runStart = 0
    var index = 0
    while index < bytes.count {
      let byte = bytes[index]
      if byte >= 0x20, byte < 0x7F, byte != Self.quote, byte != UInt8(ascii: "\\") {
        index += 1
        continue
      }
      if byte >= 0x80 {
        let length = UTF8Sequence.length(at: index, in: bytes)
        if length > 0, !UTF8Sequence.needsEscape(at: index, length: length, in: bytes) {
          index += length
          continue
        }
        output.bytes(UnsafeRawBufferPointer(start: start + runStart, count: index - runStart))
        if length == 0 {
          output.text("\u{FFFD}")
          index += 1
        } else {
          escape(UTF8Sequence.scalar(at: index, length: length, in: bytes))
          index += length
        }
      } else {
        output.bytes(UnsafeRawBufferPointer(start: start + runStart, count: index - runStart))
        escape(UInt32(byte))
        index += 1
      }
      runStart = index
    }
    output.bytes(UnsafeRawBufferPointer(start: start + runStart, count: bytes.count - runStart))
    output.byte(Self.quote)
  }

  private func escape(_ scalar: UInt32) {
    switch scalar {
    case 0x22: output.text("\\\"")
    case 0x5C: output.text("\\\\")
    case 0x0A: output.text("\\n")
    case 0x0D: output.text("\\r")
    case 0x09: output.text("\\t")
    default:
      output.text("\\u")
      let digits = String(scalar, radix: 16)
      output.text(String(repeating: "0", count: max(0, 4 - digits.count)) + digits)
    }
  }

  private func list(
    _ open: StaticString, _ close: StaticString, _ count: Int, _ indent: Int?, _ element: (Int) -> Void
  ) {
    output.literal(open)
    for index in 0..<count {
      if index > 0 { output.byte(UInt8(ascii: ",")) }
      if let indent { newline(indent + 1) }
      element(index)
    }
    if let indent, count > 0 { newline(indent) }
    output.literal(close)
  }

  private func newline(_ depth: Int) {
    output.byte(UInt8(ascii: "\n"))
    for _ in 0..<depth { output.text("  ") }
  }

  private static let quote = UInt8(ascii: "\"")
}

/// A value as JSON in a string, where it is short enough to be one.
package enum JSONText {
  package static func compact(_ value: DataValue) -> String { text { JSONWriter($0).value(value) } }

  /// On lines of its own, indented, for files that people read too.
  package static func pretty(_ value: DataValue) -> String {
    text {
      JSONWriter($0).value(value, indent: 0)
      $0.text("\n")
    }
  }

  private static func text(_ write: (OutputBuffer) -> Void) -> String {
    var bytes: [UInt8] = []
    let output = OutputBuffer(capacity: 1024) {
      bytes.append(contentsOf: $0)
      return true
    }
    write(output)
    output.flush()
    return String(decoding: bytes, as: UTF8.self)
  }
}
