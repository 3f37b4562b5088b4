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
