import CloudKitMirror
import Forge
import Rendering
import SQLite
import Testing
import Values

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
          == table.columns.map { $0.hasPrefix("Z_") ? $0 : String($0.dropFirst()) })
      #expect(try FrameworkTableRows(named: table.name.lowercased(), in: store).entity == table.entity)
      // Nothing of the two layouts is left to be guessed by its declared type.
      let kinds: Set = ["integer", "bool", "date", "string", "uuid", "archive", "reference"]
      #expect(rows.columns.allSatisfy { kinds.contains($0.type) }, "\(table.name): \(rows.columns)")
    }
    #expect(try FrameworkTableRows(named: "CHANGE", in: store).table == "ACHANGE")
  }

  @Test func cellsAreDecoded() throws {
    let fixture = try MirrorFixture(.v16)
    let person = try fixture.forge.save { try $0.insert("Person") }
    try fixture.setUp()
    try fixture.record(person)
    func rows(_ name: String) throws -> [DataValue] {
      let rows = try FrameworkTableRows(named: name, in: fixture.store())
      let collector = RowCollector()
      try rows.produce(into: collector)
      return collector.objects(columns: rows.columns.map(\.name))
    }
    let event = try #require(try rows("NSCKEvent").first)
    #expect(event["succeeded"] == true && event["startedAt"] == .date(CoreDataDate(seconds: 100)))
    #expect(event["eventIdentifier"] == "07070707-0707-0707-0707-070707070707")
    let record = try #require(try rows("ANSCKRECORDMETADATA").first)
    guard case .blob(let blob) = record["encodedRecord"] else {
      Issue.record("no blob: \(record)")
      return
    }
    #expect(blob.kind == "lzfse" && blob.value != nil)
    #expect(record["recordZone"] == 1 && record["needsUpload"] == false)
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

  @Test func aMistypedNameGetsASuggestion() throws {
    let fixture = try MirrorFixture(.v16)
    let store = try fixture.store()
    let mistyped = #expect(throws: StoreScopeError.self) {
      try FrameworkTableRows(named: "NSCKEvnt", in: store)
    }
    #expect(mistyped?.description.contains("Did you mean 'NSCKEvent'?") == true)
    let absent = #expect(throws: StoreScopeError.self) {
      try FrameworkTableRows(named: "NSCKRecordMetadataEncodedRecordAsset", in: store)
    }
    #expect(absent?.description.contains("has no table") == true)
  }
}
