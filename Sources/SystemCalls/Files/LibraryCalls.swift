#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// Calls that SQLite makes in our place, see https://www.sqlite.org/c3ref/vfs.html: C functions with the parameters of
/// those of the system.
package enum LibraryCalls {
  /// For `fchown`: files that are open for writing get their owner as ever, others keep it. Nil where it isn't called, as
  /// the process is no administrator's.
  package static var changeOwner: (@convention(c) (Int32, UInt32, UInt32) -> Int32)? {
    guard geteuid() == 0 else { return nil }
    return { descriptor, user, group in
      let status = fcntl(descriptor, F_GETFL)
      return status >= 0 && status & O_ACCMODE == O_RDONLY ? 0 : fchown(descriptor, user, group)
    }
  }

  /// For `open`: what is opened for reading only keeps the time of its last access. Nil where the system has nothing like
  /// that.
  package static var open: (@convention(c) (UnsafePointer<CChar>?, Int32, Int32) -> Int32)? {
    #if canImport(Darwin)
      return nil
    #else
      return { path, flags, mode in
        guard let path else { return -1 }
        if flags & O_ACCMODE == O_RDONLY {
          let descriptor = Glibc.open(path, flags | Platform.noAccessTime, mode_t(bitPattern: mode))
          if descriptor >= 0 || errno != EPERM { return descriptor }
        }
        return Glibc.open(path, flags, mode_t(bitPattern: mode))
      }
    #endif
  }
}
