import Base
import Lens
import TestSupport
import Testing

@testable import Archives

@Suite struct MirrorArchiveTests {
  @Test(arguments: [false, true])
  func recordsAreReadCompressedOrNot(_ isCompressed: Bool) throws {
    let plain = Archive.systemFields(
      type: "CD_Person", name: "A-1", values: ["CD_name": "Ann", "CD_entityName": "Person"])
    let record = try EncodedRecord(archive: isCompressed ? Archive.compressed(plain) : plain)
    #expect(record.fields.map(\.name) == ["CD_entityName", "CD_name"])
    #expect(record.fields.last?.value == "Ann")
    let fields = record.systemFields
    #expect(fields.recordType == "CD_Person" && fields.recordName == "A-1" && fields.changeTag == "k1")
    #expect(fields.zone == "com.apple.coredata.cloudkit.zone" && fields.owner == "__defaultOwner__")
    #expect(fields.created?.seconds == 1000 && fields.modified?.seconds == 2000)
  }

  @Test func changeTokensAreOpaque() throws {
    let archive = Archive.changeToken([9, 8, 7])
    let token = try ServerChangeToken(archive: archive)
    #expect(token.bytes == [9, 8, 7])
    #expect(token.archiveBytes == archive.count)
    #expect(throws: ArchiveError.self) { try ServerChangeToken(archive: Archive.historyToken(["A": 1])) }
  }

  /// A zone's share is kept as records are.
  @Test func aShareIsATree() throws {
    let bytes = Archive.compressed(Archive.systemFields(type: "cloudkit.share", name: "share"))
    #expect(try EncodedRecord(archive: bytes).systemFields.recordType == "cloudkit.share")
    #expect(ArchiveTree.value(of: try MirrorArchive.open(bytes))["RecordType"] == "cloudkit.share")
  }
}
