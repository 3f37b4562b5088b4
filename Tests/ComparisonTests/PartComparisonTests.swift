import Base
import Diagnostics
import Forge
import Lens
import SQLite
import StoreModel
import TestSupport
import Testing

@testable import Comparison

/// History, mirror and findings of two states of one store, and of two stores.
struct PartComparisonTests {
  private static func saves(_ pair: StorePair, _ count: Int, author: String) throws {
    for _ in 0..<count {
      try pair.forge.save(author: author) { save in _ = try save.insert("Author", ["name": "x"]) }
    }
  }

  // MARK: History

  @Test func newTransactionsAreTold() throws {
    let pair = try StorePair(FixtureModels.library)
    try Self.saves(pair, 5, author: "app")
    let before = try pair.copy("before")
    try Self.saves(pair, 2, author: "app")
    try Self.saves(pair, 1, author: "widget")
    try pair.forge.dropHistory(1...3)
    let after = try pair.copy("after")
    let history = try #require(try StorePair.compare(before, after).history)
    #expect(history.base == 5)
    #expect(history.new.map(\.key) == ["app", "widget"])
    #expect(history.new.map(\.transactions) == [2, 1])
    #expect(history.new.map(\.changes.inserts) == [2, 1])
    #expect(history.lost.isEmpty && history.purged == 3)
    let back = try #require(try StorePair.compare(after, before).history)
    #expect(back.base == 5 && back.new.isEmpty && back.purged == 0)
    #expect(back.lost.map(\.transactions) == [2, 1])
  }

  /// Two copies that both went on have other transactions of the same numbers.
  @Test func historiesPart() throws {
    let pair = try StorePair(FixtureModels.library)
    try Self.saves(pair, 6, author: "app")
    let one = try pair.copy("one")
    let two = try pair.copy("two")
    try StorePair.edit(two, "UPDATE ATRANSACTION SET ZTIMESTAMP = ZTIMESTAMP + 1 WHERE Z_PK > 4")
    let history = try #require(try StorePair.compare(one, two).history)
    #expect(history.base == 4)
    #expect(history.new.map(\.transactions) == [2] && history.lost.map(\.transactions) == [2])
  }

  @Test func allHistoryMayBeDropped() throws {
    let pair = try StorePair(FixtureModels.library)
    try Self.saves(pair, 4, author: "app")
    let full = try pair.copy("full")
    try pair.forge.dropHistory(1...4)
    let history = try #require(try StorePair.compare(full, try pair.copy("empty")).history)
    #expect(history.base == 4 && history.purged == 4 && history.new.isEmpty && history.lost.isEmpty)
  }

  @Test func historiesOfDifferentStoresAreNotCompared() throws {
    let pair = try StorePair(FixtureModels.library)
    try Self.saves(pair, 2, author: "app")
    let one = try pair.copy("one")
    let two = try pair.copy("two")
    try StorePair.edit(two, "UPDATE Z_METADATA SET Z_UUID = 'DEADBEEF-0000-4000-8000-000000000002'")
    let history = try #require(try StorePair.compare(one, two, matching: .key).history)
    #expect(history.base == nil && history.isEmpty)
    #expect(history.summaries.other?.transactions == 2)
  }

  @Test func withoutHistory() throws {
    var options = ForgeOptions()
    options.history = .none
    let pair = try StorePair(FixtureModels.library, options: options)
    let comparison = try StorePair.compare(try pair.copy("one"), try pair.copy("two"))
    #expect(comparison.isEmpty && comparison.history?.summaries.store == nil)
  }

  // MARK: Mirror

  /// A mirror with two exported people, and then what happened to it since.
  @Test func recordsMove() throws {
    let pair = try StorePair(RandomMirrorLife.model)
    let mirror = try MirrorForge(pair.forge, layout: .v17)
    try mirror.setUp()
    let (ann, bob) = try mirror.save(author: "app") { save in
      (try save.insert("Person", ["name": "Ann"]), try save.insert("Person", ["name": "Bob"]))
    }
    try mirror.export()
    let before = try pair.copy("before")
    try mirror.save(author: "app") { save in
      try save.update(ann, ["name": "Anne"])
      try save.delete(bob)
      _ = try save.insert("Person", ["name": "Cid"])
    }
    try mirror.export(.failure(.quotaExceeded))
    let after = try pair.copy("after")
    let comparison = try StorePair.compare(before, after, parts: [.mirror, .findings])
    let difference = try #require(comparison.mirror)
    typealias Transition = MirrorComparison.Transition
    #expect(
      difference.transitions == [
        Transition(from: nil, to: "pendingUpload"): 1,
        Transition(from: "uploaded", to: "pendingUpload"): 1,
        Transition(from: "uploaded", to: "pendingCloudDelete"): 1,
      ])
    #expect(difference.moves.count == 3)
    #expect(difference.moves.allSatisfy { $0.uri?.contains("/Person/p") == true })
    #expect(difference.states["uploaded"]?.store == 2)
    #expect(difference.events?.new == ["export": .init(all: 1, failures: 1)])
    #expect(difference.events?.gone.isEmpty == true && difference.events?.changed.isEmpty == true)
    let findings = try #require(comparison.findings)
    #expect(findings.new.map(\.rule.id).contains("event-quota-exceeded"), "\(findings.new.map(\.rule.id))")
    let back = try StorePair.compare(after, before, parts: [.findings])
    #expect(back.findings?.gone.map(\.rule.id) == findings.new.map(\.rule.id))
    #expect(back.findings?.new.map(\.rule.id) == findings.gone.map(\.rule.id))
  }

  /// After 'repair clear-events', the mirrors were said to be the same.
  @Test(arguments: [
    ("DELETE FROM ANSCKEVENT", ["setup": 1, "export": 2], [:]),
    ("UPDATE ANSCKEVENT SET ZENDEDAT = NULL WHERE Z_PK = 3", [:], ["export": 1]),
  ])
  func eventsDiffer(_ edit: String, _ gone: [String: Int], _ changed: [String: Int]) throws {
    let pair = try StorePair(RandomMirrorLife.model)
    let mirror = try MirrorForge(pair.forge, layout: .v17)
    try mirror.setUp()
    for _ in 1...2 {
      try mirror.save(author: "app") { _ = try $0.insert("Person", ["name": "Ann"]) }
      try mirror.export()
    }
    let (before, after) = (try pair.copy("before"), try pair.copy("after"))
    try StorePair.edit(after, edit)
    let difference = try #require(try StorePair.compare(before, after, parts: [.mirror]).mirror)
    #expect(!difference.isEmpty)
    let events = try #require(difference.events)
    #expect(events.gone.mapValues(\.all) == gone && events.changed.mapValues(\.all) == changed)
    #expect(events.new.isEmpty)
  }

  /// Tables that nothing else compares, as links are after a repair.
  @Test func rowsOfOtherTablesAreCounted() throws {
    let pair = try StorePair(RandomMirrorLife.model)
    try MirrorForge(pair.forge, layout: .v17).setUp()
    let (before, after) = (try pair.copy("before"), try pair.copy("after"))
    try StorePair.edit(after, "INSERT INTO ANSCKMIRROREDRELATIONSHIP (Z_PK) VALUES (1), (2)")
    let difference = try #require(try StorePair.compare(before, after, parts: [.mirror]).mirror)
    #expect(
      difference.tables == [
        .init(subject: "ANSCKMIRROREDRELATIONSHIP", property: "rows", from: 0, to: 2)
      ])
  }

  /// As after a reset, which makes all rows anew: names tell.
  @Test(arguments: ["1000 + Z_PK", "1000 - Z_PK", "(Z_PK - 1 + 1) % 5 + 1"])
  func recordsMayHaveOtherKeys(_ key: String) throws {
    let pair = try StorePair(FixtureModels.library, isMirrored: true)
    try pair.forge.save { save in
      for number in 1...5 { _ = try save.insert("Author", ["name": .text("\(number)")]) }
    }
    try pair.register()
    let before = try pair.copy("before")
    let after = try pair.copy("after")
    try StorePair.edit(
      after, "CREATE TABLE t AS SELECT * FROM ANSCKRECORDMETADATA", "UPDATE t SET Z_PK = \(key)",
      "DELETE FROM ANSCKRECORDMETADATA", "INSERT INTO ANSCKRECORDMETADATA SELECT * FROM t", "DROP TABLE t",
      "UPDATE ANSCKRECORDMETADATA SET ZNEEDSUPLOAD = 1 WHERE ZENTITYPK = 3")
    let mirror = try #require(try StorePair.compare(before, after, parts: [.mirror]).mirror)
    #expect(mirror.moves.map(\.recordName) == ["Author-3"])
    #expect(mirror.transitions == [.init(from: "neverAcknowledged", to: "pendingUpload"): 1])
  }

  // MARK: Devices

  /// Two devices, of which each has an object that the other has not, and one without a record.
  @Test func objectsWithoutRecordAreApart() throws {
    let pair = try StorePair(FixtureModels.library, isMirrored: true)
    let people = try pair.forge.save { save in
      try (1...6).map { try save.insert("Author", ["name": .text("author \($0)")]) }
    }
    let books = try pair.forge.save { save in
      try (0..<3).map { try save.insert("Book", ["title": "book"], links: ["author": [people[$0]]]) }
    }
    try pair.register { $0 == people[0] }
    let phone = try pair.copy("phone")
    let mac = try pair.copy("mac")
    try StorePair.becomeOtherDevice(mac, pair.forge.schema)
    let distance = StorePair.keyDistance
    try StorePair.edit(
      phone, "DELETE FROM ZAUTHOR WHERE Z_PK = 6", "DELETE FROM ANSCKRECORDMETADATA WHERE ZENTITYPK = 6")
    try StorePair.edit(
      mac, "DELETE FROM ZAUTHOR WHERE Z_PK = \(distance + 5)",
      "UPDATE ZBOOK SET ZAUTHOR = \(distance + 3) WHERE Z_PK = \(distance + 2)",
      "UPDATE ZBOOK SET ZAUTHOR = NULL WHERE Z_PK = \(distance + 3)")
    let comparison = try StorePair.compare(phone, mac)
    let authors = try #require(comparison.entity("Author"))
    #expect(comparison.matching == .record)
    #expect(authors.unmatched.store.keys == [1] && authors.unmatched.other.keys == [distance + 1])
    #expect(authors.added.keys == [distance + 6])
    // Its record is there on the other device, and its object isn't.
    #expect(authors.removed.keys == [5])
    #expect(authors.changed.isEmpty)
    // Nobody knows whether the first book's authors are the same.
    let changes = try comparison.changes(of: "Book")
    #expect(changes.mapValues { $0.map(\.name) } == [2: ["author"], 3: ["author"]])
    let other = "x-coredata://DEADBEEF-0000-4000-8000-000000000002/Author/p\(distance + 3)"
    #expect(
      changes[2] == [
        PropertyChange(
          name: "author", what: .value(from: .text(pair.forge.uri(of: people[1])), to: .text(other)))
      ])
    #expect(books.count == 3)
  }

  // MARK: Hostile stores

  static let attacks = [
    "UPDATE ANSCKRECORDMETADATA SET ZCKRECORDNAME = 'same'",
    "UPDATE ANSCKRECORDMETADATA SET ZCKRECORDNAME = CAST(Z_PK AS BLOB)",
    "UPDATE ANSCKRECORDMETADATA SET ZENTITYPK = 'text' || Z_PK, ZENTITYID = 9223372036854775807",
    "UPDATE ANSCKRECORDMETADATA SET ZENTITYPK = -9223372036854775808 + Z_PK",
    "UPDATE ANSCKRECORDMETADATA SET ZCKRECORDNAME = NULL",
    "UPDATE ZAUTHOR SET Z_ENT = 77", "UPDATE ZBOOK SET ZAUTHOR = 'text'",
    "UPDATE ZBOOK SET ZAUTHOR = 9223372036854775807", "UPDATE ZAUTHOR SET ZNAME = x'ff00'",
    "UPDATE ZAUTHOR SET Z_PK = -9223372036854775808 + Z_PK", "DROP TABLE ZBOOK",
    "UPDATE ATRANSACTION SET Z_PK = -9223372036854775808 + Z_PK",
    "UPDATE ATRANSACTION SET Z_PK = 9223372036854775807 - Z_PK", "DELETE FROM Z_PRIMARYKEY",
    "CREATE TABLE X AS SELECT * FROM ZAUTHOR; DROP TABLE ZAUTHOR; ALTER TABLE X RENAME TO ZAUTHOR;"
      + "INSERT INTO ZAUTHOR SELECT * FROM ZAUTHOR; UPDATE ZAUTHOR SET Z_PK = NULL WHERE ROWID > 4",
  ]

  @Test(arguments: attacks, Matching.allCases) func nothingMakesItCrash(
    _ attack: String, _ matching: Matching
  )
    throws
  {
    let pair = try StorePair(FixtureModels.library, isMirrored: true)
    try RandomLife.live(pair.forge, saves: 5)
    try pair.register()
    let good = try pair.copy("good")
    let bad = try pair.copy("bad")
    try StorePair.edit(bad, attack)
    for (one, other) in [(good, bad), (bad, good), (bad, try pair.copy("other"))] {
      let comparison = try StorePair.compare(
        one, other, matching: matching, parts: [.objects, .history, .mirror])
      #expect(Set(comparison.entities.map(\.name)).isSubset(of: ["Author", "Book"]))
      for entity in comparison.entities {
        #expect(throws: Never.self) { try comparison.changes(of: entity.name) }
      }
    }
  }
}
