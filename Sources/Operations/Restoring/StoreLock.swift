import Evidence
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
  /// What tells the locked file from others that come to have its name.
  let identity: FileIdentity
  private let descriptor: Int32
  private let path: String

  // From the pending byte over the reserved one to the last shared one: SQLite's exclusive lock.
  private static let firstByte: Int64 = 0x4000_0000
  private static let byteCount: Int64 = 512

  /// - Throws: `StoreScopeError` if somebody has the store open, it can't be written, or it is no regular file. What was
  ///   changed until then only the caller knows.
  init(_ part: String, in folder: OpenFolder) throws {
    path = folder.path(of: part)
    let opened = try folder.openFile(part, writing: true)
    guard let identity = FileIdentity(ofOpenFile: opened) else {
      defer { close(opened) }
      throw OpenFolder.problem("examined", path)
    }
    (descriptor, self.identity) = (opened, identity)
    var lock = flock()
    lock.l_type = Int16(F_WRLCK)
    lock.l_whence = Int16(SEEK_SET)
    lock.l_start = off_t(Self.firstByte)
    lock.l_len = off_t(Self.byteCount)
    guard fcntl(descriptor, F_SETLK, &lock) != 0 else { return }
    let problem = errno
    let holder = fcntl(descriptor, F_GETLK, &lock) == 0 && lock.l_type != Int16(F_UNLCK) ? lock.l_pid : 0
    // `deinit` closes it.
    guard problem == EACCES || problem == EAGAIN else {
      throw StoreScopeError(.unwritable, path, "can't be locked: \(String(cString: strerror(problem)))")
    }
    let user = LockHolder(processID: holder > 0 ? holder : nil, isExclusive: true)
    throw StoreScopeError(.busy, path, "is \(user.inUse())")
  }

  deinit { close(descriptor) }

  /// Sees to it that nobody has the file open: whoever waits for this lock, or is idle, would go on with a file that has
  /// lost its name, and with the -wal of the one that has it now.
  func refuseUsers() throws {
    guard let user = FileUsers.lastingProcess(of: [identity]) else { return }
    throw LockHolder(processID: user, isExclusive: false).refusal(of: path)
  }

  /// Copies the file through the descriptor that holds the lock.
  func copy(to folder: OpenFolder, as part: String) throws {
    var offset: off_t = 0
    _ = try FileCopy.write(part, in: folder) { buffer in
      while true {
        let count = pread(descriptor, buffer.baseAddress, buffer.count, offset)
        if count < 0, errno == EINTR { continue }
        guard count >= 0 else {
          throw StoreScopeError.couldNotBe("read", path, Platform.lastError())
        }
        offset += off_t(count)
        return count
      }
    } finish: {
      FileAttributes.takeOver(descriptor, to: $0)
    }
  }
}
