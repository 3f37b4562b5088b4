#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// A file or folder that belongs to a store and is reached from the store's folder without following a link: a
/// stranger's store can bring links that lead to the reader's own files.
package struct ContainedFile: Sendable {
  /// Where the path begins. Links in the path to this folder are the user's own, and are followed.
  package let root: String
  /// The folders on the way, and the file's name.
  package let names: [String]

  package init(_ names: [String], below root: String) {
    self.root = root.isEmpty ? "." : root
    self.names = names
  }

  package var path: String { ([root == "/" ? "" : root] + names).joined(separator: "/") }

  /// What is there.
  package enum State: Error, Equatable {
    case file(bytes: Int64)
    case folder
    /// It is a link, or lies behind one.
    case link
    /// A pipe, a socket or a device.
    case special
    case missing
    /// Nobody can say what is there, for the system's reason.
    case unreadable(String)
  }

  package var state: State {
    do {
      return try withParent { folder, name throws(State) in
        guard let status = FileStatus(name, in: folder) else { throw Self.failure() }
        return Self.state(status)
      }
    } catch { return error }
  }

  /// The regular file and its size.
  func openFile() throws(StoreScopeError) -> (file: OpenFile, size: Int) {
    do {
      return try withParent { folder, name throws(State) in
        // Without O_NONBLOCK opening a pipe waits for a writer, before its kind is known.
        let descriptor = Platform.openQuietly(name, O_NOFOLLOW | O_NONBLOCK, in: folder)
        guard descriptor >= 0 else { throw Self.failure(folder, name) }
        let file = OpenFile(descriptor)
        guard let status = file.status else { throw Self.failure() }
        guard status.kind == .file else { throw Self.state(status) }
        return (file, Int(status.size))
      }
    } catch { throw problem(error) }
  }

  /// A descriptor of the folder to list it by, which the caller closes.
  func openFolder() throws(StoreScopeError) -> Int32 {
    do {
      return try withParent { folder, name throws(State) in
        let descriptor = Platform.openQuietly(name, O_NOFOLLOW | O_DIRECTORY, in: folder)
        guard descriptor >= 0 else { throw Self.failure(folder, name) }
        return descriptor
      }
    } catch { throw problem(error) }
  }

  private func problem(_ state: State) -> StoreScopeError {
    switch state {
    case .link: StoreScopeError(.refused, path, "is a link, not followed")
    case .missing:
      StoreScopeError(.notFound, "can't open '\(path)': there is no such file", about: path)
    case .unreadable(let reason): StoreScopeError(.unreadable, "can't open '\(path)': \(reason)", about: path)
    case .file, .folder, .special: StoreScopeError(.foreign, path, "is not a regular file")
    }
  }

  private func withParent<R>(_ body: (Int32, String) throws(State) -> R) throws(State) -> R {
    guard let name = names.last else { throw .missing }
    let folder = open(root, FolderWalk.flags)
    guard folder >= 0 else { throw Self.failure() }
    defer { close(folder) }
    return try FolderWalk.descend(from: folder, names.dropLast()) { folder, name throws(State) in
      throw Self.failure(folder, name)
    } body: { folder throws(State) in
      try body(folder, name)
    }
  }

  private static func failure() -> State {
    errno == ENOENT || errno == ENOTDIR ? .missing : .unreadable(Platform.lastError())
  }

  /// Why a name in a folder can't be opened. What O_NOFOLLOW says of a link depends on the system and the other flags.
  private static func failure(_ folder: Int32, _ name: String) -> State {
    let failure = failure()
    return FileStatus(name, in: folder)?.kind == .link ? .link : failure
  }

  private static func state(_ status: FileStatus) -> State {
    switch status.kind {
    case .file: .file(bytes: status.size)
    case .folder: .folder
    case .link: .link
    case .other: .special
    }
  }
}

/// The way down from an open folder.
enum FolderWalk {
  /// To go through a folder is all that is needed, not to list it. O_PATH, which Glibc's module leaves out, needs no
  /// more rights than that, and touches no time: https://man7.org/linux/man-pages/man2/open.2.html
  static var flags: Int32 {
    #if canImport(Darwin)
      O_DIRECTORY | O_CLOEXEC | O_RDONLY
    #else
      O_DIRECTORY | O_CLOEXEC | 0o10_000_000
    #endif
  }

  /// Calls `body` with the folder that so many names lead to. Opens one folder after the other and follows no link, so that
  /// none can be exchanged for a link meanwhile.
  /// - Parameter failure: is called with the name that can't be opened, and the folder that it's looked for in.
  static func descend<R, E: Error>(
    from start: Int32, _ names: some Sequence<String>, failure: (Int32, String) throws(E) -> R,
    body: (Int32) throws(E) -> R
  ) throws(E) -> R {
    var folder = start
    defer { if folder != start { close(folder) } }
    for name in names {
      let next = openat(folder, name, flags | O_NOFOLLOW)
      guard next >= 0 else { return try failure(folder, name) }
      if folder != start { close(folder) }
      folder = next
    }
    return try body(folder)
  }
}
