import Archives
import Base
import Forge
import SQLite
import StoreModel
import TestSupport
import Testing

struct MirrorForgeTests {
  private let folder = TemporaryFolder()
  private let forge: StoreForge

  init() throws {
    forge = try StoreForge(path: folder.path("App.store"), model: RandomMirrorLife.model)
  }

  private func mirror(_ layout: MirrorSchema.Layout = .v17) throws -> MirrorForge {
    let mirror = try MirrorForge(forge, layout: layout, configuration: "Cloud")
    try mirror.setUp()
    return mirror
  }

  @Test func objectsGoUpAndChangesWait() throws {
    let mirror = try mirror()
    let (ann, passing) = try mirror.save(author: "app") { save in
      (try save.insert("Person", ["name": "Ann"]), try save.insert("Tag"))
    }
    #expect(mirror.truth.token == .missing && mirror.truth.count(.unanalyzed) == 2)
    try mirror.export()
    #expect(mirror.truth.token == .current && mirror.truth.verdict == .idle)
    #expect(mirror.truth.records.map(\.state) == [.uploaded, .uploaded])
    #expect(mirror.truth.records.map(\.lastExported) == [1, 1])
    try mirror.save { try $0.update(ann, ["name": "Anne"]) }
    try mirror.save { try $0.delete(passing) }
    #expect(mirror.truth.token == .behind && mirror.truth.count(.unanalyzed) == 2)
    try mirror.export(.failure(.quotaExceeded))
    #expect(mirror.truth.records.map(\.state) == [.pendingUpload, .pendingCloudDelete])
    #expect(mirror.truth.verdict == .blocked)
    try mirror.export()
    #expect(mirror.truth.records.map(\.state) == [.uploaded])
  }

  @Test func exportsThatEndEarlyLeaveTheirStates() throws {
    let mirror = try mirror()
    try mirror.save { save in for _ in 0..<3 { _ = try save.insert("Note") } }
    try mirror.export(.dies, reaching: .analysis)
    #expect(try forge.connection.value("SELECT COUNT(*) FROM ANSCKHISTORYANALYZERSTATE") == 3)
    #expect(mirror.truth.token == .current && mirror.truth.count(.unanalyzed) == 3)
    #expect(mirror.truth.events.last?.ended == nil)
    try mirror.export(.dies, reaching: .answered)
    #expect(mirror.truth.records.allSatisfy { $0.state == .uploaded })
  }

  @Test func framesOfManyToManyRelationships() throws {
    let mirror = try mirror()
    let (ann, tag) = try mirror.save { save in
      let (ann, tag) = (try save.insert("Person"), try save.insert("Tag"))
      try save.link(ann, "tags", tag)
      try save.link(ann, "friends", ann)
      return (ann, tag)
    }
    try mirror.export(.partialFailure)
    #expect(mirror.truth.count(.link) == 2)
    try mirror.export()
    #expect(mirror.truth.waiting.isEmpty)
    try mirror.save { try $0.unlink(ann, "tags", tag) }
    try mirror.export(.failure(.throttled))
    #expect(mirror.truth.count(.linkDelete) == 1)
    try mirror.export()
    #expect(try forge.connection.value("SELECT COUNT(*) FROM ANSCKMIRROREDRELATIONSHIP") == 1)
  }

  @Test func whatOthersDidComesInAndDoesNotGoOut() throws {
    let mirror = try mirror()
    let note = try #require(
      try mirror.importChanges { changes in
        let note = try changes.insert("Note", ["text": "far"], named: "R1")
        changes.linkToMissing(note, "owner", "Person", record: "R2")
        return note
      })
    #expect(forge.truth.transactions.map(\.author) == ["NSCloudKitMirroringDelegate.import"])
    #expect(mirror.truth.records.map(\.name) == ["R1"] && mirror.truth.waiting.isEmpty)
    #expect(
      try forge.connection.value("SELECT ZRELATEDRECORDNAME FROM ANSCKIMPORTPENDINGRELATIONSHIP") == "R2")
    try mirror.importChanges { try $0.delete(note) }
    #expect(mirror.truth.records.isEmpty)
  }

  @Test func sharedObjectsLeaveReceipts() throws {
    let mirror = try mirror()
    let note = try mirror.save { try $0.insert("Note") }
    try mirror.export()
    let zone = try mirror.share([note])
    #expect(mirror.truth.records.map(\.zone) == [zone])
    #expect(mirror.truth.count(.moveReceipt) == 1 && mirror.truth.count(.share) == 1)
    try mirror.export()
    #expect(mirror.truth.verdict == .idle)
    try mirror.stopSharing(zone: zone)
    #expect(mirror.truth.count(.share) == 1)
  }

  @Test func aPrunedTokenCostsWhatWasMirrored() throws {
    let mirror = try mirror()
    try mirror.save { save in for name in ["Note", "Draft"] { _ = try save.insert(name) } }
    try mirror.export()
    try mirror.save { _ = try $0.insert("Tag") }
    try forge.dropHistory(1...1)
    #expect(mirror.truth.token == .expired && mirror.truth.verdict == .blocked)
    try mirror.export()
    #expect(forge.truth.objects.keys.map(\.entity).sorted() == ["Draft", "Tag"])
    #expect(mirror.truth.zones.isEmpty && mirror.truth.token == .missing)
    #expect(forge.truth.transactions.last?.author == "NSCloudKitMirroringDelegate.reset")
  }

  @Test func anotherAccountCostsEverything() throws {
    let mirror = try mirror()
    try mirror.save { save in for name in ["Note", "Draft"] { _ = try save.insert(name) } }
    try mirror.export()
    try mirror.setUp(account: "_another")
    #expect(forge.truth.objects.keys.map(\.entity) == ["Draft"])
    #expect(mirror.truth.events.last?.failure == .accountChanged)
    try mirror.setUp(account: "_another")
    #expect(mirror.truth.events.last?.succeeded == true)
  }

  @Test func waysToSwitchMirroringOff() throws {
    let mirror = try mirror()
    mirror.switchMirroring(.plainContainer)
    try mirror.save { _ = try $0.insert("Note") }
    #expect(forge.truth.transactions.isEmpty && mirror.truth.count(.unregistered) == 1)
    mirror.switchMirroring(.optionsNil)
    #expect(!mirror.isMirroring)
    try mirror.save { _ = try $0.insert("Note") }
    mirror.switchMirroring(.twoContainers)
    #expect(mirror.isMirroring)
    try mirror.save { _ = try $0.insert("Note") }
    #expect(forge.truth.transactions.map(\.context) == [nil, "local"])
    mirror.switchMirroring(.on)
    try mirror.export()
    #expect(mirror.truth.records.count == 3)
  }

  @Test func aDeletedZoneSendsAllAgain() throws {
    let mirror = try mirror()
    try mirror.importChanges { _ = try $0.insert("Note") }
    try mirror.save { _ = try $0.insert("Tag") }
    try mirror.export()
    try mirror.zoneWasDeleted()
    #expect(mirror.truth.records.allSatisfy { $0.state == .neverAcknowledged })
    #expect(mirror.truth.count(.unanalyzed) == 2)
    try mirror.setUp()
    try mirror.export()
    #expect(mirror.truth.records.allSatisfy { $0.state == .uploaded })
  }

  /// Every archive opens, and every row of an archive has its owner.
  @Test(arguments: MirrorSchema.Layout.allCases)
  func archivesAreWhole(_ layout: MirrorSchema.Layout) throws {
    let mirror = try mirror(layout)
    let people = try mirror.save { save in
      let people = try (0..<2).map { try save.insert("Person", ["name": .text("person \($0)")]) }
      try save.link(people[0], "friends", people[1])
      return people
    }
    try mirror.export()
    try mirror.importChanges { try $0.update(people[0], ["name": "Ann"]) }
    try mirror.share([people[1]])
    let blobs: [String]
    switch layout {
    case .v16:
      blobs = [
        "SUBSTR(ZENCODEDRECORD, 2) FROM ANSCKRECORDMETADATA WHERE ZENCODEDRECORD IS NOT NULL",
        "ZENCODEDSHAREDATA FROM ANSCKRECORDZONEMETADATA WHERE ZENCODEDSHAREDATA IS NOT NULL",
        "ZCKRECORDSYSTEMFIELDS FROM ANSCKMIRROREDRELATIONSHIP",
      ]
    case .v17:
      blobs = [
        "ZBINARYDATA FROM ANSCKRECORDMETADATAENCODEDRECORDASSET a JOIN ANSCKRECORDMETADATA m ON m.ZENCODEDRECORDASSET = a.Z_PK AND a.ZRECORD = m.Z_PK",
        "ZBINARYDATA FROM ANSCKRECORDZONEMETADATAENCODEDSHAREASSET",
        "ZBINARYDATA FROM ANSCKMIRROREDRELATIONSHIPSYSTEMFIELDSASSET",
      ]
    }
    let entries = "ZTRANSFORMEDVALUE FROM ANSCKMETADATAENTRY WHERE ZTRANSFORMEDVALUE IS NOT NULL"
    for source in blobs + ["ZCURRENTCHANGETOKEN FROM ANSCKDATABASEMETADATA", entries] {
      let found = try forge.connection.rows("SELECT \(source)") { $0.bytes(0) }
      #expect(!found.isEmpty, "\(source)")
      for bytes in found {
        let plain = LZFSE.recognizes(bytes) ? try LZFSE.decode(bytes, limit: 1 << 20) : bytes
        _ = try KeyedArchive(bytes: plain)
      }
    }
  }
}
