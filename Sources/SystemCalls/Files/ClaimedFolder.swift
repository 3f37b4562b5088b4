#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// A folder that this process fills or takes away, so that no other process does at the same time. The claim ends with
/// this value, or with the process.
package final class ClaimedFolder {
  let folder: OpenFolder

  /// Nil if it is a link or no folder, or another process has claimed it.
  package init?(_ path: String) {
    guard let folder = try? OpenFolder(path) else { return nil }
    // https://man7.org/linux/man-pages/man2/flock.2.html
    guard (try? folder.withDescriptor(systemClaim)) == true else { return nil }
    self.folder = folder
  }

  /// Whether the path still leads to it.
  var isInPlace: Bool {
    guard let identity = try? folder.identity(of: "") else { return false }
    return FileIdentity(folder.path) == identity
  }

  /// Takes the folder away with all that is in it; what links in it lead to stays.
  /// - Returns: whether it is gone.
  package func remove() -> Bool {
    guard isInPlace else { return false }
    for name in (try? folder.names()) ?? [] { folder.remove(name) }
    return rmdir(folder.path) == 0
  }
}
