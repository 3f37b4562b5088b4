import Base
import Diagnostics
import Forge
import Lens
import SQLite
import StoreModel
import TestSupport
import Testing

/// The verdict on one object.
struct ObjectVerdictTests {
  private let folder = TemporaryFolder("object")

  // MARK: Random lives

  /// How a life ends: as it came, with the token dropped as by `resync --rescan`, or with an entry that holds no token.
  enum Ending { case asLived, rescanned, emptied }

  private func live(
    _ seed: UInt64, in folder: TemporaryFolder, _ ending: Ending = .asLived
  ) throws -> MirrorForge {
    let mirror = try RandomMirrorLife.live(
      seed: seed, steps: 10 + Int(seed % 50), layout: seed % 2 == 0 ? .v16 : .v17,
      path: folder.path("App.store"), scope: [.private, .private, .private, .shared, .public][Int(seed % 5)])
    switch ending {
    case .asLived: break
    case .rescanned: try mirror.damageToken(.missing)
    case .emptied:
      mirror.setToken(.missing)
      try mirror.forge.connection.execute(
        """
        UPDATE ANSCKMETADATAENTRY SET ZTRANSFORMEDVALUE = NULL
        WHERE ZKEY = 'NSCloudKitMirroringDelegateLastHistoryTokenKey'
        """)
    }
    return mirror
  }

  /// A failure names its seed and the object.
  @Test(arguments: Array(1...60 as ClosedRange<UInt64>), [Ending.asLived, .rescanned])
  func everyObjectStandsAsTheForgeKnows(_ seed: UInt64, _ ending: Ending) throws { try check(seed, ending) }

  @Test(arguments: 61...70 as ClosedRange<UInt64>)
  func anEntryWithoutATokenIsNoToken(_ seed: UInt64) throws { try check(seed, .emptied) }

  private func check(_ seed: UInt64, _ ending: Ending) throws {
    let folder = TemporaryFolder("life")
    let mirror = try live(seed, in: folder, ending)
    let truth = MirrorObjects(mirror)
    let path = mirror.forge.path
    try mirror.forge.close()
    let open = try OpenStore(Connection(path: path, options: .overlay()), path: path)
    let reader = try TraceReader(open)
    for object in truth.all {
      let key = ObjectKey(entity: object.entityNumber, primaryKey: object.primaryKey)
      let trace = try reader.trace(of: key)
      let comment = Comment(rawValue: "seed \(seed), \(ending), \(trace.answer) \(trace.verdict.reasons)")
      #expect(trace.verdict.state.rawValue == truth.state(of: object).rawValue, comment)
      #expect(trace.verdict.reasons.count + (trace.verdict.fix == nil ? 0 : 1) >= 2, comment)
      if [.waiting, .blocked].contains(trace.verdict.state) {
        #expect(trace.verdict.since == truth.pendingSince(object), comment)
      }
      if trace.verdict.state == .deletedHere {
        #expect(trace.verdict.since == truth.deletedAt(object), comment)
      }
      let differences =
        trace.comparison.isCompared ? Set(trace.comparison.differences.map(\.property)) : nil
      #expect(differences == truth.differences(of: object), comment)
    }
  }

  /// The lives come past every state there is, and past differences.
  @Test func livesAreVaried() throws {
    var states: Set<MirrorObjects.State> = []
    var (objects, differences, quiet) = (0, 0, 0)
    for seed in 1...60 as ClosedRange<UInt64> {
      let folder = TemporaryFolder("life")
      let truth = MirrorObjects(try live(seed, in: folder))
      for object in truth.all {
        objects += 1
        let state = truth.state(of: object)
        states.insert(state)
        guard truth.differences(of: object)?.isEmpty == false else { continue }
        differences += 1
        if state == .onServer { quiet += 1 }
      }
    }
    #expect(states == Set(MirrorObjects.State.allCases))
    #expect(objects > 1000 && differences > 20)
  }

  // MARK: The demo

  private func demo() throws -> OpenStore { try OpenStore(at: DemoStore.copy(in: folder.path)) }

  private func trace(_ entity: String, _ key: Int64, in open: OpenStore) throws -> ObjectTrace {
    try TraceReader(open).trace(
      of: ObjectKey(entity: open.store.entity(named: entity).number, primaryKey: key))
  }

  @Test func whatWasSavedAfterTheLastExportIsBlockedByAFullStorage() throws {
    let open = try demo()
    let trace = try trace("Entry", 9, in: open)
    #expect(trace.answer == "Entry/p9 \"Golden Pavilion\": not on the server, blocked.")
    #expect(trace.verdict.since?.iso8601?.hasPrefix("2026-04-16T13:47:58.215") == true)
    let reasons = trace.verdict.reasons
    #expect(reasons[0].hasPrefix("Inserted by app at 2026-04-16T13:47:58.215"))
    #expect(reasons[1].hasPrefix("Exports have failed twice in a row since 2026-04-15T19:20:09.635"))
    #expect(reasons[1].hasSuffix("iCloud storage is full."))
    #expect(trace.verdict.fix == "Free iCloud storage on this account; uploads then resume on their own.")
    #expect(
      trace.referrers.map(\.text) == ["Landmark/p7.entries", "Tag.entries (2)", "Trip/p2.entries"])
  }

  @Test func whatChangedIsOlderOnTheServer() throws {
    let open = try demo()
    let trace = try trace("Trip", 1, in: open)
    #expect(trace.answer == "Trip/p1 \"Spring in Lisbon\": older on the server than here, blocked.")
    #expect(
      trace.comparison.differences.map(\.value) == [
        ["property": "budget", "local": .real(1312.4), "server": .real(1249.5)],
        ["property": "isArchived", "local": true, "server": false],
        ["property": "mood", "local": "grateful", "server": "excited"],
      ])
  }

  /// History kept nothing of it; the server's copy still has its title.
  @Test func aDeletedObjectIsStillOnTheServer() throws {
    let open = try demo()
    let trace = try trace("Trip", 4, in: open)
    #expect(trace.answer == "Trip/p4 \"Somewhere warm?\": deleted here, still on the server, blocked.")
    #expect(try self.trace("Entry", 1, in: open).title == "Ideas")
  }

  // MARK: Single stores

  /// Two people and a tag, uploaded.
  private func uploaded(
    layout: MirrorSchema.Layout = .v17, model: ManagedObjectModel = RandomMirrorLife.model
  ) throws -> (MirrorForge, [ForgedObject]) {
    let forge = try StoreForge(path: folder.path("App.store"), model: model)
    let mirror = try MirrorForge(forge, layout: layout, configuration: "Cloud")
    try mirror.setUp()
    let objects = try mirror.save(author: "app") { save in
      let tag = try save.insert("Tag", ["label": "home"])
      let ann = try save.insert("Person", ["name": "Ann"], links: ["tags": [tag]])
      return [ann, try save.insert("Person", ["name": "Ben"]), tag]
    }
    try mirror.export()
    return (mirror, objects)
  }

  private func trace(_ object: ForgedObject, in mirror: MirrorForge) throws -> ObjectTrace {
    try TraceReader(OpenStore(mirror.forge.connection, path: mirror.forge.path)).trace(
      of: ObjectKey(entity: object.entityNumber, primaryKey: object.primaryKey))
  }

  @Test(arguments: MirrorSchema.Layout.allCases)
  func aHealthyStoreHasItsObjectsOnTheServer(_ layout: MirrorSchema.Layout) throws {
    let (mirror, objects) = try uploaded(layout: layout)
    for object in objects {
      let trace = try trace(object, in: mirror)
      #expect(trace.verdict.state == .onServer && trace.verdict.since == nil)
      #expect(trace.answer.hasSuffix(": on the server with the same values."), "\(trace.answer)")
    }
  }

  @Test func aSaveIsWaitingForTheNextExport() throws {
    let (mirror, objects) = try uploaded()
    try mirror.save(author: "app") { try $0.update(objects[0], ["name": "Anna"]) }
    let trace = try trace(objects[0], in: mirror)
    #expect(trace.verdict.state == .waiting)
    #expect(trace.answer == "Person/p1 \"Anna\": older on the server than here, pending.")
    #expect(
      trace.comparison.differences.map(\.value) == [
        ["property": "name", "local": "Anna", "server": "Ann"]
      ])
    #expect(trace.verdict.reasons.last == "Nothing to do: the next export sends it.")
  }

  /// Record names say nothing to people.
  @Test func linksNameTheirObjects() throws {
    let (mirror, objects) = try uploaded()
    try mirror.save(author: "app") { try $0.link(objects[1], "tags", objects[2]) }
    try mirror.export(.failure(.quotaExceeded))
    let trace = try trace(objects[2], in: mirror)
    #expect(trace.verdict.state == .blocked)
    #expect(trace.answer.hasSuffix("on the server without its latest links, blocked."), "\(trace.answer)")
    #expect(trace.steps.contains { $0.text.contains("Person/p2") && $0.text.contains("Tag/p1") })
  }

  @Test func aDeletionThatIsThroughNeedsNothing() throws {
    let (mirror, objects) = try uploaded()
    try mirror.save(author: "widget") { try $0.delete(objects[1]) }
    #expect(try trace(objects[1], in: mirror).verdict.state == .waiting)
    try mirror.export()
    let gone = try trace(objects[1], in: mirror)
    #expect(gone.verdict.state == .deletedHere && gone.exists == false && gone.isKnown)
    #expect(gone.verdict.reasons[0].hasPrefix("Deleted by widget at "))
    #expect(gone.verdict.since == mirror.forge.truth.transactions.last { $0.author == "widget" }?.timestamp)
    try mirror.importChanges { try $0.delete(objects[0]) }
    #expect(try trace(objects[0], in: mirror).verdict.reasons[0].contains("another device deleted it"))
  }

  /// A delete vanished from what is pending, and its record was called an orphan, once the token was dropped: history
  /// then has the insert as well. The framework may add both up to nothing; until then nobody knows.
  @Test func aDeletionIsPendingUntilTheTokenIsBack() throws {
    let (mirror, objects) = try uploaded()
    try mirror.save(author: "app") { try $0.delete(objects[1]) }
    try mirror.damageToken(.missing)
    let pending = try trace(objects[1], in: mirror)
    #expect(pending.verdict.state == .waiting)
    #expect(pending.answer.hasSuffix(": deleted here, still on the server, pending."), "\(pending.answer)")
    // First what happened.
    #expect(pending.verdict.reasons[0].contains("may skip the deletion"))
    #expect(pending.verdict.fix?.hasPrefix("To keep it: ") == true)
    #expect(pending.verdict.fix?.contains("remove-orphan-records --cloud delete") == true)
    try mirror.export()
    let skipped = try trace(objects[1], in: mirror)
    #expect(skipped.verdict.state == .deletedHere)
    #expect(skipped.answer.hasSuffix("deleted here, but its record is still on the server."))
  }

  /// Only its deletion on the server was offered, although nobody may have deleted it.
  @Test func anObjectThatVanishedCanBeFetchedAgain() throws {
    let (mirror, objects) = try uploaded()
    try mirror.forge.connection.edit(["DELETE FROM ZPERSON WHERE Z_PK = \(objects[1].primaryKey)"])
    let vanished = try trace(objects[1], in: mirror)
    #expect(vanished.answer.hasSuffix("not in the store anymore, but its record is still on the server."))
    let fix = try #require(vanished.verdict.fix)
    #expect(fix.hasPrefix("To get it back, 'storescope resync STORE --pull'"), "\(fix)")
    #expect(fix.hasSuffix("remove-orphan-records --cloud delete' queues the deletion on the server."))
  }

  /// "Nothing to do" was said of a deletion that no export carries out, as the object's record was removed.
  @Test(arguments: [true, false]) func aDeletionWithoutARecordIsNotExported(_ isProcessed: Bool) throws {
    let (mirror, objects) = try uploaded()
    try mirror.save(author: "app") { try $0.delete(objects[1]) }
    if isProcessed { try mirror.export(.failure(.quotaExceeded)) }
    try mirror.forge.connection.edit([
      "DELETE FROM ANSCKRECORDMETADATA WHERE ZENTITYPK = \(objects[1].primaryKey)"
    ])
    let lost = try trace(objects[1], in: mirror)
    #expect(lost.answer.hasSuffix("deleted here, but probably still on the server."), "\(lost.answer)")
    #expect(lost.verdict.fix?.contains("resync STORE --pull") == true)
    // What came and went between two exports never had a record.
    let brief = try mirror.save(author: "app") { try $0.insert("Person") }
    try mirror.save(author: "app") { try $0.delete(brief) }
    let never = try trace(brief, in: mirror).verdict
    #expect(never.fix == nil && never.reasons.contains { $0.contains("never uploaded") }, "\(never)")
  }

  /// The next launch fetches the object again before it exports anything, and the deletion was said to be blocked.
  @Test(arguments: [true, false]) func aWipeUndoesADeletion(_ isTokenExpired: Bool) throws {
    let (mirror, objects) = try uploaded()
    try mirror.save(author: "app") { try $0.delete(objects[1]) }
    if isTokenExpired {
      try mirror.forge.dropHistory(1...mirror.token.number)
    } else {
      try mirror.forge.connection.edit([
        "DELETE FROM ANSCKMETADATAENTRY WHERE ZKEY = '\(MetadataKey.identityRecordName)'"
      ])
    }
    let verdict = try trace(objects[1], in: mirror).verdict
    #expect(verdict.answer == "deleted here, but the next launch brings it back", "\(verdict)")
    #expect(verdict.state == .blocked && verdict.reasons[0].contains("the object comes back from iCloud"))
    #expect(!verdict.reasons.contains { $0.contains("can still keep it") })
  }

  /// A push flags what the server has already.
  @Test func whatIsUploadedAgainHasTheSameValues() throws {
    let (mirror, objects) = try uploaded()
    try mirror.forge.connection.execute("UPDATE ANSCKRECORDMETADATA SET ZNEEDSUPLOAD = 1")
    let trace = try trace(objects[1], in: mirror)
    #expect(
      trace.answer.hasSuffix("on the server with the same values, but to be uploaded again, pending."))
    #expect(trace.verdict.reasons[0] == "Its record is flagged for upload; no transaction shows why.")
  }

  /// Words of a command that is to be pasted.
  @Test func anEntityIsQuotedInACommand() throws {
    let entity = EntityDescription(
      name: "Étiquette", attributes: [AttributeDescription(name: "label", type: .string)])
    let forge = try StoreForge(path: folder.path("App.store"), model: ManagedObjectModel(entities: [entity]))
    let mirror = try MirrorForge(forge, layout: .v17)
    try mirror.setUp()
    let tag = try mirror.save(author: "app") { try $0.insert("Étiquette", ["label": "home"]) }
    try mirror.export()
    let table = try #require(forge.schema[tag.entityNumber]).table
    try forge.connection.execute("UPDATE \(quotedIdentifier(table)) SET ZLABEL = 'away'")
    #expect(
      try trace(tag, in: mirror).verdict.fix
        == "'storescope resync STORE --push --entity 'Étiquette'' uploads them again.")
  }

  @Test func whatIsNotMirroredStaysHere() throws {
    let (mirror, _) = try uploaded()
    let draft = try mirror.save(author: "app") { try $0.insert("Draft", ["text": "x"]) }
    let trace = try trace(draft, in: mirror)
    #expect(trace.verdict.state == .localOnly)
    #expect(trace.answer == "Draft/p1 \"x\": only on this device; Draft isn't mirrored.")
  }

  @Test func aRowThatNoExportLooksForIsBlocked() throws {
    let (mirror, _) = try uploaded()
    let quiet = try mirror.forge.save(recordsHistory: false) { try $0.insert("Tag", ["label": "quiet"]) }
    let trace = try trace(quiet, in: mirror)
    #expect(trace.verdict.state == .blocked)
    #expect(trace.answer.hasSuffix("not on the server, and no export will send it."))
    #expect(trace.verdict.fix?.contains("register-missing") == true)
  }

  @Test func withoutAMirrorNothingIsSent() throws {
    let forge = try StoreForge(path: folder.path("App.store"), model: RandomMirrorLife.model)
    let (tag, gone) = try forge.save(author: "app") { save in
      (try save.insert("Tag", ["label": "home"]), try save.insert("Tag"))
    }
    try forge.save(author: "app") { try $0.delete(gone) }
    let reader = try TraceReader(OpenStore(forge.connection, path: forge.path))
    func state(_ object: ForgedObject) throws -> ObjectVerdict.State {
      try reader.trace(of: ObjectKey(entity: object.entityNumber, primaryKey: object.primaryKey)).verdict
        .state
    }
    #expect(try state(tag) == .notMirrored)
    #expect(try state(gone) == .deletedHere)
  }

  /// Failures that mean nothing are in the data, and marked.
  @Test func noiseIsMarked() throws {
    let (mirror, objects) = try uploaded()
    try mirror.save(author: "app") { try $0.update(objects[0], ["name": "Anna"]) }
    try mirror.export(.failure(.deferred), reaching: .start)
    let trace = try trace(objects[0], in: mirror)
    #expect(trace.steps.count(where: \.isNoise) == 1)
    #expect(trace.verdict.state == .waiting)
  }

  // MARK: Hostile stores

  @Test(arguments: [
    "UPDATE ANSCKRECORDMETADATA SET ZENTITYID = NULL",
    "UPDATE ANSCKRECORDMETADATA SET ZENTITYPK = 'x' WHERE Z_PK = 1",
    "UPDATE ANSCKRECORDMETADATA SET ZENTITYID = 99 WHERE Z_PK = 1",
    "UPDATE ANSCKRECORDMETADATA SET ZRECORDZONE = 77",
    "UPDATE ANSCKRECORDMETADATA SET ZCKRECORDNAME = NULL", "DELETE FROM ANSCKRECORDZONEMETADATA",
    "UPDATE ANSCKMIRROREDRELATIONSHIP SET ZRECORDNAME = NULL, ZRELATEDRECORDNAME = 'nobody', ZISUPLOADED = 0",
    "UPDATE ANSCKMIRROREDRELATIONSHIP SET ZCKRECORDID = X'00FF', ZISUPLOADED = 0", "DROP TABLE ACHANGE",
    "DROP TABLE ANSCKEVENT", "DROP TABLE ANSCKRECORDMETADATA", "DROP TABLE ANSCKMIRROREDRELATIONSHIP",
    "UPDATE ZPERSON SET ZNAME = zeroblob(100)", "UPDATE ZPERSON SET Z_ENT = NULL",
  ])
  func damageIsSurvived(_ sql: String) throws {
    let (mirror, objects) = try uploaded()
    try mirror.save(author: "app") { try $0.update(objects[0], ["name": "Anna"]) }
    try mirror.forge.connection.execute(sql)
    let foreign = ForgedObject(entity: "?", entityNumber: 99, primaryKey: 1)
    for object in objects + [foreign] {
      let trace = try trace(object, in: mirror)
      #expect(trace.verdict.reasons.count + (trace.verdict.fix == nil ? 0 : 1) >= 2)
      #expect(!trace.answer.isEmpty)
    }
  }

  @Test func aDamagedCopyIsNotCompared() throws {
    let (mirror, objects) = try uploaded()
    try mirror.forge.connection.execute(
      "UPDATE ANSCKRECORDMETADATAENCODEDRECORDASSET SET ZBINARYDATA = X'62706C69737430300102'")
    let trace = try trace(objects[0], in: mirror)
    #expect(!trace.comparison.isCompared && trace.comparison.differences.isEmpty)
    #expect(trace.verdict.state == .onServer)
    // It differed from "on the server with the same values" without a reason.
    #expect(trace.answer.hasSuffix(": on the server."))
    #expect(
      trace.verdict.reasons[0].hasSuffix("pending; the store has no copy of its values to compare."),
      "\(trace.verdict)")
    #expect(trace.steps.contains { $0.text.contains("archive can't be read") })
  }

  /// Names are unique in a zone, not in a store.
  @Test func aRecordNameOfAnotherZoneIsAnotherRecord() throws {
    let (mirror, objects) = try uploaded()
    let name = try #require(mirror.ledger.record(of: objects[0])?.name)
    mirror.addZone("shared")
    try mirror.commit()
    try mirror.forge.connection.execute(
      "UPDATE ANSCKRECORDMETADATA SET ZCKRECORDNAME = ?, ZRECORDZONE = 2 WHERE ZENTITYPK = ?",
      [.text(name), .integer(objects[1].primaryKey)])
    #expect(try trace(objects[0], in: mirror).verdict.state == .onServer)
  }
}
