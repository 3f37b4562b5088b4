import Base
import Diagnostics
import Forge
import Lens
import SQLite
import TestSupport
import Testing

@Suite struct PendingReaderTests {
  private static let importer = "NSCloudKitMirroringDelegate.import"

  private func items(_ pending: PendingReader) throws -> [PendingItem] {
    var items: [PendingItem] = []
    try pending.forEach {
      items.append($0)
      return true
    }
    return items
  }

  /// The counts are those of the items, kind by kind.
  private func check(_ pending: PendingReader) throws -> [PendingItem] {
    let items = try items(pending)
    let counts = Dictionary(grouping: items, by: \.kind).mapValues(\.count)
    #expect(counts == pending.counts.filter { $0.value > 0 })
    return items
  }

  @Test(arguments: MirrorSchema.Layout.allCases)
  func everyKind(_ layout: MirrorSchema.Layout) throws {
    let fixture = try MirrorFixture(layout)
    let people = try fixture.people(4)
    try fixture.forge.save(author: "editor") { try $0.update(people[0], ["name": "Ann"]) }
    try fixture.setUp()
    try fixture.record(
      people[0],
      ["ZNEEDSUPLOAD": 1, "ZLASTEXPORTEDTRANSACTIONNUMBER": 1, "ZPENDINGEXPORTTRANSACTIONNUMBER": 2])
    try fixture.record(
      people[1], ["ZNEEDSUPLOAD": 1, "ZNEEDSCLOUDDELETE": 1, "ZLASTEXPORTEDTRANSACTIONNUMBER": 1])
    let move = try fixture.record(people[2])
    try fixture.record(people[3])
    try fixture.setToken(2)
    func link(_ name: String, _ values: [String: SQLiteValue]) throws {
      let ends: [String: SQLiteValue] = [
        "ZCKRECORDID": .text(name), "ZRECORDZONE": 1, "ZCDENTITYNAME": "Person", "ZRECORDNAME": "R-Person-3",
        "ZRELATIONSHIPNAME": "tags", "ZRELATEDENTITYNAME": "Tag", "ZRELATEDRECORDNAME": "R-Tag-1",
      ]
      try fixture.insert(.links, ends.merging(values) { $1 })
    }
    try link("L1", [:])
    try link("L2", ["ZISUPLOADED": 1])
    try link("L3", ["ZISUPLOADED": 0, "ZNEEDSDELETE": 1])
    try fixture.insert(
      .zones,
      [
        "ZCKRECORDZONENAME": "com.apple.coredata.cloudkit.share.1", "ZCKOWNERNAME": "__defaultOwner__",
        "ZDATABASE": 1, "ZNEEDSSHAREUPDATE": 1,
      ])
    try fixture.insert(
      .moveReceipts,
      ["ZNEEDSCLOUDDELETE": 1, "ZRECORDMETADATA": .integer(move), "ZRECORDNAME": "old", "ZMOVEDAT": 50])
    // Not analyzed yet: one changed, one new.
    try fixture.forge.save(author: "app") { save in
      try save.update(people[3], ["name": "Bob"])
      _ = try save.insert("Person")
    }
    // Of the framework's own making.
    try fixture.forge.save(author: Self.importer) { try $0.update(people[2], ["name": "Cy"]) }
    // Past Core Data.
    try fixture.forge.save(recordsHistory: false) { _ = try $0.insert("Employee") }

    let mirror = try #require(try fixture.mirror())
    let pending = try PendingReader(mirror)
    #expect(
      pending.counts.value == [
        "uploads": 1, "cloudDeletes": 1, "links": 1, "linkDeletes": 1, "shares": 1, "moveReceipts": 1,
        "unanalyzed": 2, "unregistered": 1,
      ])
    let items = try check(pending)
    let upload = try #require(items.first { $0.kind == .upload })
    #expect(upload.transaction == 2 && upload.author == "editor" && upload.since != nil)
    #expect(upload.uri == fixture.forge.uri(of: people[0]))
    #expect(items.first { $0.kind == .link }?.uri == fixture.forge.uri(of: people[2]))
    #expect(items.first { $0.kind == .moveReceipt }?.primaryKey == 3)
    // Two receipts of one object had the same text.
    #expect(items.first { $0.kind == .moveReceipt }?.reason.contains("its old record 'old' in ") == true)
    let unanalyzed = items.filter { $0.kind == .unanalyzed }
    #expect(unanalyzed.map(\.primaryKey) == [4, 5])
    #expect(unanalyzed.map(\.transaction) == [3, 3])
    #expect(unanalyzed.first?.recordName == "R-Person-4")
    #expect(items.first { $0.kind == .unregistered }?.entity == "Employee")
    #expect(try VerdictReader.verdict(mirror, counts: pending.counts).state == .waiting)
  }

  @Test func whatComesAndGoesLeavesNothing() throws {
    let fixture = try MirrorFixture()
    let kept = try fixture.forge.save(author: "app") { try $0.insert("Person") }
    try fixture.setUp()
    try fixture.record(kept)
    try fixture.setToken(1)
    let passing = try fixture.forge.save(author: "app") { try $0.insert("Person") }
    try fixture.forge.save(author: "app") { try $0.update(passing, ["name": "x"]) }
    try fixture.forge.save(author: "app") { try $0.delete(passing) }
    let mirror = try #require(try fixture.mirror())
    #expect(try mirror.token.state == .behind)
    let pending = try PendingReader(mirror)
    #expect(pending.counts.total == 0)
    #expect(try VerdictReader.verdict(mirror, counts: pending.counts).state == .idle)
  }

  @Test func deletesCountOnceTheyAreSaved() throws {
    let fixture = try MirrorFixture()
    let people = try fixture.people(3)
    try fixture.setUp()
    try people[0...1].forEach { try fixture.record($0) }
    try fixture.setToken(1)
    try fixture.forge.save(author: "app") { try $0.delete(people[0]) }
    // A delete that came from the server, and one of an object without a record.
    try fixture.forge.save(author: Self.importer) { try $0.delete(people[1]) }
    try fixture.forge.save(author: "app") { try $0.delete(people[2]) }
    let pending = try PendingReader(#require(try fixture.mirror()))
    #expect(pending.counts[.unanalyzed, default: 0] == 1)
    #expect(try check(pending).map(\.recordName) == ["R-Person-1"])
  }

  @Test func whatIsFlaggedIsntCountedAgain() throws {
    let fixture = try MirrorFixture()
    let person = try fixture.forge.save(author: "app") { try $0.insert("Person") }
    try fixture.setUp()
    try fixture.record(person, ["ZNEEDSUPLOAD": 1])
    try fixture.setToken(1)
    try fixture.forge.save(author: "app") { try $0.update(person, ["name": "x"]) }
    let pending = try PendingReader(#require(try fixture.mirror()))
    #expect(pending.counts[.upload, default: 0] == 1 && pending.counts[.unanalyzed, default: 0] == 0)
  }

  /// An entity whose analyzed changes led to no record isn't mirrored, while others are.
  @Test func entitiesThatArentMirroredDontCount() throws {
    let fixture = try MirrorFixture()
    let (person, draft) = try fixture.forge.save(author: "app") { save in
      (try save.insert("Person"), try save.insert("Draft"))
    }
    try fixture.setUp()
    try fixture.record(person)
    try fixture.setToken(1)
    try fixture.forge.save(author: "app") { try $0.update(draft, ["text": "x"]) }
    let mirror = try #require(try fixture.mirror())
    #expect(try PendingReader(mirror).counts.total == 0)
    let entities = try mirror.mirroredEntities()
    #expect(entities.all.first { $0.name == "Draft" }?.isMirrored == false)
    #expect(entities.all.first { $0.name == "Person" }?.certainty == .certain)
    #expect(entities.all.first { $0.name == "Employee" }?.certainty == .likely)
  }

  /// That all earlier objects were deleted and their records dropped doesn't make an entity one that isn't mirrored.
  @Test func anEntityMayStartAnew() throws {
    let fixture = try MirrorFixture()
    let (person, old) = try fixture.forge.save(author: "app") { save in
      (try save.insert("Person"), try save.insert("Draft"))
    }
    try fixture.forge.save(author: "app") { try $0.delete(old) }
    try fixture.setUp()
    try fixture.record(person)
    try fixture.setToken(2)
    try fixture.forge.save(author: "app") { _ = try $0.insert("Draft") }
    let mirror = try #require(try fixture.mirror())
    #expect(try PendingReader(mirror).counts[.unanalyzed, default: 0] == 1)
    #expect(try mirror.mirroredEntities().all.first { $0.name == "Draft" }?.certainty == .likely)
  }

  /// Rows of which history knows nothing may be of an entity that isn't mirrored: not counted, and not denied.
  @Test func rowsWithoutEvidenceAreUndecided() throws {
    let fixture = try MirrorFixture()
    let person = try fixture.forge.save(author: "app") { try $0.insert("Person") }
    try fixture.forge.save(recordsHistory: false) { _ = try $0.insert("Draft") }
    try fixture.setUp()
    try fixture.record(person)
    try fixture.setToken(1)
    try fixture.forge.save(author: "app") { _ = try $0.insert("Draft") }
    let mirror = try #require(try fixture.mirror())
    let counts = try PendingReader(mirror).counts
    #expect(counts[.unanalyzed, default: 0] == 1 && counts[.unregistered, default: 0] == 0)
    #expect(try mirror.mirroredEntities().all.first { $0.name == "Draft" }?.certainty == .unknown)
  }

  @Test func withoutATokenAllOfHistoryWaits() throws {
    let fixture = try MirrorFixture()
    try fixture.forge.save { save in for _ in 0..<3 { _ = try save.insert("Person") } }
    let mirror = try #require(try fixture.mirror())
    #expect(try mirror.token.state == .missing)
    let counts = try PendingReader(mirror).counts
    #expect(counts[.unanalyzed, default: 0] == 3 && counts[.unregistered, default: 0] == 0)
    #expect(try VerdictReader.verdict(mirror, counts: counts).state == .neverSetUp)
  }

  /// A setup drops such records before anything is sent.
  @Test func recordsOfUnknownEntitiesHaveTheirOwnReason() throws {
    let fixture = try MirrorFixture()
    for entity in [.integer(99), .null] as [SQLiteValue] {
      try fixture.insert(.records, ["ZENTITYID": entity, "ZENTITYPK": 1, "ZNEEDSUPLOAD": 1])
    }
    let items = try items(PendingReader(#require(try fixture.mirror()))).filter { $0.kind == .upload }
    #expect(items.count == 2)
    #expect(
      items.allSatisfy { $0.reason.hasSuffix("a setup drops the record before anything is uploaded for it.") }
    )
    #expect(items.first?.reason.contains("99") == true)
  }

  /// Of one object the same is said as of all, whatever else there is.
  @Test func oneObjectAlone() throws {
    let fixture = try MirrorFixture()
    let people = try fixture.people(4)
    try fixture.setUp()
    try fixture.record(people[0], ["ZNEEDSUPLOAD": 1])
    let move = try fixture.record(people[1])
    try fixture.record(people[2])
    try fixture.setToken(1)
    try fixture.insert(
      .links,
      [
        "ZCKRECORDID": "L1", "ZRECORDNAME": "R-Person-1", "ZRELATEDRECORDNAME": "R-Person-2",
        "ZRECORDZONE": 1,
      ])
    try fixture.insert(.moveReceipts, ["ZNEEDSCLOUDDELETE": 1, "ZRECORDMETADATA": .integer(move)])
    try fixture.insert(
      .analyzerStates,
      ["ZENTITYID": .integer(people[0].entityNumber), "ZENTITYPK": 3, "ZFINALCHANGETYPENUM": 1])
    try fixture.forge.save(author: "app") { try $0.update(people[2], ["name": "x"]) }
    try fixture.forge.save(recordsHistory: false) { _ = try $0.insert("Employee") }
    let mirror = try #require(try fixture.mirror())
    let entities = people[0].entityNumber...people[0].entityNumber + 1
    let all = try items(PendingReader(mirror))
    func kinds(_ key: Int64) throws -> [PendingItem.Kind] {
      let items = try items(PendingReader(mirror, of: ObjectScope(entities: entities, primaryKey: key)))
      #expect(items.allSatisfy(all.contains))
      return items.map(\.kind)
    }
    #expect(try kinds(1) == [.upload, .link])
    #expect(try kinds(2) == [.link, .moveReceipt])
    #expect(try kinds(3) == [.unanalyzed])
    #expect(try kinds(4) == [.unregistered])
    #expect(try kinds(5) == [.unregistered])
    #expect(try kinds(6).isEmpty)
  }

  /// Rows of NULL everywhere, in every table, break nothing.
  @Test(arguments: MirrorSchema.Layout.allCases)
  func nullInEveryColumn(_ layout: MirrorSchema.Layout) throws {
    let fixture = try MirrorFixture(layout)
    _ = try fixture.forge.save { try $0.insert("Person") }
    for table in MirrorSchema.tables(layout) {
      try fixture.connection.execute("INSERT INTO \(table.name) (Z_PK) VALUES (1)")
    }
    try fixture.connection.execute(
      "INSERT INTO ACHANGE (Z_PK) VALUES (99); INSERT INTO ATRANSACTION (Z_PK) VALUES (99)")
    let mirror = try #require(try fixture.mirror())
    let pending = try PendingReader(mirror)
    _ = try check(pending)
    #expect(pending.counts[.link, default: 0] == 1)
    try RecordReader(mirror, decodesArchives: true).forEach { record in
      #expect(record.state == .orphan)
      return true
    }
    #expect(try mirror.zones.count == 1)
    #expect(try mirror.databases.count == 1)
    _ = try VerdictReader.verdict(mirror, counts: pending.counts)
  }

  /// Each needs a page of its own, of which most are in the temporary file. They were refused before.
  @Test func keysMayLieFarApart() throws {
    let fixture = try MirrorFixture()
    try fixture.connection.execute(
      """
      INSERT INTO ANSCKRECORDMETADATA (ZENTITYID, ZENTITYPK, ZNEEDSUPLOAD)
      WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 20000) SELECT 1, i << 30, 1 FROM n
      """)
    let mirror = try #require(try fixture.mirror())
    let pending = try PendingReader(mirror)
    #expect(pending.counts[.upload] == 20_000)
    var keys: [Int64] = []
    try pending.forEach { item in
      if item.kind == .upload, let key = item.primaryKey { keys.append(key >> 30) }
      return true
    }
    #expect(keys == Array(1...20_000))
  }
}
