import Evidence
import Foundation
import SQLite
import TestSupport
import Testing

/// The promise of the whole program, in every state of the files: all that is committed is seen, and nothing is
/// changed.
struct StateTests {
  static func check(_ store: ForgedStore, rows: Int64, way: OpenedStore.Way? = nil) throws {
    let before = try FolderSnapshot(store.folder.path)
    do {
      let opened = try StoreOpener.open(path: store.path)
      #expect(try opened.connection.value("SELECT count(*) FROM t") == .integer(rows))
      #expect(try opened.connection.value("SELECT count(*) FROM t WHERE b LIKE a || '0%'") == .integer(rows))
      #expect(try opened.connection.value("PRAGMA integrity_check") == .text("ok"))
      try opened.connection.execute("CREATE TEMP VIEW v AS SELECT a FROM t")
      #expect(try opened.connection.value("SELECT max(a) FROM v") == .integer(rows))
      #expect(opened.warnings == [])
      #expect(opened.holder == nil)
      if let way { #expect(opened.way == way) }
      #expect(try FolderSnapshot(store.folder.path) == before, "while open")
      try opened.finish()
    }
    #expect(try FolderSnapshot(store.folder.path) == before, "afterwards")
  }

  @Test(arguments: ForgedStore.State.allCases) func allIsSeenAndNothingTouched(state: ForgedStore.State)
    throws
  {
    let expected: OpenedStore.Way =
      switch state {
      case .walAndShm, .walTorn, .walEmptyWithShm, .shmEmpty, .shmShort, .shmGarbage, .shmOfEarlierTime:
        .shared
      case .rollback, .rollbackJournalZeroed, .rollbackJournalEmpty, .rollbackEmptyWAL: .locked
      default: .overlay
      }
    try Self.check(try ForgedStore(state), rows: state.rowCount, way: expected)
  }

  @Test(arguments: ForgedStore.State.allCases) func alsoInAReadOnlyFolder(state: ForgedStore.State)
    async throws
  {
    let store = try ForgedStore(state)
    let path = store.path
    for name in try store.folder.names() { chmod(store.folder.path(name), 0o444) }
    chmod(store.folder.path, 0o555)
    let before = try FolderSnapshot(store.folder.path)
    let rows = state.rowCount
    let ran = try await withoutRootRights {
      #expect(access(path, W_OK) != 0 || geteuid() == 0)
      let opened = try StoreOpener.open(path: path)
      #expect(try opened.connection.value("SELECT count(*) FROM t") == .integer(rows))
      try opened.finish()
    }
    if !ran { try Self.check(store, rows: rows) }
    #expect(try FolderSnapshot(store.folder.path) == before)
  }

  @Test(arguments: [ForgedStore.State.walWithoutShm, .walAndShm, .hotJournal, .rollback, .walClean])
  func anyNameAndALink(state: ForgedStore.State) throws {
    let store = try ForgedStore(state)
    for name in ["100%25 of ?mode=rw&x=#frag", "Ünï çødé 🍉", "a b\tc"] {
      let copy = TemporaryFolder()
      for file in try store.folder.names() {
        try copy.write(try store.folder.read(file), to: name + file.dropFirst(ForgedStore.name.count))
      }
      let links = TemporaryFolder()
      try FileManager.default.createSymbolicLink(
        atPath: links.path("link"), withDestinationPath: copy.path(name))
      let before = try (FolderSnapshot(copy.path), FolderSnapshot(links.path))
      for path in [copy.path(name), links.path("link")] {
        try StoreOpener.withStore(path: path) {
          let found = try $0.connection.value("SELECT count(*) FROM t")
          #expect(found == .integer(state.rowCount))
        }
      }
      #expect(try FolderSnapshot(copy.path) == before.0)
      #expect(try FolderSnapshot(links.path) == before.1)
    }
  }

  @Test func cutOffMainFileOpensWithAWarning() throws {
    let store = try ForgedStore(.rollback)
    let bytes = try store.folder.read(ForgedStore.name)
    try store.folder.write(Array(bytes.prefix(bytes.count / 2 / 4096 * 4096)), to: ForgedStore.name)
    let before = try FolderSnapshot(store.folder.path)
    do {
      let opened = try StoreOpener.open(path: store.path)
      #expect(opened.warnings.count == 1 && opened.warnings[0].contains("cut off"))
      #expect(try opened.connection.hasTable("t"))
      #expect(try opened.connection.value("SELECT a FROM t WHERE a = 3") == .integer(3))
      let error = #expect(throws: SQLiteError.self) {
        try opened.connection.value("SELECT sum(length(b)) FROM t")
      }
      #expect(error?.isDamage == true)
      try opened.finish()
    }
    #expect(try FolderSnapshot(store.folder.path) == before)
  }

  @Test func aChangeDuringAnUnlockedReadingIsNoticed() throws {
    for state in [ForgedStore.State.walWithoutShm, .walClean, .hotJournal] {
      let store = try ForgedStore(state)
      let opened = try StoreOpener.open(path: store.path)
      #expect(opened.way == .overlay)
      let writer = try Connection(path: store.path, options: .readWrite())
      try writer.execute("INSERT INTO t VALUES(9999, 'new')")
      #expect(throws: StoreChangedError.self) { try opened.finish() }
    }
  }

  @Test func withStoreReadsAgainWhereTheStoreChanged() throws {
    let store = try ForgedStore(.walWithoutShm)
    var attempts = 0
    let count = try StoreOpener.withStore(path: store.path) { opened in
      attempts += 1
      if attempts == 1 {
        try Connection(path: store.path, options: .readWrite()).execute("INSERT INTO t VALUES(9999, 'new')")
      }
      return try opened.connection.value("SELECT count(*) FROM t")
    }
    #expect(attempts == 2 && count == .integer(701))
    #expect(throws: StoreChangedError.self) {
      try StoreOpener.withStore(path: store.path) { _ in
        try Connection(path: store.path, options: .readWrite()).execute(
          "DELETE FROM t WHERE a = (SELECT max(a) FROM t)")
      }
    }
  }

  @Test func theReadingIsOneSnapshot() throws {
    let store = try ForgedStore(.rollback)
    try Connection(path: store.path, options: .readWrite()).execute("PRAGMA journal_mode = wal")
    let writer = try Connection(path: store.path, options: .readWrite())
    try writer.execute("DELETE FROM t WHERE a = 1")
    let opened = try StoreOpener.open(path: store.path)
    #expect(opened.way == .shared)
    try writer.execute("DELETE FROM t")
    #expect(try opened.connection.value("SELECT count(*) FROM t") == .integer(499))
    try opened.finish()
    try StoreOpener.withStore(path: store.path) {
      let found = try $0.connection.value("SELECT count(*) FROM t")
      #expect(found == .integer(0))
    }
  }
}
