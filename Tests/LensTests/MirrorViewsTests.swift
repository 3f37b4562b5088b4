import Base
import Forge
import Lens
import SQLite
import StoreModel
import TestSupport
import Testing

@Suite struct MirrorViewsTests {
  @Test(arguments: MirrorSchema.Layout.allCases)
  func viewsSayWhatTheReadersSay(_ layout: MirrorSchema.Layout) throws {
    let fixture = try MirrorFixture(layout)
    let people = try fixture.people(5)
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
    let open = try fixture.open()
    let store = try open.lens()
    let mirror = try #require(try open.mirror())
    var expected: [String] = []
    try RecordReader(mirror).forEach { record in
      expected.append("\(record.recordName ?? "") \(record.state.rawValue) \(record.uri ?? "")")
      return true
    }
    let states = try store.connection.rows(
      "SELECT recordName || ' ' || state || ' ' || uri FROM records ORDER BY records.row"
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
    for name in MirrorViews.documented.map(\.name) {
      _ = try store.connection.rows("SELECT * FROM \(name)") { $0.values }
    }
    #expect(try store.connection.value("SELECT name FROM zones") == .text(MirrorZone.defaultName))
  }

  /// `NULL IS NOT NULL` is false: SQL took a record that names no entity for uploaded, `records` for an orphan. Nothing
  /// ties such a record to an object, so it has none.
  @Test(arguments: ["ZENTITYID", "ZENTITYPK"], MirrorSchema.Layout.allCases)
  func whatNamesNoObjectIsAnOrphan(_ column: String, _ layout: MirrorSchema.Layout) throws {
    let fixture = try MirrorFixture(layout)
    let person = try fixture.forge.save { try $0.insert("Person") }
    try fixture.setUp()
    try fixture.record(person, [column: .null])
    let open = try fixture.open()
    let store = try open.lens()
    let mirror = try #require(try open.mirror())
    #expect(try store.connection.value("SELECT state FROM records") == "orphan")
    #expect(try store.connection.value("SELECT objectExists FROM records") == 0)
    try RecordReader(mirror).forEach { record in
      #expect(record.state == .orphan && !record.objectExists && record.isAcknowledged)
      return true
    }
  }

  /// What no view may be named, as it is taken.
  @Test func namesAreKept() {
    #expect(Set(MirrorViews.documented.map(\.name)) == Set(ViewNames.framework))
    for view in MirrorViews.documented {
      #expect(Set(view.columns.map { $0.name.lowercased() }).count == view.columns.count, "\(view.name)")
      for column in view.columns {
        #expect(!column.meaning.isEmpty && !column.meaning.hasSuffix("."), "\(view.name).\(column.name)")
      }
    }
  }

  /// The views have the members that commands print.
  @Test func columnsAreTheKeysOfJSON() throws {
    let views = Dictionary(
      uniqueKeysWithValues: MirrorViews.documented.map { ($0.name, Set($0.columns.map(\.name))) })
    let fixture = try MirrorFixture()
    try fixture.record(try fixture.forge.save { try $0.insert("Person") }, ["ZNEEDSUPLOAD": 1])
    let mirror = try #require(try fixture.mirror())
    try PendingReader(mirror).forEach { item in
      #expect(views["pending"]?.isSuperset(of: names(item.value)) == true)
      return true
    }
    try RecordReader(mirror, decodesArchives: true).forEach { record in
      #expect(views["records"]?.isSuperset(of: names(record.value)) == true)
      return true
    }
  }

  private func names(_ value: DataValue) -> [String] {
    guard case .object(let members) = value else { return [] }
    return members.map(\.name)
  }

  @Test(arguments: MirrorSchema.tables(.v17).map(\.name) + ["ACHANGE", "ATRANSACTION"])
  func oneTableMissing(_ table: String) throws {
    let fixture = try MirrorFixture()
    try fixture.connection.execute("DROP TABLE \(table)")
    let open = try fixture.open()
    let store = try open.lens()
    let mirror = try #require(try open.mirror())
    let views = try store.connection.rows("SELECT name FROM sqlite_temp_master WHERE type = 'view'") {
      $0.text(0)
    }
    for name in MirrorViews.documented.map(\.name) where views.contains(name) {
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
    let store = try fixture.open().lens()
    #expect(
      try store.connection.rows("SELECT kind || entity FROM pending") { $0.text(0) }.sorted()
        == ["unregisteredE1", "unregisteredE350", "unregisteredE700"])
  }
}
