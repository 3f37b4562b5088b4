import Base
import Forge
import Foundation
import Operations
import TestSupport
import Testing

/// Each with a sentence, and no byte changed.
@Suite struct RefusalTests {
  /// Preconditions that don't hold, by name, and that nothing is changed by looking.
  private static func failed(
    _ fixture: Fixture, _ operation: String, _ choices: Choices = Choices()
  ) throws -> [String] {
    let before = try FolderSnapshot(fixture.folder.path)
    let plan = try fixture.plan(operation, choices)
    for precondition in plan.preconditions {
      #expect(precondition.why.hasSuffix("."), "\(precondition.why)")
    }
    if !plan.failed.isEmpty {
      #expect(plan.steps.isEmpty)
      let files = try fixture.files()
      #expect(throws: StoreScopeError.self) { try fixture.apply(operation, choices) }
      #expect(try fixture.files() == files)
      #expect(try !fixture.folder.names().contains { $0.contains("backup") })
    } else {
      #expect(try FolderSnapshot(fixture.folder.path) == before)
    }
    return plan.failed.map(\.name)
  }

  @Test func unknownLayout() throws {
    let odd = try Fixture(.v17, edits: ["ALTER TABLE ANSCKRECORDMETADATA ADD COLUMN ZNEWTHING INTEGER"])
    let new = try Fixture(.v17, edits: ["CREATE TABLE ANSCKFUTURE (Z_PK INTEGER PRIMARY KEY)"])
    let missing = try Fixture(.v16, edits: ["DROP TABLE ANSCKMIRROREDRELATIONSHIP"])
    let old = try Fixture(
      .v16,
      edits: [
        "DROP TABLE ANSCKRECORDZONEMOVERECEIPT", "DROP TABLE ANSCKRECORDZONEMETADATA",
        "DROP TABLE ANSCKHISTORYANALYZERSTATE", "DROP TABLE ANSCKRECORDZONEQUERY",
        "DROP TABLE ANSCKRECORDMETADATA",
        "CREATE TABLE ANSCKRECORDMETADATA (Z_PK INTEGER PRIMARY KEY, ZENTITYID, ZENTITYPK, ZCKRECORDNAME, ZNEEDSUPLOAD)",
      ])
    for fixture in [odd, new, missing, old] {
      for operation in OperationRegistry.all {
        #expect(
          try Self.failed(fixture, operation.name, Choices(entity: "Tag", serverZone: .kept, cloud: .keep))
            == ["known-layout"])
      }
    }
  }

  @Test func newerFramework() throws {
    #expect(try Self.failed(try Fixture(.v17, frameworkVersion: 1629), "resync --pull").isEmpty)
    #expect(
      try Self.failed(try Fixture(.v17, frameworkVersion: 1630), "resync --pull") == ["known-framework"])
    let mirrorOnly = [
      "UPDATE ANSCKMETADATAENTRY SET ZINTEGERVALUE = 9999 WHERE ZKEY = 'PFCloudKitMetadataFrameworkVersionKey'"
    ]
    #expect(try Self.failed(try Fixture(.v17, edits: mirrorOnly), "repair raise-max") == ["known-framework"])
  }

  @Test(arguments: MirrorSchema.Layout.allCases)
  func pendingDeletes(_ layout: MirrorSchema.Layout) throws {
    let queued = ["UPDATE ANSCKRECORDMETADATA SET ZNEEDSUPLOAD = 1, ZNEEDSCLOUDDELETE = 1 WHERE Z_PK = 1"]
    let link = ["UPDATE ANSCKMIRROREDRELATIONSHIP SET ZNEEDSDELETE = 1, ZISUPLOADED = 0 WHERE Z_PK = 1"]
    let receipt = [
      "INSERT INTO ANSCKRECORDZONEMOVERECEIPT(Z_PK, Z_ENT, ZNEEDSCLOUDDELETE, ZRECORDMETADATA) VALUES (1, 17013, 1, 1)"
    ]
    let share = ["UPDATE ANSCKRECORDZONEMETADATA SET ZNEEDSSHAREDELETE = 1"]
    for edits in [queued, link, receipt, share] {
      let fixture = try Fixture(layout, edits: edits)
      #expect(
        try Self.failed(fixture, "reset", Choices(serverZone: .kept)) == ["no-lost-deletes"], "\(edits)")
      #expect(try Self.failed(fixture, "reset", Choices(serverZone: .kept, discards: true)).isEmpty)
    }
    // The link's deletion was sent: what 'pending' doesn't count was refused as queued.
    let sent = ["UPDATE ANSCKMIRROREDRELATIONSHIP SET ZNEEDSDELETE = 1, ZISUPLOADED = 1 WHERE Z_PK = 1"]
    #expect(try Self.failed(try Fixture(layout, edits: sent), "reset", Choices(serverZone: .kept)).isEmpty)
    // Ben was deleted, and the mirror has yet to look at that.
    let unanalyzed = try Fixture(layout, ChangesTests.lossy)
    #expect(try Self.failed(unanalyzed, "reset", Choices(serverZone: .kept)) == ["no-lost-deletes"])
    #expect(
      try Self.failed(unanalyzed, "repair detach-entity", Choices(entity: "Person")) == ["no-lost-deletes"])
    #expect(try Self.failed(unanalyzed, "repair detach-entity", Choices(entity: "Note")).isEmpty)
    let duplicate = try Fixture(
      layout,
      edits: [
        "DROP INDEX Z_NSCKRecordMetadata_UNIQUE_entityId_entityPK",
        """
        INSERT INTO ANSCKRECORDMETADATA(Z_PK, Z_ENT, ZENTITYID, ZENTITYPK, ZCKRECORDNAME, ZNEEDSUPLOAD, ZNEEDSCLOUDDELETE)
        SELECT 99, Z_ENT, ZENTITYID, ZENTITYPK, 'X', 1, 1 FROM ANSCKRECORDMETADATA WHERE Z_PK = 1
        """,
      ])
    #expect(try Self.failed(duplicate, "repair remove-duplicate-records") == ["no-lost-deletes"])
  }

  @Test func halfIdentity() throws {
    for operation in ["resync --pull", "resync --push", "resync --rescan", "repair register-missing"] {
      let fixture = try Fixture(.v17) { try $0.forgetAccountName() }
      #expect(try Self.failed(fixture, operation) == ["identity-whole"])
    }
  }

  /// A row whose record somebody deleted is on the server under the old name: registered again, it existed twice.
  @Test(arguments: [
    ("resync --pull", "the download adds"), ("repair clear-import-leftovers", "the download adds"),
    ("resync --rescan", "uploads every row without a record under a new name"),
  ])
  func rowsThatLostTheirRecordsAreNotDuplicatedUnawares(_ operation: String, _ words: String) throws {
    let whole = try Fixture(.v17)
    let lost = try Fixture(.v17, edits: ["DELETE FROM ANSCKRECORDMETADATA WHERE ZENTITYPK = 2"])
    #expect(try Self.failed(whole, "repair register-missing").isEmpty)
    #expect(try Self.failed(lost, "repair register-missing") == ["no-lost-records"])
    #expect(try !whole.plan(operation, Choices()).warnings.contains { $0.contains(words) })
    let plan = try lost.plan(operation, Choices())
    #expect(
      plan.warnings.first?.contains("1 object had a record that is gone here") == true, "\(plan.warnings)")
    #expect(plan.warnings.first?.contains(words) == true && plan.risk == .high)
    #expect(!plan.effect.contains("nothing is duplicated"))
  }

  @Test func unusableToken() throws {
    for damage in [MirrorForge.TokenDamage.foreign, .ahead, .unreadable] {
      let fixture = try Fixture(.v17) { try $0.damageToken(damage) }
      #expect(try Self.failed(fixture, "resync --push") == ["token-usable"])
      #expect(try Self.failed(fixture, "repair prune-history") == ["bound-known"])
      #expect(try Self.failed(fixture, "resync --rescan").isEmpty)
    }
    let missing = try Fixture(.v17) { try $0.damageToken(.missing) }
    #expect(try Self.failed(missing, "resync --rescan") == ["token-there"])
    #expect(try Self.failed(missing, "repair prune-history") == ["bound-known"])
  }

  /// A plan for `--cloud delete` explained what `--cloud keep` does, and one for an emptied zone warned of duplicates.
  @Test func textsFollowTheChoices() throws {
    let fixture = try Fixture(.v17, edits: ChangesTests.losses)
    func text(_ operation: String, _ choices: Choices) throws -> String {
      let plan = try fixture.plan(operation, choices)
      return ([plan.effect] + plan.warnings + [plan.watch]).joined(separator: "\n")
    }
    let orphans = "repair remove-orphan-records"
    let (keep, delete) = (
      try text(orphans, Choices(cloud: .keep)), try text(orphans, Choices(cloud: .delete))
    )
    #expect(!keep.contains("delete") && !delete.contains("keep"))
    #expect(keep.contains("come back") && delete.contains("deletes the records on the server"))
    let (kept, emptied) = (
      try text("reset", Choices(serverZone: .kept)), try text("reset", Choices(serverZone: .emptied))
    )
    #expect(kept.contains("\nEvery object in the server's zone exists twice"))
    #expect(emptied.contains("\nIf the server's zone still has records"))
    #expect(!emptied.contains("downloads whatever"))
    #expect(try text("repair detach-entity", Choices(entity: "Tag")).contains("--entity Tag' shows none"))
  }

  /// Without the token, history has the insert as well, and the delete may be lost with it.
  @Test func rescanWarnsOfDeletesThatMayBeSkipped() throws {
    func warnings(_ life: @escaping (MirrorForge) throws -> Void) throws -> [String] {
      try Fixture(.v17, life).plan("resync --rescan", Choices()).warnings
    }
    #expect(try !warnings { _ in }.contains { $0.contains("skipped") })
    let some = try warnings { mirror in
      let eve = try mirror.save(author: "app") { try $0.insert("Person", ["name": "Eve"]) }
      try mirror.export()
      try mirror.save(author: "app") { try $0.delete(eve) }
    }
    // It comes first, as nothing else is lost for good, and names what may be lost.
    #expect(some.first?.hasPrefix("1 deletion (Person/p") ?? false, "\(some)")
    #expect(some.first?.contains("that isn't exported yet may be skipped") ?? false, "\(some)")
  }

  @Test func unsaidChoices() throws {
    let fixture = try Fixture(.v17, edits: ChangesTests.losses)
    #expect(try Self.failed(fixture, "reset") == ["server-zone-said"])
    #expect(try Self.failed(fixture, "repair remove-orphan-records") == ["cloud-said"])
    #expect(try Self.failed(fixture, "repair detach-entity") == ["entity-named"])
    #expect(throws: StoreScopeError.self) { try fixture.plan("resync --push", Choices(entity: "Persn")) }
    let shared = try Fixture(.v17, scope: .shared)
    #expect(try Self.failed(shared, "repair register-missing").contains("scope-scans"))
  }

  private static func expectNothing(
    _ fixture: Fixture, _ words: String, sourceLocation: SourceLocation = #_sourceLocation,
    _ apply: () throws -> Void
  ) throws {
    let before = try fixture.files()
    do {
      try apply()
      Issue.record("applied", sourceLocation: sourceLocation)
    } catch {
      #expect(
        "\(error)".contains(words) && "\(error)".hasSuffix("."), "\(error)", sourceLocation: sourceLocation)
    }
    #expect(try fixture.files() == before, sourceLocation: sourceLocation)
    #expect(try !fixture.folder.names().contains { $0.contains("backup") }, sourceLocation: sourceLocation)
  }

  @Test func hotJournal() throws {
    let fixture = try Fixture(.v17, journal: .rollback)
    let shown = try fixture.plan("resync --pull")
    try fixture.folder.write([0xd9, 0xd5, 0x05, 0xf9] + Array(0..<200), to: "App.store-journal")
    try Self.expectNothing(fixture, "hot journal") {
      try fixture.apply("resync --pull", shown: shown)
    }
  }

  @Test func damagedFile() throws {
    let fixture = try Fixture(.v17, journal: .rollback)
    let shown = try fixture.plan("resync --pull")
    // An index that lacks a row.
    try fixture.execute(
      """
      CREATE INDEX tags ON ZTAG(Z_OPT);
      PRAGMA writable_schema = ON;
      UPDATE sqlite_master SET sql = 'CREATE INDEX tags ON ZTAG(ZNAME)' WHERE name = 'tags'
      """)
    try Self.expectNothing(fixture, "integrity check") {
      try fixture.apply("resync --pull", shown: shown)
    }
    var bytes = try fixture.folder.read(Fixture.name)
    bytes.removeLast(bytes.count / 2)
    try fixture.folder.write(bytes, to: Fixture.name)
    try Self.expectNothing(fixture, "cut off") {
      try fixture.apply("resync --pull", shown: shown)
    }
  }

  /// One row less, and as many rows that are others.
  @Test(arguments: [
    "DELETE FROM ANSCKEVENT WHERE Z_PK = 1", "UPDATE ANSCKEVENT SET Z_PK = 77 WHERE Z_PK = 1",
  ])
  func changedMeanwhile(_ change: String) throws {
    let fixture = try Fixture(.v17)
    let shown = try fixture.plan("repair clear-events")
    try fixture.execute("\(change); PRAGMA wal_checkpoint(TRUNCATE)")
    try Self.expectNothing(fixture, "changed after the plan was shown") {
      try fixture.apply("repair clear-events", shown: shown)
    }
  }

  @Test func noRoom() throws {
    let fixture = try Fixture(.v17)
    try Self.expectNothing(fixture, "free disk space") {
      try fixture.apply("resync --pull") { $0.freeBytes = { _ in 1000 } }
    }
    try Self.expectNothing(fixture, "There is no folder") {
      try fixture.apply("resync --pull") { $0.backupParent = fixture.folder.path("nowhere") }
    }
  }

  /// A backup there would be part of the store, and of the next backup.
  @Test(arguments: [".App_SUPPORT", ".App_SUPPORT/_EXTERNAL_DATA", "App_ckAssets", "link"])
  func backupInsideTheStore(_ name: String) throws {
    let fixture = try Fixture(.v17)
    try fixture.folder.makeFolder("App_ckAssets")
    try fixture.folder.link("link", to: fixture.folder.path(".App_SUPPORT"))
    let place = fixture.folder.path(name)
    try Self.expectNothing(fixture, "own folder") {
      try fixture.apply("resync --pull") { $0.backupParent = place }
    }
    let room = Surroundings.preconditions(fixture.path, backupParent: place).first { $0.name == "room" }
    #expect(room?.holds == false && room?.why.contains("own folder") == true)
  }

  /// Whatever table is gone, planning answers with conditions, not with an error.
  @Test(arguments: MirrorSchema.Layout.allCases)
  func missingTables(_ layout: MirrorSchema.Layout) throws {
    let base = try Fixture(layout, journal: .rollback)
    let needed = ["Z_METADATA", "Z_PRIMARYKEY"]
    for table in try base.content().tables.keys.sorted() where !needed.contains(table) {
      let fixture = try Fixture(copying: base)
      try fixture.execute("DROP TABLE \(table)")
      for operation in OperationRegistry.all {
        let choices = Choices(entity: "Person", serverZone: .emptied, cloud: .keep)
        #expect(throws: Never.self, "\(operation.name) without \(table)") {
          let plan = try fixture.plan(operation.name, choices)
          if table.hasPrefix("ANSCK") { #expect(plan.failed.map(\.name) == ["known-layout"]) }
        }
      }
    }
  }

  /// A change that fails half-way is rolled back: a unique index, which no plan knows of, forbids it.
  @Test func unplannedFailure() throws {
    let fixture = try Fixture(
      .v17,
      edits: [
        "UPDATE Z_PRIMARYKEY SET Z_MAX = 1000 + Z_ENT",
        "UPDATE Z_PRIMARYKEY SET Z_MAX = 0 WHERE Z_NAME = 'Tag'",
        "UPDATE Z_PRIMARYKEY SET Z_MAX = 1 WHERE Z_NAME = 'Note'",
        "CREATE UNIQUE INDEX odd ON Z_PRIMARYKEY(Z_MAX)",
      ])
    let before = try fixture.content()
    let error = #expect(throws: StoreScopeError.self) { try fixture.apply("repair raise-max") }
    #expect(try fixture.content() == before)
    // The backup stays, the error says where, and the log what came of it.
    let backup = try #require(try fixture.folder.names().first { $0.hasSuffix(".backup") })
    let text = "\(try #require(error))"
    #expect(text.contains("rolled back") && text.contains(backup), "\(text)")
    let log = try fixture.folder.text(backup + ".log").split(separator: "\n")
    #expect(log.count == 2 && log[0].contains("about to apply") && log[1].contains("rolled back"))
    _ = try Restore(folder: fixture.folder.path(backup)).run(at: Platform.now())
    #expect(try fixture.content() == before)
  }
}
