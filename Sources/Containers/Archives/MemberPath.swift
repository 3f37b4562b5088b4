import SystemCalls
import Values

/// The path of something in an archive, as whoever packed it wrote it.
package enum MemberPath {
  /// Without what means nothing: `./a//b` and `/a/b` are `a/b`. Nil if it leads out of the archive, or nowhere.
  package static func normalized(_ path: String) -> String? {
    var names: [String] = []
    for name in PathText.names(path) where name != "." {
      if name == ".." || name.utf8.contains(0) { return nil }
      names.append(name)
    }
    return names.isEmpty ? nil : names.joined(separator: "/")
  }

  /// What macOS adds to the zip files it makes: `__MACOSX/` with a file `._NAME` for the attributes of each file.
  package static func isCompanion(_ path: String) -> Bool {
    path.hasPrefix("__MACOSX/") || Platform.fileName(path).hasPrefix("._")
  }
}
