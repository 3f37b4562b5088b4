import Values

#if canImport(Darwin)
  internal import Darwin
#else
  @preconcurrency internal import Glibc
#endif

/// A process that has the store open.
package struct LockHolder: Sendable, Equatable {
  /// nil where the system does not tell, as for a process of another container.
  package var processID: Int32?
  /// Nobody else may read.
  package var isExclusive: Bool

  package init(processID: Int32?, isExclusive: Bool) {
    self.processID = processID
    self.isExclusive = isExclusive
  }

  package var description: String { processID.map { "process \($0)" } ?? "another process" }
}

/// Asks who holds SQLite's locks on a store, and takes none. Locks of this process are not seen.
///
/// A store in WAL mode shows a lock as long as a connection is open; one with a rollback journal only while it is
/// being read or written. The descriptors stay open until the probe goes, which must be after SQLite closed the
/// store: see `ReadOnlyFile`.
package final class LockProbe {
  private let main: ReadOnlyFile
  private let shm: ReadOnlyFile?

  // The lock bytes, https://www.sqlite.org/src/file/src/os.h and https://www.sqlite.org/walformat.html
  private static let pendingByte: Int64 = 0x4000_0000
  private static let reservedByte = pendingByte + 1
  private static let sharedBytes = pendingByte + 2..<pendingByte + 512
  private static let shmBytes: Range<Int64> = 120..<129

  package init(_ files: StoreFiles) throws {
    main = try ReadOnlyFile(files.resolvedPath)
    // One that can't be read tells nothing; the main file's locks still do.
    shm = files.shm == nil ? nil : try? ReadOnlyFile(files.shmPath)
  }

  /// Somebody who keeps everybody else out, else anybody who has the store open, else nil.
  package func holder() -> LockHolder? {
    if let writer = Self.holder(main, Self.sharedBytes, against: F_RDLCK) {
      return LockHolder(processID: writer, isExclusive: true)
    }
    let all = Self.pendingByte..<Self.sharedBytes.upperBound
    let found =
      Self.holder(main, all, against: F_WRLCK)
      ?? shm.flatMap { Self.holder($0, Self.shmBytes, against: F_WRLCK) }
    return found.map { LockHolder(processID: $0, isExclusive: false) }
  }

  /// Whether a process is in the middle of a transaction with a rollback journal.
  func isWriting() -> Bool {
    Self.holder(main, Self.reservedByte..<Self.reservedByte + 1, against: F_RDLCK) != nil
  }

  /// The process whose lock stands against one of that kind; a process of `.some(nil)` is unknown.
  private static func holder(_ file: ReadOnlyFile, _ bytes: Range<Int64>, against kind: Int32) -> Int32?? {
    var lock = flock()
    lock.l_type = Int16(kind)
    lock.l_whence = Int16(SEEK_SET)
    lock.l_start = off_t(bytes.lowerBound)
    lock.l_len = off_t(bytes.count)
    guard fcntl(file.descriptor, F_GETLK, &lock) == 0, lock.l_type != Int16(F_UNLCK) else { return nil }
    return .some(lock.l_pid > 0 ? lock.l_pid : nil)
  }
}
