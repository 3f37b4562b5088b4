import Foundation
import SystemCalls
import Values

/// All that reading must leave as it was: the names in a folder, and of each file and of the folder itself the
/// bytes and the time stamps, to the nanosecond.
package struct FolderSnapshot: Equatable, CustomStringConvertible {
  package var entries: [String: Entry] = [:]

  package struct Entry: Equatable {
    package var hash: String
    package var inode: UInt64
    package var size: Int64
    package var mode: UInt32
    package var links: UInt64
    package var modified: Int64
    package var changed: Int64
  }

  package init(_ folder: String) throws {
    entries["."] = try Self.entry(folder)
    for name in try FileManager.default.contentsOfDirectory(atPath: folder) {
      entries[name] = try Self.entry(folder + "/" + name)
    }
  }

  private static func entry(_ path: String) throws -> Entry {
    var status = stat()
    guard lstat(path, &status) == 0 else {
      throw StoreScopeError(.failed, "\(path): \(Platform.lastError())")
    }
    var hash = ""
    if status.st_mode & S_IFMT == S_IFREG {
      let bytes = try Data(contentsOf: URL(fileURLWithPath: path), options: .alwaysMapped)
      hash = bytes.withUnsafeBytes { SHA256.hexadecimal(of: $0) }
    }
    #if canImport(Darwin)
      let (modified, changed) = (status.st_mtimespec, status.st_ctimespec)
    #else
      let (modified, changed) = (status.st_mtim, status.st_ctim)
    #endif
    return Entry(
      hash: hash, inode: UInt64(status.st_ino), size: Int64(status.st_size), mode: UInt32(status.st_mode),
      links: UInt64(status.st_nlink), modified: nanoseconds(modified), changed: nanoseconds(changed))
  }

  private static func nanoseconds(_ time: timespec) -> Int64 {
    Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
  }

  package var description: String {
    entries.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value)" }.joined(separator: "\n")
  }
}
