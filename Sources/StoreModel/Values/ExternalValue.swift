package import Values

/// A value of an attribute that allows external storage: its first byte says where the bytes are.
///
/// Tag 1 was measured on real stores; 2 and 3 are known from public descriptions only. Without the attribute's flag
/// a value has no tag, and may begin with the same bytes.
package enum ExternalValue: Equatable {
  /// The bytes follow the tag.
  case inline(ClosedRange<Int>?)
  /// The name of a file in `_EXTERNAL_DATA`.
  case file(String)
  /// The name of a file in `_FBF`, and its size.
  case fileBackedFuture(String, bytes: UInt64)
  /// No known tag: the value is what it is.
  case untagged

  package init(_ bytes: UnsafeRawBufferPointer) {
    switch bytes.first {
    case 1:
      self = .inline(bytes.count > 1 ? 1...bytes.count - 1 : nil)
    case 2 where bytes.count >= 37 && bytes.count <= 38 && (bytes.count == 37 || bytes[37] == 0):
      self = .file(String(decoding: bytes[1..<37], as: UTF8.self))
    case 3 where bytes.count > 28 && bytes[1] == 0x23 && bytes[2] == 0x23 && bytes[3] == 0x23:
      let size = bytes.loadUnaligned(fromByteOffset: 4, as: UInt64.self)
      let name = bytes[28...].prefix { $0 != 0 }
      self = .fileBackedFuture(String(decoding: name, as: UTF8.self), bytes: UInt64(littleEndian: size))
    default:
      self = .untagged
    }
  }
}

extension ExternalValue {
  /// The bytes that a tagged value stands for, wherever they lie; nil where they are empty.
  /// - Throws: `StoreScopeError` where its file can't be read.
  package static func content(
    of bytes: UnsafeRawBufferPointer, _ files: ExternalFiles
  ) throws(StoreScopeError) -> [UInt8]? {
    switch ExternalValue(bytes) {
    case .untagged: [UInt8](bytes)
    case .inline(let range): range.map { [UInt8](bytes[$0]) }
    case .file(let name): try files.bytes(of: name, .externalData)
    case .fileBackedFuture(let name, _): try files.bytes(of: name, .fileBackedFuture)
    }
  }
}
