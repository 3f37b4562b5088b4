import Bulk
import Forge
import SQLite
import StoreModel
import TestSupport
import Testing

struct BulkMirrorTests {
  @Test(arguments: MirrorSchema.Layout.allCases)
  func makesRecordsByTheHundred(_ layout: MirrorSchema.Layout) throws {
    let folder = try TemporaryFolder()
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
