/// Paths as the system takes them: bytes, of which every slash divides two names. Where a combining mark stands behind a
/// slash, the two are one Character to Swift, and none that is a slash: whoever looks for Characters doesn't see a folder
/// there that the system goes into. https://www.unicode.org/reports/tr29/#Grapheme_Cluster_Boundaries
package enum PathText {
  private static let slash = UInt8(ascii: "/")

  /// The names on the way, without empty ones.
  package static func names(_ path: String) -> [String] {
    path.utf8.split(separator: slash).map { String(Substring($0)) }
  }

  /// What stands before the last slash, nil if there is none; and what stands behind it.
  package static func split(_ path: String) -> (folder: String?, name: String) {
    guard let last = path.utf8.lastIndex(of: slash) else { return (nil, path) }
    return (String(path[..<last]), String(path[path.utf8.index(after: last)...]))
  }

  /// What stands before the first slash and behind it; nil if there is none.
  package static func first(_ path: String) -> (name: String, rest: String)? {
    guard let first = path.utf8.firstIndex(of: slash) else { return nil }
    return (String(path[..<first]), String(path[path.utf8.index(after: first)...]))
  }

  /// What follows the prefix; nil if the path doesn't begin with it.
  package static func rest(of path: String, behind prefix: String) -> String? {
    guard path.utf8.starts(with: prefix.utf8) else { return nil }
    return String(Substring(path.utf8.dropFirst(prefix.utf8.count)))
  }
}
