import Values

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// Whom a file belongs to, who may do what with it, its times and its extended attributes.
package enum FileAttributes {
  /// Gives an open copy those of the open file that it is a copy of; the owner if the system lets it. A folder stays one
  /// that its owner can change: it can't be moved otherwise.
  package static func takeOver(_ source: OpenFile, to copy: OpenFile) {
    takeOver(source.descriptor, to: copy.descriptor)
  }

  private static func takeOver(_ source: Int32, to copy: Int32) {
    var status = stat()
    guard fstat(source, &status) == 0 else { return }
    ExtendedAttributes.copy(fromOpenFile: source, to: copy)
    set(status, of: copy)
  }

  /// The same of a file that is not opened, as it may be the store that is held under lock.
  package static func takeOver(_ source: String, to path: String) {
    change(path, like: source) { descriptor, status in
      ExtendedAttributes.copy(from: source, to: descriptor)
      set(status, of: descriptor)
    }
  }

  private static func set(_ status: stat, of descriptor: Int32) {
    setOwner(descriptor, status.st_uid, status.st_gid)
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
  package static func takeOverFolders(
    of files: [(from: String, to: String)], in source: OpenFolder, to target: OpenFolder
  ) {
    var folders: [String: String] = [:]
    for file in files {
      var (from, to) = file
      while let source = PathText.split(from).folder, let target = PathText.split(to).folder {
        (from, to) = (source, target)
        folders[to] = from
      }
    }
    // The time of a folder changes with what is made in it.
    for (to, from) in folders.sorted(by: { $0.key.utf8.count > $1.key.utf8.count }) {
      try? source.withDescriptor(of: from) { from in
        try target.withDescriptor(of: to) { takeOver(from, to: $0) }
      }
    }
  }

  /// Gives what was made next to a store to the store's owner, if the system lets it: of use to the administrator only.
  package static func takeOwner(of source: String, to path: String) {
    change(path, like: source) { setOwner($0, $1.st_uid, $1.st_gid) }
  }

  /// Gives a new file that its maker alone may read the owner and the rights of another one, as far as the system lets it:
  /// a group that it doesn't have gets no rights.
  static func takeAccess(of source: String, to descriptor: Int32) {
    var (wanted, given) = (stat(), stat())
    guard stat(source, &wanted) == 0 else { return }
    setOwner(descriptor, wanted.st_uid, wanted.st_gid)
    guard fstat(descriptor, &given) == 0 else { return }
    fchmod(descriptor, wanted.st_mode & (given.st_gid == wanted.st_gid ? 0o666 : 0o606) | 0o600)
  }

  /// Lets the owner write an open file that was read-only where it comes from.
  static func makeWritable(_ descriptor: Int32) {
    var status = stat()
    if fstat(descriptor, &status) == 0 { fchmod(descriptor, status.st_mode & 0o7777 | 0o200) }
  }

  /// The source is not opened.
  private static func change(_ path: String, like source: String, _ body: (Int32, stat) -> Void) {
    var status = stat()
    guard stat(source, &status) == 0 else { return }
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
    guard descriptor >= 0 else { return }
    defer { close(descriptor) }
    body(descriptor, status)
  }

  static func setOwner(_ descriptor: Int32, _ status: FileStatus) {
    setOwner(descriptor, status.owner, status.group)
  }

  /// The group alone can be set by a member of it.
  private static func setOwner(_ descriptor: Int32, _ owner: uid_t, _ group: gid_t) {
    if fchown(descriptor, owner, group) != 0 { _ = fchown(descriptor, uid_t.max, group) }
  }
}
