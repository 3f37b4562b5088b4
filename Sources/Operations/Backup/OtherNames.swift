import SystemCalls
import Values

/// Names of a store's files beyond the one that SQLite is given: a change by one name can damage what an app wrote by
/// another, as each name has a -wal and a journal of its own.
/// https://www.sqlite.org/howtocorrupt.html#_multiple_links_to_the_same_file
enum OtherNames {
  /// Why the store must not be written, in a sentence; nil if each of its files has one name.
  /// - Parameter path: absolute and without links.
  static func problem(with path: String) -> String? {
    if let linked = ([""] + SideFiles.suffixes).map({ path + $0 }).first(where: {
      FileNames.count(of: $0) > 1
    }) {
      return
        "'\(linked)' has \(FileNames.count(of: linked)) names (hard links), and SQLite keeps a -wal and a journal per name, so a change by this one could damage the store: copy the store to a folder of its own, or use --on-copy."
    }
    if FileNames.isMountPoint(path) {
      return
        "'\(path)' is mounted as a single file, so its -wal and journal wouldn't be next to the original: mount its folder instead, or use --on-copy."
    }
    return nil
  }
}
