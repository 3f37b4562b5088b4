#if canImport(Darwin)
  internal import Darwin
#else
  @preconcurrency internal import Glibc
#endif

/// Makes, moves and takes away files and folders. Links are taken for what they are, never followed.
package enum Files {
  package static func exists(_ path: String) -> Bool {
    var status = stat()
    return lstat(path, &status) == 0
  }

  /// Whether it is a folder itself, not a link to one.
  package static func isFolder(_ path: String) -> Bool {
    var status = stat()
    return lstat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
  }

  package static func isWritable(_ path: String) -> Bool { access(path, W_OK) == 0 }

  /// Makes the folder and those it lies in, where they are not there.
  package static func makeFolder(_ path: String, mode: UInt16 = 0o700) throws {
    if mkdir(path, mode_t(mode)) == 0 || (errno == EEXIST && Platform.isFolder(path) == true) { return }
    if errno == ENOENT, let slash = path.lastIndex(of: "/"), slash != path.startIndex {
      try makeFolder(String(path[..<slash]), mode: mode)
      if mkdir(path, mode_t(mode)) == 0 || (errno == EEXIST && Platform.isFolder(path) == true) { return }
    }
    throw problem("made", path)
  }

  /// Makes a folder that must not be there yet.
  /// - Returns: false where something of that name is there.
  package static func makeNewFolder(_ path: String) throws -> Bool {
    if mkdir(path, 0o700) == 0 { return true }
    if errno == EEXIST { return false }
    throw problem("made", path)
  }

  /// Writes the file anew.
  package static func write(_ bytes: [UInt8], to path: String) throws {
    let descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
    guard descriptor >= 0 else { throw problem("written", path) }
    defer { close(descriptor) }
    guard bytes.withUnsafeBytes({ Platform.write($0, to: descriptor) }) else {
      throw problem("written", path)
    }
  }

  /// Gives it another name, in place of what has that name, at one moment.
  package static func move(_ path: String, to other: String) throws {
    guard rename(path, other) == 0 else { throw problem("renamed", path) }
  }

  /// As `move`, but never over what lies there already: a link, other than a new name, does not replace anything.
  /// https://pubs.opengroup.org/onlinepubs/9799919799/functions/link.html
  package static func moveNew(_ path: String, to other: String) throws {
    if try link(path, to: other) {
      unlink(path)
      return
    }
    // Some file systems know no second names.
    guard !exists(other) else { throw madeMeanwhile(other) }
    try move(path, to: other)
  }

  /// Gives a file, or a link, a second name.
  /// - Returns: false where the file system or its rights don't let that be.
  /// - Throws: `StoreScopeError` where the name is taken.
  package static func link(_ path: String, to other: String) throws -> Bool {
    if linkat(AT_FDCWD, path, AT_FDCWD, other, 0) == 0 { return true }
    if errno == EEXIST { throw madeMeanwhile(other) }
    guard [EPERM, EACCES, ENOTSUP, EOPNOTSUPP, EMLINK, ENOSYS].contains(errno) else {
      throw problem("linked", path)
    }
    return false
  }

  package static func madeMeanwhile(_ path: String) -> StoreScopeError {
    StoreScopeError(.occupied, "Somebody else made '\(path)' meanwhile, which stays as it is", about: path)
  }

  /// Takes a file, a link or a whole folder away; nothing where there is none.
  package static func remove(_ path: String) {
    if isFolder(path) {
      for name in (try? FileReader.names(in: path, limit: .max)) ?? [] { remove("\(path)/\(name)") }
      rmdir(path)
    } else {
      unlink(path)
    }
  }

  /// Takes a folder away if nothing is in it.
  package static func removeEmptyFolder(_ path: String) { rmdir(path) }

  /// Names in a folder are on the medium only once the folder is: https://man7.org/linux/man-pages/man2/fsync.2.html
  package static func sync(folder: String) {
    let descriptor = open(folder, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return }
    fsync(descriptor)
    close(descriptor)
  }

  private static func problem(_ verb: String, _ path: String) -> StoreScopeError {
    .couldNotBe(verb, path, Platform.lastError())
  }
}

/// The rights of files that are made, before the umask takes its part.
package struct FileRights: Sendable, Equatable {
  package let file: UInt16

  /// For results that are meant for others.
  package static let ordinary = FileRights(file: 0o644)

  private init(file: UInt16) { self.file = file }

  /// For what holds another file's values: nobody may read it who may not read that file. The owner's alone if that
  /// can't be told.
  package init(like path: String) {
    var status = stat()
    guard stat(path, &status) == 0 else {
      file = 0o600
      return
    }
    // The new file gets the group of whoever makes it.
    file = UInt16(status.st_mode & (status.st_gid == getegid() ? 0o644 : 0o604)) | 0o600
  }

  /// Who may read the files may list their folder.
  package var folder: UInt16 { file | (file & 0o444) >> 2 }
}

/// What tells a file or folder from another one that comes to have its name.
package struct FileIdentity: Hashable, Sendable {
  private let device: UInt64
  private let number: UInt64

  /// Nil where there is nothing.
  package init?(_ path: String) {
    var status = stat()
    guard lstat(path, &status) == 0 else { return nil }
    self.init(status)
  }

  package init?(ofOpenFile descriptor: Int32) {
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { return nil }
    self.init(status)
  }

  /// Of what links of any kind lead to.
  package init?(following path: String) {
    var status = stat()
    guard stat(path, &status) == 0 else { return nil }
    self.init(status)
  }

  /// As the system writes the two numbers, which is another type of number on each.
  package init(device: some BinaryInteger, number: some BinaryInteger) {
    self.device = UInt64(truncatingIfNeeded: device)
    self.number = UInt64(truncatingIfNeeded: number)
  }

  private init(_ status: stat) { self.init(device: status.st_dev, number: status.st_ino) }
}
