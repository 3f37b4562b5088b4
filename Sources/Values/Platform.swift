#if canImport(Darwin)
  package import Darwin
#else
  @preconcurrency package import Glibc
#endif

/// What differs between Linux and Apple's systems, and the few calls of the C library that several targets
/// share. No other file of this target names a platform, but `SHA256`.
package enum Platform {
  /// Modification time in nanoseconds since 1970.
  package static func modified(_ status: stat) -> Int64 {
    #if canImport(Darwin)
      let time = status.st_mtimespec
    #else
      let time = status.st_mtim
    #endif
    return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
  }

  /// Seconds of a clock that never goes back.
  package static func monotonicSeconds() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }

  /// What the C library says of the last failed call.
  package static func lastError() -> String { String(cString: strerror(errno)) }
}
