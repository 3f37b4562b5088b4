#if canImport(Darwin)
  import Darwin
#else
  import CLinux
  import Glibc
#endif

/// A password or a key. Its bytes are in one place, which is overwritten when this value goes.
package final class Secret: Sendable {
  private nonisolated(unsafe) let bytes: UnsafeMutableBufferPointer<UInt8>
  package let count: Int

  /// - Parameters:
  ///   - longest: how many bytes it may have.
  ///   - fill: puts them there, and returns how many there are.
  package init(longest: Int, _ fill: (UnsafeMutableBufferPointer<UInt8>) throws -> Int) rethrows {
    let bytes = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: max(longest, 1))
    bytes.initialize(repeating: 0)
    self.bytes = bytes
    do { count = try fill(bytes) } catch {
      Self.wipe(UnsafeMutableRawBufferPointer(bytes))
      bytes.deallocate()
      throw error
    }
  }

  deinit {
    Self.wipe(UnsafeMutableRawBufferPointer(bytes))
    bytes.deallocate()
  }

  package func withBytes<R>(_ body: (UnsafeBufferPointer<UInt8>) throws -> R) rethrows -> R {
    try body(UnsafeBufferPointer(rebasing: bytes[..<count]))
  }

  /// Overwrites what a compiler would otherwise leave as it is, since nobody reads it anymore.
  static func wipe(_ bytes: UnsafeMutableRawBufferPointer) {
    guard let start = bytes.baseAddress else { return }
    #if canImport(Darwin)
      _ = memset_s(start, bytes.count, 0, bytes.count)
    #else
      explicit_bzero(start, bytes.count)
    #endif
  }

  /// Keeps the memory out of files that the system writes when a program crashes. On Linux also away from other programs of
  /// the same user, and from helpers that take such files in place of the system: those don't care for the limit.
  /// https://man7.org/linux/man-pages/man5/core.5.html
  package static func preventDumps() {
    Platform.limit(.dumps, to: 0)
    #if !canImport(Darwin)
      _ = storescope_prevent_dumps()
    #endif
  }
}
