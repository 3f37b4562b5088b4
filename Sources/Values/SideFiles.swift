/// The files that SQLite keeps beside a database, named like it and with an end of their own.
package enum SideFiles {
  /// The write-ahead log, its index, and what a transaction without a log overwrites:
  /// https://www.sqlite.org/tempfiles.html
  package static let suffixes = ["-wal", "-shm", "-journal"]

  /// The name of the database that a file of this name would belong to; nil where it has no such end.
  package static func owner(of name: String) -> String? {
    suffixes.first(where: name.hasSuffix).map { String(name.dropLast($0.count)) }
  }
}
