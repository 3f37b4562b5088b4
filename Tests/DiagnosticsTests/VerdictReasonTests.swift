import Base
import Diagnostics
import Forge
import Lens
import SQLite
import TestSupport
import Testing

/// What a verdict names besides its state.
@Suite struct VerdictReasonTests {
  /// An uploaded person, and a current token.
  private func verdict(scope: Int64 = 2, _ prepare: (MirrorFixture) throws -> Void) throws -> Verdict {
    let fixture = try MirrorFixture()
    let person = try fixture.forge.save(author: "app") { try $0.insert("Person") }
    try fixture.setUp(scope: scope)
    try fixture.event(.export, at: 200)
    try fixture.record(person)
    try fixture.setToken(1)
    try prepare(fixture)
    return try fixture.verdict()
  }

  private func says(_ verdict: Verdict, _ words: String) -> Bool {
    verdict.because.contains { $0.contains(words) }
  }

  private func addRow(_ fixture: MirrorFixture) throws {
    try fixture.forge.save(recordsHistory: false) { _ = try $0.insert("Employee") }
  }

  private func set(_ key: String, _ fixture: MirrorFixture) throws {
    try fixture.insert(.metadataEntries, ["ZKEY": .text(key), "ZBOOLVALUENUM": 1])
  }

  @Test func rowsThatNoExportLooksForDontWait() throws {
    let idle = try verdict(addRow)
    #expect(idle.state == .idle)
    #expect(says(idle, "1 row has no record. It isn't uploaded until the framework scans"))
    // Only `doctor` and `trace` had the fix.
    #expect(says(idle, "'storescope repair STORE register-missing' asks the framework to upload such rows."))
    #expect(!says(idle, "Pending:") && !says(idle, "Nothing is pending."))
    // A failing export stands in the way of nothing.
    let failing = try verdict { fixture in
      try addRow(fixture)
      try fixture.event(.export, at: 300, error: ("CKErrorDomain", 25))
    }
    #expect(failing.state == .idle)
  }

  @Test(arguments: [MetadataKey.scanForMissingRows, MetadataKey.bypassHistory])
  func rowsThatAScanFindsWait(_ key: String) throws {
    let waiting = try verdict { fixture in
      try addRow(fixture)
      try set(key, fixture)
    }
    #expect(waiting.state == .waiting)
    #expect(says(waiting, "Pending: 1 row without a record."))
    let shared = try verdict(scope: 3) { fixture in
      try addRow(fixture)
      try set(key, fixture)
    }
    #expect(shared.state == .idle)
    #expect(says(shared, "never does in a shared database"))
  }

  @Test func withoutATokenRowsWait() throws {
    let waiting = try verdict { fixture in
      try addRow(fixture)
      try fixture.connection.execute(
        "DELETE FROM ANSCKMETADATAENTRY WHERE ZKEY = ?", [.text(MetadataKey.lastHistoryToken)])
    }
    #expect(waiting.state == .waiting && says(waiting, "1 row without a record"))
  }

  @Test func theItemSaysWhetherAScanComes() throws {
    let fixture = try MirrorFixture()
    let person = try fixture.forge.save(author: "app") { try $0.insert("Person") }
    try fixture.setUp()
    try fixture.record(person)
    try fixture.setToken(1)
    try addRow(fixture)
    func reason() throws -> String {
      var reason = ""
      try PendingReader(#require(try fixture.mirror())).forEach { item in
        reason = item.reason
        return true
      }
      return reason
    }
    #expect(try reason().hasSuffix("It won't be uploaded until the framework scans for unregistered rows."))
    try set(MetadataKey.scanForMissingRows, fixture)
    #expect(try reason().hasSuffix("The next export scans for unregistered rows and uploads it."))
  }

  @Test func theUnknownHidesNoBlocker() throws {
    let unknown = try verdict { fixture in
      try fixture.insert(
        .metadataEntries, ["ZKEY": .text(MetadataKey.lastHistoryToken), "ZTRANSFORMEDVALUE": .blob([1, 2])])
      try fixture.connection.execute(
        "DELETE FROM ANSCKMETADATAENTRY WHERE ZKEY = ?", [.text(MetadataKey.identityRecordName)])
      try fixture.event(.export, at: 300, error: ("CKErrorDomain", 25))
      try fixture.event(.import, at: 310, error: ("CKErrorDomain", 3))
    }
    #expect(unknown.state == .unknown)
    #expect(says(unknown, "can't be read") && says(unknown, "134405"))
    #expect(says(unknown, "quotaExceeded") && says(unknown, "networkUnavailable"))
    let layout = try verdict { fixture in
      try fixture.connection.execute("CREATE TABLE ANSCKSOMETHINGNEW (Z_PK INTEGER PRIMARY KEY)")
      try fixture.event(.export, at: 300, error: ("CKErrorDomain", 25))
      try fixture.forge.save(author: "app") { _ = try $0.insert("Person") }
    }
    #expect(layout.state == .unknown)
    #expect(says(layout, "quotaExceeded") && says(layout, "1 saved object not processed yet"))
  }

  @Test func whatWaitsForAFirstSetupIsNamed() throws {
    let fixture = try MirrorFixture()
    try fixture.forge.save { save in for _ in 0..<3 { _ = try save.insert("Person") } }
    try fixture.event(.setup, at: 100, error: ("NSCocoaErrorDomain", 134_060))
    let verdict = try fixture.verdict()
    #expect(verdict.state == .neverSetUp)
    #expect(says(verdict, "3 saved objects not processed yet") && says(verdict, "134060"))
  }

  @Test func zoneFlagsAreTold() throws {
    let verdict = try verdict { fixture in
      try fixture.connection.execute(
        "UPDATE ANSCKRECORDZONEMETADATA SET ZNEEDSNEWSHAREINVITATION = 1, ZNEEDSRECOVERYFROMIDENTITYLOSS = 1")
    }
    #expect(verdict.state == .idle)
    #expect(says(verdict, "new invitation") && says(verdict, "CKErrorDomain 112"))
    #expect(says(verdict, "'\(MirrorZone.defaultName)'"))
  }

  @Test func aRemovedLinkThatWasSentIsNoise() throws {
    let verdict = try verdict { fixture in
      for uploaded in [1, 1, 0] as [Int64] {
        try fixture.insert(
          .links,
          ["ZCKRECORDID": "L", "ZNEEDSDELETE": 1, "ZISUPLOADED": .integer(uploaded)])
      }
    }
    #expect(says(verdict, "Pending: 1 removed link."))
    #expect(verdict.noise.contains { $0.hasPrefix("2 removed links were already deleted on the server") })
  }

  @Test func anErrorThatIsntKnownIsNamed() throws {
    func export(_ error: (String, Int64)) throws -> Verdict {
      try verdict { fixture in
        try fixture.forge.save(author: "app") { _ = try $0.insert("Person") }
        try fixture.event(.export, at: 300, error: error)
      }
    }
    let unknown = try export(("SomeDomain", 7))
    #expect(unknown.state == .blocked)
    #expect(says(unknown, "failed with SomeDomain 7. That error isn't known, so"))
    let silent = try verdict { fixture in
      try fixture.event(.import, at: 300, error: ("", 0))
      try fixture.connection.execute("UPDATE ANSCKEVENT SET ZERRORDOMAIN = NULL, ZERRORCODE = NULL")
    }
    #expect(says(silent, "failed, and the event doesn't record the error."))
    #expect(
      try export(("NSCocoaErrorDomain", 134_419)).noise.first?.hasPrefix("1 failed export was harmless")
        == true)
  }

  @Test(arguments: [
    (1 as Int64, "The app's public database"), (2, "The user's iCloud storage"), (3, "the share's owner"),
  ])
  func aFullStorageIsThatOfTheDatabase(_ scope: Int64, _ words: String) throws {
    let verdict = try verdict(scope: scope) { fixture in
      try fixture.forge.save(author: "app") { _ = try $0.insert("Person") }
      try fixture.event(.export, at: 300, error: ("CKErrorDomain", 25))
    }
    #expect(verdict.state == .blocked && says(verdict, words))
    let all = ["The app's public database", "The user's iCloud storage", "the share's owner"]
    #expect(all.filter { says(verdict, $0) } == [words])
  }
}
