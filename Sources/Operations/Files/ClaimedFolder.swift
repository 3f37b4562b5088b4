import Values

#if canImport(Darwin)
  internal import Darwin
#else
  @preconcurrency internal import Glibc
#endif

/// A folder that this process fills or takes away, so that no other process does at the same time. The claim ends with
/// this value, or with the process.
final class ClaimedFolder {
  private let path: String
  private let descriptor: Int32

  /// Nil if it is a link or no folder, or another process has claimed it.
  init?(_ path: String) {
    self.path = path
    descriptor = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
    guard descriptor >= 0 else { return nil }
    // https://man7.org/linux/man-pages/man2/flock.2.html
    if flock(descriptor, LOCK_EX | LOCK_NB) != 0 {
      close(descriptor)
      return nil
    }
  }

  deinit { close(descriptor) }

  /// Takes the folder away with all that is in it; what links in it lead to stays.
  /// - Returns: whether it is gone.
  func remove() -> Bool {
    guard FileIdentity(path) == FileIdentity(ofOpenFile: descriptor) else { return false }
    Self.empty(descriptor, depth: 0)
    return rmdir(path) == 0
  }

  private static let depthLimit = 64

  /// Through descriptors: a folder that becomes a link meanwhile is not followed.
  private static func empty(_ folder: Int32, depth: Int) {
    guard depth < depthLimit else { return }
    for name in names(in: folder) where unlinkat(folder, name, 0) != 0 {
      let inner = openat(folder, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
      guard inner >= 0 else { continue }
      empty(inner, depth: depth + 1)
      close(inner)
      unlinkat(folder, name, AT_REMOVEDIR)
    }
  }

  private static func names(in folder: Int32) -> [String] {
    let copy = openat(folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard copy >= 0, let stream = fdopendir(copy) else { return [] }
    // The descriptor is the stream's now.
    defer { closedir(stream) }
    // An entry is shorter than `dirent` says, so that it must not be copied as a whole.
    let offset = MemoryLayout<dirent>.offset(of: \.d_name) ?? 0
    var names: [String] = []
    while let entry = readdir(stream) {
      names.append(
        String(cString: UnsafeRawPointer(entry).advanced(by: offset).assumingMemoryBound(to: CChar.self)))
    }
    return names.filter { $0 != "." && $0 != ".." }
  }
}
