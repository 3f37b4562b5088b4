#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// A folder held open. Whatever its path leads to by now, a part of it is looked for in the folder itself, and no link
/// is followed on the way: nobody can lead us elsewhere between a look and a change.
/// https://man7.org/linux/man-pages/man2/openat.2.html
///
/// Parts are paths relative to the folder; the empty one is the folder itself.
package final class OpenFolder {
  /// For sentences: nothing is opened by it.
  package let path: String
  private let descriptor: Int32

  /// - Parameter follows: whether the path itself may be a link, as one that a person names may.
  /// - Throws: `StoreScopeError` if there is no such folder.
  package convenience init(_ path: String, following follows: Bool = false) throws {
    let descriptor = open(path, Self.flags & ~(follows ? O_NOFOLLOW : 0))
    guard descriptor >= 0 else { throw StoreScopeError.couldNotBe("opened", path) }
    self.init(descriptor, path)
  }

  private init(_ descriptor: Int32, _ path: String) {
    self.descriptor = descriptor
    self.path = path
  }

  deinit { close(descriptor) }

  private static let flags = O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC

  package func path(of part: String) -> String {
    part.isEmpty ? path : path == "/" ? "/\(part)" : "\(path)/\(part)"
  }

  /// Calls `body` with the folder that a part lies in, and its name there; nil if that folder isn't there, or a link
  /// is on the way.
  /// - Throws: `StoreScopeError` if that can't be determined.
  private func inParent<R>(of part: String, _ body: (Int32, String) throws -> R) throws -> R? {
    let components = PathText.names(part)
    // The folder above is none of this one's parts.
    guard !components.contains("..") else {
      throw StoreScopeError(.refused, path(of: part), "leads out of its folder")
    }
    guard let name = components.last else { return try body(descriptor, ".") }
    return try FolderWalk.descend(from: descriptor, components.dropLast()) { _, _ in
      guard Self.lastErrorIsAbsence else { throw StoreScopeError.couldNotBe("opened", path(of: part)) }
      return nil
    } body: {
      try body($0, name)
    }
  }

  /// The same for a call of the system that returns less than 0 if it fails.
  private func call(_ part: String, _ verb: String, _ body: (Int32, String) throws -> Int32) throws -> Int32 {
    let result = try inParent(of: part) { parent, name in
      let result = try body(parent, name)
      guard result >= 0 else { throw StoreScopeError.couldNotBe(verb, path(of: part)) }
      return result
    }
    guard let result else { throw StoreScopeError.couldNotBe(verb, path(of: part)) }
    return result
  }

  /// Whether the last call failed because there is nothing, or a link instead of a folder. After any other failure, such
  /// as EIO or EACCES, nobody can tell what is there.
  private static var lastErrorIsAbsence: Bool { [ENOENT, ENOTDIR, ELOOP].contains(errno) }

  // MARK: - Looking

  /// Of a link itself; nil if there is nothing, or a link is on the way.
  /// - Throws: `StoreScopeError` if that can't be determined, as in all that follows here.
  package func status(of part: String) throws -> FileStatus? {
    try inParent(of: part) { parent, name in
      if let status = FileStatus(name, in: parent) { return status }
      guard Self.lastErrorIsAbsence else { throw StoreScopeError.couldNotBe("examined", path(of: part)) }
      return nil
    } ?? nil
  }

  package func kind(of part: String) throws -> FileKind? { try status(of: part)?.kind }

  package func identity(of part: String) throws -> FileIdentity? { try status(of: part)?.identity }

  /// Of a file that was just made: it goes again if nobody could tell later whether it is still this one.
  package func identity(ofNew part: String) throws -> FileIdentity? {
    do { return try identity(of: part) } catch {
      try? removeFile(part)
      throw error
    }
  }

  package func size(of part: String) throws -> Int64? { try status(of: part)?.size }

  /// Sorted.
  package func names(in part: String = "") throws -> [String] {
    let opened = try call(part, "read") { openat($0, $1, Self.flags) }
    var names: [String] = []
    try FileReader.forEachName(inOpenFolder: opened, path: path(of: part), limit: .max) { names.append($0) }
    return names.sorted()
  }

  // MARK: - Opening

  package func folder(_ part: String) throws -> OpenFolder {
    OpenFolder(try call(part, "opened") { openat($0, $1, Self.flags) }, path(of: part))
  }

  /// Opens a regular file; never waits for a pipe's other end, and never wakes a device.
  /// - Throws: `StoreScopeError` if it is anything else.
  package func openFile(_ part: String, writing: Bool = false) throws -> OpenFile {
    // Opening some devices has effects of its own.
    if let kind = try kind(of: part), kind != .file { throw Self.notAFile(path(of: part), kind) }
    let flags = (writing ? O_RDWR : O_RDONLY) | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC
    let file = OpenFile(try call(part, writing ? "written" : "read") { openat($0, $1, flags) })
    guard let status = file.status else { throw StoreScopeError.couldNotBe("examined", path(of: part)) }
    guard status.kind == .file else { throw Self.notAFile(path(of: part), status.kind) }
    return file
  }

  private static func notAFile(_ path: String, _ kind: FileKind?) -> StoreScopeError {
    StoreScopeError(.foreign, path, "is \(description(of: kind)), not a file")
  }

  /// What something that should be a file is instead.
  package static func description(of kind: FileKind?) -> String {
    switch kind {
    case .folder: "a folder"
    case .link: "a link"
    case .other: "a pipe, socket or device"
    case .file: "a file"
    case nil: "missing"
    }
  }

  /// - Throws: `StoreScopeError` if something of that name is there.
  func createFile(_ part: String, rights: FileRights = .own) throws -> OpenFile {
    OpenFile(try call(part, "written") { OpenFile.descriptor($1, in: $0, for: .making, rights) })
  }

  /// A file to hold a lock, made if it isn't there. Nil if it can't be opened; `Platform.lastFailure` says why.
  package func openLock(_ name: String) -> OpenFile? { OpenFile(name, in: descriptor, for: .locking) }

  // MARK: - Changing

  /// Makes the folder and those it lies in, if they aren't there.
  package func makeFolder(_ part: String) throws {
    var made = ""
    for component in PathText.names(part) {
      made += made.isEmpty ? component : "/\(component)"
      _ = try makeNewFolder(made)
    }
    guard try kind(of: part) == .folder else { throw Files.madeMeanwhile(path(of: part)) }
  }

  /// Makes the folder that a part lies in.
  package func makeParent(of part: String) throws {
    if let folder = PathText.split(part).folder { try makeFolder(folder) }
  }

  /// - Returns: false if something of that name is there.
  package func makeNewFolder(_ part: String, rights: UInt16 = 0o700) throws -> Bool {
    try call(part, "made") { parent, name in
      mkdirat(parent, name, mode_t(rights)) == 0 ? 1 : errno == EEXIST ? 0 : -1
    } == 1
  }

  /// Gives a part another name, in place of what has that name, at one moment.
  package func move(_ part: String, to target: OpenFolder, as other: String) throws {
    _ = try call(part, "renamed") { parent, name in
      try target.inParent(of: other) { renameat(parent, name, $0, $1) } ?? -1
    }
  }

  /// The same, but never over something: a link, other than a new name, doesn't replace anything.
  /// https://pubs.opengroup.org/onlinepubs/9799919799/functions/link.html
  package func moveNew(_ part: String, to target: OpenFolder, as other: String) throws {
    if try link(part, to: target, as: other) {
      try? removeFile(part)
      return
    }
    // Some file systems know no second names.
    guard try target.kind(of: other) == nil else { throw Files.madeMeanwhile(target.path(of: other)) }
    try move(part, to: target, as: other)
  }

  /// Gives a file, or a link itself, a second name.
  /// - Returns: false if the file system or its rights don't allow that.
  /// - Throws: `StoreScopeError` if the name is taken.
  package func link(_ part: String, to target: OpenFolder, as other: String) throws -> Bool {
    var isTaken = false
    let isLinked = try call(part, "linked") { parent, name in
      let result = try target.inParent(of: other) { linkat(parent, name, $0, $1, 0) } ?? -1
      if result == 0 { return 1 }
      isTaken = errno == EEXIST
      return isTaken ? 0 : [EPERM, EACCES, ENOTSUP, EOPNOTSUPP, EMLINK, ENOSYS].contains(errno) ? 0 : -1
    }
    guard !isTaken else { throw Files.madeMeanwhile(target.path(of: other)) }
    return isLinked == 1
  }

  /// Takes a file or a link away, or says that it is still there.
  package func removeFile(_ part: String) throws {
    _ = try call(part, "removed") { unlinkat($0, $1, 0) == 0 || errno == ENOENT ? 0 : -1 }
  }

  /// Takes a folder away if nothing is in it.
  package func removeEmptyFolder(_ part: String) {
    _ = try? inParent(of: part) { unlinkat($0, $1, AT_REMOVEDIR) }
  }

  /// Takes away those of the folders a part lies in, in this one, that have nothing else in them.
  package func removeEmptyFolders(of part: String) {
    var rest = part
    while let folder = PathText.split(rest).folder {
      removeEmptyFolder(folder)
      rest = folder
    }
  }

  /// Takes a file, a link or a whole folder away, as far as the system lets it.
  package func remove(_ part: String) { remove(part, depth: 0) }

  /// The same with all that is in this folder.
  func removeContents(depth: Int = 0) {
    for name in (try? names()) ?? [] { remove(name, depth: depth) }
  }

  /// Each level keeps a folder open.
  private static let depthLimit = 64

  private func remove(_ part: String, depth: Int) {
    if (try? kind(of: part)) == .folder {
      if depth < Self.depthLimit { (try? folder(part))?.removeContents(depth: depth + 1) }
      removeEmptyFolder(part)
    } else {
      try? removeFile(part)
    }
  }

  /// Names in a folder are on the medium only once the folder is: https://man7.org/linux/man-pages/man2/fsync.2.html
  package func sync(_ part: String = "") {
    guard let opened = try? folder(part) else { return }
    _ = OpenFile.sync(opened.descriptor)
  }

  /// Calls `body` with the folder's own descriptor, or with that of a folder in it.
  func withDescriptor<R>(of part: String = "", _ body: (Int32) throws -> R) throws -> R {
    if part.isEmpty { return try body(descriptor) }
    let opened = try folder(part)
    return try withExtendedLifetime(opened) { try body(opened.descriptor) }
  }

  /// Lets its owner alone use the folder, whatever the umask is.
  package func makePrivate() { fchmod(descriptor, 0o700) }

  /// Gives the folder to whom something belongs, as far as the system lets it.
  package func takeOwner(of part: String, in other: OpenFolder) throws {
    if let status = try other.status(of: part) {
      FileAttributes.setOwner(descriptor, status.owner, status.group)
    }
  }
}
