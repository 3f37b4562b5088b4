import Base
import Forge
import Lens
import Rendering
import SQLite
import StoreModel
import TestSupport
import Testing

@Suite struct FrameworkTableRowsTests {
  @Test(arguments: MirrorSchema.Layout.allCases)
  func everyTableIsDescribed(_ layout: MirrorSchema.Layout) throws {
    let fixture = try MirrorFixture(layout)
    let store = try fixture.store()
    for table in MirrorSchema.tables(layout) {
      let rows = try FrameworkTableRows(named: table.entity, in: store)
      #expect(rows.table == table.name)
      #expect(
        rows.columns.map { $0.name.uppercased() }
          == table.columns.map { $0.hasPrefix("Z_") ? $0 : String($0.dropFirst()) }
          + (table.columns.contains("ZENTITYPK") ? ["URI"] : []))
      #expect(try FrameworkTableRows(named: table.name.lowercased(), in: store).entity == table.entity)
      // Nothing of the two layouts is left to be guessed by its declared type.
      let kinds: Set = [
        "integer", "bool", "date", "string", "uuid", "archive", "reference", "entity", "change", "uri",
      ]
      #expect(rows.columns.allSatisfy { kinds.contains($0.type) }, "\(table.name): \(rows.columns)")
    }
    #expect(try FrameworkTableRows(named: "CHANGE", in: store).table == "ACHANGE")
  }

  @Test func cellsAreDecoded() throws {
    let fixture = try MirrorFixture(.v16)
    let person = try fixture.forge.save { try $0.insert("Person") }
    try fixture.setUp()
    try fixture.record(person)
    let event = try #require(try rows("NSCKEvent", of: fixture).first)
    #expect(event["succeeded"] == true && event["startedAt"] == .date(CoreDataDate(seconds: 100)))
    #expect(event["eventIdentifier"] == "07070707-0707-0707-0707-070707070707")
    let record = try #require(try rows("ANSCKRECORDMETADATA", of: fixture).first)
    guard case .blob(let blob) = record["encodedRecord"] else {
      Issue.record("no blob: \(record)")
      return
    }
    #expect(blob.kind == "lzfse" && blob.value != nil)
    #expect(record["recordZone"] == 1 && record["needsUpload"] == false)
    let uri = "x-coredata://\(MirrorFixture.uuid)/Person/p\(person.primaryKey)"
    #expect(record["entityId"] == "Person" && record["uri"] == .text(uri))
  }

  @Test func numbersAreReplacedByWhatTheyStandFor() throws {
    let fixture = try MirrorFixture()
    let person = try fixture.forge.save(author: "app") { try $0.insert("Employee") }
    try fixture.forge.save { try $0.delete(person) }
    try fixture.insert(
      .analyzerStates,
      [
        "ZENTITYID": .integer(person.entityNumber), "ZENTITYPK": 1, "ZORIGINALCHANGETYPENUM": 0,
        "ZFINALCHANGETYPENUM": 9,
      ])
    try fixture.connection.execute(
      "INSERT INTO ACHANGE (Z_PK, Z_ENT, Z_OPT, ZCHANGETYPE, ZENTITY, ZENTITYPK) VALUES (90, 16001, 1, 7, 99, 1)"
    )
    try fixture.connection.execute("UPDATE ATRANSACTION SET ZBUNDLEIDTS = 4711")
    let transactions = try rows("TRANSACTION", of: fixture)
    #expect(transactions.first?["authorTS"] == "app")
    #expect(transactions.first?["bundleIDTS"] == 4711, "the store has no such text")
    let changes = try rows("CHANGE", of: fixture)
    #expect(changes.compactMap { $0["changeType"] } == ["insert", "delete", 7])
    #expect(changes.compactMap { $0["entity"] } == ["Employee", "Employee", 99])
    #expect(
      changes.compactMap { $0["uri"] } == [
        .text("x-coredata://\(MirrorFixture.uuid)/Employee/p1"),
        .text("x-coredata://\(MirrorFixture.uuid)/Employee/p1"), .null,
      ])
    let state = try #require(try rows("NSCKHistoryAnalyzerState", of: fixture).first)
    #expect(state["originalChangeTypeNum"] == "insert" && state["finalChangeTypeNum"] == 9)
    #expect(state["entityId"] == "Employee")
  }

  private func rows(_ name: String, of fixture: MirrorFixture) throws -> [DataValue] {
    let rows = try FrameworkTableRows(named: name, in: fixture.store())
    let collector = RowCollector()
    try rows.produce(into: collector)
    return collector.objects(columns: rows.columns.map(\.name))
  }

  @Test func unknownColumnsAreShownRaw() throws {
    let fixture = try MirrorFixture()
    try fixture.connection.execute(
      "ALTER TABLE ANSCKEVENT ADD COLUMN ZNEWTHING VARCHAR; CREATE TABLE ANSCKFUTURE (Z_PK INTEGER PRIMARY KEY, ZX BLOB)"
    )
    let store = try fixture.store()
    #expect(try FrameworkTableRows(named: "ANSCKEVENT", in: store).columns.last?.name == "ZNEWTHING")
    #expect(
      try FrameworkTableRows(named: "ansckfuture", in: store).columns.map(\.type) == ["integer", "blob"])
    #expect(FrameworkTableRows.names(in: store).contains("ANSCKFUTURE"))
  }

  /// SQL, 'size' and plans call them so.
  @Test(arguments: [
    ("events", FrameworkTable.events), ("Records", .records), ("moveReceipts", .moveReceipts),
    ("metadataentries", .metadataEntries), ("changes", .changes), ("nsckevent", .events),
  ])
  func tablesHaveOurNamesToo(_ name: String, _ table: FrameworkTable) throws {
    let rows = try FrameworkTableRows(named: name, in: MirrorFixture(.v17).store())
    #expect(rows.table == table.rawValue)
  }

  @Test func aMistypedNameGetsASuggestion() throws {
    let fixture = try MirrorFixture(.v16)
    let store = try fixture.store()
    let mistyped = #expect(throws: StoreScopeError.self) {
      try FrameworkTableRows(named: "NSCKEvnt", in: store)
    }
    #expect(mistyped?.unknown?.known.contains("NSCKEvent") == true)
    let absent = #expect(throws: StoreScopeError.self) {
      try FrameworkTableRows(named: "NSCKRecordMetadataEncodedRecordAsset", in: store)
    }
    #expect(absent?.description.contains("has no table") == true)
    #expect(absent?.description.contains("It has analyzerStates, changes, ") == true)
  }

  @Test func aStoreWithoutTheTableSaysWhichItHas() throws {
    let folder = TemporaryFolder("plain")
    let forge = try StoreForge(path: folder.path("App.store"), model: MirrorFixture.model)
    func refusal() throws -> String? {
      let store = try CoreDataStore(connection: forge.connection, path: forge.path)
      return #expect(throws: StoreScopeError.self) { try FrameworkTableRows(named: "NSCKEvent", in: store) }?
        .description
    }
    #expect(
      try refusal()?.hasSuffix(
        "The store is not mirrored; of history it has changes, namesInHistory, transactions.") == true)
    for table in ["ACHANGE", "ATRANSACTION", "ATRANSACTIONSTRING"] {
      try forge.connection.execute("DROP TABLE \(table)")
    }
    #expect(try refusal()?.hasSuffix("keeps no history, so it has none.") == true)
  }
}
