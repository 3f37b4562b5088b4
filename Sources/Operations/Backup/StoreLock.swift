import Values

#if canImport(Darwin)
  internal import Darwin
#else
  @preconcurrency internal import Glibc
#endif

/// Keeps every user of SQLite out of a store without SQLite: for a file in any state, damaged or with a hot journal,
/// that is only going to be moved. https://www.sqlite.org/lockingv3.html
///
/// While it lives, this process must not open the file in any other way: closing that descriptor would drop the lock.
final class StoreLock {
  private let descriptor: Int32

  // From the pending byte over the reserved one to the last shared one: SQLite's exclusive lock.
  private static let firstByte: Int64 = 0x4000_0000
  private static let byteCount: Int64 = 512

  /// - Throws: `StoreScopeError` where somebody has the store open, or it can't be written.
  init(path: String) throws {
    descriptor = open(path, O_RDWR | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else {
      throw StoreScopeError("'\(path)' can't be written: \(Platform.lastError()); nothing was changed.")
    }
    var lock = flock()
    lock.l_type = Int16(F_WRLCK)
    lock.l_whence = Int16(SEEK_SET)
    lock.l_start = off_t(Self.firstByte)
    lock.l_len = off_t(Self.byteCount)
    guard fcntl(descriptor, F_SETLK, &lock) != 0 else { return }
    let problem = errno
    let holder = fcntl(descriptor, F_GETLK, &lock) == 0 && lock.l_type != Int16(F_UNLCK) ? lock.l_pid : 0
    close(descriptor)
    guard problem == EACCES || problem == EAGAIN else {
      throw StoreScopeError(
        "'\(path)' can't be locked: \(String(cString: strerror(problem))); nothing was changed.")
    }
    throw StoreScopeError(
      "'\(path)' is in use by \(holder > 0 ? "process \(holder)" : "another process"): quit the app and its extensions first; nothing was changed."
    )
  }

  deinit { close(descriptor) }
}
