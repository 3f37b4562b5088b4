import Base
import Evidence
package import SQLite

/// A store that nobody else has open, held under SQLite's exclusive lock from here until it is closed.
///
/// While it lives, this process must not open the store's main file in any other way: closing that descriptor would
/// drop the lock (https://www.sqlite.org/howtocorrupt.html).
package final class LockedStore {
  /// Absolute and without links.
  package let path: String
  /// The file that is locked, whatever its name leads to later.
  let file: FileIdentity
  package let connection: Connection
  /// Whether there was a -wal before SQLite made one for its own look.
  let hadWAL: Bool
  private let wal: FileIdentity?
  /// As the user wrote it.
  private let shownPath: String

  /// - Throws: `StoreScopeError` where somebody has the store open, a transaction was cut short, or nothing can be
  ///   written.
  /// - Parameter vfs: the layer of SQLite's between it and the files; the system's where nil.
  package init(path: String, vfs: String? = nil) throws {
    let files = try StoreFiles(path: path)
    self.path = files.resolvedPath
    shownPath = path
    file = files.main.identity
    try Self.refuse(files, path: path)
    hadWAL = files.wal != nil
    wal = files.wal?.identity
    var options = OpenOptions(.readWrite(create: false), vfs: vfs, busyTimeoutMilliseconds: 500)
    options.runsSchemaCode = false
    options.limitsCosts = true
    // A refusal must leave the WAL as it is.
    options.keepsWAL = true
    let connection = try Connection(path: files.resolvedPath, options: options)
    self.connection = connection
    // Checking the integrity and counting rows are single steps that take what the disk needs; nothing that the schema
    // computes runs here.
    connection.limitTime(seconds: nil)
    do {
      // Before the first reading: a WAL is then used without -shm, for which nobody else may have the store open.
      // https://www.sqlite.org/wal.html#use_of_wal_without_shared_memory
      try connection.execute(
        "PRAGMA locking_mode = EXCLUSIVE; PRAGMA synchronous = FULL; PRAGMA fullfsync = ON")
      // The lock stays when the transaction ends: https://www.sqlite.org/pragma.html#pragma_locking_mode
      try connection.execute("BEGIN EXCLUSIVE; COMMIT")
      _ = try connection.ignoreSchemaExpressions()
    } catch {
      connection.close()
      if error.isBusy {
        let unknown = LockHolder(processID: nil, isExclusive: false)
        throw ((try? LockProbe(files))?.holder() ?? unknown).refusal(of: path)
      }
      throw error
    }
    do { try checkAlone() } catch {
      connection.close()
      throw error
    }
  }

  /// Checks under the lock that it is on the file that the name leads to, and that nobody else has that open.
  ///
  /// Who opens it after a check waits for the lock and has read nothing, if it uses SQLite; who copies the file without
  /// asking for a lock would get half of a change. So it is checked again before the change and right before the commit.
  /// - Throws: `StoreScopeError`.
  func checkAlone() throws {
    guard isInPlace, wal == nil || FileIdentity(path + "-wal") == wal else {
      throw StoreScopeError(
        .changed, shownPath, "was replaced by another file in the meantime",
        advice: "check it first", outcome: .unchanged)
    }
    if let problem = OtherNames.problem(with: path) {
      throw StoreScopeError(.refused, problem, outcome: .unchanged)
    }
    if let user = FileUsers.lastingProcess(ofStore: path) {
      throw LockHolder(processID: user, isExclusive: false).refusal(of: shownPath)
    }
  }

  /// Whether the store's name still leads to the file that is locked.
  private var isInPlace: Bool { FileIdentity(path) == file && !connection.mainFileHasMoved }

  /// Looks before anything is opened for writing: SQLite would roll a hot journal back by itself.
  private static func refuse(_ files: StoreFiles, path: String) throws {
    guard files.resolvedPath.utf8.count <= Connection.longestSystemPath else {
      throw StoreScopeError(
        .limit, path,
        "has a path of \(files.resolvedPath.utf8.count) bytes, and SQLite writes to paths of up to \(Connection.longestSystemPath) bytes",
        advice: "Move the store's folder to a shorter path", outcome: .unchanged)
    }
    let probe = try LockProbe(files)
    if let holder = probe.holder() { throw holder.refusal(of: path, files) }
    // An idle connection without a -wal holds no lock.
    if let user = FileUsers.lastingProcess(ofStore: files.resolvedPath) {
      throw LockHolder(processID: user, isExclusive: false).refusal(of: path)
    }
    if let problem = OtherNames.problem(with: files.resolvedPath) {
      throw StoreScopeError(.refused, problem, outcome: .unchanged)
    }
    if files.hasHotJournal {
      throw StoreScopeError(
        .refused, path, "has a hot journal: a transaction was interrupted",
        advice: "Let the app open the store once, or restore a backup", outcome: .unchanged)
    }
    if files.missingPages > 0 || files.isInWALAlone {
      throw StoreScopeError(
        .damaged, path, "is cut off, so nothing is written to it", advice: "restore a backup")
    }
    let parts = StoreParts(path: files.resolvedPath)
    try BackupManifest.refuseWriting(besideOne: parts)
    for place in [files.resolvedPath, parts.folder] where !Files.isWritable(place) {
      throw StoreScopeError(
        .unwritable, place, "can't be written, so nothing was changed",
        advice: "copy the store elsewhere, or use --on-copy")
    }
  }

  private static let chunk: Int64 = 1 << 20

  /// Copies the main file through the descriptor that holds the lock.
  func copyMainFile(to folder: OpenFolder, as part: String) throws -> FileCopy.Measure {
    let size = try connection.mainFileSize()
    var offset: Int64 = 0
    return try FileCopy.write(part, in: folder) { buffer in
      let count = Int(min(Self.chunk, Int64(buffer.count), size - offset))
      guard count > 0 else { return 0 }
      try connection.readMainFile(into: UnsafeMutableRawBufferPointer(rebasing: buffer[..<count]), at: offset)
      offset += Int64(count)
      return count
    } finish: {
      FileAttributes.takeOver(path, to: $0)
    }
  }

  /// Moves the WAL into the store once something was changed. The index that an app left next to it describes another
  /// WAL then; as nobody else has the store open it can go.
  /// - Returns: why the WAL stays as it is, which is no loss; nil where it was moved.
  func moveWALIntoStore() -> SQLiteError? {
    do throws(SQLiteError) { try connection.execute("PRAGMA wal_checkpoint(TRUNCATE)") } catch {
      return error
    }
    // Another file of that name has an index of its own.
    if isInPlace { Files.remove(path + "-shm") }
    return nil
  }

  package func close() {
    // SQLite makes one even for a look.
    if !hadWAL, isInPlace, FileReader.size(of: path + "-wal") == 0 { Files.remove(path + "-wal") }
    connection.close()
  }
}

/// Names of a store's files beyond the one that SQLite is given: a change by one name can damage what an app wrote by
/// another, as each name has a -wal and a journal of its own.
/// https://www.sqlite.org/howtocorrupt.html#_multiple_links_to_the_same_file
enum OtherNames {
  /// Why the store must not be written, in a sentence; nil if each of its files has one name.
  /// - Parameter path: absolute and without links.
  static func problem(with path: String) -> String? {
    for file in [""] + SideFiles.suffixes {
      guard let count = FileStatus(ofLink: path + file)?.names, count > 1 else { continue }
      return
        "'\(path)\(file)' has \(count) names (hard links), and SQLite keeps a -wal and a journal per name, so a change by this one could damage the store: copy the store to a folder of its own, or use --on-copy."
    }
    if FileNames.isMountPoint(path) {
      return
        "'\(path)' is mounted as a single file, so its -wal and journal wouldn't be next to the original: mount its folder instead, or use --on-copy."
    }
    return nil
  }
}

extension LockHolder {
  private var advice: String {
    isOurs ? "leave that storescope first" : "quit the app and its extensions first"
  }

  /// Who has the store open and what to do, as a clause.
  func inUse(_ files: StoreFiles? = nil) -> String {
    guard let files, files.header.usesWAL, files.wal == nil else {
      return "in use by \(description): \(advice)"
    }
    return
      "in use by \(description), whose -wal isn't next to it (that process uses another name of the file, or the -wal was deleted): \(advice)"
  }

  /// Why nothing is done to a store that somebody has open.
  func refusal(of path: String, _ files: StoreFiles? = nil) -> StoreScopeError {
    StoreScopeError(.busy, path, "is \(inUse(files))", outcome: .unchanged)
  }
}
