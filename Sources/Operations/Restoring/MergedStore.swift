import SQLite
import Values

/// A store's main file with all in it that its -wal or its journal has still to say.
///
/// Such a file is whole by itself, and stays the same store where that -wal or journal lies beside it: SQLite then
/// writes pages into it that it already has. https://www.sqlite.org/walformat.html#recovery
enum MergedStore {
  /// Makes it of copies.
  /// - Parameters:
  ///   - store: the main file; its -wal and journal are looked for beside it.
  ///   - folder: is made, and must not be there yet.
  ///   - copyMain: makes the copy of the main file at a path.
  /// - Returns: its path; nil where there is nothing that could be merged.
  /// - Throws: `SQLiteError` where SQLite can't make sense of it; where there is no room, or it can't be written.
  static func make(of store: String, in folder: String, copyMain: (String) throws -> Void) throws -> String? {
    let sides = SideFiles.suffixes.filter { $0 != "-shm" && (FileReader.size(of: store + $0) ?? 0) > 0 }
    guard !sides.isEmpty else { return nil }
    let path = "\(folder)/\(Platform.fileName(store))"
    try Files.makeFolder(folder)
    try copyMain(path)
    for side in sides { _ = try FileCopy.copy(store + side, to: path + side) }
    for suffix in [""] + sides { FileAttributes.makeWritable(path + suffix) }
    do {
      let connection = try Connection(path: path, options: .readWrite())
      defer { connection.close() }
      // Reading rolls a journal back; the rest is for a -wal.
      try connection.execute(
        """
        PRAGMA locking_mode = EXCLUSIVE; PRAGMA synchronous = FULL; PRAGMA fullfsync = ON;
        SELECT COUNT(*) FROM sqlite_master; PRAGMA wal_checkpoint(TRUNCATE)
        """)
    }
    guard (FileReader.size(of: path + "-wal") ?? 0) == 0 else {
      throw StoreScopeError("The -wal of '\(store)' could not be moved into a copy of it.")
    }
    FileAttributes.takeOver(store, to: path)
    return path
  }
}
