#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// Compresses a stream piece by piece with the system's libzstd, which is looked for when it is needed: few systems
/// lack it, and nothing else here needs it. https://facebook.github.io/zstd/zstd_manual.html
package final class ZstandardWriter {
  private typealias Make = @convention(c) () -> OpaquePointer?
  private typealias Free = @convention(c) (OpaquePointer?) -> Int
  private typealias Compress =
    @convention(c) (OpaquePointer, UnsafeMutableRawPointer, UnsafeMutableRawPointer, Int32) -> Int
  private typealias IsError = @convention(c) (Int) -> UInt32

  private struct Library: Sendable {
    let make: Make
    let free: Free
    let compress: Compress
    let isError: IsError
  }

  /// `ZSTD_inBuffer` and `ZSTD_outBuffer`.
  private struct Buffer {
    var bytes: UnsafeRawPointer?
    var size: Int
    var position = 0
  }

  /// ZSTD_e_continue and ZSTD_e_end.
  private static let goesOn: Int32 = 0
  private static let ends: Int32 = 2

  private static let library: Library? = {
    #if canImport(Darwin)
      let names = ["libzstd.1.dylib", "/opt/homebrew/lib/libzstd.1.dylib", "/usr/local/lib/libzstd.1.dylib"]
    #else
      let names = ["libzstd.so.1"]
    #endif
    guard let handle = names.lazy.compactMap({ dlopen($0, RTLD_NOW | RTLD_LOCAL) }).first,
      let make = dlsym(handle, "ZSTD_createCCtx"), let free = dlsym(handle, "ZSTD_freeCCtx"),
      let compress = dlsym(handle, "ZSTD_compressStream2"), let isError = dlsym(handle, "ZSTD_isError")
    else { return nil }
    return Library(
      make: unsafeBitCast(make, to: Make.self), free: unsafeBitCast(free, to: Free.self),
      compress: unsafeBitCast(compress, to: Compress.self),
      isError: unsafeBitCast(isError, to: IsError.self))
  }()

  package static var isAvailable: Bool { library != nil }

  private let library: Library
  private let context: OpaquePointer
  private var output = [UInt8](repeating: 0, count: 1 << 17)
  private let write: (UnsafeRawBufferPointer) -> Bool

  /// Nil if the system has no libzstd.
  /// - Parameter write: takes the compressed bytes; false if it can't.
  package init?(write: @escaping (UnsafeRawBufferPointer) -> Bool) {
    guard let library = Self.library, let context = library.make() else { return nil }
    self.library = library
    self.context = context
    self.write = write
  }

  deinit { _ = library.free(context) }

  /// False if the compressed bytes couldn't be written.
  package func add(_ bytes: UnsafeRawBufferPointer) -> Bool { bytes.isEmpty || run(bytes, Self.goesOn) }

  /// Writes what is left. False if it couldn't be written.
  package func finish() -> Bool { run(UnsafeRawBufferPointer(start: nil, count: 0), Self.ends) }

  private func run(_ bytes: UnsafeRawBufferPointer, _ directive: Int32) -> Bool {
    var input = Buffer(bytes: bytes.baseAddress, size: bytes.count)
    while true {
      let (remaining, count) = output.withUnsafeMutableBytes { buffer in
        var target = Buffer(bytes: UnsafeRawPointer(buffer.baseAddress), size: buffer.count)
        let remaining = library.compress(context, &target, &input, directive)
        return (remaining, target.position)
      }
      guard library.isError(remaining) == 0 else { return false }
      guard
        count == 0 || output.withUnsafeBytes({ write(UnsafeRawBufferPointer(rebasing: $0.prefix(count))) })
      else { return false }
      let isDone = directive == Self.ends ? remaining == 0 : input.position == input.size
      if isDone { return true }
    }
  }
}
