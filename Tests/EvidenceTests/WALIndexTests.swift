import Evidence
import SQLite
import TestSupport
import Testing

struct WALIndexTests {
  private func index(_ store: ForgedStore) throws -> WALIndex {
    let opened = try StoreOpener.open(path: store.path)
    defer { try? opened.finish() }
    return try #require(try opened.walIndex())
  }

  @Test func commitsAreFound() throws {
    let index = try index(try ForgedStore(.walOnlyContent))
    // CREATE TABLE is one, the rows are the other.
    #expect(index.commits.count == 2 && index.tail == .end)
    #expect(index.header?.pageSize == 4096)
    #expect(index.commits.last?.frame == index.frameCount)
    #expect(index.commits.last?.endOffset == index.size)
    #expect(index.size == 32 + Int64(index.frameCount) * 4120)
  }

  @Test func thereIsNoneWithoutAWAL() throws {
    for state in [ForgedStore.State.walClean, .walEmpty, .rollback] {
      let store = try ForgedStore(state)
      #expect(try StoreOpener.open(path: store.path).walIndex() == nil)
    }
  }

  @Test func tornTailIsTold() throws {
    let index = try index(try ForgedStore(.walTorn))
    #expect(index.commits.count == 1 && index.commits[0].frame < index.frameCount)
    #expect(index.tail == .incompleteFrame(bytes: 3120))
  }

  @Test func badHeaderIsTold() throws {
    let index = try index(try ForgedStore(.walBadHeader))
    #expect(index.header == nil && index.commits.isEmpty && index.tail == .badHeader)
  }

  @Test func badFrameEndsTheIndex() throws {
    let store = try ForgedStore(.walWithoutShm)
    var bytes = try store.folder.read(ForgedStore.name + "-wal")
    let whole = try index(store)
    bytes[32 + 4120 * 3 + 500] ^= 4
    try store.folder.write(bytes, to: ForgedStore.name + "-wal")
    let index = try index(store)
    #expect(index.frameCount == 3 && index.tail == .badFrame && index.commits.isEmpty)
    #expect(whole.frameCount > 3)
    try StateTests.check(store, rows: 500)
  }

  @Test func restartedWALHasALeftoverOfTheEarlierGeneration() throws {
    let folder = TemporaryFolder()
    let writer = try Connection(path: folder.path("a"), options: .readWrite(create: true))
    try writer.execute("PRAGMA journal_mode = wal; PRAGMA wal_autocheckpoint = 0")
    try ForgedStore.addRows(1...300, to: writer)
    _ = try writer.value("PRAGMA wal_checkpoint(RESTART)")
    try writer.execute("UPDATE t SET b = 'x' WHERE a = 5")
    let copy = TemporaryFolder()
    for name in ["a", "a-wal"] { try copy.write(try folder.read(name), to: name) }
    let opened = try StoreOpener.open(path: copy.path("a"))
    let index = try #require(try opened.walIndex())
    #expect(index.commits.count == 1 && index.tail == .earlierGeneration)
    #expect(try opened.connection.value("SELECT b FROM t WHERE a = 5") == .text("x"))
  }

  @Test(arguments: [512, 1024, 65536]) func everyPageSize(pageSize: Int) throws {
    let folder = TemporaryFolder()
    let writer = try Connection(path: folder.path("a"), options: .readWrite(create: true))
    try writer.execute(
      "PRAGMA page_size = \(pageSize); PRAGMA journal_mode = wal; PRAGMA wal_autocheckpoint = 0")
    for row in 1...20 as ClosedRange<Int64> { try ForgedStore.addRows(row...row, to: writer) }
    let copy = TemporaryFolder()
    for name in ["a", "a-wal"] { try copy.write(try folder.read(name), to: name) }
    let opened = try StoreOpener.open(path: copy.path("a"))
    let index = try #require(try opened.walIndex())
    #expect(index.commits.count == 21 && index.tail == .end && index.header?.pageSize == pageSize)
    #expect(opened.files.header.pageSize == pageSize && opened.files.header.usesWAL)
  }
}
