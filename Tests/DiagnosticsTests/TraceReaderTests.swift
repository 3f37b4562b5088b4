import Base
import Diagnostics
import Forge
import Lens
import SQLite
import TestSupport
import Testing

@Suite struct TraceReaderTests {
  @Test func theWholeStory() throws {
    let fixture = try MirrorFixture()
    func at(_ seconds: Double) -> CoreDataDate { CoreDataDate(seconds: seconds) }
    let (person, other) = try fixture.forge.save(author: "app", at: at(1000)) { save in
      (try save.insert("Person", ["name": "Ann"]), try save.insert("Person"))
    }
    try fixture.setUp()
    try fixture.event(.export, at: 900)
    try fixture.event(.export, at: 1010, error: ("CKErrorDomain", 3))
    try fixture.event(.export, at: 1020)
    try fixture.event(.export, at: 1030)
    try fixture.record(person, ["ZLASTEXPORTEDTRANSACTIONNUMBER": 1])
    try fixture.record(other)
    try fixture.setToken(1)
    try fixture.event(.import, at: 1999)
    try fixture.forge.save(author: "NSCloudKitMirroringDelegate.import", at: at(2000)) {
      try $0.update(person, ["name": "Anna"])
    }
    try fixture.forge.save(author: "editor", at: at(3000)) { try $0.update(person, ["name": "Anne"]) }
    let reader = try TraceReader(fixture.open())
    let key = try #require(try reader.object(recordName: "R-Person-1"))
    #expect(key == ObjectKey(entity: person.entityNumber, primaryKey: 1))
    let steps = try reader.trace(of: key).steps
    #expect(steps.map(\.kind) == [.change, .event, .event, .event, .change, .change, .record, .pending])
    #expect(steps.compactMap(\.at?.seconds) == [1000, 1010, 1020, 1999, 2000, 3000])
    #expect(steps[1].text.contains("networkUnavailable"))
    #expect(steps[2].text == "Export succeeded (may have included it).")
    #expect(steps[5].text == "Updated by editor: name.")
    #expect(steps[6].text == "CloudKit record 'R-Person-1' (CD_Person): uploaded before the latest change.")
    #expect(steps[6].value["state"] == "uploaded" && steps[6].value["kind"] == "record")
    #expect(steps[7].value["pending"] == "unanalyzed")
    #expect(try reader.object(recordName: "nobody") == nil)
  }

  /// The change with the newest timestamp was taken for the last one, so that the values after it were given to the wrong
  /// update.
  @Test func changesStayInTheOrderOfWritingIfTheClockWasSetBack() throws {
    let fixture = try MirrorFixture()
    func at(_ seconds: Double) -> CoreDataDate { CoreDataDate(seconds: seconds) }
    let person = try fixture.forge.save(author: "app", at: at(1000)) { try $0.insert("Person") }
    try fixture.setUp()
    try fixture.event(.export, at: 2500)
    try fixture.forge.save(author: "app", at: at(5000)) { try $0.update(person, ["name": "Ann"]) }
    try fixture.forge.save(author: "app", at: at(2000)) { try $0.update(person, ["name": "Anna"]) }
    // Processes that save at the same time are no reason to mention the clock.
    try fixture.forge.save(author: "app", at: at(1990)) { try $0.update(person, ["name": "Anne"]) }
    let key = ObjectKey(entity: person.entityNumber, primaryKey: person.primaryKey)
    let steps = try TraceReader(fixture.open()).trace(of: key).steps.filter { $0.at != nil }
    #expect(steps.compactMap(\.at?.seconds) == [1000, 2500, 5000, 2000, 1990])
    #expect(
      steps.filter { $0.kind == .change }.map(\.text) == [
        "Inserted by app.", "Updated by app: name.", "Updated by app, after the clock was set back: name.",
        "Updated by app: name.",
      ])
  }

  @Test func whatIsMissingIsSaid() throws {
    let fixture = try MirrorFixture()
    let person = try fixture.forge.save(author: "app", at: CoreDataDate(seconds: 150)) {
      try $0.insert("Person")
    }
    try fixture.setUp()
    try fixture.event(.export, at: 200, error: ("NSCocoaErrorDomain", 134_419))
    try fixture.record(person, ["ZENCODEDRECORDASSET": 77])
    let key = ObjectKey(entity: person.entityNumber, primaryKey: person.primaryKey)
    func texts() throws -> [String] {
      try TraceReader(fixture.open()).trace(of: key).steps.map(\.text)
    }
    #expect(try texts().contains { $0.contains("which is harmless on its own") })
    #expect(try texts().contains { $0.hasSuffix("its copy is missing.") })
    try fixture.connection.execute("DROP TABLE ANSCKEVENT; DROP TABLE ANSCKRECORDMETADATA")
    #expect(try texts().count { $0.contains("ANSCKEVENT is missing") } == 1)
    #expect(try texts().count { $0.contains("ANSCKRECORDMETADATA is missing") } == 2)
    try fixture.connection.execute("DROP TABLE ACHANGE")
    #expect(try texts().contains { $0.contains("keeps no history") })
  }

  @Test func withoutAMirrorThereIsHistory() throws {
    let fixture = try MirrorFixture()
    let person = try fixture.forge.save(author: "app") { try $0.insert("Employee") }
    try fixture.forge.save { try $0.delete(person) }
    for table in MirrorSchema.tables(.v17) { try fixture.connection.execute("DROP TABLE \(table.name)") }
    let key = ObjectKey(entity: person.entityNumber, primaryKey: person.primaryKey)
    let steps = try TraceReader(fixture.open()).trace(of: key).steps
    #expect(
      steps.map(\.text) == [
        "Inserted by app.", "Deleted (no author).", "The store isn't mirrored, so it has no record.",
      ])
  }

  @Test func anythingThatIsOrWasThereIsKnown() throws {
    let fixture = try MirrorFixture()
    try fixture.setUp()
    let person = try fixture.forge.save(author: "app") { try $0.insert("Person") }
    let quiet = try fixture.forge.save(recordsHistory: false) { try $0.insert("Person") }
    let recorded = try fixture.forge.save(recordsHistory: false) { try $0.insert("Person") }
    try fixture.record(recorded)
    try fixture.forge.save { try $0.delete(person) }
    try fixture.forge.save(recordsHistory: false) { try $0.delete(recorded) }
    let reader = try TraceReader(fixture.open())
    func isKnown(_ primaryKey: Int64) throws -> Bool {
      let key = ObjectKey(entity: person.entityNumber, primaryKey: primaryKey)
      return try reader.trace(of: key).isKnown
    }
    for object in [person, quiet, recorded] { #expect(try isKnown(object.primaryKey)) }
    #expect(try !isKnown(99))
  }
}
