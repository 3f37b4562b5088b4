import Evidence
import Foundation
import SQLite
import TestSupport
import Testing

/// A small store in a folder of its own, in a state that a process left behind.
struct ForgedStore {
  let folder: TemporaryFolder
  var path: String { folder.path(Self.name) }

  static let name = "App.sqlite"

  /// What may lie in a folder when nobody has the store open.
  enum State: String, CaseIterable, CustomTestStringConvertible {
    case walClean, walAndShm, walWithoutShm, walOnlyContent, walEmpty, walEmptyWithShm, walTorn, walBadHeader
    case shmEmpty, shmShort, shmGarbage, shmOfEarlierTime, shmWithoutWAL
    case rollback, rollbackJournalZeroed, rollbackJournalEmpty, hotJournal, rollbackEmptyWAL

    var testDescription: String { rawValue }

    /// What must be seen: rows of the main file, and those that only the WAL has.
    var rowCount: Int64 {
      switch self {
      case .walAndShm, .walWithoutShm, .walTorn, .shmEmpty, .shmShort, .shmGarbage, .shmOfEarlierTime: 700
      default: 500
      }
    }
  }

  init(_ state: State) throws {
    let source = TemporaryFolder()
    folder = TemporaryFolder()
    let isWAL = state.rawValue.hasPrefix("wal") || state.rawValue.hasPrefix("shm")
    let mode = isWAL ? "wal" : state == .rollbackJournalZeroed ? "persist" : "delete"
    let writer = try Connection(path: source.path(Self.name), options: .readWrite(create: true))
    try writer.execute("PRAGMA journal_mode = \(mode); PRAGMA wal_autocheckpoint = 0")
    let keeper = try Connection(path: source.path(Self.name), options: .readWrite())
    _ = try keeper.value("PRAGMA user_version")
    func copy(_ suffixes: String...) throws {
      for suffix in suffixes { try folder.write(try source.read(Self.name + suffix), to: Self.name + suffix) }
    }
    try Self.addRows(1...500, to: writer)
    if state == .walOnlyContent {
      try copy("", "-wal")
      return
    }
    if isWAL { _ = try writer.value("PRAGMA wal_checkpoint(TRUNCATE)") }
    let earlierIndex = isWAL ? try source.read(Self.name + "-shm") : []
    if state.rowCount == 700 { try Self.addRows(501...700, to: writer) }
    switch state {
    case .walClean, .rollback: try copy("")
    case .walAndShm: try copy("", "-wal", "-shm")
    case .walWithoutShm: try copy("", "-wal")
    case .walOnlyContent: break
    case .walEmpty: try copy("", "-wal")
    case .walEmptyWithShm: try copy("", "-wal", "-shm")
    case .walTorn:
      try Self.addRows(701...900, to: writer)
      try copy("", "-wal", "-shm")
      try folder.write(try folder.read(Self.name + "-wal").dropLast(1000), to: Self.name + "-wal")
    case .walBadHeader:
      try Self.addRows(501...600, to: writer)
      try copy("", "-wal")
      var bytes = try folder.read(Self.name + "-wal")
      bytes[17] ^= 1
      try folder.write(bytes, to: Self.name + "-wal")
    case .shmEmpty, .shmShort, .shmGarbage, .shmOfEarlierTime:
      try copy("", "-wal")
      let bytes: [UInt8] =
        switch state {
        case .shmEmpty: []
        case .shmShort: Array(try source.read(Self.name + "-shm").prefix(1000))
        case .shmGarbage: (0..<32768).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ 7) }
        default: earlierIndex
        }
      try folder.write(bytes, to: Self.name + "-shm")
    case .shmWithoutWAL: try copy("", "-shm")
    case .rollbackJournalZeroed: try copy("", "-journal")
    case .rollbackJournalEmpty:
      try copy("")
      try folder.write([], to: Self.name + "-journal")
    case .rollbackEmptyWAL:
      try copy("")
      try folder.write([], to: Self.name + "-wal")
    case .hotJournal:
      try writer.execute(
        "PRAGMA cache_size = 5; BEGIN; UPDATE t SET b = 'half done'; DELETE FROM t WHERE a > 9")
      try copy("", "-journal")
      try writer.execute("ROLLBACK")
    }
  }

  static func addRows(_ rows: ClosedRange<Int64>, to connection: Connection) throws {
    try connection.execute("CREATE TABLE IF NOT EXISTS t(a INTEGER PRIMARY KEY, b)")
    try connection.inTransaction {
      let insert = try connection.prepare("INSERT INTO t VALUES(?, ? || hex(zeroblob(150)))")
      for row in rows { try insert.run([.integer(row), .integer(row)]) }
    }
  }

  /// Every row and the schema, as text.
  static func content(_ connection: Connection) throws -> [String] {
    var lines = try connection.rows("SELECT name, sql FROM sqlite_master ORDER BY name") {
      $0.text(0) + $0.text(1)
    }
    guard try connection.hasTable("t") else { return lines }
    lines += try connection.rows("SELECT a, b FROM t ORDER BY a") { $0.text(0) + "|" + $0.text(1) }
    return lines
  }
}
