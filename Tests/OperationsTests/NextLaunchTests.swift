import Forge
import Operations
import SQLite
import TestSupport
import Testing

/// The simulated framework, run over what an operation left: the plan's promises.
@Suite struct NextLaunchTests {
  private static let layouts = MirrorSchema.Layout.allCases

  private static func names(_ fixture: Fixture) throws -> [String: String] {
    let content = try fixture.content()
    var names: [String: String] = [:]
    for row in content.rows("ANSCKRECORDMETADATA") {
      names["\(row.number("ZENTITYID"))/\(row.number("ZENTITYPK"))"] = row.string("ZCKRECORDNAME")
    }
    return names
  }

  /// Values of all objects, sorted.
  private static func values(_ fixture: Fixture) throws -> [String] {
    let content = try fixture.content()
    return ["ZPERSON", "ZTAG", "ZNOTE"].flatMap { content.rows($0).compactMap { $0.string("ZNAME") } }
      .sorted()
  }

  private static let all = ["Ann", "Ben", "Cleo", "Dan", "call", "family"]
  /// A row that no history and no record knows.
  private static let raw = [
    "INSERT INTO ZPERSON(Z_PK, Z_ENT, Z_OPT, ZNAME) SELECT 5, Z_ENT, 1, 'Raw' FROM ZPERSON WHERE Z_PK = 1",
    "UPDATE Z_PRIMARYKEY SET Z_MAX = 5 WHERE Z_NAME = 'Person'",
  ]

  @Test(arguments: layouts) func launchAloneChangesNothing(_ layout: MirrorSchema.Layout) throws {
    let fixture = try Fixture(layout)
    let server = Server(try fixture.content())
    let before = (try Self.names(fixture), server.records)
    #expect(try Framework.launch(fixture, server) == .done)
    #expect(try Self.values(fixture) == Self.all)
    #expect(try Self.names(fixture) == before.0)
    #expect(server.records == before.1 && server.deleted.isEmpty)
  }

  @Test(arguments: layouts) func pullDoublesNothing(_ layout: MirrorSchema.Layout) throws {
    let fixture = try Fixture(layout)
    let server = Server(try fixture.content())
    let names = try Self.names(fixture)
    server.records["FROM ELSEWHERE"] = Server.Record(entity: 3, value: "Eve")
    for (name, record) in server.records where record.value == "Ben" { server.records[name]?.value = "Benno" }
    try fixture.apply("resync --pull")
    #expect(try Framework.launch(fixture, server) == .done)
    #expect(try Self.values(fixture) == ["Ann", "Benno", "Cleo", "Dan", "Eve", "call", "family"])
    #expect(try Self.names(fixture).filter { names[$0.key] != nil } == names)
    #expect(server.doubles.isEmpty && server.deleted.isEmpty && server.uploaded.isEmpty)
  }

  @Test(arguments: layouts) func pushKeepsNames(_ layout: MirrorSchema.Layout) throws {
    let fixture = try Fixture(layout, edits: ["DELETE FROM ZPERSON WHERE ZNAME = 'Dan'"])
    let server = Server(try fixture.content())
    let (names, orphan) = (try Self.names(fixture), server.records.first { $0.value.value == nil }?.key)
    let links = server.links
    #expect(links.count == 2)
    server.links = []
    try fixture.apply("resync --push")
    #expect(try Framework.launch(fixture, server) == .done)
    #expect(try Self.names(fixture) == names)
    #expect(Set(server.uploaded) == Set(names.values).subtracting(orphan.map { [$0] } ?? []).union(links))
    // The orphan's copy is not deleted.
    #expect(server.deleted.isEmpty && Set(server.records.keys) == Set(names.values))
    #expect(server.links == links && server.doubles.isEmpty)
    #expect(try fixture.content().rows("ANSCKRECORDMETADATA").allSatisfy { $0.number("ZNEEDSUPLOAD") == 0 })
  }

  @Test(arguments: layouts, [false, true])
  func rescanSavesFromTheWipe(_ layout: MirrorSchema.Layout, rescans: Bool) throws {
    // History was pruned past the token, and one edit was not sent yet.
    let fixture = try Fixture(
      layout,
      edits: Self.raw + [
        "UPDATE ZPERSON SET ZNAME = 'Anne' WHERE ZNAME = 'Ann'", "UPDATE ATRANSACTION SET Z_PK = Z_PK + 10",
        "UPDATE ACHANGE SET ZTRANSACTIONID = ZTRANSACTIONID + 10",
        // Nothing new has come in since.
        "UPDATE ANSCKRECORDZONEMETADATA SET ZCURRENTCHANGETOKEN = x'01'",
      ])
    let server = Server(try fixture.content())
    for (name, record) in server.records where record.value == "Anne" { server.records[name]?.value = "Ann" }
    let names = try Self.names(fixture)
    if rescans { try fixture.apply("resync --rescan") }
    #expect(try Framework.launch(fixture, server) == (rescans ? .done : .wiped))
    let values = try Self.values(fixture)
    #expect(values.contains("Anne") == rescans)
    #expect(values.contains("Raw") && values.count == 7 && server.doubles.isEmpty)
    if rescans { #expect(try Self.names(fixture).filter { names[$0.key] != nil } == names) }
    #expect(server.records.values.contains { $0.value == "Raw" })
  }

  @Test(arguments: layouts) func rescanFreesAForeignToken(_ layout: MirrorSchema.Layout) throws {
    let fixture = try Fixture(layout) { try $0.damageToken(.foreign) }
    let server = Server(try fixture.content())
    let names = try Self.names(fixture)
    #expect(try Framework.launch(fixture, server) == .stuck)
    try fixture.apply("resync --rescan")
    #expect(try Framework.launch(fixture, server) == .done)
    #expect(try Self.names(fixture) == names && Self.values(fixture) == Self.all)
  }

  @Test(arguments: layouts, Choices.ServerZone.allCases)
  func resetDoublesWhatTheServerKeeps(_ layout: MirrorSchema.Layout, zone: Choices.ServerZone) throws {
    let fixture = try Fixture(layout)
    let server = Server(try fixture.content())
    if zone == .emptied { server.empty() }
    let names = Set(try Self.names(fixture).values)
    try fixture.apply("reset", Choices(serverZone: zone))
    #expect(try Framework.launch(fixture, server) == .done)
    let expected = zone == .emptied ? Self.all : Self.all.flatMap { [$0, $0] }
    #expect(try Self.values(fixture) == expected.sorted())
    #expect(server.doubles == (zone == .emptied ? [] : Self.all))
    if zone == .emptied { #expect(names.isDisjoint(with: server.records.keys)) }
  }

  @Test(arguments: layouts, Choices.CloudCopies.allCases)
  func orphans(_ layout: MirrorSchema.Layout, cloud: Choices.CloudCopies) throws {
    let fixture = try Fixture(
      layout,
      edits: [
        "DELETE FROM ZPERSON WHERE ZNAME = 'Dan'",
        "UPDATE ANSCKRECORDZONEMETADATA SET ZCURRENTCHANGETOKEN = x'01'",
      ])
    let server = Server(try fixture.content())
    let orphan = try #require(server.records.first { $0.value.value == nil }?.key)
    server.records[orphan]?.value = "Dan"
    try fixture.apply("repair remove-orphan-records", Choices(cloud: cloud))
    #expect(try Framework.launch(fixture, server) == .done)
    #expect(server.deleted == (cloud == .delete ? [orphan] : []))
    #expect((server.records[orphan] == nil) == (cloud == .delete))
    #expect(try !Self.names(fixture).values.contains(orphan))
    // Kept in the cloud, it comes back one day, as the plan warns.
    try fixture.apply("resync --pull")
    try Framework.launch(fixture, server)
    #expect(try Self.values(fixture).contains("Dan") == (cloud == .keep))
  }

  @Test(arguments: layouts) func registerMissingUploadsExactlyThose(_ layout: MirrorSchema.Layout) throws {
    let fixture = try Fixture(layout, edits: Self.raw)
    let server = Server(try fixture.content())
    let before = server.records
    try Framework.launch(fixture, server)
    #expect(server.uploaded.isEmpty, "without the operation nobody looks")
    try fixture.apply("repair register-missing")
    #expect(try Framework.launch(fixture, server) == .done)
    #expect(server.uploaded.count == 1)
    let new = server.records.filter { before[$0.key] == nil }
    #expect(new.map(\.value.value) == ["Raw"] && server.records.count == before.count + 1)
    #expect(
      try fixture.content().rows("ANSCKMETADATAENTRY").allSatisfy {
        $0.string("ZKEY") != ChangesTests.scanKey
      })
  }

  @Test(arguments: layouts) func prunedHistoryKeepsTheToken(_ layout: MirrorSchema.Layout) throws {
    let fixture = try Fixture(layout) { mirror in
      try mirror.save(author: "app") { _ = try $0.insert("Person", ["name": "Eve"]) }
      try mirror.export()
      try mirror.save(author: "app") { _ = try $0.insert("Person", ["name": "Fay"]) }
    }
    let server = Server(try fixture.content())
    try fixture.apply("repair prune-history")
    #expect(try Framework.launch(fixture, server) == .done)
    #expect(server.uploaded.count == 1 && server.records.values.contains { $0.value == "Fay" })
  }

  @Test(arguments: layouts) func pushOfOneEntityUploadsOnlyIt(_ layout: MirrorSchema.Layout) throws {
    let fixture = try Fixture(layout)
    let server = Server(try fixture.content())
    let names = try Self.names(fixture)
    let people = Set(server.records.filter { ["Ann", "Ben", "Cleo", "Dan"].contains($0.value.value) }.keys)
    try fixture.apply("resync --push", Choices(entity: "Person"))
    #expect(try Framework.launch(fixture, server) == .done)
    #expect(try Self.names(fixture) == names)
    // Links have a person at one end.
    #expect(Set(server.uploaded) == people.union(server.links))
    #expect(server.deleted.isEmpty && server.doubles.isEmpty)
  }

  @Test(arguments: layouts) func clearedLeftoversAreFetchedAgain(_ layout: MirrorSchema.Layout) throws {
    let fixture = try Fixture(layout) { mirror in
      try mirror.importChanges { changes in
        let note = try changes.insert("Note", ["name": "later"])
        changes.linkToMissing(note, "owner", "Person", record: "MISSING")
      }
    }
    let server = Server(try fixture.content())
    let (names, values) = (try Self.names(fixture), try Self.values(fixture))
    server.records["MISSING"] = Server.Record(entity: 3, value: "Eve")
    try fixture.apply("repair clear-import-leftovers")
    #expect(try Framework.launch(fixture, server) == .done)
    #expect(try Self.values(fixture) == (values + ["Eve"]).sorted())
    #expect(try Self.names(fixture).filter { names[$0.key] != nil } == names)
    #expect(try fixture.content().rows("ANSCKIMPORTPENDINGRELATIONSHIP").isEmpty)
    #expect(server.doubles.isEmpty && server.deleted.isEmpty && server.uploaded.isEmpty)
  }

  @Test(arguments: layouts) func clearedEventsAreMissedByNobody(_ layout: MirrorSchema.Layout) throws {
    let fixture = try Fixture(layout)
    let server = Server(try fixture.content())
    let before = (try Self.names(fixture), server.records)
    try fixture.apply("repair clear-events")
    #expect(try Framework.launch(fixture, server) == .done)
    #expect(try Self.names(fixture) == before.0 && Self.values(fixture) == Self.all)
    #expect(server.records == before.1 && server.uploaded.isEmpty && server.deleted.isEmpty)
  }

  /// The record of the server stays, so that a full import finds its object.
  @Test(arguments: layouts) func withoutDuplicatesNothingIsDoubled(_ layout: MirrorSchema.Layout) throws {
    let fixture = try Fixture(
      layout,
      edits: [
        "DROP INDEX Z_NSCKRecordMetadata_UNIQUE_entityId_entityPK",
        """
        INSERT INTO ANSCKRECORDMETADATA(Z_PK, Z_ENT, Z_OPT, ZENTITYID, ZENTITYPK, ZRECORDZONE, ZCKRECORDNAME)
        SELECT 101, Z_ENT, 1, ZENTITYID, ZENTITYPK, ZRECORDZONE, 'OTHER' FROM ANSCKRECORDMETADATA WHERE Z_PK = 1
        """,
      ])
    let server = Server(try fixture.content())
    server.records["OTHER"] = nil
    let before = server.records
    try fixture.apply("repair remove-duplicate-records")
    try fixture.apply("resync --pull")
    #expect(try Framework.launch(fixture, server) == .done)
    #expect(try Self.values(fixture) == Self.all)
    #expect(try Set(Self.names(fixture).values) == Set(before.keys))
    #expect(server.records == before && server.uploaded.isEmpty && server.deleted.isEmpty)
  }

  @Test(arguments: layouts) func aDetachedEntityStaysAway(_ layout: MirrorSchema.Layout) throws {
    let fixture = try Fixture(
      layout, edits: ["UPDATE ANSCKRECORDZONEMETADATA SET ZCURRENTCHANGETOKEN = x'01'"])
    let server = Server(try fixture.content())
    let (names, records) = (try Self.names(fixture), server.records)
    let note = try #require(records.first { $0.value.value == "call" })
    try fixture.apply("repair detach-entity", Choices(entity: "Note"))
    #expect(try Framework.launch(fixture, server) == .done)
    #expect(try Self.values(fixture) == Self.all)
    #expect(try Self.names(fixture) == names.filter { $0.value != note.key })
    #expect(server.records == records && server.uploaded.isEmpty && server.deleted.isEmpty)
    // Where the app still mirrors it, a full import brings it a second time, as the plan warns.
    try fixture.apply("resync --pull")
    try Framework.launch(fixture, server)
    #expect(try Self.values(fixture) == (Self.all + ["call"]).sorted())
  }

  /// An object that comes in gets the next key, which another row has unless the highest key is put right.
  @Test(arguments: layouts, [false, true])
  func aRaisedMaxLetsObjectsIn(_ layout: MirrorSchema.Layout, raises: Bool) throws {
    let fixture = try Fixture(
      layout,
      edits: [
        "UPDATE Z_PRIMARYKEY SET Z_MAX = 1 WHERE Z_NAME = 'Person'",
        "UPDATE ANSCKRECORDZONEMETADATA SET ZCURRENTCHANGETOKEN = NULL",
      ])
    let server = Server(try fixture.content())
    server.records["FROM ELSEWHERE"] = Server.Record(entity: 3, value: "Eve")
    if raises {
      try fixture.apply("repair raise-max")
      #expect(try Framework.launch(fixture, server) == .done)
      #expect(try Self.values(fixture) == (Self.all + ["Eve"]).sorted())
    } else {
      #expect(throws: SQLiteError.self) { try Framework.launch(fixture, server) }
    }
  }
}
