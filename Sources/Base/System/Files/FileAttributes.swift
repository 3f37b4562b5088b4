#if canImport(Darwin)
  import Darwin
#else
  import CXattr
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
  package static func takeOver(_ source: String, to copy: OpenFile) {
    var status = stat()
    guard stat(source, &status) == 0 else { return }
    ExtendedAttributes.copy(from: source, to: copy.descriptor)
    set(status, of: copy.descriptor)
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
    // The source is not opened.
    guard let status = FileStatus(source) else { return }
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
    guard descriptor >= 0 else { return }
    setOwner(descriptor, status.owner, status.group)
    close(descriptor)
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

  /// The group alone can be set by a member of it.
  static func setOwner(_ descriptor: Int32, _ owner: uid_t, _ group: gid_t) {
    if fchown(descriptor, owner, group) != 0 { _ = fchown(descriptor, uid_t.max, group) }
  }
}

/// What a file system keeps of a file in addition to its content: tags, comments, where it came from.
/// https://man7.org/linux/man-pages/man7/xattr.7.html
package enum ExtendedAttributes {
  /// Gives an open file those of one that isn't opened, as far as the file system and the user's rights let it.
  package static func copy(from source: String, to target: Int32) {
    copy(filled { listxattr(source, $0, $1) }, to: target) { value(of: $0, source) }
  }

  /// The same from an open file.
  package static func copy(fromOpenFile source: Int32, to target: Int32) {
    copy(filled { flistxattr(source, $0, $1) }, to: target) { name in
      filled { fgetxattr(source, name, $0, $1) }
    }
  }

  /// - Parameter names: each with a zero behind it; nil where there are none.
  private static func copy(_ names: [UInt8]?, to target: Int32, _ value: (String) -> [UInt8]?) {
    for bytes in (names ?? []).split(separator: 0) {
      let name = String(decoding: bytes, as: UTF8.self)
      if let value = value(name) { set(name, value, ofOpenFile: target) }
    }
  }

  /// - Returns: false where the file system, or the user's rights, don't let that be.
  @discardableResult
  package static func set(_ name: String, _ value: [UInt8], ofOpenFile descriptor: Int32) -> Bool {
    fsetxattr(descriptor, name, value, value.count, 0) == 0
  }

  /// Nil where the file has none of that name.
  package static func value(of name: String, _ path: String) -> [UInt8]? {
    filled { getxattr(path, name, $0, $1) }
  }

  /// Asks for the size first, then for the bytes; nil where there are none.
  private static func filled(_ call: (UnsafeMutablePointer<CChar>?, Int) -> Int) -> [UInt8]? {
    let size = call(nil, 0)
    guard size >= 0 else { return nil }
    var bytes = [CChar](repeating: 0, count: size)
    let count = bytes.withUnsafeMutableBufferPointer { call($0.baseAddress, $0.count) }
    return count >= 0 ? bytes.prefix(count).map(UInt8.init(bitPattern:)) : nil
  }
}

#if canImport(Darwin)
  // On macOS the calls also take an offset into the value, and options.
  private typealias Buffer = UnsafeMutablePointer<CChar>?

  private func listxattr(_ path: String, _ buffer: Buffer, _ count: Int) -> Int {
    Darwin.listxattr(path, buffer, count, 0)
  }

  private func flistxattr(_ file: Int32, _ buffer: Buffer, _ count: Int) -> Int {
    Darwin.flistxattr(file, buffer, count, 0)
  }

  private func getxattr(_ path: String, _ name: String, _ buffer: Buffer, _ count: Int) -> Int {
    Darwin.getxattr(path, name, buffer, count, 0, 0)
  }

  private func fgetxattr(_ file: Int32, _ name: String, _ buffer: Buffer, _ count: Int) -> Int {
    Darwin.fgetxattr(file, name, buffer, count, 0, 0)
  }

  private func fsetxattr(_ file: Int32, _ name: String, _ value: [UInt8], _ count: Int, _: Int32) -> Int32 {
    Darwin.fsetxattr(file, name, value, count, 0, 0)
  }
#endif
