import Base
import Forge
import Operations
import SQLite
import TestSupport
import Testing

/// What each operation changes, said once more by hand; all else must stay equal, the schema's text too.
@Suite struct ChangesTests {
  typealias Row = StoreContent.Row

  static let tokenKey = "NSCloudKitMirroringDelegateLastHistoryTokenKey"
  static let scanKey = "NSCloudKitMirroringDelegateScanForRowsMissingFromHistoryKey"

  /// Applies the operation to the store and compares with what `expect` makes of the content before.
  static func check(
    _ fixture: Fixture, _ operation: String, _ choices: Choices = Choices(),
    _ expect: (inout StoreContent) throws -> Void, sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let before = try fixture.content()
    let applied = try fixture.apply(operation, choices)
    let after = try fixture.content()
    var expected = before
    try expect(&expected)
    #expect(expected != before, "the example changes nothing", sourceLocation: sourceLocation)
    #expect(
      after == expected, "\(expected.differences(after).joined(separator: "\n"))",
      sourceLocation: sourceLocation)
    let changed = Dictionary(applied.changes.map { ($0.table, $0.rows) }, uniquingKeysWith: +)
    for (table, rows) in changed { #expect(rows > 0, "\(table)", sourceLocation: sourceLocation) }
    let touched = before.tables.keys.filter { before.rows($0) != after.rows($0) }
    #expect(Set(touched).isSubset(of: changed.keys), "\(touched) \(changed)", sourceLocation: sourceLocation)
    #expect(!applied.checks.contains { $0.contains("could not be moved") })
  }

  @Test(arguments: MirrorSchema.Layout.allCases)
  func pull(_ layout: MirrorSchema.Layout) throws {
    let fixture = try Fixture(layout) { mirror in
      try mirror.importChanges { try _ = $0.insert("Tag", ["name": "work"]) }
    }
    try Self.check(fixture, "resync --pull") { content in
      content.update(
        "ANSCKRECORDZONEMETADATA", ["ZNEEDSIMPORT": 1, "ZCURRENTCHANGETOKEN": nil, "ZLASTFETCHDATE": nil])
      content.update("ANSCKDATABASEMETADATA", ["ZCURRENTCHANGETOKEN": nil, "ZLASTFETCHDATE": nil])
    }
  }

  /// What the integrity check would compute isn't checked (H1): that is said where the checks are listed.
  @Test func whatWasNotCheckedIsListed() throws {
    let fixture = try Fixture(.v17, edits: ["CREATE INDEX named ON ZTAG(ZNAME) WHERE ZNAME IS NOT NULL"])
    let checks = try fixture.apply("resync --pull").checks
    #expect(
      checks.contains {
        $0.hasPrefix("SQLite's integrity check passed") && $0.contains(" ZTAG wasn't compared")
      }, "\(checks)")
  }

  /// A second plan changed the same rows to what they were, with another backup.
  @Test(arguments: ["resync --pull", "resync --push"])
  func whatIsSoAlreadyIsNotPlanned(_ operation: String) throws {
    let fixture = try Fixture(.v17) { _ in }
    try fixture.apply(operation)
    let again = try fixture.plan(operation)
    #expect(again.rows == 0 && again.failed.isEmpty && again.settled != nil)
    try fixture.execute("UPDATE ANSCKRECORDZONEMETADATA SET ZNEEDSIMPORT = 0")
    #expect(try fixture.plan("resync --pull").steps.map(\.rows).first == 1)
  }

  /// Dan's row is gone without a trace and his record is left; Ben was deleted by the app, which the mirror has yet
  /// to see; a link is cut, another one waits for its end.
  static let losses = [
    "DELETE FROM ZPERSON WHERE ZNAME = 'Dan'",
    "UPDATE ANSCKRECORDMETADATA SET ZNEEDSUPLOAD = NULL WHERE Z_PK = 1",
  ]

  static func lossy(_ mirror: MirrorForge) throws {
    let people = mirror.forge.truth.objects.keys.filter { $0.entity == "Person" }
    let ben = try #require(people.first { mirror.forge.truth[$0]?.values["name"] == .text("Ben") })
    try mirror.save(author: "app") { try $0.delete(ben) }
    try mirror.importChanges { changes in
      let tag = try changes.insert("Tag", ["name": "work"])
      changes.linkToMissing(tag, "people", "Person", record: "MISSING", isManyToMany: true)
      let note = try changes.insert("Note", ["name": "later"])
      changes.linkToMissing(note, "owner", "Person", record: "MISSING")
    }
  }

  static func live(_ content: StoreContent) -> (Row) -> Bool {
    var objects: Set<[Int64]> = []
    for table in ["ZPERSON", "ZTAG", "ZNOTE"] {
      for row in content.rows(table) { objects.insert([row.number("Z_ENT"), row.number("Z_PK")]) }
    }
    return { objects.contains([$0.number("ZENTITYID"), $0.number("ZENTITYPK")]) }
  }

  @Test(arguments: MirrorSchema.Layout.allCases, [nil, "Person", "Note"])
  func push(_ layout: MirrorSchema.Layout, entity: String?) throws {
    let fixture = try Fixture(layout, edits: Self.losses, Self.lossy)
    let numbers = try fixture.content().rows("Z_PRIMARYKEY").filter {
      entity == nil || $0.string("Z_NAME") == entity
        || entity == "Person" && $0.string("Z_NAME") == "Employee"
    }.map { $0.number("Z_ENT") }
    try Self.check(fixture, "resync --push", Choices(entity: entity)) { content in
      let isLive = Self.live(content)
      let token = try #require(try TokenArchive.number(content))
      content.update(
        "ANSCKRECORDMETADATA", where: { isLive($0) && numbers.contains($0.number("ZENTITYID")) },
        ["ZNEEDSUPLOAD": 1, "ZNEEDSCLOUDDELETE": 0, "ZPENDINGEXPORTTRANSACTIONNUMBER": .integer(token)])
      content.update(
        "ANSCKMIRROREDRELATIONSHIP",
        where: { $0.number("ZNEEDSDELETE") == 0 && $0.number("ZISPENDING") == 0 && entity != "Note" },
        ["ZISUPLOADED": 0])
    }
    let after = try fixture.content()
    let isLive = Self.live(after)
    let gone = after.rows("ANSCKRECORDMETADATA").filter { !isLive($0) }
    #expect(gone.count == 2 && gone.allSatisfy { $0.number("ZNEEDSUPLOAD") == 0 })
  }

  @Test(arguments: MirrorSchema.Layout.allCases)
  func rescan(_ layout: MirrorSchema.Layout) throws {
    try Self.check(try Fixture(layout), "resync --rescan") { content in
      content.delete("ANSCKMETADATAENTRY") { $0.string("ZKEY") == Self.tokenKey }
    }
  }

  @Test(arguments: MirrorSchema.Layout.allCases)
  func registerMissing(_ layout: MirrorSchema.Layout) throws {
    let edits = ["UPDATE Z_PRIMARYKEY SET Z_MAX = 40 WHERE Z_NAME = 'NSCKMetadataEntry'"]
    try Self.check(try Fixture(layout, edits: edits), "repair register-missing") { content in
      let columns = content.rows("ANSCKMETADATAENTRY").first.map { Array($0.keys) } ?? []
      var row = Row(uniqueKeysWithValues: columns.map { ($0, SQLiteValue.null) })
      row.merge(["Z_PK": 41, "Z_ENT": 17_009, "Z_OPT": 1, "ZKEY": .text(Self.scanKey), "ZBOOLVALUENUM": 1]) {
        $1
      }
      content.tables["ANSCKMETADATAENTRY"]?.append(row)
      content.update("Z_PRIMARYKEY", where: { $0.string("Z_NAME") == "NSCKMetadataEntry" }, ["Z_MAX": 41])
    }
  }

  @Test(arguments: MirrorSchema.Layout.allCases)
  func registerMissingWithEntry(_ layout: MirrorSchema.Layout) throws {
    let edits = ["INSERT INTO ANSCKMETADATAENTRY(Z_PK, Z_ENT, ZKEY) VALUES (90, 17009, '\(Self.scanKey)')"]
    try Self.check(try Fixture(layout, edits: edits), "repair register-missing") { content in
      content.update("ANSCKMETADATAENTRY", where: { $0.string("ZKEY") == Self.scanKey }, ["ZBOOLVALUENUM": 1])
    }
  }

  @Test(arguments: MirrorSchema.Layout.allCases)
  func clearImportLeftovers(_ layout: MirrorSchema.Layout) throws {
    try Self.check(try Fixture(layout, Self.lossy), "repair clear-import-leftovers") { content in
      #expect(content.rows("ANSCKIMPORTPENDINGRELATIONSHIP").count == 1)
      content.delete("ANSCKIMPORTPENDINGRELATIONSHIP")
      content.delete("ANSCKIMPORTOPERATION")
      content.update(
        "ANSCKRECORDZONEMETADATA", ["ZNEEDSIMPORT": 1, "ZCURRENTCHANGETOKEN": nil, "ZLASTFETCHDATE": nil])
      content.update("ANSCKDATABASEMETADATA", ["ZCURRENTCHANGETOKEN": nil, "ZLASTFETCHDATE": nil])
    }
  }

  @Test(arguments: MirrorSchema.Layout.allCases)
  func clearEvents(_ layout: MirrorSchema.Layout) throws {
    let dead = ["ANSCKEXPORTMETADATA", "ANSCKEXPORTOPERATION", "ANSCKEXPORTEDOBJECT"]
    let edits = dead.map { "INSERT INTO \($0)(Z_PK, Z_ENT, Z_OPT) VALUES (1, 17003, 1), (2, 17003, 1)" }
    try Self.check(try Fixture(layout, edits: edits), "repair clear-events") { content in
      for table in dead + ["ANSCKEVENT"] { content.delete(table) }
    }
  }

  @Test(arguments: MirrorSchema.Layout.allCases, [Choices.CloudCopies.keep, .delete])
  func removeOrphanRecords(_ layout: MirrorSchema.Layout, cloud: Choices.CloudCopies) throws {
    var edits = Self.losses
    if layout.hasAssets {
      edits.append(
        """
        INSERT INTO ANSCKRECORDMETADATASYSTEMFIELDSASSET(Z_PK, Z_ENT, ZRECORD, ZBINARYDATA)
        SELECT 900 + Z_PK, 17014, Z_PK, x'00' FROM ANSCKRECORDMETADATA
        """)
    }
    edits.append(
      """
      INSERT INTO ANSCKRECORDZONEMOVERECEIPT(Z_PK, Z_ENT, ZRECORDMETADATA, ZRECORDNAME)
      SELECT 900 + Z_PK, 17013, Z_PK, 'R' FROM ANSCKRECORDMETADATA
      """)
    let fixture = try Fixture(layout, edits: edits, Self.lossy)
    try Self.check(fixture, "repair remove-orphan-records", Choices(cloud: cloud)) { content in
      let orphans = Self.orphans(content)
      #expect(orphans.count == 1)
      if cloud == .delete {
        content.update(
          "ANSCKRECORDMETADATA", where: { orphans.contains($0.number("Z_PK")) },
          ["ZNEEDSUPLOAD": 1, "ZNEEDSCLOUDDELETE": 1])
      } else {
        Self.drop(orphans, from: &content)
      }
    }
    let left = try fixture.content()
    #expect(left.rows("ANSCKRECORDZONEMOVERECEIPT").count == (cloud == .keep ? 7 : 8))
    if layout.hasAssets {
      #expect(left.rows("ANSCKRECORDMETADATASYSTEMFIELDSASSET").count == (cloud == .keep ? 7 : 8))
    }
  }

  /// Keys of records whose object is gone, but for those whose deletion the framework has yet to look at.
  private static func orphans(_ content: StoreContent) -> [Int64] {
    let isLive = live(content)
    let deleted = content.rows("ACHANGE").filter { $0.number("ZCHANGETYPE") == 2 }.map {
      $0.number("ZENTITYPK")
    }
    let gone = content.rows("ANSCKRECORDMETADATA").filter { !isLive($0) }
    return gone.filter { !deleted.contains($0.number("ZENTITYPK")) }.map { $0.number("Z_PK") }
  }

  private static func drop(_ records: [Int64], from content: inout StoreContent) {
    content.delete("ANSCKRECORDMETADATA") { records.contains($0.number("Z_PK")) }
    content.delete("ANSCKRECORDZONEMOVERECEIPT") { records.contains($0.number("ZRECORDMETADATA")) }
    for table in ["ENCODEDRECORDASSET", "SYSTEMFIELDSASSET"] {
      let name = "ANSCKRECORDMETADATA" + table
      if content.tables[name] != nil { content.delete(name) { records.contains($0.number("ZRECORD")) } }
    }
  }

  /// Rows 101 to 104 repeat names and objects; 102 and 103 hang together so that dropping both at once would leave an
  /// object without a record.
  @Test(arguments: MirrorSchema.Layout.allCases)
  func removeDuplicateRecords(_ layout: MirrorSchema.Layout) throws {
    func row(_ key: Int, like old: Int, name: String? = nil, object: Int? = nil) -> String {
      """
      INSERT INTO ANSCKRECORDMETADATA(Z_PK, Z_ENT, Z_OPT, ZENTITYID, ZENTITYPK, ZRECORDZONE, ZCKRECORDNAME)
      SELECT \(key), Z_ENT, 1, ZENTITYID, \(object.map(String.init) ?? "ZENTITYPK"), ZRECORDZONE,
      \(name.map { "'\($0)'" } ?? "ZCKRECORDNAME") FROM ANSCKRECORDMETADATA WHERE Z_PK = \(old)
      """
    }
    let edits = [
      "DROP INDEX Z_NSCKRecordMetadata_UNIQUE_entityId_entityPK",
      "DROP INDEX Z_NSCKRecordMetadata_UNIQUE_ckRecordName_recordZone",
      // Of the object of record 1, without proof.
      row(101, like: 1, name: "OTHER"),
      // Of an object of its own, under the name of record 2.
      row(102, like: 2, object: 700),
      // Of that object too, under a name of its own: the better one, as its name is free.
      row(103, like: 2, name: "FREE", object: 700),
    ]
    try Self.check(try Fixture(layout, edits: edits), "repair remove-duplicate-records") { content in
      content.delete("ANSCKRECORDMETADATA") { [101, 102].contains($0.number("Z_PK")) }
    }
  }

  @Test(arguments: MirrorSchema.Layout.allCases, ["Person", "Tag"])
  func detachEntity(_ layout: MirrorSchema.Layout, entity: String) throws {
    let fixture = try Fixture(layout) { mirror in
      try mirror.importChanges { changes in
        let note = try changes.insert("Note", ["name": "later"])
        changes.linkToMissing(note, "owner", "Person", record: "MISSING")
      }
    }
    try Self.check(fixture, "repair detach-entity", Choices(entity: entity)) { content in
      let names = entity == "Person" ? ["Person", "Employee"] : [entity]
      let numbers = content.rows("Z_PRIMARYKEY").filter { names.contains($0.string("Z_NAME") ?? "") }.map {
        $0.number("Z_ENT")
      }
      let records = content.rows("ANSCKRECORDMETADATA").filter { numbers.contains($0.number("ZENTITYID")) }
        .map { $0.number("Z_PK") }
      #expect(records.count == (entity == "Person" ? 4 : 1))
      content.delete("ANSCKRECORDMETADATA") { records.contains($0.number("Z_PK")) }
      func isNamed(_ row: Row) -> Bool {
        names.contains(row.string("ZCDENTITYNAME") ?? "")
          || names.contains(row.string("ZRELATEDENTITYNAME") ?? "")
      }
      #expect(content.rows("ANSCKMIRROREDRELATIONSHIP").count(where: isNamed) == 2)
      let links = content.rows("ANSCKMIRROREDRELATIONSHIP").filter(isNamed).map { $0.number("Z_PK") }
      content.delete("ANSCKMIRROREDRELATIONSHIP", where: isNamed)
      content.delete("ANSCKIMPORTPENDINGRELATIONSHIP", where: isNamed)
      guard layout.hasAssets else { return }
      content.delete("ANSCKRECORDMETADATAENCODEDRECORDASSET") { records.contains($0.number("ZRECORD")) }
      content.delete("ANSCKMIRROREDRELATIONSHIPSYSTEMFIELDSASSET") {
        links.contains($0.number("ZMIRROREDRELATIONSHIP"))
      }
    }
    if layout.hasAssets {
      #expect(try fixture.content().rows("ANSCKMIRROREDRELATIONSHIPSYSTEMFIELDSASSET").isEmpty)
    }
  }

  @Test(arguments: MirrorSchema.Layout.allCases)
  func raiseMax(_ layout: MirrorSchema.Layout) throws {
    let edits = [
      "UPDATE Z_PRIMARYKEY SET Z_MAX = 1 WHERE Z_NAME = 'Person'",
      "UPDATE Z_PRIMARYKEY SET Z_MAX = NULL WHERE Z_NAME = 'Tag'",
      "UPDATE Z_PRIMARYKEY SET Z_MAX = 0 WHERE Z_NAME = 'NSCKRecordMetadata'",
      "UPDATE Z_PRIMARYKEY SET Z_MAX = 77 WHERE Z_NAME = 'Note'",
    ]
    try Self.check(try Fixture(layout, edits: edits), "repair raise-max") { content in
      for (name, max) in [("Person", 4), ("Tag", 1), ("NSCKRecordMetadata", 6)] as [(String, Int64)] {
        content.update("Z_PRIMARYKEY", where: { $0.string("Z_NAME") == name }, ["Z_MAX": .integer(max)])
      }
    }
  }

  /// The key of a deleted object, whose record waited for its deletion, was given to the next one.
  @Test func raiseMaxKnowsDeletedObjects() throws {
    let fixture = try Fixture(.v17) { mirror in
      let gone = try mirror.save(author: "app") { try $0.insert("Tag") }
      try mirror.export()
      try mirror.save(author: "app") { try $0.delete(gone) }
      try mirror.forge.connection.execute("UPDATE Z_PRIMARYKEY SET Z_MAX = 0 WHERE Z_NAME = 'Tag'")
    }
    let content = try fixture.content()
    let tag = content.rows("Z_PRIMARYKEY").first { $0.string("Z_NAME") == "Tag" }?.number("Z_ENT")
    let changes = content.rows("ACHANGE").filter { $0.number("ZENTITY") == tag }
    let last = changes.map { $0.number("ZENTITYPK") }.max() ?? 0
    #expect(last > content.rows("ZTAG").map { $0.number("Z_PK") }.max() ?? 0)
    try fixture.apply("repair raise-max")
    let counter = try fixture.content().rows("Z_PRIMARYKEY").first { $0.string("Z_NAME") == "Tag" }
    #expect(counter?.number("Z_MAX") == last)
  }

  @Test(arguments: MirrorSchema.Layout.allCases, [false, true])
  func pruneHistory(_ layout: MirrorSchema.Layout, byDate: Bool) throws {
    let fixture = try Fixture(layout) { mirror in
      for name in ["Eve", "Fay", "Gus"] {
        try mirror.save(author: "app") { _ = try $0.insert("Person", ["name": .text(name)]) }
      }
      try mirror.export()
      try mirror.save(author: "app") { _ = try $0.insert("Person", ["name": "Hal"]) }
    }
    let times = try fixture.content().rows("ATRANSACTION").map { row -> Double in
      if case .real(let seconds)? = row["ZTIMESTAMP"] { seconds } else { 0 }
    }
    let before = byDate ? CoreDataDate(seconds: times[2]) : nil
    try Self.check(fixture, "repair prune-history", Choices(before: before)) { content in
      let token = try #require(try TokenArchive.number(content))
      let numbers = content.rows("ATRANSACTION").map { $0.number("Z_PK") }
      #expect(numbers.contains(token) && numbers.last != token)
      let bound = byDate ? numbers[2] : token
      content.delete("ATRANSACTION") { $0.number("Z_PK") < bound }
      content.delete("ACHANGE") { $0.number("ZTRANSACTIONID") < bound }
      #expect(content.rows("ATRANSACTION").contains { $0.number("Z_PK") == token })
    }
  }

  /// A column named rowid hides the row's own number. Rows are chosen first and changed by that number, so that others
  /// would have been deleted than were counted.
  @Test func columnsMayBearTheNameOfTheRowNumber() throws {
    let fixture = try Fixture(
      .v17,
      edits: [
        "ALTER TABLE ATRANSACTION ADD COLUMN rowid INTEGER",
        "UPDATE ATRANSACTION SET rowid = CASE WHEN Z_PK % 2 THEN 7 END",
      ]
    ) { mirror in
      for name in ["Eve", "Fay", "Gus"] {
        try mirror.save(author: "app") { _ = try $0.insert("Person", ["name": .text(name)]) }
      }
      try mirror.export()
    }
    try Self.check(fixture, "repair prune-history", Choices()) { content in
      let token = try #require(try TokenArchive.number(content))
      content.delete("ATRANSACTION") { $0.number("Z_PK") < token }
      content.delete("ACHANGE") { $0.number("ZTRANSACTIONID") < token }
    }
  }

  /// Without a token all of history is to come, and an insert and a delete in it come to nothing; but the server has the
  /// record, and it must learn of the delete.
  @Test func recordsOfDeletesInHistoryStay() throws {
    let fixture = try Fixture { mirror in
      let eve = try mirror.save(author: "app") { try $0.insert("Person", ["name": "Eve"]) }
      try mirror.export()
      try mirror.save(author: "app") { try $0.delete(eve) }
      try mirror.damageToken(.missing)
    }
    let plan = try fixture.plan("repair remove-orphan-records", Choices(cloud: .keep))
    #expect(plan.steps.allSatisfy { $0.rows == 0 })
    let reset = try fixture.plan("reset", Choices(serverZone: .emptied))
    #expect(reset.failed.map(\.name) == ["no-lost-deletes"])
  }

  @Test(arguments: MirrorSchema.Layout.allCases)
  func reset(_ layout: MirrorSchema.Layout) throws {
    let edits = MirrorSchema.tables(layout).map {
      "INSERT INTO \($0.name)(Z_PK, Z_ENT, Z_OPT) VALUES (990, \($0.number), 1)"
    }
    let choices = Choices(serverZone: .emptied, discards: true)
    try Self.check(try Fixture(layout, edits: edits, Self.lossy), "reset", choices) { content in
      let mirror = content.tables.keys.filter { $0.hasPrefix("ANSCK") }
      #expect(mirror.count == (layout == .v16 ? 14 : 18))
      for table in mirror { content.delete(table) }
    }
  }
}
