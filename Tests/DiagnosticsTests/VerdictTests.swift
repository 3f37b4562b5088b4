import Base
import Diagnostics
import Forge
import Lens
import SQLite
import TestSupport
import Testing

@Suite struct VerdictTests {
  /// A store with one uploaded person, one that waits, and a current token.
  private func verdict(waiting: Bool = true, _ prepare: (MirrorFixture) throws -> Void) throws -> Verdict {
    let fixture = try MirrorFixture()
    let people = try fixture.people(2)
    try fixture.setUp()
    try fixture.event(.export, at: 200)
    try fixture.record(people[0])
    try fixture.record(people[1], ["ZNEEDSUPLOAD": waiting ? 1 : 0])
    try fixture.setToken(1)
    try prepare(fixture)
    return try fixture.verdict()
  }

  @Test func idleAndWaiting() throws {
    #expect(try verdict(waiting: false) { _ in }.state == .idle)
    let waiting = try verdict { _ in }
    #expect(waiting.state == .waiting)
    #expect(waiting.because.first == "Pending: 1 upload.")
  }

  @Test(arguments: [
    ("CKErrorDomain", 25, Verdict.State.blocked), ("CKErrorDomain", 7, .blocked),
    ("CKErrorDomain", 3, .waiting),
    ("NSCocoaErrorDomain", 134_419, .waiting), ("NSCocoaErrorDomain", 134_421, .blocked),
    ("SomeDomain", 1, .blocked),
  ])
  func failingExports(_ domain: String, _ code: Int64, _ expected: Verdict.State) throws {
    let verdict = try verdict { try $0.event(.export, at: 300, error: (domain, code)) }
    #expect(verdict.state == expected)
    if code == 25 { #expect(verdict.because.first?.contains("quotaExceeded") == true) }
    if code == 134_419 { #expect(verdict.noise.count == 1) }
    let healed = try self.verdict { fixture in
      try fixture.event(.export, at: 300, error: (domain, code))
      try fixture.event(.export, at: 400)
    }
    #expect(healed.state == .waiting)
  }

  @Test func aFailingExportBlocksNothingThatDoesntWait() throws {
    #expect(
      try verdict(waiting: false) { try $0.event(.export, at: 300, error: ("CKErrorDomain", 25)) }.state
        == .idle)
  }

  @Test func failingSetup() throws {
    func error(_ fixture: MirrorFixture) throws {
      try fixture.event(.setup, at: 300, error: ("NSCocoaErrorDomain", 134_400))
    }
    #expect(try verdict(waiting: false, error).state == .blocked)
    let passed = try verdict { fixture in
      try error(fixture)
      try fixture.event(.import, at: 400)
    }
    #expect(passed.state == .waiting)
  }

  @Test func tokens() throws {
    #expect(try verdict(waiting: false) { try $0.setToken(1, store: "other") }.state == .blocked)
    #expect(try verdict(waiting: false) { try $0.setToken(9) }.state == .blocked)
    let unreadable = try verdict { fixture in
      try fixture.insert(
        .metadataEntries, ["ZKEY": .text(MetadataKey.lastHistoryToken), "ZTRANSFORMEDVALUE": .blob([1, 2])])
    }
    #expect(unreadable.state == .unknown)
  }

  @Test func halfAnIdentity() throws {
    func forget(_ fixture: MirrorFixture) throws {
      try fixture.connection.execute(
        "DELETE FROM ANSCKMETADATAENTRY WHERE ZKEY = ?", [.text(MetadataKey.identityRecordName)])
    }
    #expect(try verdict(waiting: false, forget).state == .blocked)
    let isPublic = try verdict(waiting: false) { fixture in
      try forget(fixture)
      try fixture.connection.execute("UPDATE ANSCKDATABASEMETADATA SET ZDATABASESCOPENUM = 1")
    }
    #expect(isPublic.state == .idle)
  }

  @Test func eventsAreDecoded() throws {
    let fixture = try MirrorFixture()
    try fixture.event(.import, at: 10)
    try fixture.event(.export, at: 20, error: ("CKErrorDomain", 25))
    try fixture.event(.setup, at: 30, isOpen: true)
    var events: [MirrorEvent] = []
    try EventReader(#require(try fixture.mirror())).forEach {
      events.append($0)
      return true
    }
    #expect(events.map(\.typeName) == ["import", "export", "setup"])
    #expect(events.map(\.succeeded) == [true, false, false])
    #expect(events[1].errorName == "quotaExceeded" && events[1].explanation != nil)
    #expect(events[2].ended == nil && !events[2].hasFailed)
    #expect(events[0].id == "07070707-0707-0707-0707-070707070707")
  }
}

extension MirrorFixture {
  func verdict() throws -> Verdict {
    let mirror = try #require(try mirror())
    return try VerdictReader.verdict(mirror, counts: PendingReader(mirror).counts)
  }
}
