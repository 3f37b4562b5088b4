package import SQLite
internal import Values

/// A store that is open for reading: one connection, in one read transaction from beginning to end.
package final class OpenedStore {
  /// How the files are read.
  package enum Way: Sendable, Equatable, CustomStringConvertible {
    /// Through the -shm that is there, which is only read.
    case shared
    /// With the shared lock of a store that has no WAL.
    case locked
    /// Through a view in memory that takes no locks.
    case overlay
    /// As `overlay`, with the WAL cut off.
    case past(PastCommit)

    package var description: String {
      switch self {
      case .shared: "read-only through the store's own -shm"
      case .locked: "read-only with a shared lock"
      case .overlay: "through an overlay in memory"
      case .past(let commit):
        "through an overlay in memory, as of \(commit.commitsAgo) of \(commit.commitCount) commits ago"
      }
    }

    /// Whether SQLite's locks keep the snapshot whole.
    var holdsLocks: Bool { self == .shared || self == .locked }
  }

  /// As they were when the store was opened.
  package let files: StoreFiles
  package let way: Way
  /// Somebody who had the store open then.
  package let holder: LockHolder?
  package let connection: Connection
  /// Sentences for people, about what is missing from what they will see.
  package let warnings: [String]
  private let probe: LockProbe

  init(_ files: StoreFiles, _ probe: LockProbe, _ holder: LockHolder?, _ way: Way) throws(SQLiteError) {
    self.files = files
    self.probe = probe
    self.holder = holder
    self.way = way
    var warnings: [String] = []
    if files.missingPages > 0 {
      warnings.append(
        "\(files.path) is cut off: \(files.missingPages) of its \(files.header.pageCount ?? 0) pages are missing, "
          + "so what was on them can't be shown")
    }
    self.warnings = warnings
    connection = try Connection(path: files.resolvedPath, options: Self.options(files, way))
    try connection.execute("BEGIN")
    // The transaction begins with its first reading, and a schema that makes no sense shows here.
    _ = try connection.prepare("SELECT 1 FROM main.sqlite_master LIMIT 1").step()
  }

  // SQLite's descriptors must be closed before the probe's, whose end would drop SQLite's locks.
  deinit { connection.close() }

  private static func options(_ files: StoreFiles, _ way: Way) -> OpenOptions {
    // SQLite refuses a file that is shorter than its header says; the overlay shows the missing pages as zeros.
    let mainSize =
      files.missingPages > 0 ? Int64(files.header.pageCount ?? 0) * Int64(files.header.pageSize) : nil
    return switch way {
    case .shared: OpenOptions(.readOnly, parameters: [OpenOptions.Parameter("readonly_shm", "1")])
    case .locked: .readOnly
    case .overlay: .overlay(minimumMainSize: mainSize)
    case .past(let commit): .overlay(walLimit: commit.walLimit, minimumMainSize: mainSize)
    }
  }

  /// The transactions in the -wal as it was when the store was opened; nil where there is no -wal, or an empty one.
  /// Reads all of it.
  package func walIndex() throws -> WALIndex? {
    guard let wal = files.wal, wal.size > 0 else { return nil }
    return try WALIndex(path: files.walPath, size: wal.size)
  }

  /// Ends the reading. Throws `StoreChangedError` where no lock protected it and the files are not what they were.
  package func finish() throws {
    defer { connection.close() }
    guard !way.holdsLocks else { return }
    guard let now = try? StoreFiles(path: files.path), now.shows(files, way) else {
      throw StoreChangedError(path: files.path)
    }
  }
}

/// A store was written while it was read without a lock: what was read may be half of one state and half of
/// another.
package struct StoreChangedError: Error, Equatable, CustomStringConvertible {
  package var path: String

  package var description: String {
    "can't tell what \(path) holds: it changed while it was read; run the command again"
  }
}
