import CZlib

/// Compresses to bare DEFLATE (RFC 1951), as Core Data does with its cached model.
package enum Deflate {
  package static func raw(_ bytes: [UInt8]) -> [UInt8] {
    // At one address for all its life, which zlib checks.
    let stream = UnsafeMutablePointer<z_stream>.allocate(capacity: 1)
    stream.initialize(to: z_stream())
    defer { stream.deallocate() }
    // zlib counts in 32 bits; and deflateInit2 fails only without memory.
    guard bytes.count < 1 << 30,
      storescope_deflate_init(stream, Z_DEFAULT_COMPRESSION, Inflate.Wrapper.none.rawValue) == Z_OK
    else { preconditionFailure("cannot compress \(bytes.count) bytes") }
    defer { deflateEnd(stream) }
    return bytes.withUnsafeBufferPointer { input in
      let capacity = Int(deflateBound(stream, uLong(input.count)))
      return [UInt8](unsafeUninitializedCapacity: capacity) { output, count in
        stream.pointee.next_in = UnsafeMutablePointer(mutating: input.baseAddress)
        stream.pointee.avail_in = uInt(input.count)
        stream.pointee.next_out = output.baseAddress
        stream.pointee.avail_out = uInt(capacity)
        // One call finishes, as the output has room for the worst case: https://zlib.net/manual.html#Advanced
        deflate(stream, Z_FINISH)
        count = capacity - Int(stream.pointee.avail_out)
      }
    }
  }
}
