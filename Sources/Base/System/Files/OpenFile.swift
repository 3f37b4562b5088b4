#if canImport(Darwin)
  import Darwin
#else
  import CLinux
  import Glibc
#endif

/// A file that is open, until it is closed or this value goes.
///
/// Closing it drops every POSIX lock that this process holds on the file, whoever took it
/// (https://www.sqlite.org/howtocorrupt.html, 2.2). So a store's main file and its -shm are closed either before SQLite
/// opens them or after it closed them.
package final class OpenFile {
  /// -1 once it is closed.
  package private(set) var descriptor: Int32

  /// What a file is opened for. A program that is started gets none of them.
  package enum Purpose {
    /// Never waits for a pipe's other end, and leaves the time of the last access if the system lets that be.
    case reading
    /// The same, if it is no link.
    case readingNoLink
    /// Something that isn't there yet.
    case making
    /// Writing at its end; it's made if it isn't there.
    case appending
    /// Writing at the end of something that isn't there yet.
    case makingToAppend
    /// Rewriting it; it's made if it isn't there.
    case rewriting
    /// Holding a lock; it's made if it isn't there.
    case locking

    fileprivate var flags: Int32 {
      switch self {
      case .reading: O_RDONLY | O_NONBLOCK
      case .readingNoLink: O_RDONLY | O_NONBLOCK | O_NOFOLLOW
      case .making: O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW
      case .appending: O_RDWR | O_CREAT | O_APPEND | O_NOFOLLOW
      case .makingToAppend: O_WRONLY | O_CREAT | O_EXCL | O_APPEND | O_NOFOLLOW
      case .rewriting: O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW
      case .locking: O_RDWR | O_CREAT | O_NOFOLLOW | O_NONBLOCK
      }
    }
  }

  /// Only what is opened for reading may be a link. Nil if it can't be opened; `Platform.lastFailure` says why.
  /// - Parameter rights: of a file that is made.
  package convenience init?(_ path: String, for purpose: Purpose, rights: FileRights = .own) {
    self.init(path, in: AT_FDCWD, for: purpose, rights)
  }

  convenience init?(_ path: String, in folder: Int32, for purpose: Purpose, _ rights: FileRights = .own) {
    let descriptor = Self.descriptor(path, in: folder, for: purpose, rights)
    guard descriptor >= 0 else { return nil }
    self.init(descriptor)
  }

  static func descriptor(
    _ path: String, in folder: Int32, for purpose: Purpose, _ rights: FileRights = .own
  ) -> Int32 {
    purpose == .reading || purpose == .readingNoLink
      ? Platform.openQuietly(path, purpose.flags, in: folder)
      : openat(folder, path, purpose.flags | O_CLOEXEC, mode_t(rights.file))
  }

  /// A pipe or a device that is there, to write to. Opening it never waits for a reader; writing to it does.
  package convenience init?(special path: String) {
    // Without O_NONBLOCK a pipe without a reader would wait for one.
    let descriptor = open(path, O_WRONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else { return nil }
    _ = fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) & ~O_NONBLOCK)
    self.init(descriptor)
  }

  /// The same file under a descriptor of its own; the other one stays the caller's. Nil if it can't be opened a second time.
  package convenience init?(duplicating other: Int32) {
    let descriptor = fcntl(other, F_DUPFD_CLOEXEC, 0)
    guard descriptor >= 0 else { return nil }
    self.init(descriptor)
  }

  /// - Parameter descriptor: belongs to this value from now on.
  init(_ descriptor: Int32) { self.descriptor = descriptor }

  package func close() {
    if descriptor >= 0 { systemClose(descriptor) }
    descriptor = -1
  }

  deinit { close() }

  /// Nil if the system can't report it.
  package var status: FileStatus? { FileStatus(ofOpenFile: descriptor) }

  // MARK: - Bytes

  /// Has the system not fetch what lies behind each place that is read.
  package func expectJumps() {
    #if canImport(Darwin)
      _ = fcntl(descriptor, F_RDAHEAD, 0)
    #else
      posix_fadvise(descriptor, 0, 0, POSIX_FADV_RANDOM)
    #endif
  }

  /// Fills the buffer from that place of the file on, as far as the file goes.
  /// - Returns: how many bytes there were, and whether the system failed to read more.
  package func read(
    into buffer: UnsafeMutableRawBufferPointer, at offset: Int64
  ) -> (count: Int, hasFailed: Bool) {
    var done = 0
    while done < buffer.count, let start = buffer.baseAddress {
      let count = pread(descriptor, start + done, buffer.count - done, off_t(offset + Int64(done)))
      if count < 0, errno == EINTR { continue }
      if count <= 0 { return (done, count < 0) }
      done += count
    }
    return (done, false)
  }

  /// Up to `count` bytes from that place on.
  package func bytes(_ count: Int, at offset: Int64 = 0) -> [UInt8] {
    [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
      filled = read(into: UnsafeMutableRawBufferPointer(buffer), at: offset).count
    }
  }

  /// The next bytes, as many as come at once; 0 at the end, nil if the system can't read them.
  func next(into buffer: UnsafeMutableRawBufferPointer) -> Int? {
    while true {
      let count = systemRead(descriptor, buffer.baseAddress, buffer.count)
      if count < 0, errno == EINTR { continue }
      return count < 0 ? nil : count
    }
  }

  /// Goes to the end of the hole that begins at this place, which reads as zeros and isn't on the medium.
  /// https://man7.org/linux/man-pages/man2/lseek.2.html
  /// - Returns: how long it is; 0 where there is none, or the file system doesn't report it.
  func skipHole(at offset: Int64, size: Int64) -> Int64 {
    #if canImport(Darwin)
      let toData: Int32 = 4
    #else
      let toData: Int32 = 3
    #endif
    let data = lseek(descriptor, off_t(offset), toData)
    let end = data < 0 && errno == ENXIO ? size : Int64(data)
    return end > offset && lseek(descriptor, off_t(end), SEEK_SET) == end ? end - offset : 0
  }

  /// False if not everything could be written.
  package func write(_ bytes: UnsafeRawBufferPointer) -> Bool { Platform.write(bytes, to: descriptor) }

  package func write(_ text: String) -> Bool {
    var text = text
    return text.withUTF8 { write(UnsafeRawBufferPointer($0)) }
  }

  /// The same from that place of the file on.
  package func write(_ bytes: UnsafeRawBufferPointer, at offset: Int64) -> Bool {
    var done = 0
    while done < bytes.count, let start = bytes.baseAddress {
      let count = pwrite(descriptor, start + done, bytes.count - done, off_t(offset + Int64(done)))
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { return false }
      done += count
    }
    return true
  }

  /// False if it could not be made that long.
  @discardableResult
  package func truncate(to size: Int64) -> Bool { ftruncate(descriptor, off_t(size)) == 0 }

  /// Has the system put those bytes on the medium while the caller goes on, so that `sync` has less to wait for. Where
  /// there is no such call `sync` does all of it.
  package func beginSync(_ range: Range<Int64>) {
    #if canImport(Darwin)
    #else
      storescope_begin_sync(descriptor, range.lowerBound, range.upperBound - range.lowerBound)
    #endif
  }

  /// Comes back when all that was written is on the medium; false if that can't be.
  package func sync() -> Bool { Self.sync(descriptor) }

  static func sync(_ descriptor: Int32) -> Bool {
    #if canImport(Darwin)
      // There fsync leaves it in the drive's own memory; some file systems know nothing else:
      // https://developer.apple.com/library/archive/documentation/System/Conceptual/ManPages_iPhoneOS/man2/fsync.2.html
      if fcntl(descriptor, F_FULLFSYNC) == 0 { return true }
    #endif
    return fsync(descriptor) == 0
  }

  /// As far as nanoseconds since 1970 go, in which timestamps are compared.
  func setModified(seconds: Int64) {
    let most = Int64.max / 1_000_000_000
    let time = timespec(tv_sec: time_t(min(max(seconds, -most), most)), tv_nsec: 0)
    futimens(descriptor, [time, time])
  }

  // MARK: - Locks

  package enum LockResult {
    case taken
    /// By a process that is known, or isn't.
    case held(by: Int32?)
    /// What the system said.
    case failed(String)
  }

  /// Keeps everybody else's locks off these bytes, or off the whole file, until it is closed. Never waits.
  /// https://man7.org/linux/man-pages/man2/fcntl_locking.2.html
  package func lock(_ bytes: Range<Int64> = 0..<0) -> LockResult {
    var lock = Self.lock(bytes, F_WRLCK)
    guard fcntl(descriptor, F_SETLK, &lock) != 0 else { return .taken }
    let problem = errno
    guard problem == EACCES || problem == EAGAIN else { return .failed(Platform.text(ofError: problem)) }
    return .held(by: lockHolder(of: bytes, against: .writing) ?? nil)
  }

  package enum LockKind { case reading, writing }

  /// The process whose lock on these bytes stands against one of that kind; a process of `.some(nil)` is unknown. Takes no
  /// lock, and doesn't see those of this process.
  package func lockHolder(of bytes: Range<Int64>, against kind: LockKind) -> Int32?? {
    var lock = Self.lock(bytes, kind == .writing ? F_WRLCK : F_RDLCK)
    guard fcntl(descriptor, F_GETLK, &lock) == 0, lock.l_type != Int16(F_UNLCK) else { return nil }
    return .some(lock.l_pid > 0 ? lock.l_pid : nil)
  }

  private static func lock(_ bytes: Range<Int64>, _ kind: Int32) -> flock {
    var lock = flock()
    lock.l_type = Int16(kind)
    lock.l_whence = Int16(SEEK_SET)
    lock.l_start = off_t(bytes.lowerBound)
    // 0 goes on to the end, wherever that will be.
    lock.l_len = off_t(bytes.count)
    return lock
  }

  /// Claims the file for this process until it is closed; false if another one has. Other than `lock`, that has nothing to
  /// do with SQLite's locks. https://man7.org/linux/man-pages/man2/flock.2.html
  package func claim() -> Bool { systemClaim(descriptor) }
}

extension Platform {
  /// Opens a file or folder to read it, without touching the time of its last access if the system lets that be: Linux
  /// lets the owner and the administrator; macOS has nothing like it.
  /// - Parameter flags: in addition to O_RDONLY and O_CLOEXEC.
  /// - Returns: a descriptor; -1, with `errno`, if it can't be opened.
  static func openQuietly(_ path: String, _ flags: Int32, in folder: Int32 = AT_FDCWD) -> Int32 {
    let flags = flags | O_RDONLY | O_CLOEXEC
    #if !canImport(Darwin)
      let descriptor = openat(folder, path, flags | noAccessTime)
      if descriptor >= 0 || errno != EPERM { return descriptor }
    #endif
    return openat(folder, path, flags)
  }

  #if !canImport(Darwin)
    /// O_NOATIME, which Glibc's module leaves out: https://man7.org/linux/man-pages/man2/open.2.html
    static let noAccessTime: Int32 = 0o1_000_000
  #endif
}
