import CZlib

/// Decompresses DEFLATE data (RFC 1951), bare or in the wrappers of zlib (RFC 1950) and gzip (RFC 1952).
///
/// Core Data keeps its cached model as bare DEFLATE, which is what Apple's `COMPRESSION_ZLIB` writes:
/// https://developer.apple.com/documentation/compression/compression_zlib
///
/// All functions take the most bytes that the output may have, and grow the output as it comes: nothing is
/// allocated on what a stream promises. Bytes behind the end of the stream are ignored; of a gzip file with
/// several members only the first is read.
package enum Inflate {
  /// What stands around the compressed data. The raw value is zlib's `windowBits`:
  /// https://zlib.net/manual.html
  package enum Wrapper: Int32, Sendable {
    case none = -15
    case zlib = 15
    case gzip = 31
  }

  package static func raw(_ bytes: [UInt8], limit: Int) throws(ArchiveError) -> [UInt8] {
    try decode(bytes, wrapper: .none, limit: limit)
  }

  package static func raw(_ bytes: UnsafeRawBufferPointer, limit: Int) throws(ArchiveError) -> [UInt8] {
    try decode(bytes, wrapper: .none, limit: limit)
  }

  package static func decode(
    _ bytes: [UInt8], wrapper: Wrapper, limit: Int
  ) throws(ArchiveError) -> [UInt8] {
    try bytes.withUnsafeBufferPointer { buffer throws(ArchiveError) in
      try decode(UnsafeRawBufferPointer(buffer), wrapper: wrapper, limit: limit)
    }
  }

  package static func decode(
    _ bytes: UnsafeRawBufferPointer, wrapper: Wrapper, limit: Int
  ) throws(ArchiveError) -> [UInt8] {
    let stream = try InflateStream(bytes, wrapper: wrapper)
    var output: [UInt8] = []
    while true {
      let chunk = try stream.next(limit: limit - output.count)
      output.append(contentsOf: chunk)
      if stream.isAtEnd { return output }
    }
  }

  /// Whether the stream's first bytes decompress without a fault: a test for data whose header is only two
  /// bytes long.
  static func canStart(_ bytes: UnsafeRawBufferPointer, wrapper: Wrapper) -> Bool {
    let start = UnsafeRawBufferPointer(rebasing: bytes.prefix(512))
    guard let stream = try? InflateStream(start, wrapper: wrapper) else { return false }
    return !stream.isFaulty()
  }
}
