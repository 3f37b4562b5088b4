import CZlib
import Values

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
