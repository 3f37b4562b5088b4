import Values

#if canImport(Darwin)
  internal import Darwin
#else
  @preconcurrency internal import Glibc
#endif

/// A new file that grows piece by piece, each of which is on the medium before anything else happens. It has its name from
/// the beginning: a process that is killed leaves no other.
final class AppendedFile {
  let path: String
  private let descriptor: Int32

  /// - Parameter source: nobody gets to read the new file who may not read this one.
  /// - Throws: `StoreScopeError` if it can't be made, or something has the name.
  init(path: String, like source: String) throws {
    self.path = path
    descriptor = open(path, O_WRONLY | O_APPEND | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else {
      throw errno == EEXIST ? Files.madeMeanwhile(path) : problem()
    }
    FileAttributes.takeAccess(of: source, to: descriptor)
  }

  deinit { close(descriptor) }

  /// - Throws: `StoreScopeError` if it can't be written; the file is then as it was.
  func append(_ text: String) throws {
    let size = lseek(descriptor, 0, SEEK_END)
    var text = text
    let isWritten = text.withUTF8 { Platform.write(UnsafeRawBufferPointer($0), to: descriptor) }
    guard size >= 0, isWritten, fsync(descriptor) == 0 else {
      let problem = problem()
      if size >= 0 { ftruncate(descriptor, size) }
      throw problem
    }
  }

  /// Takes the file away again, unless its name has come to be another one's.
  func remove() {
    if FileIdentity(path) == FileIdentity(ofOpenFile: descriptor) { unlink(path) }
  }

  private func problem() -> StoreScopeError {
    .unwritable(path, Platform.lastError())
  }
}
