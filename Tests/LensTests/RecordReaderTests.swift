import Archives
import Base
import Forge
import Lens
import SQLite
import StoreModel
import TestSupport
import Testing

struct RecordReaderTests {
  private func read(_ mirror: Mirror, decodes: Bool = false) throws -> [MirrorRecord] {
    var records: [MirrorRecord] = []
    try RecordReader(mirror, decodesArchives: decodes).forEach {
      records.append($0)
      return true
    }
    return records
  }

  @Test(arguments: MirrorSchema.Layout.allCases)
  func everyState(_ layout: MirrorSchema.Layout) throws {
    let fixture = try MirrorFixture(layout)
    let people = try fixture.people(8)
    try fixture.setUp()
    try fixture.record(people[0])
    try fixture.record(people[1], ["ZNEEDSUPLOAD": 1])
    try fixture.record(people[2], ["ZNEEDSUPLOAD": 1, "ZNEEDSCLOUDDELETE": 1])
    try fixture.record(people[3], ["ZNEEDSCLOUDDELETE": 1])
    try fixture.record(people[4], acknowledged: false)
    try fixture.record(people[5])
    try fixture.record(people[6], ["ZNEEDSUPLOAD": 1])
    try fixture.record(people[7])
    try fixture.setToken(1)
    // Gone without a trace in history; and gone with one, which the exporter will find.
    try fixture.forge.save(recordsHistory: false) { save in
      try [people[2], people[5], people[6]].forEach(save.delete)
    }
    try fixture.forge.save(author: "app") { try $0.delete(people[7]) }
    let mirror = try #require(try fixture.mirror())
    let records = try read(mirror)
    #expect(
      records.map(\.state) == [
        .uploaded, .pendingUpload, .pendingCloudDelete, .deleteLeftover, .neverAcknowledged, .orphan, .orphan,
        .uploaded,
      ])
    #expect(records.map(\.objectExists) == [true, true, false, true, true, false, false, false])
    #expect(records[0].uri == fixture.forge.uri(of: people[0]))
    #expect(records[0].recordType == "CD_Person")
    #expect(records[0].zone == MirrorZone.defaultName)
  }

  @Test(arguments: MirrorSchema.Layout.allCases)
  func archivesAreReadOnRequest(_ layout: MirrorSchema.Layout) throws {
    let fixture = try MirrorFixture(layout)
    let person = try fixture.forge.save { try $0.insert("Person") }
    try fixture.record(person)
    let mirror = try #require(try fixture.mirror())
    #expect(try read(mirror).first?.fields == nil)
    let record = try #require(try read(mirror, decodes: true).first)
    #expect(record.fields?["CD_name"] == "Ann")
    #expect(record.systemFields?.changeTag == "k1")
    #expect(record.problem == nil)
  }

  /// A record of a sub-entity leads to the root's table; one of the wrong entity doesn't find its object.
  @Test func subentities() throws {
    let fixture = try MirrorFixture()
    let employee = try fixture.forge.save { try $0.insert("Employee") }
    try fixture.record(employee)
    var wrong = employee
    wrong.entityNumber = try #require(fixture.forge.schema["Person"]).number
    try fixture.record(wrong, name: "wrong")
    let mirror = try #require(try fixture.mirror())
    let records = try read(mirror)
    #expect(
      records[0].objectExists && records[0].entity == "Employee" && records[0].recordType == "CD_Person")
    #expect(!records[1].objectExists && records[1].state == .orphan)
  }

  @Test(arguments: ["DELETE FROM", "UPDATE", "DROP TABLE"])
  func assetsThatAreMissingHaveAWord(_ verb: String) throws {
    let fixture = try MirrorFixture(.v17)
    let people = try fixture.forge.save { save in try (0..<2).map { _ in try save.insert("Person") } }
    try fixture.record(people[0])
    try fixture.record(people[1], acknowledged: false)
    let clause = verb == "UPDATE" ? " SET ZBINARYDATA = NULL" : ""
    try fixture.connection.execute("\(verb) ANSCKRECORDMETADATAENCODEDRECORDASSET\(clause)")
    try fixture.insert(.records, ["ZENTITYID": 1, "ZENTITYPK": 9, "ZSYSTEMFIELDSASSET": 77])
    let mirror = try #require(try fixture.mirror())
    #expect(
      try read(mirror, decodes: true).map(\.problem) == [
        "its copy is missing", nil, "its system fields are missing",
      ])
  }

  @Test func namesAreFoundInAnyCase() throws {
    let fixture = try MirrorFixture()
    let people = try fixture.forge.save { save in try (0..<2).map { _ in try save.insert("Person") } }
    try fixture.record(people[0], name: "AB-cd")
    try fixture.record(people[1], name: "ab-cd")
    let mirror = try #require(try fixture.mirror())
    #expect(try mirror.recordName(like: "ab-cd") == "ab-cd")
    #expect(try mirror.recordName(like: "AB-CD") == "AB-cd")
    #expect(try mirror.recordName(like: "nobody") == nil)
  }

  @Test func damagedArchivesHaveAWord() throws {
    let fixture = try MirrorFixture(.v16)
    let person = try fixture.forge.save { try $0.insert("Person") }
    try fixture.record(person, ["ZENCODEDRECORD": .blob([1] + Array("bvx2garbage".utf8))])
    let mirror = try #require(try fixture.mirror())
    let record = try #require(try read(mirror, decodes: true).first)
    #expect(record.problem?.contains("can't be read") == true)
    #expect(record.state == .uploaded)
  }
}
