import Values

#if canImport(Darwin)
  internal import Darwin
#else
  @preconcurrency internal import Glibc
#endif

/// Copies bytes into new files, hashing on the way, and does not come back before they are on the medium.
package enum FileCopy {
  private static let chunk = 1 << 20

  /// Copies a file that no lock of SQLite's lies on.
  /// - Returns: its size and hash.
  static func copy(_ source: String, to path: String) throws -> (bytes: Int64, sha256: String) {
    let descriptor = open(source, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw problem("read", source) }
    defer { close(descriptor) }
    let copied = try write(to: path) { buffer in
      while true {
        let count = read(descriptor, buffer.baseAddress, buffer.count)
        if count < 0, errno == EINTR { continue }
        guard count >= 0 else { throw problem("read", source) }
        return count
      }
    }
    takeOver(source, to: path)
    return copied
  }

  /// Gives a copy the owner, rights and times of what it is a copy of; the owner where the system lets it. A folder stays
  /// one that its owner can change: it can't be moved otherwise.
  static func takeOver(_ source: String, to path: String) {
    var status = stat()
    guard stat(source, &status) == 0 else { return }
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
    guard descriptor >= 0 else { return }
    defer { close(descriptor) }
    setOwner(descriptor, status)
    fchmod(descriptor, status.st_mode & 0o7777 | (status.st_mode & S_IFMT == S_IFDIR ? S_IRWXU : 0))
    #if canImport(Darwin)
      let times = [status.st_atimespec, status.st_mtimespec]
    #else
      let times = [status.st_atim, status.st_mtim]
    #endif
    futimens(descriptor, times)
  }

  /// The same for the folders that files lie in, once all the files are there.
  /// - Parameter files: each one's path below `source`, and below `target`.
  static func takeOverFolders(of files: [(from: String, to: String)], in source: String, to target: String) {
    var folders: [String: String] = [:]
    for file in files {
      var (from, to) = (file.from[...], file.to[...])
      while let slash = from.lastIndex(of: "/"), let other = to.lastIndex(of: "/") {
        (from, to) = (from[..<slash], to[..<other])
        folders[String(to)] = String(from)
      }
    }
    // The time of a folder changes with what is made in it.
    for (to, from) in folders.sorted(by: { $0.key.utf8.count > $1.key.utf8.count }) {
      takeOver("\(source)/\(from)", to: "\(target)/\(to)")
    }
  }

  /// Gives what was made beside a store to the store's owner, where the system lets it: of use to the administrator only.
  package static func takeOwner(of source: String, to path: String) {
    var status = stat()
    guard stat(source, &status) == 0 else { return }
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
    guard descriptor >= 0 else { return }
    defer { close(descriptor) }
    setOwner(descriptor, status)
  }

  /// The group alone can be set by a member of it.
  private static func setOwner(_ descriptor: Int32, _ status: stat) {
    if fchown(descriptor, status.st_uid, status.st_gid) != 0 {
      _ = fchown(descriptor, uid_t.max, status.st_gid)
    }
  }

  /// Lets the owner write what was read-only where it comes from.
  static func makeWritable(_ path: String) {
    var status = stat()
    if stat(path, &status) == 0 { chmod(path, status.st_mode & 0o7777 | 0o200) }
  }

  /// Makes the file from what `next` fills the buffer with, until it gives 0.
  package static func write(
    to path: String, _ next: (UnsafeMutableRawBufferPointer) throws -> Int
  ) throws -> (bytes: Int64, sha256: String) {
    let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw problem("write", path) }
    defer { close(descriptor) }
    var hash = SHA256()
    var total: Int64 = 0
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: chunk, alignment: 16)
    defer { buffer.deallocate() }
    while true {
      let count = try next(buffer)
      if count == 0 { break }
      let bytes = UnsafeRawBufferPointer(rebasing: buffer[..<count])
      hash.update(bytes)
      guard Platform.write(bytes, to: descriptor) else { throw problem("write", path) }
      total += Int64(count)
    }
    guard fsync(descriptor) == 0 else { throw problem("write", path) }
    return (total, Hexadecimal.lowercase(hash.finish()))
  }

  /// The size and hash of a file as it is on the medium.
  static func measure(_ path: String) throws -> (bytes: Int64, sha256: String) {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw problem("read", path) }
    defer { close(descriptor) }
    var hash = SHA256()
    var total: Int64 = 0
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: chunk, alignment: 16)
    defer { buffer.deallocate() }
    while true {
      let count = read(descriptor, buffer.baseAddress, buffer.count)
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else { throw problem("read", path) }
      if count == 0 { break }
      hash.update(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
      total += Int64(count)
    }
    return (total, Hexadecimal.lowercase(hash.finish()))
  }

  /// Makes the folder and those it lies in.
  package static func makeFolder(_ path: String) throws {
    if mkdir(path, 0o700) == 0 || (errno == EEXIST && Platform.isFolder(path) == true) { return }
    if errno == ENOENT, let slash = path.lastIndex(of: "/"), slash != path.startIndex {
      try makeFolder(String(path[..<slash]))
      if mkdir(path, 0o700) == 0 { return }
    }
    throw problem("make", path)
  }

  /// Names in a folder are on the medium only once the folder is: https://man7.org/linux/man-pages/man2/fsync.2.html
  package static func settle(folder: String) {
    let descriptor = open(folder, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return }
    fsync(descriptor)
    close(descriptor)
  }

  package static func exists(_ path: String) -> Bool {
    var status = stat()
    return lstat(path, &status) == 0
  }

  /// Whether both names lead to one file, through links of any kind.
  static func isSame(_ path: String, _ other: String) -> Bool {
    var (one, two) = (stat(), stat())
    guard stat(path, &one) == 0, stat(other, &two) == 0 else { return false }
    return one.st_dev == two.st_dev && one.st_ino == two.st_ino
  }

  static func move(_ path: String, to other: String) throws {
    guard rename(path, other) == 0 else { throw problem("rename", path) }
  }

  /// As `move`, but never over what lies there already: a link, other than a new name, does not replace anything.
  /// https://pubs.opengroup.org/onlinepubs/9799919799/functions/link.html
  package static func moveNew(_ path: String, to other: String) throws {
    var status = stat()
    guard lstat(path, &status) == 0 else { throw problem("rename", path) }
    if status.st_mode & S_IFMT != S_IFDIR {
      if link(path, other) == 0 {
        unlink(path)
        return
      }
      // A folder has no second name, and some file systems know none at all.
      guard [EPERM, ENOTSUP, EOPNOTSUPP, EEXIST].contains(errno) else { throw problem("rename", path) }
    }
    guard !exists(other) else {
      throw StoreScopeError("Somebody else made '\(other)' meanwhile, which stays as it is.")
    }
    try move(path, to: other)
  }

  /// What tells a file or folder from another one that comes to have its name.
  struct Identity: Equatable {
    private let device: UInt64
    private let number: UInt64

    init?(_ path: String) {
      var status = stat()
      guard lstat(path, &status) == 0 else { return nil }
      device = UInt64(truncatingIfNeeded: status.st_dev)
      number = UInt64(truncatingIfNeeded: status.st_ino)
    }
  }

  /// Takes a file, a link or a whole folder away; nothing where there is none.
  package static func remove(_ path: String) {
    var status = stat()
    guard lstat(path, &status) == 0 else { return }
    if status.st_mode & S_IFMT == S_IFDIR {
      for name in (try? FileReader.names(in: path, limit: .max)) ?? [] { remove("\(path)/\(name)") }
      rmdir(path)
    } else {
      unlink(path)
    }
  }

  /// Bytes that an ordinary user may still write there; nil where the system doesn't tell.
  static func freeBytes(at folder: String) -> Int64? {
    var status = statvfs()
    guard statvfs(folder, &status) == 0 else { return nil }
    return Int64(clamping: UInt64(status.f_bavail) &* UInt64(status.f_frsize))
  }

  static func isWritable(_ path: String) -> Bool { access(path, W_OK) == 0 }

  private static func problem(_ verb: String, _ path: String) -> StoreScopeError {
    StoreScopeError("'\(path)' could not be \(past[verb] ?? verb): \(Platform.lastError()).")
  }

  private static let past = ["read": "read", "write": "written", "make": "made", "rename": "renamed"]
}
