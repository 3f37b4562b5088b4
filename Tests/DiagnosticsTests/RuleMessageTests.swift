import Base
import Diagnostics
import Evidence
import Forge
import Lens
import StoreModel
import TestSupport
import Testing

/// What people read of findings, where the numbers are none that anybody would expect.
struct RuleMessageTests {
  private func find(
    _ rule: String, settings: [String: Double] = [:], _ change: (MirrorForge) throws -> Void
  ) throws -> Finding {
    let folder = TemporaryFolder()
    let path = folder.path + "/Example.store"
    try ExampleStore.mirrored(path, change)
    let diagnosis = try RuleExample.examine(path, settings: settings)
    return try #require(diagnosis.findings.first { $0.rule.id == rule }, "\(diagnosis.skipped)")
  }

  private func save(_ mirror: MirrorForge, _ times: Int) throws {
    let person = try mirror.object("Person")
    for index in 0..<times {
      let moment = CoreDataDate(unixSeconds: 1_772_452_800 + Double(index) / 2)
      try mirror.save(author: "app", at: moment) { try $0.update(person, ["name": .text("\(index)")]) }
    }
  }

  @Test(arguments: ["-1e300", "-9e999", "-1e18"]) func backlogSinceAnImpossibleTime(_ time: String) throws {
    let finding = try find("history-backlog") { mirror in
      try save(mirror, 1)
      try mirror.run("UPDATE ATRANSACTION SET ZTIMESTAMP = \(time) WHERE Z_PK = 2")
    }
    #expect(
      finding.message.contains("the oldest an impossible time before the newest timestamp in the store."))
  }

  @Test func backlogSinceAnUnknownTime() throws {
    let finding = try find("history-backlog") { mirror in
      try save(mirror, 1)
      try mirror.run("UPDATE ATRANSACTION SET ZTIMESTAMP = NULL WHERE Z_PK = 2")
    }
    #expect(finding.message.contains("the oldest an unknown time before the newest timestamp in the store."))
  }

  @Test(arguments: ["-1e300", "-9e999"]) func bloatSinceAnImpossibleTime(_ time: String) throws {
    let finding = try find("history-bloat") { mirror in
      try mirror.run(
        "UPDATE ACHANGE SET ZCOLUMNS = zeroblob(6000000) WHERE Z_PK = 1",
        "UPDATE ATRANSACTION SET ZTIMESTAMP = \(time) WHERE Z_PK = 1")
    }
    #expect(finding.message.contains("goes back an impossible time."))
  }

  @Test func exportStaleSinceAnImpossibleTime() throws {
    let finding = try find("event-export-stale") { mirror in
      try save(mirror, 1)
      try mirror.run(
        "UPDATE ATRANSACTION SET ZTIMESTAMP = -1e300 WHERE Z_PK = 2",
        "UPDATE ANSCKEVENT SET ZSTARTEDAT = -9e999, ZENDEDAT = -9e999")
    }
    #expect(
      finding.message.contains("since an impossible time, an impossible time before"), "\(finding.message)")
  }

  @Test(arguments: [-1e30, -Double.infinity, -1]) func knownVersionBelowAll(_ known: Double) throws {
    let finding = try find(
      "framework-newer-than-known", settings: ["framework-newer-than-known.known": known]
    ) { _ in }
    #expect(finding.count == 1)
  }

  @Test func loopsNameTheirWindow() throws {
    let loop = try find("history-update-loop", settings: ["history-update-loop.window": 20]) {
      try save($0, 60)
    }
    #expect(
      loop.message.contains("42 times within 20 seconds."), "\(loop.message)")
    let saves = try find(
      "history-chatty-saves", settings: ["history-chatty-saves.window": 0, "history-chatty-saves.saves": 1]
    ) { try save($0, 2) }
    #expect(saves.message.contains("app, 1 time within 0 seconds"), "\(saves.message)")
  }

  @Test func oneTimeStampOfTheFutureIsTheCulprit() throws {
    let finding = try find("history-clock-jump") { mirror in
      try save(mirror, 3)
      try mirror.run("UPDATE ATRANSACTION SET ZTIMESTAMP = 9e9 WHERE Z_PK = 3")
    }
    #expect(finding.count == 1)
    #expect(finding.message.contains("the first is that of transaction 3."))
    #expect(finding.evidence.allSatisfy { $0["now"] == nil })
  }

  @Test func textsInTheLogAreNoNumbers() throws {
    let folder = TemporaryFolder()
    let path = folder.path + "/Example.store"
    try ExampleStore.mirrored(path) { mirror in
      try mirror.run(
        "UPDATE ANSCKEVENT SET ZSTARTEDAT = 'soon', ZENDEDAT = 'later', ZCLOUDKITEVENTTYPE = 'setup', ZCOUNTAFFECTEDOBJECTS = 'all'"
      )
    }
    let open = try OpenStore(at: path)
    let mirror = try #require(try open.mirror())
    try EventReader(mirror).forEach { event in
      #expect(event.rawKind == nil && event.moment == nil && event.affected == nil)
      return true
    }
    #expect(try mirror.events.first == nil)
    try open.bytes().finish()
  }

  /// The contract has two severities for each.
  @Test func severityFollowsWhatWasFound() throws {
    let burst: (MirrorForge) throws -> Void = { mirror in
      for _ in 0..<4 { try mirror.export(.failure(.throttled)) }
    }
    let lasting = try find("event-throttled") { try burst($0) }
    #expect(lasting.rule.severity == .warning && lasting.message.contains(", and none has succeeded"))
    let past = try find("event-throttled") { mirror in
      try burst(mirror)
      try mirror.export()
    }
    #expect(past.rule.severity == .info && past.message.contains(" until one succeeded after "))
    let missing = try find("model-differs-from-table") {
      try $0.run("ALTER TABLE ZTAG ADD COLUMN ZA", "ALTER TABLE ZTAG RENAME COLUMN ZLABEL TO ZTITLE")
    }
    #expect(missing.rule.severity == .error && missing.message.contains("the model needs column"))
    let more = try find("model-differs-from-table") { try $0.run("ALTER TABLE ZTAG ADD COLUMN ZA") }
    #expect(more.rule.severity == .warning)
  }

  @Test func firstItemsAreNamed() throws {
    let row = try find("row-entity-unknown") { try $0.run("UPDATE ZTAG SET Z_ENT = 99") }
    #expect(row.message.contains("the first of them row 1 of ZTAG"))
    let link = try find("history-broken-link") { try $0.run("DELETE FROM ATRANSACTION WHERE Z_PK = 1") }
    #expect(link.message.contains("such as transaction 1"))
    let asset = try find("record-asset-broken") {
      try $0.run("DELETE FROM ANSCKRECORDMETADATAENCODEDRECORDASSET WHERE Z_PK = 3")
    }
    #expect(asset.message.contains("row 3 of ANSCKRECORDMETADATAENCODEDRECORDASSET: its row is missing"))
    let relationship = try find("relationship-dangling") { try $0.run("UPDATE ZNOTE SET ZOWNER = 77") }
    #expect(
      relationship.message.contains("Note.owner to Person/p77"), "\(relationship.message)")
  }

  /// Ages are counted back from the newest timestamp in the store; "oldest 1.8 days ago" was said of a store of last year.
  @Test func noAgeIsCountedFromToday() {
    for rule in RuleRegistry.all + RuleRegistry.onRequest {
      #expect(!rule.header.message.contains(" ago"), "\(rule.id)")
    }
  }

  /// Exports were said to fail while imports succeed, although the last import was from before the first failure.
  @Test(arguments: [
    (true, "imports succeed, the last at "), (false, "no import has succeeded since the one at "),
  ])
  func importsAreSaidToSucceedOnlyIfTheyDid(_ isAfter: Bool, _ words: String) throws {
    let finding = try find("event-export-failing") { mirror in
      if !isAfter { try mirror.succeed(.import) }
      for _ in 0..<3 { try mirror.run(.export, failing: .partialFailure) }
      if isAfter { try mirror.succeed(.import) }
    }
    #expect(finding.message.contains(words), "\(finding.message)")
    #expect(!finding.rule.title.contains("imports"))
  }

  /// A table or column that is missing was said to be restorable with SQL that wasn't printed.
  @Test(arguments: [
    ("DROP TABLE ZNOTE", "CREATE TABLE ZNOTE ("),
    ("ALTER TABLE ZNOTE DROP COLUMN ZTEXT", "ALTER TABLE ZNOTE ADD COLUMN ZTEXT VARCHAR;"),
  ])
  func whatIsMissingComesWithItsSQL(_ damage: String, _ sql: String) throws {
    let finding = try find("model-differs-from-table") { try $0.run(damage) }
    #expect(finding.rule.remedy.contains(sql), "\(finding.rule.remedy)")
  }
}
