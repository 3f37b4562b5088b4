/// What binary data seems to be, judged by its bytes alone. The raw values are names for users.
package enum BlobKind: String, CaseIterable, Sendable {
  case empty
  case png
  case jpeg
  case gif
  case heic
  case webp
  case tiff
  case pdf
  /// A binary property list that is no keyed archive.
  case binaryPropertyList = "bplist"
  case keyedArchive
  case xmlPropertyList = "xmlPlist"
  /// A JSON array or object, the whole of it.
  case json
  case gzip
  case zlib
  case lzfse
  case sqlite
  case zip
  /// Well-formed as a protocol buffer from end to end; a guess, as the format has no mark.
  case protobuf
  /// UTF-8 without control characters.
  case text
  case unknown

  /// Looks at the first bytes; reads on only where they leave it open, and then ends at the first byte that
  /// decides.
  package static func sniff(_ bytes: UnsafeRawBufferPointer) -> BlobKind {
    guard let first = bytes.first else { return .empty }
    if let kind = byMagic(bytes, first: first) { return kind }
    if UTF8Text.isPrintable(bytes) { return textKind(bytes) }
    return ProtobufProbe.isMessage(bytes) ? .protobuf : .unknown
  }

  private static func byMagic(_ bytes: UnsafeRawBufferPointer, first: UInt8) -> BlobKind? {
    switch first {
    case 0x89 where bytes.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]): .png
    case 0xFF where bytes.starts(with: [0xFF, 0xD8, 0xFF]): .jpeg
    case UInt8(ascii: "G") where has("GIF87a", bytes) || has("GIF89a", bytes): .gif
    case UInt8(ascii: "R") where has("RIFF", bytes) && has("WEBP", bytes, at: 8): .webp
    case UInt8(ascii: "I") where bytes.starts(with: [0x49, 0x49, 0x2A, 0x00]): .tiff
    case UInt8(ascii: "M") where bytes.starts(with: [0x4D, 0x4D, 0x00, 0x2A]): .tiff
    case UInt8(ascii: "%") where has("%PDF-", bytes): .pdf
    case 0x1F where bytes.starts(with: [0x1F, 0x8B, 0x08]): .gzip
    case 0x78 where isZlib(bytes): .zlib
    case UInt8(ascii: "S") where has("SQLite format 3\0", bytes): .sqlite
    case UInt8(ascii: "P") where has("PK\u{3}\u{4}", bytes) || has("PK\u{5}\u{6}", bytes): .zip
    case UInt8(ascii: "b") where has("bplist0", bytes):
      KeyedArchive.isKeyedArchive(Array(bytes)) ? .keyedArchive : .binaryPropertyList
    // A block of Apple's LZFSE: https://github.com/lzfse/lzfse/blob/master/src/lzfse_internal.h
    case UInt8(ascii: "b") where ["bvx1", "bvx2", "bvxn", "bvx-"].contains { has($0, bytes) }: .lzfse
    case 0x00 where has("ftyp", bytes, at: 4) && heifBrands.contains { has($0, bytes, at: 8) }: .heic
    default: nil
    }
  }

  // Brands of still pictures: https://nokiatech.github.io/heif/technical.html
  private static let heifBrands: [StaticString] = [
    "heic", "heix", "heim", "heis", "hevc", "hevx", "mif1", "msf1",
  ]

  /// The header's two bytes are a multiple of 31 (RFC 1950), which one pair in 31 is; hence the look at the data.
  private static func isZlib(_ bytes: UnsafeRawBufferPointer) -> Bool {
    guard bytes.count >= 6, (Int(bytes[0]) << 8 | Int(bytes[1])) % 31 == 0 else { return false }
    return Inflate.canStart(bytes, wrapper: .zlib)
  }

  private static func textKind(_ bytes: UnsafeRawBufferPointer) -> BlobKind {
    let blanks: Set<UInt8> = [0x09, 0x0A, 0x0D, 0x20, 0xEF, 0xBB, 0xBF]
    switch bytes.first(where: { !blanks.contains($0) }) {
    case UInt8(ascii: "{"), UInt8(ascii: "["): return JSONReader.isWhole(bytes) ? .json : .text
    case UInt8(ascii: "<"):
      let start = String(decoding: bytes.prefix(1024), as: UTF8.self)
      return start.utf8.count > 6 && start.contains("<plist") ? .xmlPropertyList : .text
    default: return .text
    }
  }

  private static func has(_ text: StaticString, _ bytes: UnsafeRawBufferPointer, at offset: Int = 0) -> Bool {
    let length = text.utf8CodeUnitCount
    guard bytes.count >= offset + length else { return false }
    for index in 0..<length where bytes[offset + index] != text.utf8Start[index] { return false }
    return true
  }

  /// What files hold most, and what no app hides an object's URI in: pictures, movies, sound, documents and packed data,
  /// recognized by the first bytes.
  package static func isMedia(_ beginning: UnsafeRawBufferPointer) -> Bool {
    switch sniff(beginning) {
    case .png, .jpeg, .gif, .heic, .webp, .tiff, .pdf, .zip, .gzip, .lzfse: true
    // Movies and sound: https://www.iana.org/assignments/media-types/video/mp4
    default: beginning.count > 8 && beginning[4..<8].elementsEqual(Array("ftyp".utf8))
    }
  }
}

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
