import Base
import SQLite

/// A store's main file with all that its -wal or its journal still has to say.
///
/// Such a file is whole by itself, and stays the same store if that -wal or journal lies next to it: SQLite then writes
/// pages into it that it already has. https://www.sqlite.org/walformat.html#recovery
enum MergedStore {
  /// Makes it of copies. Whatever a hostile journal says, SQLite reaches no other file than the copy.
  /// - Parameters:
  ///   - name: the main file; its -wal and journal are looked for next to it, in `source`.
  ///   - folder: where the copy goes, as `part`.
  ///   - copyMain: makes the copy of the main file.
  /// - Returns: whether there was anything to merge.
  /// - Throws: `SQLiteError` if SQLite can't make sense of it; `StoreScopeError` if the journal is of several databases,
  ///   there is no disk space, or the copy can't be written.
  static func make(
    of name: String, in source: OpenFolder, as part: String, in folder: OpenFolder,
    copyMain: (OpenFolder, String) throws -> Void
  ) throws -> Bool {
    let sides = try Sides(of: name, in: source)
    guard sides.wal != nil || sides.journal != nil else { return false }
    try folder.makeParent(of: part)
    try copyMain(folder, part)
    try change(part, in: folder, sides) { _ in }
    return true
  }

  /// Opens a private copy for writing, moves into it what SQLite left next to it, and then all that `body` changes.
  static func change(
    _ part: String, in folder: OpenFolder, _ sides: Sides? = nil, _ body: (Connection) throws -> Void
  ) throws {
    let main = try folder.openFile(part, writing: true)
    defer { main.close() }
    // The connection has their descriptors, but not them.
    defer { withExtendedLifetime(sides) {} }
    let connection = try Connection(
      path: Platform.fileName(part),
      options: .confined(
        to: .init(
          main: main.descriptor, wal: sides?.wal?.descriptor, journal: sides?.journal?.descriptor,
          writesMain: true)))
    defer { connection.close() }
    // Reading rolls a journal back; the rest is for a -wal.
    try connection.execute("SELECT COUNT(*) FROM sqlite_master")
    try body(connection)
    let isMerged =
      try connection.first("PRAGMA wal_checkpoint(TRUNCATE)") { $0.integer(0) == 0 } ?? true
    guard isMerged, main.sync() else {
      throw StoreScopeError(
        .unwritable, "The -wal of '\(folder.path(of: part))' could not be moved into it",
        about: folder.path(of: part))
    }
  }

  /// Reads a private copy and what lies next to it, and changes neither.
  static func read<R>(_ part: String, in folder: OpenFolder, _ body: (Connection) throws -> R) throws -> R {
    let main = try folder.openFile(part)
    defer { main.close() }
    let sides = try Sides(of: part, in: folder)
    // The connection takes descriptors of its own, which needs these to be open.
    defer { withExtendedLifetime(sides) {} }
    let connection = try Connection(
      path: Platform.fileName(part),
      options: .confined(
        to: .init(
          main: main.descriptor, wal: sides.wal?.descriptor, journal: sides.journal?.descriptor)))
    defer { connection.close() }
    return try body(connection)
  }

  /// The -wal and the journal next to a store, open for reading.
  final class Sides {
    private(set) var wal: OpenFile?
    private(set) var journal: OpenFile?

    /// - Throws: `StoreScopeError` if one is no regular file, or is of a transaction over several databases.
    init(of name: String, in folder: OpenFolder) throws {
      wal = try Self.open(name + "-wal", in: folder)
      journal = try Self.open(name + "-journal", in: folder)
      if let journal, try Self.namesSuperJournal(journal, folder.path(of: name + "-journal")) {
        throw StoreScopeError(
          .refused,
          "'\(folder.path(of: name))-journal' refers to a super-journal: its transaction spans several databases and can't be finished here",
          about: folder.path(of: name),
          advice: "Let the program that was writing finish it, or use another backup", outcome: .unchanged)
      }
    }

    private static func open(_ part: String, in folder: OpenFolder) throws -> OpenFile? {
      guard let size = try folder.size(of: part), try size > 0 || folder.kind(of: part) != .file else {
        return nil
      }
      return try folder.openFile(part)
    }

    /// SQLite deletes the file that such a journal names; these eight bytes end it.
    /// https://www.sqlite.org/fileformat2.html#the_rollback_journal
    private static func namesSuperJournal(_ journal: OpenFile, _ path: String) throws -> Bool {
      guard let size = journal.status?.size else { throw StoreScopeError.couldNotBe("examined", path) }
      guard size >= 8 else { return false }
      var end = [UInt8](repeating: 0, count: 8)
      guard !end.withUnsafeMutableBytes({ journal.read(into: $0, at: size - 8).hasFailed }) else {
        throw StoreScopeError.couldNotBe("read", path)
      }
      return end == [0xd9, 0xd5, 0x05, 0xf9, 0x20, 0xa1, 0x63, 0xd7]
    }
  }
}
