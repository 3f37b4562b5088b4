#if canImport(Darwin)
  internal import Darwin
#else
  @preconcurrency internal import Glibc
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
  package enum State: Sendable, Equatable {
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
      return try withParent { folder, name throws(Failure) in
        var status = stat()
        // https://man7.org/linux/man-pages/man2/fstatat.2.html
        guard fstatat(folder, name, &status, AT_SYMLINK_NOFOLLOW) == 0 else { throw Self.failure() }
        return Self.state(status)
      }
    } catch { return error.state }
  }

  /// A descriptor of the regular file that only reads, which the caller closes, and the file's size.
  func openFile() throws(StoreScopeError) -> (descriptor: Int32, size: Int) {
    do {
      return try withParent { folder, name throws(Failure) in
        // Without O_NONBLOCK opening a pipe waits for a writer, before its kind is known.
        let descriptor = Platform.openQuietly(name, O_NOFOLLOW | O_NONBLOCK, in: folder)
        guard descriptor >= 0 else { throw Self.failure(folder, name) }
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
          close(descriptor)
          throw Failure(state: Self.state(status))
        }
        return (descriptor, Int(status.st_size))
      }
    } catch { throw problem(error.state) }
  }

  /// A descriptor of the folder to list it by, which the caller closes.
  func openFolder() throws(StoreScopeError) -> Int32 {
    do {
      return try withParent { folder, name throws(Failure) in
        let descriptor = Platform.openQuietly(name, O_NOFOLLOW | O_DIRECTORY, in: folder)
        guard descriptor >= 0 else { throw Self.failure(folder, name) }
        return descriptor
      }
    } catch { throw problem(error.state) }
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

  private struct Failure: Error {
    var state: State
  }

  /// Opens one folder after the other, so that none can be exchanged for a link meanwhile.
  private func withParent<R>(_ body: (Int32, String) throws(Failure) -> R) throws(Failure) -> R {
    guard let name = names.last else { throw Failure(state: .missing) }
    var folder = open(root, Self.toPass)
    guard folder >= 0 else { throw Self.failure() }
    defer { close(folder) }
    for name in names.dropLast() {
      let next = openat(folder, name, Self.toPass | O_NOFOLLOW)
      guard next >= 0 else { throw Self.failure(folder, name) }
      close(folder)
      folder = next
    }
    return try body(folder, name)
  }

  /// To go through a folder is all that is needed, not to list it. O_PATH, which Glibc's module leaves out, needs no
  /// more rights than that, and touches no time: https://man7.org/linux/man-pages/man2/open.2.html
  private static var toPass: Int32 {
    #if os(Linux)
      O_DIRECTORY | O_CLOEXEC | 0o10_000_000
    #else
      O_DIRECTORY | O_CLOEXEC | O_RDONLY
    #endif
  }

  private static func failure() -> Failure {
    Failure(state: errno == ENOENT || errno == ENOTDIR ? .missing : .unreadable(Platform.lastError()))
  }

  /// Why a name in a folder can't be opened. What O_NOFOLLOW says of a link depends on the system and the other flags.
  private static func failure(_ folder: Int32, _ name: String) -> Failure {
    let failure = failure()
    var status = stat()
    guard fstatat(folder, name, &status, AT_SYMLINK_NOFOLLOW) == 0 else { return failure }
    return status.st_mode & S_IFMT == S_IFLNK ? Failure(state: .link) : failure
  }

  private static func state(_ status: stat) -> State {
    switch status.st_mode & S_IFMT {
    case S_IFREG: .file(bytes: Int64(status.st_size))
    case S_IFDIR: .folder
    case S_IFLNK: .link
    default: .special
    }
  }
}
