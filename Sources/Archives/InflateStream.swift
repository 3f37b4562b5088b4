import CZlib

/// zlib's stream over one buffer, giving its output in pieces.
final class InflateStream {
  // At one address for all its life, which zlib checks.
  private let stream = UnsafeMutablePointer<z_stream>.allocate(capacity: 1)
  private var input: UnsafeRawBufferPointer
  private var piece = [UInt8](repeating: 0, count: 1 << 16)
  private(set) var isAtEnd = false

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
    return (code, capacity - Int(stream.pointee.avail_out))
  }
}
