internal import Values

#if canImport(Darwin)
  internal import Darwin
#else
  @preconcurrency internal import Glibc
#endif

/// What the file system says of one file. Two that are equal stand for unchanged content.
package struct FileFacts: Sendable, Equatable {
  package var device: UInt64
  package var inode: UInt64
  /// In bytes.
  package var size: Int64
  /// Nanoseconds since 1970.
  package var modified: Int64

  /// nil where there is no such file. Throws a sentence where it may not be looked at, or is not a regular file.
  package init?(_ path: String) throws {
    var status = stat()
    guard stat(path, &status) == 0 else {
      switch errno {
      case ENOENT, ENOTDIR: return nil
      case EACCES:
        throw StoreScopeError(
          "can't read \(path): you may not enter its folder; ask for the right to, or copy the folder")
      default: throw StoreScopeError("can't read \(path): \(Platform.lastError())")
      }
    }
    switch status.st_mode & S_IFMT {
    case S_IFREG: break
    case S_IFDIR:
      throw StoreScopeError("can't read \(path): it is a folder; name the store file inside of it")
    default:
      throw StoreScopeError(
        "can't read \(path): it is a pipe, socket or device; copy its content to a file first")
    }
    device = UInt64(truncatingIfNeeded: status.st_dev)
    inode = UInt64(truncatingIfNeeded: status.st_ino)
    size = Int64(status.st_size)
    modified = Platform.modified(status)
  }
}
