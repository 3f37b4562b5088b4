import Base
import Bulk
import Forge
import SQLite
import StoreModel
import TestSupport
import Testing

struct BulkForgeTests {
  @Test func fillsRowsAndHistory() throws {
    let folder = TemporaryFolder()
    let forge = try StoreForge(path: folder.path("Giant.sqlite"), model: FixtureModels.library)
    let author = try forge.save(author: "app") { try $0.insert("Author", ["name": "First"]) }
    try BulkForge.fill(forge) { bulk in
      let books = try bulk.insert(
        "Book", count: 5000, ["title": "'Book ' || i", "author": "\(author.primaryKey)"])
      var changes = BulkForge.Changes(.update, of: "Book", keys: books, count: 10_001, perTransaction: 10)
      changes.properties = ["title"]
      changes.author = "import"
      try bulk.record(changes)
    }
    // Goes on where bulk ended.
    let last = try forge.save(author: "app") { try $0.insert("Book", ["title": "Last"]) }
    #expect(last.primaryKey == 5001)
    try forge.close()

    let connection = try Connection(path: forge.path, options: .overlay())
    #expect(try connection.value("PRAGMA integrity_check") == .text("ok"))
    #expect(try connection.value("SELECT COUNT(*) FROM ZBOOK WHERE ZAUTHOR = 1") == .integer(5000))
    #expect(try connection.value("SELECT COUNT(*) FROM ACHANGE") == .integer(10_003))
    #expect(try connection.value("SELECT MAX(Z_PK) FROM ATRANSACTION") == .integer(1003))
    #expect(
      try connection.value("SELECT COUNT(*) FROM ACHANGE WHERE ZTRANSACTIONID = 1002") == .integer(1))
    #expect(try connection.value("SELECT Z_MAX FROM Z_PRIMARYKEY WHERE Z_ENT = 16001") == .integer(10_003))
    #expect(
      try connection.value("SELECT COUNT(*) FROM Z_PRIMARYKEY WHERE Z_NAME = 'Book' AND Z_MAX = 5001")
        == .integer(1))
  }
}

struct BulkMirrorTests {
  @Test(arguments: MirrorSchema.Layout.allCases)
  func makesRecordsByTheHundred(_ layout: MirrorSchema.Layout) throws {
    let folder = TemporaryFolder()
    let forge = try StoreForge(path: folder.path("bulk.store"), model: RandomMirrorLife.model)
    let mirror = try MirrorForge(forge, layout: layout)
    try mirror.setUp()
    var keys: ClosedRange<Int64> = 1...1
    try BulkForge.fill(forge) { bulk in
      keys = try bulk.insert("Tag", count: 500, ["label": "'tag ' || i"])
      try bulk.record(BulkForge.Changes(.insert, of: "Tag", keys: keys, count: 500, perTransaction: 10))
    }
    var records = BulkMirror.Records(of: "Tag", keys: keys)
    records.missingEvery = 100
    try BulkMirror.register(records, in: mirror)
    func count(_ condition: String) throws -> SQLiteValue? {
      try forge.connection.value("SELECT COUNT(*) FROM ANSCKRECORDMETADATA WHERE \(condition)")
    }
    #expect(try count("1") == 495)
    #expect(try count("ZNEEDSUPLOAD = 1") == 5)
    #expect(mirror.truth.tokenTransaction == 50)
    let maximum = try forge.connection.value(
      "SELECT Z_MAX - (SELECT MAX(Z_PK) FROM ANSCKRECORDMETADATA) FROM Z_PRIMARYKEY WHERE Z_NAME = 'NSCKRecordMetadata'"
    )
    #expect(maximum == 0)
    // What comes one by one finds its place next to them.
    try mirror.save { _ = try $0.insert("Note") }
    try mirror.export()
    #expect(try count("1") == 496)
    #expect(try forge.connection.value("PRAGMA integrity_check") == .text("ok"))
  }
}
