import Base
import Forge
import Lens
import SQLite
import TestSupport
import Testing

@testable import Archives

@Suite struct HistoryTokenTests {
  private func reading(_ prepare: (MirrorFixture) throws -> Void) throws -> HistoryTokenReading {
    let fixture = try MirrorFixture()
    for author in ["app", "app", "NSCloudKitMirroringDelegate.import"] {
      try fixture.forge.save(author: author) { _ = try $0.insert("Person") }
    }
    try prepare(fixture)
    return try #require(try fixture.mirror()).token
  }

  @Test(arguments: [
    (Int64(3), HistoryTokenState.current), (2, .current), (1, .behind), (4, .ahead), (-1, .expired),
  ])
  func comparesExactly(_ number: Int64, _ expected: HistoryTokenState) throws {
    let token = try reading { try $0.setToken(number) }
    #expect(token.state == expected)
    #expect(token.transaction == number)
  }

  /// The transaction itself must exist: a newer one doesn't do.
  @Test func prunedHistoryExpiresTheToken() throws {
    let token = try reading { fixture in
      try fixture.setToken(2)
      try fixture.connection.execute("DELETE FROM ATRANSACTION WHERE Z_PK <= 2")
    }
    #expect(token.state == .expired)
  }

  @Test func historyPrunedBelowTheTokenIsFine() throws {
    let token = try reading { fixture in
      try fixture.setToken(2)
      try fixture.connection.execute("DELETE FROM ATRANSACTION WHERE Z_PK < 2")
    }
    #expect(token.state == .current)
  }

  @Test func withoutHistoryEveryTokenIsExpired() throws {
    let token = try reading { fixture in
      try fixture.setToken(2)
      try fixture.connection.execute("DELETE FROM ATRANSACTION")
    }
    #expect(token.state == .expired)
  }

  /// Only the table of transactions decides.
  @Test(arguments: [(Int64(3), HistoryTokenState.current), (1, .behind), (9, .ahead)])
  func changesDontMatter(_ number: Int64, _ expected: HistoryTokenState) throws {
    let token = try reading { fixture in
      try fixture.setToken(number)
      try fixture.connection.execute("DROP TABLE ACHANGE")
    }
    #expect(token.state == expected)
  }

  @Test(arguments: ["DROP TABLE ATRANSACTION", "DROP TABLE ATRANSACTION; DROP TABLE ACHANGE"])
  func withoutHistoryNothingCanBeCompared(_ sql: String) throws {
    let token = try reading { fixture in
      try fixture.setToken(2)
      try fixture.connection.execute(sql)
    }
    #expect(token.state == .unreadable)
    #expect(token.problem?.contains("no history") ?? false)
    #expect(token.transaction == 2)
  }

  @Test(arguments: ["NULL", "''"]) func aStoreWithoutIdentifierCannotBeLookedUp(_ uuid: String) throws {
    let token = try reading { fixture in
      try fixture.setToken(2)
      try fixture.connection.execute("UPDATE Z_METADATA SET Z_UUID = \(uuid)")
    }
    #expect(token.state == .unreadable)
    #expect(token.problem?.contains("identifier") ?? false)
    #expect(token.transaction == nil)
  }

  @Test(arguments: [
    "DROP TABLE ANSCKMETADATAENTRY", "ALTER TABLE ANSCKMETADATAENTRY DROP COLUMN ZTRANSFORMEDVALUE",
  ])
  func withoutEntriesNothingIsSaidOfTokenAndIdentity(_ sql: String) throws {
    let fixture = try MirrorFixture()
    try fixture.connection.execute(sql)
    let mirror = try #require(try fixture.mirror())
    #expect(try mirror.token.state == .unreadable)
    #expect(try mirror.token.problem?.contains("ANSCKMETADATAENTRY") ?? false)
    #expect(try mirror.identity == .unknown)
  }

  @Test func foreignAndMissing() throws {
    let foreign = try reading { try $0.setToken(2, store: "00000000-0000-4000-8000-000000000009") }
    #expect(foreign.state == .foreign)
    #expect(foreign.token?.transactions.count == 1)
    #expect(try reading { _ in }.state == .missing)
  }

  @Test func identifiersInSmallLettersAreTheSame() throws {
    #expect(try reading { try $0.setToken(3, store: MirrorFixture.uuid.lowercased()) }.state == .current)
  }

  static let damaged: [[UInt8]] = [
    [], [0], Array("bplist00".utf8), Array("bvx2".utf8) + [0, 0, 0, 0], [UInt8](repeating: 0xFF, count: 64),
    Archive.changeToken([1]), Archive.historyToken(["A": 1], className: "NSObject").dropLast(),
    Array(Archive.historyToken([MirrorFixture.uuid: 2]).prefix(60)),
  ]

  @Test(arguments: damaged)
  func damagedArchivesAreUnreadable(_ bytes: [UInt8]) throws {
    let token = try reading { fixture in
      try fixture.insert(
        .metadataEntries,
        ["ZKEY": .text(MetadataKey.lastHistoryToken), "ZTRANSFORMEDVALUE": .blob(bytes)])
    }
    #expect(token.state == .unreadable)
    #expect(token.problem != nil)
  }

  /// Every archive with any one byte changed is read or refused, and nothing else.
  @Test func everyByteIsHostile() throws {
    let archives = [
      Archive.historyToken([MirrorFixture.uuid: 2]), Archive.changeToken([1, 2]),
      Archive.encodedRecord(type: "CD_Person", name: "A"),
    ]
    for archive in archives {
      for index in archive.indices {
        for value: UInt8 in [0xFF, archive[index] ^ 1] {
          var bytes = archive
          bytes[index] = value
          if let token = try? HistoryToken(archive: bytes) {
            #expect(token.transactions.count < archive.count)
          }
          _ = try? ServerChangeToken(archive: bytes)
          _ = try? RecordSystemFields(archive: bytes)
          _ = try? EncodedRecord(archive: bytes)
          if let archive = try? MirrorArchive.open(bytes) {
            #expect(JSONText.compact(ArchiveTree.value(of: archive)).utf8.count < 1 << 20)
          }
        }
      }
    }
  }

  @Test func theLastRowOfADuplicatedKeyCounts() throws {
    let fixture = try MirrorFixture()
    try fixture.forge.save(author: "app") { _ = try $0.insert("Person") }
    try fixture.setToken(7)
    try fixture.setToken(1)
    let mirror = try #require(try fixture.mirror())
    #expect(try mirror.token.transaction == 1)
    #expect(try mirror.entries.all.filter { $0.rows > 1 }.map(\.rows) == [2])
  }
}
