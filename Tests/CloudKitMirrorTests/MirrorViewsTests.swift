import CloudKitMirror
import Forge
import Lens
import SQLite
import StoreModel
import TestSupport
import Testing
import Values

@Suite struct MirrorViewsTests {
  @Test(arguments: MirrorSchema.Layout.allCases)
  func viewsSayWhatTheReadersSay(_ layout: MirrorSchema.Layout) throws {
    let fixture = try MirrorFixture(layout)
    let people = try fixture.forge.save(author: "app") { save in
      try (0..<5).map { _ in try save.insert("Person") }
    }
    try fixture.setUp()
    try fixture.record(people[0])
    try fixture.record(people[1], ["ZNEEDSUPLOAD": 1])
    try fixture.record(people[2], ["ZNEEDSUPLOAD": 1, "ZNEEDSCLOUDDELETE": 1])
    try fixture.record(people[3], acknowledged: false)
    try fixture.record(people[4])
    try fixture.insert(.links, ["ZCKRECORDID": "L", "ZRECORDZONE": 1, "ZCDENTITYNAME": "Person"])
    try fixture.setToken(1)
    try fixture.forge.save(author: "app") { save in
      try save.delete(people[4])
      _ = try save.insert("Person")
    }
    try fixture.forge.save(recordsHistory: false) { try $0.delete(people[3]) }
    let store = try fixture.store()
    let mirror = try #require(try Mirror(store))
    try Lens.install(in: store)
    try MirrorViews(mirror).install()
    var expected: [String] = []
    try RecordReader(mirror).forEach { record in
      expected.append("\(record.recordName ?? "") \(record.state.rawValue) \(record.uri ?? "")")
      return true
    }
    let states = try store.connection.rows(
      "SELECT record_name || ' ' || state || ' ' || uri FROM records ORDER BY pk"
    ) {
      $0.text(0)
    }
    #expect(states == expected)
    var kinds: [String] = []
    try PendingReader(mirror).forEach { item in
      kinds.append(item.kind.rawValue)
      return true
    }
    #expect(try store.connection.rows("SELECT kind FROM pending") { $0.text(0) }.sorted() == kinds.sorted())
    for name in MirrorViews.names { _ = try store.connection.rows("SELECT * FROM \(name)") { $0.values } }
    #expect(try store.connection.value("SELECT name FROM zones") == .text(MirrorZone.defaultName))
  }

  @Test(arguments: MirrorSchema.tables(.v17).map(\.name) + ["ACHANGE", "ATRANSACTION"])
  func oneTableMissing(_ table: String) throws {
    let fixture = try MirrorFixture()
    try fixture.connection.execute("DROP TABLE \(table)")
    let store = try fixture.store()
    let mirror = try #require(try Mirror(store))
    try Lens.install(in: store)
    try MirrorViews(mirror).install()
    let views = try store.connection.rows("SELECT name FROM sqlite_temp_master WHERE type = 'view'") {
      $0.text(0)
    }
    for name in MirrorViews.names where views.contains(name) {
      _ = try store.connection.rows("SELECT * FROM \(name)") { $0.values }
    }
    let counts = try PendingReader(mirror).counts
    let waiting = views.contains("pending") ? "SELECT COUNT(*) FROM pending" : "SELECT 0"
    #expect(try store.connection.value(waiting) == .integer(Int64(counts.total)))
  }

  /// More tables than a compound of SQLite's may have terms.
  @Test func aLargeModelHasItsView() throws {
    let model = ManagedObjectModel(
      entities: (1...700).map {
        EntityDescription(name: "E\($0)", attributes: [AttributeDescription(name: "a", type: .string)])
      })
    let fixture = try MirrorFixture(model: model)
    try fixture.setUp()
    for number in [1, 350, 700] {
      let object = try fixture.forge.save { try $0.insert("E\(number)") }
      try fixture.record(object)
      _ = try fixture.forge.save(recordsHistory: false) { try $0.insert("E\(number)") }
    }
    try fixture.setToken(3)
    let store = try fixture.store()
    try Lens.install(in: store)
    try MirrorViews(#require(try Mirror(store))).install()
    #expect(
      try store.connection.rows("SELECT kind || entity FROM pending") { $0.text(0) }.sorted()
        == ["unregisteredE1", "unregisteredE350", "unregisteredE700"])
  }
}
