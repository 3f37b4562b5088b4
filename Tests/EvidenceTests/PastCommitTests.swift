import Base
import Evidence
import SQLite
import TestSupport
import Testing

struct PastCommitTests {
  let folder = TemporaryFolder()
  let writer: Connection
  let keeper: Connection

  init() throws {
    writer = try Connection(path: folder.path(ForgedStore.name), options: .readWrite(create: true))
    try writer.execute("PRAGMA journal_mode = wal; PRAGMA wal_autocheckpoint = 0")
    keeper = try Connection(path: folder.path(ForgedStore.name), options: .readWrite())
    try ForgedStore.addRows(1...100, to: writer)
    _ = try writer.value("PRAGMA wal_checkpoint(TRUNCATE)")
  }

  /// The files as they are now, without their writer.
  private func dead(shm: Bool = true) throws -> TemporaryFolder {
    let copy = TemporaryFolder()
    for suffix in shm ? ["", "-wal", "-shm"] : ["", "-wal"] {
      try copy.write(try folder.read(ForgedStore.name + suffix), to: ForgedStore.name + suffix)
    }
    return copy
  }

  /// Runs each statement as a commit of its own; the contents before the first and after each.
  private func commit(_ statements: [String]) throws -> [[String]] {
    var contents = [try ForgedStore.content(writer)]
    for statement in statements {
      try writer.execute(statement)
      contents.append(try ForgedStore.content(writer))
    }
    return contents
  }

  private func content(_ folder: TemporaryFolder, ago: Int) throws -> [String] {
    try StoreOpener.withStore(path: folder.path(ForgedStore.name), asOfCommit: ago) {
      try ForgedStore.content($0.connection)
    }
  }

  private static let statements = [
    "UPDATE t SET b = 'changed' WHERE a = 3", "DELETE FROM t WHERE a > 90", "CREATE TABLE other(x)",
    "INSERT INTO t VALUES(5000, hex(zeroblob(30000)))", "DROP TABLE other", "UPDATE t SET b = b || 'x'",
    "DELETE FROM t WHERE a BETWEEN 10 AND 80", "VACUUM", "INSERT INTO t VALUES(6000, 'last')",
  ]

  @Test func everyStateComesBack() throws {
    let contents = try commit(Self.statements)
    let copy = try dead()
    let before = try FolderSnapshot(copy.path)
    for ago in 0..<contents.count {
      #expect(try content(copy, ago: ago) == contents[contents.count - 1 - ago], "\(ago) ago")
    }
    #expect(try FolderSnapshot(copy.path) == before)
    let opened = try StoreOpener.open(path: copy.path(ForgedStore.name), asOfCommit: 2)
    guard case .past(let past) = opened.way else {
      Issue.record("not the past")
      return
    }
    #expect(past.commitsAgo == 2 && past.commitCount == contents.count - 1)
    #expect(try opened.connection.value("PRAGMA integrity_check") == .text("ok"))
  }

  /// Pages that were written again as they were look like a checkpoint's work, and only the -shm can tell.
  @Test func withoutAnShmNoWrongStateIsShown() throws {
    let contents = try commit(Self.statements)
    let copy = try dead(shm: false)
    var shown = 0
    for ago in 0..<contents.count {
      do {
        #expect(try content(copy, ago: ago) == contents[contents.count - 1 - ago], "\(ago) ago")
        shown += 1
      } catch let error as StoreScopeError {
        #expect(error.description.contains("can't be ruled out"))
      }
    }
    #expect(shown >= 3)
  }

  @Test func tooFarBackIsAnError() throws {
    _ = try commit(Array(Self.statements.prefix(3)))
    let copy = try dead()
    let far = #expect(throws: StoreScopeError.self) { try content(copy, ago: 4) }
    #expect(far?.description.contains("holds 3 commits; give a number from 0 to 3") == true)
    let negative = #expect(throws: StoreScopeError.self) { try content(copy, ago: -1) }
    #expect(negative?.description.contains("give 0 or more") == true)
    for state in [ForgedStore.State.walClean, .walEmpty, .rollback] {
      let store = try ForgedStore(state)
      let none = #expect(throws: StoreScopeError.self) { try content(store.folder, ago: 1) }
      #expect(none?.description.contains("has no -wal") == true)
    }
    let bad = try ForgedStore(.walBadHeader)
    let unreadable = #expect(throws: StoreScopeError.self) { try content(bad.folder, ago: 1) }
    #expect(unreadable?.description.contains("holds no commits") == true)
  }

  /// Each commit changes another page, so that each one that a checkpoint copied makes the states before it
  /// impossible.
  @Test(arguments: [true, false]) func whatACheckpointOverwroteIsRefused(shm: Bool) throws {
    let statements = (1...8).map { "UPDATE t SET b = replace(b, '00', 'z') WHERE a = \($0 * 11)" }
    let before = try commit(Array(statements.prefix(4)))
    // This reader lets the checkpoint copy the first four commits only.
    try keeper.execute("BEGIN; SELECT * FROM t")
    let after = try commit(Array(statements.suffix(4)))
    _ = try writer.value("PRAGMA wal_checkpoint(PASSIVE)")
    try keeper.execute("COMMIT")
    let contents = before + after.dropFirst()
    let copy = try dead(shm: shm)
    #expect(try copy.read(ForgedStore.name) != [])
    for ago in 0...8 {
      let wanted = contents[8 - ago]
      if ago <= 4 {
        #expect(try content(copy, ago: ago) == wanted, "\(ago) ago")
      } else {
        let error = #expect(throws: StoreScopeError.self) { try content(copy, ago: ago) }
        #expect(
          error?.description.contains(shm ? "may have copied later changes" : "can't be ruled out") == true)
      }
    }
  }

  @Test(arguments: [true, false]) func aWholeCheckpointLeavesOnlyTheNewestState(shm: Bool) throws {
    let contents = try commit(Self.statements)
    _ = try writer.value("PRAGMA wal_checkpoint(PASSIVE)")
    let copy = try dead(shm: shm)
    for ago in 0..<contents.count {
      // A state is refused, or shown as it was; some are whole in the frames that are kept.
      do {
        #expect(try content(copy, ago: ago) == contents[contents.count - 1 - ago], "\(ago) ago")
      } catch let error as StoreScopeError {
        #expect(ago > 0 && error.description.contains("so that state can't be determined reliably"))
      }
    }
    #expect(throws: StoreScopeError.self) { try content(copy, ago: contents.count - 1) }
  }

  @Test func aChangeThatWasTakenBackIsNotMistakenForACheckpoint() throws {
    let contents = try commit([
      "UPDATE t SET b = replace(b, '0', 'x') WHERE a = 55",
      "UPDATE t SET b = replace(b, 'x', '0') WHERE a = 55",
    ])
    #expect(contents[0] == contents[2] && contents[0] != contents[1])
    let copy = try dead()
    for ago in 0...2 { #expect(try content(copy, ago: ago) == contents[2 - ago]) }
    let withoutIndex = try dead(shm: false)
    #expect(throws: StoreScopeError.self) { try content(withoutIndex, ago: 2) }
  }

  @Test func aLiveStoreGoesBackToo() throws {
    let contents = try commit(Self.statements)
    let path = folder.path(ForgedStore.name)
    for ago in 0..<contents.count {
      let opened = try StoreOpener.open(path: path, asOfCommit: ago)
      #expect(try ForgedStore.content(opened.connection) == contents[contents.count - 1 - ago])
      // Further commits do no harm, a checkpoint does.
      try writer.execute("UPDATE t SET b = 'later' WHERE a = 1")
      if ago > 0 { #expect(throws: Never.self) { try opened.finish() } }
      try writer.execute("DELETE FROM t WHERE b = 'later'")
      guard ago == 3 else { break }
    }
    let opened = try StoreOpener.open(path: path, asOfCommit: 1)
    _ = try writer.value("PRAGMA wal_checkpoint(TRUNCATE)")
    #expect(throws: StoreChangedError.self) { try opened.finish() }
  }
}
