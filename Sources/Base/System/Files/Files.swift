#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// Makes, moves and takes away files and folders. Links are taken for what they are, never followed.
package enum Files {
  package static func exists(_ path: String) -> Bool { FileStatus(ofLink: path) != nil }

  /// Whether it is a folder itself, not a link to one.
  package static func isFolder(_ path: String) -> Bool { FileStatus(ofLink: path)?.kind == .folder }

  package static func isWritable(_ path: String) -> Bool { access(path, W_OK) == 0 }

  /// Makes the folder and those it lies in, where they are not there.
  package static func makeFolder(_ path: String, mode: UInt16 = 0o700) throws {
    func isThere() -> Bool {
      mkdir(path, mode_t(mode)) == 0 || (errno == EEXIST && FileReader.kind(of: path) == .folder)
    }
    if isThere() { return }
    if errno == ENOENT, let folder = PathText.split(path).folder, !folder.isEmpty {
      try makeFolder(folder, mode: mode)
      if isThere() { return }
    }
    throw StoreScopeError.couldNotBe("made", path)
  }

  /// Makes a folder that must not be there yet; false if that can't be, for `Platform.lastFailure`'s reason.
  package static func makesNewFolder(_ path: String, rights: FileRights) -> Bool {
    mkdir(path, mode_t(rights.folder)) == 0
  }

  /// Gives it another name, in place of what has that name, at one moment; false if that can't be, for
  /// `Platform.lastFailure`'s reason.
  package static func rename(_ path: String, to other: String) -> Bool { systemRename(path, other) == 0 }

  package static func madeMeanwhile(_ path: String) -> StoreScopeError {
    StoreScopeError(
      .occupied, "Another process created '\(path)' in the meantime, and it was left alone", about: path)
  }

  /// Takes a file, a link or a whole folder away; nothing where there is none.
  package static func remove(_ path: String) {
    (try? OpenFolder(path))?.removeContents()
    if rmdir(path) != 0 { unlink(path) }
  }

  /// Takes a folder away if nothing is in it.
  package static func removeEmptyFolder(_ path: String) { rmdir(path) }

  /// Bytes that an ordinary user may still write there; nil if the system doesn't report it.
  package static func freeBytes(at folder: String) -> Int64? {
    var status = statvfs()
    guard statvfs(folder, &status) == 0 else { return nil }
    return Int64(clamping: UInt64(status.f_bavail) &* UInt64(status.f_frsize))
  }
}

extension StoreScopeError {
  /// `'PATH' could not be DONE`, for the reason of the call that failed last.
  package static func couldNotBe(_ done: String, _ path: String) -> StoreScopeError {
    .couldNotBe(done, path, Platform.lastError())
  }
}
