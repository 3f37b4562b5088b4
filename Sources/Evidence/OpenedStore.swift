import Base
package import SQLite
import Synchronization

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
    /// As `overlay`, without the -wal, which isn't the main file's own.
    case withoutWAL
    /// As `overlay`, with the WAL cut off.
    case past(PastCommit)

    package var description: String {
      switch self {
      case .shared: "read-only through the store's own -shm"
      case .locked: "read-only with a shared lock"
      case .overlay: "through an overlay in memory"
      case .withoutWAL: "through an overlay in memory, without the -wal"
      case .past(let commit):
        "through an overlay in memory, as of \(Sentence.count(commit.commitsAgo, "commit")) ago (of \(commit.commitCount))"
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
  /// Whether tables may be missing, as SQLite couldn't read the list of them to its end.
  package let isSchemaDamaged: Bool
  /// Sentences for people, about what is missing from what they will see.
  package let warnings: [String]
  let probe: LockProbe
  /// Nanoseconds since 1970, before SQLite saw the store.
  private let begun: Int64
  private let toleratesDamage: Bool
  private var siblings: [Connection] = []
  private var knownCheck: DatabaseCheck?

  /// - Parameter toleratesDamage: whether the tables that can be read are enough.
  init(
    _ files: StoreFiles, _ probe: LockProbe, _ holder: LockHolder?, _ way: Way, toleratesDamage: Bool = false
  ) throws(SQLiteError) {
    self.files = files
    self.probe = probe
    self.holder = holder
    self.way = way
    var warnings: [String] = []
    if files.missingPages > 0 {
      warnings.append(
        "\(files.path) is \(files.cutOff(files.missingPages)), so their contents can't be shown")
    }
    if way == .withoutWAL {
      warnings.append(
        "the -wal next to \(files.path) isn't read: it belongs to another store, or to another copy of this one; move it away, and don't let the app open the two together"
      )
    }
    if files.isInWALAlone {
      warnings.append("\(files.path): \(StoreFiles.inWALAlone); copy both before an app or SQLite opens them")
    }
    begun = Platform.nanoseconds()
    self.toleratesDamage = toleratesDamage
    let computed: [String]
    (connection, computed, isSchemaDamaged) = try Self.connect(files, way, toleratesDamage)
    if isSchemaDamaged {
      warnings.append(
        "\(files.path): SQLite can't read the list of its tables to the end, so some may be missing here")
    }
    if !computed.isEmpty {
      let shown = computed.prefix(5).map { String($0.prefix(100)) }.joined(separator: ", ")
      warnings.append(
        "\(files.path) computes \(Sentence.count(computed.count, "column")) (\(shown)\(computed.count > 5 ? ", …" : "")) by expressions in its "
          + "schema; Core Data doesn't use generated columns, so they're shown as NULL")
    }
    warnings += Self.warningsOfOtherNames(files, probe)
    self.warnings = warnings
  }

  // SQLite's descriptors must be closed before the probe's, whose end would drop SQLite's locks.
  deinit { close() }

  func close() {
    siblings.forEach { $0.close() }
    connection.close()
  }

  /// What is committed under another name of the file isn't in the -wal that belongs to this one.
  private static func warningsOfOtherNames(_ files: StoreFiles, _ probe: LockProbe) -> [String] {
    var warnings: [String] = []
    let names = FileStatus(ofLink: files.resolvedPath)?.names ?? 0
    if names > 1 {
      warnings.append(
        "\(files.path) has \(names) names (hard links); if another name has a -wal next to it, its commits aren't shown"
      )
    }
    // A process that comes or goes has no -wal for a moment, so this is looked at after the store was opened.
    guard files.header.usesWAL, files.wal == nil, !Files.exists(files.walPath) else { return warnings }
    if let holder = probe.holder(), !Files.exists(files.walPath) {
      warnings.append(
        "newer commits may be missing: \(holder.description) has \(files.path) open, and its -wal isn't next to this file (it uses another name of the file, or the -wal was deleted)"
      )
    } else if FileNames.isMountPoint(files.resolvedPath) {
      warnings.append(
        "newer commits may be missing: \(files.path) is mounted as a single file, without its -wal; mount its folder instead"
      )
    }
    return warnings
  }

  private static func connect(
    _ files: StoreFiles, _ way: Way, _ toleratesDamage: Bool
  ) throws(SQLiteError) -> (Connection, computedColumns: [String], isSchemaDamaged: Bool) {
    let connection = try Connection(path: files.resolvedPath, options: options(files, way))
    try connection.execute("BEGIN")
    // The transaction begins with its first reading, and a schema that makes no sense shows here.
    let first = "SELECT 1 FROM main.sqlite_master LIMIT 1"
    do { _ = try connection.prepare(first).step() } catch {
      guard toleratesDamage, error.isDamage else { throw error }
      connection.tolerateSchemaDamage()
      guard let hasTables = try? connection.prepare(first).step(), hasTables else { throw error }
      // What is said of views and computed columns is read off the same list.
      return (connection, (try? connection.ignoreSchemaExpressions()) ?? [], true)
    }
    return (connection, try connection.ignoreSchemaExpressions(), false)
  }

  /// More connections that see the very same state, for as many other threads. They live as long as this object.
  /// None where a process is writing the store, as they might see what it added since this one was opened.
  package func moreConnections(_ count: Int) throws -> [Connection] {
    let more = try (0..<max(0, count)).map { _ in try Self.connect(files, way, toleratesDamage).0 }
    guard seesWhatItSaw else {
      more.forEach { $0.close() }
      return []
    }
    // Two threads of the doctor open theirs.
    lock.withLock { _ in siblings += more }
    return more
  }

  private let lock = Mutex(())

  /// Whether a connection that has been opened since sees what the first one does.
  private var seesWhatItSaw: Bool {
    // A shared lock keeps writers out; without a lock it is checked at the end.
    guard way == .shared else { return true }
    guard FileFacts.timeUntilChangesShow(in: [files.main, files.wal], at: begun) == 0 else { return false }
    return (try? FileFacts(files.walPath, of: files.path)) == files.wal
      && (try? FileFacts(files.location)) == files.main
  }

  /// Equal for two openings that show the same content of the same store.
  package var contentMark: String {
    let facts = [Optional(files.main), files.wal, files.journal].map { facts in
      facts.map { "\($0.size):\($0.modified)" } ?? "-"
    }
    let commit = if case .past(let commit) = way { "\(commit.commitsAgo)" } else { "0" }
    let text = (facts + [commit]).joined(separator: " ")
    return (Array(text.utf8) + files.fingerprint).withUnsafeBytes(SHA256.hexadecimal)
  }

  private static func options(_ files: StoreFiles, _ way: Way) -> OpenOptions {
    // SQLite refuses a file that is shorter than its header says; the overlay shows the missing pages as zeros. It ignores
    // the -wal of an empty one.
    let missing = files.isInWALAlone ? 1 : files.missingPages > 0 ? Int64(files.header.pageCount ?? 0) : 0
    let mainSize = missing > 0 ? missing * Int64(files.header.pageSize) : nil
    return switch way {
    case .shared: OpenOptions(.readOnly, parameters: [("readonly_shm", "1")])
    case .locked: .readOnly
    case .overlay: .overlay(minimumMainSize: mainSize)
    case .withoutWAL: .overlay(walLimit: 0)
    case .past(let commit): .overlay(walLimit: commit.walLimit, minimumMainSize: mainSize)
    }
  }

  /// The transactions in the -wal as it was when the store was opened; nil where there is no -wal, or an empty one.
  /// Reads all of it.
  package func walIndex() throws -> WALIndex? {
    guard let wal = files.wal, wal.size > 0, way != .withoutWAL else { return nil }
    return try WALIndex(path: files.walPath, size: wal.size)
  }

  /// What SQLite's quick check finds, which reads all of the store; made once.
  package func check() throws -> DatabaseCheck {
    if let knownCheck { return knownCheck }
    let check = try connection.damage(atMost: 20)
    knownCheck = check
    return check
  }

  /// Ends the reading. Throws `StoreChangedError` where no lock protected it and the files are not what they were.
  package func finish() throws {
    defer { close() }
    guard !way.holdsLocks else { return }
    guard let now = try? StoreFiles(path: files.path, at: files.location), now.shows(files, way) else {
      throw StoreChangedError(path: files.path)
    }
  }

  /// Ends a reading that met an error.
  /// - Returns: whether the files aren't what they were. Locks don't keep somebody from replacing a file, or from
  ///   changing the journal mode between our look at the files and SQLite's.
  package func endsChanged() -> Bool {
    close()
    guard let now = try? StoreFiles(path: files.path, at: files.location) else { return true }
    return !now.shows(files, way)
  }

  /// Whether SQLite's locks kept the state that was read whole.
  package var isLocked: Bool { way.holdsLocks }
}

/// A store was written while it was read without a lock: what was read may be half of one state and half of
/// another.
package struct StoreChangedError: Error, Equatable, CustomStringConvertible {
  package var path: String

  package init(path: String) { self.path = path }

  package var description: String {
    "can't read '\(path)': it changed while it was read; run the command again"
  }
}
