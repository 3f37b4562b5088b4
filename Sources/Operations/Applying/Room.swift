import SQLite
import Values

#if canImport(Darwin)
  internal import Darwin
#else
  @preconcurrency internal import Glibc
#endif

/// Whether the backup and the change fit the medium.
enum Room {
  /// What a change adds at most besides the backup, for the journal or the WAL.
  private static let margin: Int64 = 16 << 20

  /// Bytes for the backup of everything, and for the change.
  static func needed(mainSize: Int64, _ parts: StoreParts) -> Int64 {
    let others = ((try? parts.all()) ?? []).filter { $0 != parts.name }
    return others.reduce(margin + mainSize) { $0 + (FileReader.size(of: parts.path(of: $1)) ?? 0) }
  }

  /// Bytes that an ordinary user may still write there; nil where the system doesn't tell.
  static func freeBytes(at folder: String) -> Int64? {
    var status = statvfs()
    guard statvfs(folder, &status) == 0 else { return nil }
    return Int64(clamping: UInt64(status.f_bavail) &* UInt64(status.f_frsize))
  }

  static func check(for locked: LockedStore, in folder: String, _ freeBytes: (String) -> Int64?) throws {
    guard Platform.isFolder(folder) == true else {
      throw StoreScopeError(
        "The backup can't go to '\(folder)', as there is no such folder; nothing was changed.")
    }
    guard Files.isWritable(folder) else {
      throw StoreScopeError(
        "The backup can't go to '\(folder)', as it can't be written; give another --backup-to.")
    }
    let needed = needed(mainSize: try locked.connection.mainFileSize(), StoreParts(path: locked.path))
    if let free = freeBytes(folder), free < needed {
      throw StoreScopeError(
        "The backup needs \(needed) bytes and '\(folder)' has \(free); make room or give another --backup-to. Nothing was changed."
      )
    }
  }
}
