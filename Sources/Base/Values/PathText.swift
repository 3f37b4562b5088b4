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

/// An address, which is compared by its bytes, as in the order of the datasets: texts that Swift takes for equal are the
/// names of two files on Linux.
package struct Address: Sendable, Hashable, Comparable {
  package let text: String

  package init(_ text: String) { self.text = text }

  package static func < (one: Self, other: Self) -> Bool {
    one.text.utf8.lexicographicallyPrecedes(other.text.utf8)
  }

  package static func == (one: Self, other: Self) -> Bool { one.text.utf8.elementsEqual(other.text.utf8) }

  package func hash(into hasher: inout Hasher) {
    var text = text
    text.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
  }
}

/// The files that SQLite and Core Data keep next to a database, named like it.
package enum SideFiles {
  /// The write-ahead log, its index, and what a transaction without a log overwrites:
  /// https://www.sqlite.org/tempfiles.html
  package static let suffixes = ["-wal", "-shm", "-journal"]

  /// The name of the database that a file of this name would belong to; nil where it has no such end.
  package static func owner(of name: String) -> String? {
    suffixes.first(where: name.hasSuffix).map { String(name.dropLast($0.count)) }
  }

  /// The folder in which Core Data keeps large values of a store of this name.
  package static func supportFolder(of name: String) -> String { ".\(stem(of: name))_SUPPORT" }

  /// A file's name without its extension.
  package static func stem(of name: String) -> String {
    guard let dot = name.lastIndex(of: "."), dot != name.startIndex else { return name }
    return String(name[..<dot])
  }
}
