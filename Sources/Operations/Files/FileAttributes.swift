import Values

#if canImport(Darwin)
  internal import Darwin
#else
  @preconcurrency internal import Glibc
#endif

/// Whom a file belongs to, who may do what with it, its times and its extended attributes.
enum FileAttributes {
  /// Gives a copy those of what it is a copy of; the owner where the system lets it. A folder stays one that its owner
  /// can change: it can't be moved otherwise.
  static func takeOver(_ source: String, to path: String) {
    ExtendedAttributes.copy(from: source, to: path)
    change(path, like: source) { descriptor, status in
      setOwner(descriptor, status)
      fchmod(descriptor, status.st_mode & 0o7777 | (status.st_mode & S_IFMT == S_IFDIR ? S_IRWXU : 0))
      #if canImport(Darwin)
        let times = [status.st_atimespec, status.st_mtimespec]
      #else
        let times = [status.st_atim, status.st_mtim]
      #endif
      futimens(descriptor, times)
    }
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
  static func takeOwner(of source: String, to path: String) {
    change(path, like: source, setOwner)
  }

  /// Gives a new file that its maker alone may read the owner and the rights of another one, as far as the system lets it:
  /// a group that it doesn't have gets no rights.
  static func takeAccess(of source: String, to descriptor: Int32) {
    var (wanted, given) = (stat(), stat())
    guard stat(source, &wanted) == 0 else { return }
    setOwner(descriptor, wanted)
    guard fstat(descriptor, &given) == 0 else { return }
    fchmod(descriptor, wanted.st_mode & (given.st_gid == wanted.st_gid ? 0o666 : 0o606) | 0o600)
  }

  /// Lets the owner write what was read-only where it comes from.
  static func makeWritable(_ path: String) {
    var status = stat()
    if stat(path, &status) == 0 { chmod(path, status.st_mode & 0o7777 | 0o200) }
  }

  /// The source is not opened: it may be the store that is held under lock.
  private static func change(_ path: String, like source: String, _ body: (Int32, stat) -> Void) {
    var status = stat()
    guard stat(source, &status) == 0 else { return }
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
    guard descriptor >= 0 else { return }
    defer { close(descriptor) }
    body(descriptor, status)
  }

  /// The group alone can be set by a member of it.
  private static func setOwner(_ descriptor: Int32, _ status: stat) {
    if fchown(descriptor, status.st_uid, status.st_gid) != 0 {
      _ = fchown(descriptor, uid_t.max, status.st_gid)
    }
  }
}
