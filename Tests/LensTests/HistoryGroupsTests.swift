import Forge
import SQLite
import StoreModel
import TestSupport
import Testing
import Values

@testable import Lens

/// History as it lies in the file is counted by a way of its own, which must come to what the obvious one comes to:
/// change by change in history's order, each with its transaction.
@Suite struct HistoryGroupsTests {
  private static let edits = [
    "SELECT 1",
    // Who saved it is gone; what was changed is not.
    "DELETE FROM ATRANSACTION WHERE Z_PK IN (2, 7)",
    "DELETE FROM ATRANSACTION",
    "UPDATE ACHANGE SET ZTRANSACTIONID = NULL WHERE Z_PK % 5 = 0",
    // A transaction without changes counts, and one whose changes lie far apart counts once.
    "DELETE FROM ACHANGE WHERE ZTRANSACTIONID IN (3, 4)",
    "UPDATE ACHANGE SET ZTRANSACTIONID = 1 + Z_PK % 7",
    "UPDATE ACHANGE SET ZTRANSACTIONID = -3 WHERE Z_PK = 4; UPDATE ATRANSACTION SET Z_PK = -3 WHERE Z_PK = 5",
    "UPDATE ACHANGE SET ZCHANGETYPE = 9 WHERE Z_PK % 3 = 0; UPDATE ACHANGE SET ZCHANGETYPE = NULL WHERE Z_PK % 4 = 0",
    // Of changes that no transaction is known of, some are all that a group has.
    "UPDATE ACHANGE SET ZCHANGETYPE = 9, ZTRANSACTIONID = 900 WHERE Z_PK = 1",
    "UPDATE ATRANSACTION SET ZTIMESTAMP = NULL WHERE Z_PK % 2 = 0",
    "UPDATE ATRANSACTION SET Z_PK = Z_PK * 1000000007",
  ]

  @Test(arguments: edits, HistoryGroup.Dimension.allCases)
  func allWaysComeToTheSame(_ edit: String, _ dimension: HistoryGroup.Dimension) throws {
    let folder = try TemporaryFolder()
    let (open, reader) = try Self.life(in: folder, edit)
    let name = open.store.entityName(ofNumber:)
    let counted = try reader.groups(by: dimension, entityName: name)
    let obvious = try reader.inOrder(by: dimension, HistoryFilter(), entityName: name) { _ in }
    #expect(counted.map(\.facts).sorted() == obvious.map(\.facts).sorted())
    #expect(try (reader.everything(by: dimension, HistoryFilter()) { _ in } == nil) == (dimension == .entity))
    var filter = HistoryFilter()
    filter.entities = 1...2
    #expect(try reader.everything(by: dimension, filter) { _ in } == nil)
  }

  private static func life(in folder: TemporaryFolder, _ edit: String) throws -> (OpenStore, HistoryReader) {
    let path = folder.path("Life.sqlite")
    let forge = try StoreForge(path: path, model: FixtureModels.library)
    try RandomLife.live(forge, saves: 12)
    try forge.connection.execute(edit)
    try forge.close()
    let open = try OpenStore(at: path)
    return (open, try #require(try HistoryReader(open.store, open.tables)))
  }
}

extension HistoryGroup {
  fileprivate var facts: String { "\(HistoryGroup.fields("key", "").object(of: self))" }
}
