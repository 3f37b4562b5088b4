import Bulk
import Forge
import Lens
import SQLite
import TestSupport
import Testing

/// What is pending in a large store is summed up of records, changes and rows that several threads read. It must be what one
/// thread finds.
struct AppChangesTests {
  private let folder = TemporaryFolder("changes")
  private let path: String

  init() throws {
    let forge = try StoreForge(path: folder.path("App.store"), model: RandomMirrorLife.model)
    let mirror = try MirrorForge(forge, layout: .v17)
    try mirror.setUp()
    var keys: ClosedRange<Int64> = 1...1
    func changes(_ kind: ForgeTruth.Change.Kind, _ count: Int) -> BulkForge.Changes {
      var changes = BulkForge.Changes(kind, of: "Tag", keys: keys, count: count, perTransaction: 10)
      changes.author = "app"
      return changes
    }
    try BulkForge.fill(forge) { bulk in
      keys = try bulk.insert("Tag", count: 5000, ["label": "'tag ' || i"])
      try bulk.record(changes(.insert, 5000))
    }
    var records = BulkMirror.Records(of: "Tag", keys: keys)
    records.missingEvery = 7
    try BulkMirror.register(records, in: mirror)
    try BulkForge.fill(forge) { try $0.record(changes(.update, 80_000)) }
    try forge.connection.execute(
      """
      DELETE FROM ATRANSACTION WHERE Z_PK % 1000 = 3; UPDATE ACHANGE SET ZCHANGETYPE = 9 WHERE Z_PK % 997 = 1;
      UPDATE ANSCKRECORDMETADATA SET ZNEEDSUPLOAD = 1 WHERE Z_PK % 5 = 2
      """)
    try forge.close()
    path = forge.path
  }

  private func pending(sizeForThreads: Int64) throws -> (items: [PendingItem], hasReaders: Bool) {
    let open = try OpenStore(at: path)
    open.sizeForThreads = sizeForThreads
    let reader = try PendingReader(try #require(try open.mirror()))
    var items: [PendingItem] = []
    try reader.forEach {
      items.append($0)
      return true
    }
    return (items, try !open.otherReaders().isEmpty)
  }

  @Test func threadsFindWhatOneThreadFinds() throws {
    let (one, several) = try (pending(sizeForThreads: .max), pending(sizeForThreads: 0))
    #expect(one.items.count > 4000 && !one.hasReaders && several.hasReaders)
    #expect(one.items == several.items)
  }

  /// A page that can't be read is an error of the reading, whoever meets it.
  @Test(arguments: ["ATRANSACTION", "ANSCKRECORDMETADATA", "ZTAG"])
  func damageIsAnErrorOfBoth(_ table: String) throws {
    let root = try Connection(path: path, options: .overlay()).first(
      "SELECT (rootpage - 1) * page_size FROM sqlite_master, pragma_page_size WHERE name = '\(table)'"
    ) { Int($0.integer(0)) }
    var bytes = try folder.read("App.store")
    let start = try #require(root)
    bytes.replaceSubrange(start..<start + 200, with: [UInt8](repeating: 7, count: 200))
    try folder.write(bytes, to: "App.store")
    #expect(throws: SQLiteError.self) { try pending(sizeForThreads: .max) }
    #expect(throws: SQLiteError.self) { try pending(sizeForThreads: 0) }
  }
}
