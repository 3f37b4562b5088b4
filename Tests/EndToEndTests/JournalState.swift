import Forge
import SQLite
import TestSupport
import Testing

/// What may lie next to a store when nobody has it open.
enum JournalState: String, CaseIterable, CustomTestStringConvertible {
  case walAndIndex, walWithoutIndex, emptyWAL, noSideFiles, rollback, hotJournal, tornTail

  var testDescription: String { rawValue }

  /// The demo store in this state.
  func demo() throws -> Demo {
    switch self {
    case .walAndIndex: return try Demo()
    case .walWithoutIndex: return try Demo(leaving: .walWithoutIndex)
    case .emptyWAL: return try Demo(leaving: .emptyWAL)
    case .noSideFiles: return try Demo(leaving: .nothing)
    case .rollback:
      let demo = try Demo(leaving: .nothing)
      try Connection(path: demo.path, options: .readWrite()).execute("PRAGMA journal_mode = DELETE")
      return demo
    case .hotJournal:
      let demo = try JournalState.rollback.demo()
      try interruptTransaction(demo)
      return demo
    case .tornTail:
      let demo = try Demo()
      let wal = DemoStore.fileName + "-wal"
      try demo.folder.write(try demo.folder.read(wal).dropLast(1000), to: wal)
      return demo
    }
  }

  /// Commits at the WAL's end that can't be seen any more.
  var lostCommits: Int64 { self == .tornTail ? 1 : 0 }

  /// Leaves the files of a large transaction as they are in its middle: a cache of few pages writes early.
  private func interruptTransaction(_ demo: Demo) throws {
    let names = [DemoStore.fileName, DemoStore.fileName + "-journal"]
    let writer = try Connection(path: demo.path, options: .readWrite())
    try writer.execute(
      "PRAGMA cache_size = 5; BEGIN; UPDATE ZENTRY SET ZTITLE = hex(zeroblob(9000)); DELETE FROM ZTRIP; DELETE FROM ACHANGE"
    )
    let files = try names.map { try demo.folder.read($0) }
    try writer.execute("ROLLBACK")
    writer.close()
    for (name, bytes) in zip(names, files) { try demo.folder.write(bytes, to: name) }
  }
}
