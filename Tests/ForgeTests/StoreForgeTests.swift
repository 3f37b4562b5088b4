import Archives
import Base
import Forge
import SQLite
import StoreModel
import TestSupport
import Testing

struct StoreForgeTests {
  private let folder = TemporaryFolder()

  @Test(arguments: [
    (StoreForge.Leftovers.nothing, ["A.sqlite"]), (.wal, ["A.sqlite", "A.sqlite-shm", "A.sqlite-wal"]),
    (.walWithoutIndex, ["A.sqlite", "A.sqlite-wal"]),
    (.emptyWAL, ["A.sqlite", "A.sqlite-shm", "A.sqlite-wal"]),
  ]) func leavesWhatItIsTold(_ leftovers: StoreForge.Leftovers, _ names: [String]) throws {
    let forge = try StoreForge(path: folder.path("A.sqlite"), model: FixtureModels.library)
    try RandomLife.live(forge, saves: 3)
    try forge.close(leaving: leftovers)
    #expect(try folder.names() == names)
    let walBytes = names.contains("A.sqlite-wal") ? try folder.read("A.sqlite-wal").count : 0
    #expect((walBytes > 0) == (leftovers == .wal || leftovers == .walWithoutIndex))
    let count = try Connection(path: forge.path, options: .overlay()).value(
      "SELECT COUNT(*) FROM ATRANSACTION")
    #expect(count == .integer(3))
    let withoutWAL = try Connection(path: forge.path, options: .overlay(walLimit: 0))
    #expect(
      try withoutWAL.value("SELECT COUNT(*) FROM ATRANSACTION") == .integer(walBytes > 0 ? 0 : 3))
  }

  @Test func rollbackJournal() throws {
    let forge = try StoreForge(
      path: folder.path("A.sqlite"), model: FixtureModels.library, options: ForgeOptions(journal: .rollback))
    try RandomLife.live(forge, saves: 2)
    try forge.close()
    #expect(try folder.names() == ["A.sqlite"])
    #expect(try folder.read("A.sqlite")[18...19] == [1, 1])
  }

  @Test func historyGenerations() throws {
    for (history, author, strings) in [
      (ForgeOptions.History.inlineStrings, "ZAUTHOR", false), (.internedStrings, "ZAUTHORTS", true),
    ] {
      let folder = TemporaryFolder()
      let forge = try StoreForge(
        path: folder.path("A.sqlite"), model: FixtureModels.library, options: ForgeOptions(history: history))
      try forge.save(author: "app") { _ = try $0.insert("Author") }
      let connection = forge.connection
      #expect(try connection.hasTable("ATRANSACTIONSTRING") == strings)
      #expect(try connection.value("SELECT COUNT(\(author)) FROM ATRANSACTION") == .integer(1))
      #expect(
        try connection.value("SELECT COUNT(*) FROM Z_PRIMARYKEY WHERE Z_ENT > 16000")
          == .integer(strings ? 3 : 2))
    }
  }

  @Test func storeWithoutHistory() throws {
    let forge = try StoreForge(
      path: folder.path("A.sqlite"), model: FixtureModels.library, options: ForgeOptions(history: .none))
    try forge.save { _ = try $0.insert("Author") }
    #expect(try forge.connection.hasTable("ACHANGE") == false)
    #expect(forge.truth.transactions.isEmpty)
    #expect(forge.truth.objects.count == 1)
  }

  @Test func savesOutsideHistory() throws {
    let forge = try StoreForge(
      path: folder.path("A.sqlite"), model: FixtureModels.library,
      options: ForgeOptions(entitiesWithoutHistory: ["Book"]))
    let author = try forge.save(recordsHistory: false) { try $0.insert("Author") }
    #expect(
      try forge.connection.value("SELECT COUNT(*) FROM Z_PRIMARYKEY WHERE Z_ENT > 16000") == .integer(0))
    try forge.save { save in _ = try save.insert("Book", links: ["author": [author]]) }
    #expect(forge.truth.changes.map(\.object.entity) == ["Author"])
  }

  @Test func deletionRulesAndTombstones() throws {
    let forge = try StoreForge(path: folder.path("A.sqlite"), model: FixtureModels.library)
    let author = try forge.save { save in
      let author = try save.insert("Author", ["name": "Ann"])
      _ = try save.insert("Book", ["title": "One"], links: ["author": [author]])
      return author
    }
    try forge.save { try $0.delete(author) }
    #expect(forge.truth.objects.isEmpty)
    let deletes = forge.truth.changes.filter { $0.kind == .delete }
    #expect(deletes.map(\.object.entity) == ["Author", "Book"])
    #expect(deletes.last?.tombstone == ["title": "One"])
    #expect(
      try forge.connection.value("SELECT ZTOMBSTONE0 FROM ACHANGE WHERE ZCHANGETYPE = 2 AND ZENTITY = 2")
        == .text("One"))
  }

  @Test func valuesAsCoreDataStoresThem() throws {
    let forge = try StoreForge(
      path: folder.path("A.sqlite"), model: FixtureModels.attributes, options: ForgeOptions(inlineLimit: 4))
    let sample = try forge.save { save in
      try save.insert(
        "Sample",
        [
          "id": "0B6E8A52-3C1D-4B7F-8E25-6A4D9F01C3E7", "created": .date("2026-03-01T00:00:00Z"),
          "money": 12, "float": 0.1, "attached": .bytes([1, 2, 3]), "bytes": .bytes([9]), "kind": "open",
          "author": ["id": 7, "address": ["street": "Main"]],
        ])
    }
    func cell(_ column: String) throws -> SQLiteValue? {
      try forge.connection.value("SELECT \(column) FROM ZSAMPLE")
    }
    #expect(try cell("ZCREATED") == .integer(794_016_000))
    #expect(try cell("ZMONEY") == .integer(12))
    #expect(try cell("ZFLOAT") == .real(Double(Float(0.1))))
    #expect(try cell("ZATTACHED") == .blob([1, 1, 2, 3]))
    #expect(try cell("ZBYTES") == .blob([9]))
    #expect(try cell("ZKIND") == .text("open"))
    #expect(try cell("ZINT16") == .integer(-1))
    #expect(try cell("ZFLAG") == .integer(1))
    #expect(try cell("ZTEXT") == .text("none"))
    #expect(try cell("ZSTREET") == .text("Main"))
    #expect(try cell("ZID") == .integer(7))

    let support = ".A_SUPPORT/_EXTERNAL_DATA"
    try forge.save { try $0.update(sample, ["attached": .bytes([1, 2, 3, 4, 5])]) }
    guard case .blob(let reference) = try cell("ZATTACHED") else {
      Issue.record("no reference")
      return
    }
    #expect(reference.count == 38)
    #expect(reference.first == 2)
    let name = String(decoding: reference.dropFirst().dropLast(), as: UTF8.self)
    #expect(try folder.read("\(support)/\(name)") == [1, 2, 3, 4, 5])
    try forge.save { try $0.delete(sample) }
    #expect(throws: (any Error).self) { try folder.read("\(support)/\(name)") }
  }

  @Test func refusesWhatTheModelForbids() throws {
    let forge = try StoreForge(path: folder.path("A.sqlite"), model: FixtureModels.inheritance)
    let note = try forge.save { try $0.insert("Note") }
    #expect(throws: StoreScopeError.self) { try forge.save { try $0.insert("Item") } }
    #expect(throws: StoreScopeError.self) { try forge.save { try $0.insert("Nothing") } }
    #expect(throws: StoreScopeError.self) { try forge.save { try $0.update(note, ["colour": 1]) } }
    #expect(throws: StoreScopeError.self) { try forge.save { try $0.update(note, ["title": 1]) } }
    #expect(throws: StoreScopeError.self) { try forge.save { try $0.link(note, "folder", note) } }
    #expect(forge.truth.objects.count == 1)
    #expect(throws: StoreScopeError.self) {
      try StoreForge(path: folder.path("A.sqlite"), model: FixtureModels.library)
    }
  }

  @Test(arguments: [
    (ForgeOptions.ModelCache.absent, "absent"), (.null, "empty"), (.damaged, "damaged"),
  ]) func modelCacheThatIsNoHelp(_ cache: ForgeOptions.ModelCache, _ because: String) throws {
    let forge = try StoreForge(
      path: folder.path("A.sqlite"), model: FixtureModels.library, options: ForgeOptions(modelCache: cache))
    try forge.close()
    let store = try CoreDataStore(
      connection: try Connection(path: forge.path, options: .overlay()), path: forge.path)
    #expect(store.modelSource == .tables(because: because))
  }

  @Test func metadataKeys() throws {
    let forge = try StoreForge(
      path: folder.path("A.sqlite"), model: FixtureModels.attributes,
      options: ForgeOptions(frameworkVersion: 1345, metadata: [.init("AppKey", .integer(7))]))
    try forge.setMetadata([.init("AppKey", .integer(8)), .init("Other", .bool(true))])
    let metadata = try #require(try StoreMetadata.read(from: forge.connection))
    #expect(metadata.uuid == forge.options.uuid)
    #expect(metadata.frameworkVersion == 1345)
    #expect(metadata.versionIdentifiers == ["1.0.0"])
    #expect(metadata.versionHashes["Sample"]?.count == 32)
    #expect(metadata.entries["AppKey"] == .integer(8) && metadata.entries["Other"] == .bool(true))
  }
}
