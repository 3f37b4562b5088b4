import Base
import SQLite

/// Opens stores for reading, so that all that is committed is seen and nothing in the folder changes, neither
/// bytes nor timestamps nor names.
///
/// No open mode of SQLite does that in every state: `immutable=1` hides the WAL, `mode=ro` makes or rewrites the
/// -shm, and `mode=rw` writes the WAL back. Two ways together do: with the -shm that is there, read only
/// (https://www.sqlite.org/wal.html#read_only_databases), and through an overlay in memory where there is none.
package enum StoreOpener {
  /// Opens the store at `path`, a read transaction begun. With `asOfCommit` 1 or more, as it was that many commits
  /// ago. Throws a sentence about the file. This process must not have the store open already.
  /// - Parameters:
  ///   - path: as the user wrote it.
  ///   - location: where the file is, if that is another place.
  ///   - toleratesDamage: whether the tables are enough that SQLite can list, if it can't list all: for the doctor, which
  ///     says so. Anybody else would call those missing that can't be listed.
  package static func open(
    path: String, at location: String? = nil, asOfCommit: Int? = nil, toleratesDamage: Bool = false
  ) throws -> OpenedStore {
    try VanishedFile.retrying { try openPresent(path, location, asOfCommit, toleratesDamage) }
  }

  private static func openPresent(
    _ path: String, _ location: String?, _ asOfCommit: Int?, _ toleratesDamage: Bool
  ) throws -> OpenedStore {
    var hasFailedUnchanged = false
    // A process that comes or goes between our look and SQLite's changes what the right way is.
    for _ in 1...4 {
      let (files, probe) = try filesWithoutExclusiveHolder(path, location)
      do { return try open(files, probe, asOfCommit) } catch {
        if let error = error as? SQLiteError, error.isBusy {
          throw failure(error, files, probe.holder())
        }
        // Nothing is called damaged before a second look at files that nobody has changed meanwhile.
        let isUnchanged = try StoreFiles(path: path, at: location).shows(files, .overlay)
        if isUnchanged, hasFailedUnchanged || !(error is SQLiteError) {
          guard toleratesDamage, asOfCommit ?? 0 == 0, (error as? SQLiteError)?.isDamage == true,
            let opened = try? OpenedStore(
              settled(files), probe, probe.holder(), .overlay, toleratesDamage: true)
          else { throw described(error, files, probe) }
          return opened
        }
        hasFailedUnchanged = isUnchanged
      }
    }
    let (files, probe) = try filesWithoutExclusiveHolder(path, location)
    do { return try open(files, probe, asOfCommit) } catch { throw described(error, files, probe) }
  }

  private static func open(_ files: StoreFiles, _ probe: LockProbe, _ asOfCommit: Int?) throws -> OpenedStore
  {
    let holder = probe.holder()
    if let asOfCommit, asOfCommit != 0 {
      let files = try settled(files)
      return try OpenedStore(files, probe, holder, .past(try PastCommit(files, commitsAgo: asOfCommit)))
    }
    // Whoever has the store open has read the -wal as its own.
    guard holder == nil, files.wal?.size ?? 0 > 0, !files.hasFramelessWAL, !files.isInWALAlone else {
      return try openWhole(files, probe, holder)
    }
    var failure: SQLiteError?
    do {
      let opened = try openWhole(files, probe, nil)
      guard try WALFit.isDoubtful(opened) else { return opened }
      // The overlay's descriptors would drop the locks of this one.
      opened.close()
    } catch let error as SQLiteError where error.isDamage {
      // What a newer SQLite, or the app, has put into the schema isn't damage.
      guard !error.message.hasPrefix("malformed database schema") else { throw error }
      failure = error
    }
    if let alone = try mainFileAlone(files, probe) { return alone }
    if let failure { throw failure }
    return try openWhole(files, probe, nil)
  }

  /// Nil if the main file isn't a whole store by itself, and so doesn't show whose fault it is.
  private static func mainFileAlone(_ files: StoreFiles, _ probe: LockProbe) throws -> OpenedStore? {
    do {
      let alone = try OpenedStore(try settled(files), probe, nil, .withoutWAL)
      // Who has come meanwhile has read the -wal as its own.
      if try WALFit.isWhole(withoutWAL: alone), probe.holder() == nil { return alone }
      alone.close()
    } catch let error as SQLiteError where error.isDamage {}
    return nil
  }

  private static func openWhole(
    _ files: StoreFiles, _ probe: LockProbe, _ holder: LockHolder?
  ) throws -> OpenedStore {
    switch way(for: files, probe, isHeld: holder != nil) {
    case .shared where holder == nil:
      // Nobody needs this -shm, so one that SQLite can't use is no reason to give up.
      do { return try OpenedStore(files, probe, nil, .shared) } catch {
        return try OpenedStore(try settled(files), probe, nil, .overlay)
      }
    case .overlay: return try OpenedStore(try settled(files), probe, holder, .overlay)
    case let way: return try OpenedStore(files, probe, holder, way)
    }
  }

  /// Opens several states of one store at once, each as it was that many commits ago, counted from the same newest one.
  /// They take no locks, which next to each other in one process they could not keep: see `OpenFile`.
  package static func openStates(
    path: String, at location: String? = nil, commitsAgo: [Int]
  ) throws -> [OpenedStore] {
    try VanishedFile.retrying {
      let (files, probe) = try filesWithoutExclusiveHolder(path, location)
      do {
        let files = try settled(files)
        return try commitsAgo.map {
          try OpenedStore(files, probe, probe.holder(), .past(try PastCommit(files, commitsAgo: $0)))
        }
      } catch { throw described(error, files, probe) }
    }
  }

  static func way(for files: StoreFiles, _ probe: LockProbe, isHeld: Bool = false) -> OpenedStore.Way {
    // The system's VFS can't open longer paths.
    if files.resolvedPath.utf8.count > Connection.longestSystemPath { return .overlay }
    // SQLite would look at such a WAL a hundred times, for ten seconds. With a process that has it open, the -shm counts.
    if files.hasFramelessWAL && !isHeld { return .overlay }
    if files.hasHotJournal && !probe.isWriting() || files.missingPages > 0 || files.isInWALAlone {
      return .overlay
    }
    if !files.header.usesWAL && (files.wal?.size ?? 0) == 0 { return .locked }
    // Without either of them SQLite would make it.
    return files.wal != nil && files.shm != nil ? .shared : .overlay
  }

  private static func described(_ error: any Error, _ files: StoreFiles, _ probe: LockProbe) -> any Error {
    guard let error = error as? SQLiteError else { return error }
    return failure(error, files, probe.holder())
  }

  private static func failure(
    _ error: SQLiteError, _ files: StoreFiles, _ holder: LockHolder?
  ) -> StoreScopeError {
    if error.isBusy { return busy(files.path, holder) }
    if error.isDamage {
      let missing = max(files.missingPages, (try? WALFit.missingPages(files)) ?? 0)
      let extent =
        missing > 0
        ? " and cut off: \(Sentence.count(missing, "page")) of it \(Sentence.form(missing, "is", "are")) missing"
        : ""
      return .unreadable(
        files.path, "SQLite reports “\(error.message)”, so the file is damaged\(extent)", kind: .damaged,
        advice: missing > 0
          ? "copy the store again from where it came, together with its -wal"
          : "restore a backup or try sqlite3's .recover")
    }
    return .unreadable(
      files.path, "SQLite reports “\(error.message)” (code \(error.code))",
      advice: "check the permissions of the store's files")
  }

  private static func busy(_ path: String, _ holder: LockHolder?) -> StoreScopeError {
    .unreadable(
      path, "\(holder?.description ?? "another process") has it open exclusively", kind: .busy,
      advice: "quit that process, or read a copy")
  }

  /// A process may keep everybody out for the moment of a commit, or for as long as it runs. Waits for the first.
  private static func filesWithoutExclusiveHolder(
    _ path: String, _ location: String?
  ) throws -> (StoreFiles, LockProbe) {
    let end = Platform.monotonicSeconds() + 1
    while true {
      let files = try StoreFiles(path: path, at: location)
      let probe = try LockProbe(files)
      guard let holder = probe.holder(), holder.isExclusive else { return (files, probe) }
      guard Platform.monotonicSeconds() < end else {
        throw busy(path, holder)
      }
      Platform.pause(seconds: 0.02)
    }
  }

  /// The files once a later change shows in their timestamps. A store that is written all the time never gets there, and
  /// shows that by itself.
  private static func settled(_ files: StoreFiles) throws -> StoreFiles {
    var files = files
    for _ in 0..<5 {
      let wait = FileFacts.timeUntilChangesShow(
        in: [files.main, files.wal, files.journal], at: Platform.nanoseconds())
      guard let wait, wait > 0 else { break }
      Platform.pause(seconds: Double(wait) / 1e9)
      files = try StoreFiles(path: files.path, at: files.location)
    }
    return files
  }
}
