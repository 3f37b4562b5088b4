import SystemCalls
import Values

/// The path of something in an archive, as whoever packed it wrote it.
package enum MemberPath {
  /// PATH_MAX of Linux, https://man7.org/linux/man-pages/man7/path_resolution.7.html; and more folders than anything has.
  private static let (longest, deepest) = (4096, 256)

  /// Whether no file can have that path. Whoever splits and compares longer ones can be kept busy for hours by a small archive.
  private static func isTooLong(_ path: String) -> Bool {
    path.utf8.count > longest || path.utf8.count { $0 == UInt8(ascii: "/") } > deepest
  }

  /// Without what means nothing: `./a//b` and `/a/b` are `a/b`. Nil if it leads out of the archive, or nowhere, or is too
  /// long for a path.
  package static func normalized(_ path: String) -> String? {
    guard !isTooLong(path) else { return nil }
    var names: [String] = []
    for name in PathText.names(path) where name != "." {
      if name == ".." || name.utf8.contains(0) { return nil }
      names.append(name)
    }
    return names.isEmpty ? nil : names.joined(separator: "/")
  }

  /// Why it has no path without what means nothing, a clause.
  package static func problem(_ path: String, in container: String) -> String {
    isTooLong(path) ? "its path is too long" : "its path leads out of the \(container)"
  }

  /// What macOS adds to the zip files it makes: `__MACOSX/` with a file `._NAME` for the attributes of each file.
  package static func isCompanion(_ path: String) -> Bool {
    path.hasPrefix("__MACOSX/") || Platform.fileName(path).hasPrefix("._")
  }
}
