import Base
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
    var produced = 0
    return try decode(bytes, wrapper: wrapper, limit: limit, produced: &produced)
  }

  /// - Parameter produced: how many bytes were unpacked, also where an error follows.
  static func decode(
    _ bytes: UnsafeRawBufferPointer, wrapper: Wrapper, limit: Int, produced: inout Int
  ) throws(ArchiveError) -> [UInt8] {
    let stream = try InflateStream(bytes, wrapper: wrapper)
    defer { produced = stream.produced }
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

/// zlib's stream over one buffer, giving its output in pieces.
final class InflateStream {
  // At one address for all its life, which zlib checks.
  private let stream = UnsafeMutablePointer<z_stream>.allocate(capacity: 1)
  private var input: UnsafeRawBufferPointer
  private var piece = [UInt8](repeating: 0, count: 1 << 16)
  private(set) var isAtEnd = false
  /// All bytes of output so far, also those of a piece that met a fault.
  private(set) var produced = 0

  /// `bytes` must outlive the stream.
  init(_ bytes: UnsafeRawBufferPointer, wrapper: Inflate.Wrapper) throws(ArchiveError) {
    input = bytes
    stream.initialize(to: z_stream())
    guard storescope_inflate_init(stream, wrapper.rawValue) == Z_OK else {
      throw ArchiveError("zlib had no memory for a stream")
    }
  }

  deinit {
    inflateEnd(stream)
    stream.deallocate()
  }

  /// The next piece of output, empty at most at the end of the stream. Throws where it is larger than `limit`.
  func next(limit: Int) throws(ArchiveError) -> ArraySlice<UInt8> {
    let (code, produced) = step()
    switch code {
    case Z_STREAM_END: isAtEnd = true
    case Z_OK: break
    case Z_BUF_ERROR: throw ArchiveError("the compressed data is cut off")
    case Z_NEED_DICT: throw ArchiveError("the compressed data needs a preset dictionary")
    default:
      let reason = stream.pointee.msg.map { String(cString: $0) } ?? "zlib's error \(code)"
      throw ArchiveError("the compressed data is damaged (\(reason))")
    }
    guard produced <= limit else {
      throw ArchiveError("the compressed data grows beyond the size that is allowed for it")
    }
    return piece[..<produced]
  }

  /// Whether the first piece already is damaged; being cut off is no fault here.
  func isFaulty() -> Bool { ![Z_OK, Z_STREAM_END, Z_BUF_ERROR].contains(step().code) }

  private func step() -> (code: Int32, produced: Int) {
    // zlib counts in 32 bits.
    let available = min(input.count, 1 << 30)
    let capacity = piece.count
    stream.pointee.avail_in = uInt(available)
    stream.pointee.avail_out = uInt(capacity)
    // zlib never writes to its input; the pointer's type says otherwise unless ZLIB_CONST is defined.
    stream.pointee.next_in = UnsafeMutablePointer(
      mutating: input.baseAddress?.assumingMemoryBound(to: Bytef.self))
    let code = piece.withUnsafeMutableBufferPointer { buffer in
      stream.pointee.next_out = buffer.baseAddress
      return inflate(stream, Z_NO_FLUSH)
    }
    let rest = Int(stream.pointee.avail_in)
    input = UnsafeRawBufferPointer(rebasing: input.dropFirst(available - rest))
    let count = capacity - Int(stream.pointee.avail_out)
    produced += count
    return (code, count)
  }
}

/// Decompresses bare DEFLATE data (RFC 1951) piece by piece, as what is read of a file too large for the memory.
package final class InflateReader {
  // At one address for all its life, which zlib checks.
  private let stream = UnsafeMutablePointer<z_stream>.allocate(capacity: 1)
  private let more: () throws -> UnsafeRawBufferPointer
  private var isAtEnd = false

  /// - Parameter more: gives the next piece of what is compressed, which stays where it is until the next call; an empty
  ///   one at the end.
  /// - Throws: `ArchiveError` if there is no memory left.
  package init(_ more: @escaping () throws -> UnsafeRawBufferPointer) throws {
    self.more = more
    stream.initialize(to: z_stream())
    guard storescope_inflate_init(stream, Inflate.Wrapper.none.rawValue) == Z_OK else {
      throw ArchiveError("zlib had no memory for a stream")
    }
  }

  deinit {
    inflateEnd(stream)
    stream.deallocate()
  }

  /// Fills the buffer with what follows.
  /// - Returns: how many bytes; 0 at the end.
  /// - Throws: `ArchiveError` if the data is damaged or cut off; what `more` throws.
  package func read(into buffer: UnsafeMutableRawBufferPointer) throws -> Int {
    // zlib counts in 32 bits.
    let capacity = min(buffer.count, 1 << 30)
    stream.pointee.next_out = buffer.baseAddress?.assumingMemoryBound(to: Bytef.self)
    stream.pointee.avail_out = uInt(capacity)
    while !isAtEnd, stream.pointee.avail_out > 0 {
      if stream.pointee.avail_in == 0 {
        let piece = try more()
        // zlib never writes to its input; the pointer's type says otherwise unless ZLIB_CONST is defined.
        stream.pointee.next_in = UnsafeMutablePointer(
          mutating: piece.baseAddress?.assumingMemoryBound(to: Bytef.self))
        stream.pointee.avail_in = uInt(piece.count)
      }
      switch inflate(stream, Z_NO_FLUSH) {
      case Z_OK: break
      case Z_STREAM_END: isAtEnd = true
      case Z_BUF_ERROR: throw ArchiveError("the compressed data is cut off")
      case let code:
        let reason = stream.pointee.msg.map { String(cString: $0) } ?? "zlib's error \(code)"
        throw ArchiveError("the compressed data is damaged (\(reason))")
      }
    }
    return capacity - Int(stream.pointee.avail_out)
  }
}

/// The checksum of zip archives.
package struct CRC32 {
  private var sum: uLong = 0

  package init() {}

  package var value: UInt32 { UInt32(truncatingIfNeeded: sum) }

  package mutating func add(_ bytes: UnsafeRawBufferPointer) {
    sum = crc32_z(sum, bytes.bindMemory(to: UInt8.self).baseAddress, z_size_t(bytes.count))
  }
}
