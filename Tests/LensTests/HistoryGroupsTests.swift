import Base
import Explanations
import Forge
import SQLite
import StoreModel
import TestSupport
import Testing

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
    let folder = TemporaryFolder()
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

@Suite struct EventDigestTests {
  private func digest(_ runs: [(MirrorEvent.Kind, Int64?)]) -> EventDigest {
    var digest = EventDigest()
    for (index, (kind, code)) in runs.enumerated() {
      let at = CoreDataDate(seconds: Double(index) * 60)
      digest.add(
        MirrorEvent(
          primaryKey: Int64(index + 1), rawKind: kind.rawValue, started: at, ended: at,
          succeeded: code == nil, errorDomain: code.map { _ in "CKErrorDomain" }, errorCode: code))
    }
    return digest
  }

  @Test func failuresAreGroupedByErrorSinceTheLastSuccess() {
    let digest = digest([
      (.export, 2), (.export, nil), (.export, 25), (.export, 2), (.import, nil), (.export, 2), (.setup, 9),
    ])
    let failures = digest.unresolved(.export)
    #expect(failures.map(\.last.errorCode) == [2, 25])
    #expect(failures.map(\.unresolved) == [2, 1])
    #expect(failures.first?.since?.primaryKey == 4)
    #expect(failures.first?.last.primaryKey == 6)
    #expect(digest.failures.map(\.count) == [3, 1, 1])
    #expect(digest.failures.first?.first.primaryKey == 1)
    #expect(digest.lastSuccess?.primaryKey == 5)
  }

  @Test(arguments: [MirrorEvent.Kind.import, .export])
  func whatComesAfterASetupShowsThatOneGotThrough(_ kind: MirrorEvent.Kind) {
    #expect(digest([(.setup, 9), (kind, nil)]).unresolved(.setup).isEmpty)
    #expect(digest([(.setup, 9), (kind, 9)]).unresolved(.setup).count == 1)
    #expect(digest([(kind, 9), (.setup, nil)]).unresolved(kind).count == 1)
  }

  @Test func manyDifferentErrorsAreNotKept() {
    #expect(digest((0..<300).map { (.export, 1_000 + Int64($0)) }).failures.count == 100)
  }
}
