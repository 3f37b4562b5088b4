/// Whether bytes are likely a message in protocol buffers' wire format, which has no mark of its own:
/// https://protobuf.dev/programming-guides/encoding/
///
/// Strict where the format is lax, as any few bytes make some message: fields in ascending order, as all
/// serialisers write them, no groups, shortest numbers, and at least one field with text.
enum ProtobufProbe {
  private static let depthLimit = 8
  private static let highestField: UInt64 = 2047

  static func isMessage(_ bytes: UnsafeRawBufferPointer) -> Bool {
    bytes.count >= 4 && scan(bytes, depth: 0) == .withText
  }

  private enum Finding { case malformed, wellFormed, withText }

  private static func scan(_ bytes: UnsafeRawBufferPointer, depth: Int) -> Finding {
    var position = 0
    var lastField: UInt64 = 1
    var finding = Finding.wellFormed
    while position < bytes.count {
      guard let tag = varint(bytes, &position) else { return .malformed }
      let field = tag >> 3
      guard field >= lastField, field <= highestField else { return .malformed }
      lastField = field
      switch tag & 7 {
      case 0:
        guard varint(bytes, &position) != nil else { return .malformed }
      case 1: position += 8
      case 2:
        guard let length = varint(bytes, &position), length <= UInt64(bytes.count - position) else {
          return .malformed
        }
        let content = UnsafeRawBufferPointer(rebasing: bytes[position..<position + Int(length)])
        position += content.count
        if finding == .wellFormed, holdsText(content, depth: depth) { finding = .withText }
      case 5: position += 4
      default: return .malformed
      }
      guard position <= bytes.count else { return .malformed }
    }
    return finding
  }

  private static func holdsText(_ content: UnsafeRawBufferPointer, depth: Int) -> Bool {
    if content.count >= 3, UTF8Text.isPrintable(content) { return true }
    return depth < depthLimit && !content.isEmpty && scan(content, depth: depth + 1) == .withText
  }

  /// Nil for one that is cut off, longer than ten bytes, or longer than it need be.
  private static func varint(_ bytes: UnsafeRawBufferPointer, _ position: inout Int) -> UInt64? {
    var value: UInt64 = 0
    for shift in stride(from: UInt64(0), to: 70, by: 7) {
      guard position < bytes.count else { return nil }
      let byte = bytes[position]
      position += 1
      value |= UInt64(byte & 0x7F) << shift
      if byte & 0x80 == 0 { return byte == 0 && shift > 0 ? nil : value }
    }
    return nil
  }
}
