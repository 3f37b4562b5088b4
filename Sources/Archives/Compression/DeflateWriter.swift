import Base
import CZlib

/// Compresses a stream to DEFLATE, bare or as a gzip file without a name or a time: the same bytes always give the same
/// result.
package final class DeflateWriter: StreamCompressor {
  private var stream = z_stream()
  private var output = [UInt8](repeating: 0, count: 1 << 16)
  private let write: (UnsafeRawBufferPointer) -> Bool

  /// - Parameter write: takes the compressed bytes; false if it can't.
  package init(_ wrapper: Inflate.Wrapper, write: @escaping (UnsafeRawBufferPointer) -> Bool) {
    self.write = write
    // Out of memory is the only way to fail with these arguments, and `deflate` reports it then.
    _ = storescope_deflate_init(&stream, Z_DEFAULT_COMPRESSION, wrapper.rawValue)
  }

  deinit { deflateEnd(&stream) }

  package func add(_ bytes: UnsafeRawBufferPointer) -> Bool {
    var rest = bytes
    // zlib counts in 32 bits.
    while rest.count > 1 << 30 {
      guard run(UnsafeRawBufferPointer(rebasing: rest.prefix(1 << 30)), Z_NO_FLUSH) else { return false }
      rest = UnsafeRawBufferPointer(rebasing: rest.dropFirst(1 << 30))
    }
    return rest.isEmpty || run(rest, Z_NO_FLUSH)
  }

  package func finish() -> Bool { run(UnsafeRawBufferPointer(start: nil, count: 0), Z_FINISH) }

  private func run(_ bytes: UnsafeRawBufferPointer, _ flush: Int32) -> Bool {
    // zlib only reads what it is given, though its type says otherwise.
    stream.next_in = UnsafeMutablePointer(mutating: bytes.bindMemory(to: UInt8.self).baseAddress)
    stream.avail_in = UInt32(bytes.count)
    while true {
      let (status, count) = output.withUnsafeMutableBufferPointer { buffer in
        stream.next_out = buffer.baseAddress
        stream.avail_out = UInt32(buffer.count)
        let status = deflate(&stream, flush)
        return (status, buffer.count - Int(stream.avail_out))
      }
      // Z_BUF_ERROR only says that there was nothing to do: https://zlib.net/manual.html#Basic
      guard [Z_OK, Z_STREAM_END, Z_BUF_ERROR].contains(status) else { return false }
      guard
        count == 0 || output.withUnsafeBytes({ write(UnsafeRawBufferPointer(rebasing: $0.prefix(count))) })
      else { return false }
      let hasMore = count == output.count || (flush == Z_FINISH && status == Z_OK)
      guard hasMore else { return true }
    }
  }
}
