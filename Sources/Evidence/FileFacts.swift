package import Values

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

  package var identity: FileIdentity { FileIdentity(device: device, number: inode) }

  /// nil where there is no such file. Throws a sentence where it may not be looked at, or is not a regular file.
  /// - Parameter store: the store whose side file this is; nil if it is the store itself.
  package init?(_ path: String, of store: String? = nil) throws {
    var status = stat()
    guard stat(path, &status) == 0 else {
      switch errno {
      case ENOENT, ENOTDIR: return nil
      case EACCES:
        throw StoreScopeError.unreadable(
          path, "you may not enter its folder", advice: "ask for the right to, or copy the folder")
      default: throw StoreScopeError.unreadable(path, Platform.lastError())
      }
    }
    let kind = status.st_mode & S_IFMT
    guard kind == S_IFREG else {
      let what = kind == S_IFDIR ? "folder" : "pipe, socket or device"
      if let store {
        throw StoreScopeError.unreadable(
          store, "\(path) is a \(what), but SQLite keeps a file of the store under that name", kind: .foreign,
          advice: "move it away")
      }
      throw StoreScopeError.unreadable(
        path, "it is a \(what)", kind: .foreign,
        advice: kind == S_IFDIR ? "name the store file inside of it" : "copy its content to a file first")
    }
    device = UInt64(truncatingIfNeeded: status.st_dev)
    inode = UInt64(truncatingIfNeeded: status.st_ino)
    size = Int64(status.st_size)
    modified = Platform.modified(status)
  }
}
