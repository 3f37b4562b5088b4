/// Compresses a stream piece by piece.
package protocol StreamCompressor: AnyObject {
  /// False if the compressed bytes couldn't be written.
  func add(_ bytes: UnsafeRawBufferPointer) -> Bool
  /// Writes what is left. False if it couldn't be written.
  func finish() -> Bool
}

#if canImport(Darwin)
  /// macOS doesn't have the library.
  package final class ZstandardWriter: StreamCompressor {
    package static let isAvailable = false

    package init(write: @escaping (UnsafeRawBufferPointer) -> Bool) {}
    package func add(_ bytes: UnsafeRawBufferPointer) -> Bool { false }
    package func finish() -> Bool { false }
  }
#else
  import CZstd

  /// libzstd: https://facebook.github.io/zstd/zstd_manual.html
  package final class ZstandardWriter: StreamCompressor {
    package static let isAvailable = true

    private let context = ZSTD_createCCtx()
    private var output = [UInt8](repeating: 0, count: 1 << 17)
    private let write: (UnsafeRawBufferPointer) -> Bool

    /// - Parameter write: takes the compressed bytes; false if it can't.
    package init(write: @escaping (UnsafeRawBufferPointer) -> Bool) { self.write = write }

    deinit { ZSTD_freeCCtx(context) }

    package func add(_ bytes: UnsafeRawBufferPointer) -> Bool { bytes.isEmpty || run(bytes, ZSTD_e_continue) }

    package func finish() -> Bool { run(UnsafeRawBufferPointer(start: nil, count: 0), ZSTD_e_end) }

    private func run(_ bytes: UnsafeRawBufferPointer, _ directive: ZSTD_EndDirective) -> Bool {
      guard let context else { return false }
      var input = ZSTD_inBuffer(src: bytes.baseAddress, size: bytes.count, pos: 0)
      while true {
        let (remaining, count) = output.withUnsafeMutableBytes { buffer in
          var target = ZSTD_outBuffer(dst: buffer.baseAddress, size: buffer.count, pos: 0)
          let remaining = ZSTD_compressStream2(context, &target, &input, directive)
          return (remaining, target.pos)
        }
        guard ZSTD_isError(remaining) == 0 else { return false }
        guard
          count == 0 || output.withUnsafeBytes({ write(UnsafeRawBufferPointer(rebasing: $0.prefix(count))) })
        else { return false }
        if directive == ZSTD_e_end ? remaining == 0 : input.pos == input.size { return true }
      }
    }
  }
#endif
