import Base
import Diagnostics
import Forge
import Lens
import SQLite
import StoreModel
import TestSupport
import Testing

@Suite struct MirrorLayoutTests {
  @Test(arguments: MirrorSchema.Layout.allCases)
  func completeLayoutsAreRecognised(_ layout: MirrorSchema.Layout) throws {
    let mirror = try #require(try MirrorFixture(layout).mirror())
    #expect(mirror.layout.name == layout.rawValue)
    #expect(mirror.differences.isEmpty, "\(mirror.differences)")
  }

  @Test func noTablesMeanNoMirror() throws {
    let folder = try MirrorFixture(.v16)
    for table in MirrorSchema.tables(.v16) { try folder.connection.execute("DROP TABLE \(table.name)") }
    #expect(try folder.mirror() == nil)
    #expect(try VerdictReader.verdict(nil, counts: [:]).state == .notMirrored)
  }

  /// With any one table gone the rest is still read, and the loss is named.
  @Test(
    arguments: MirrorSchema.tables(.v16).map { ("V16", $0.name) }
      + MirrorSchema.tables(.v17).map { ("V17", $0.name) })
  func oneTableMissing(_ layout: String, _ table: String) throws {
    let fixture = try MirrorFixture(#require(MirrorSchema.Layout(rawValue: layout)))
    let person = try fixture.forge.save { try $0.insert("Person", ["name": "Ann"]) }
    try fixture.setUp()
    try fixture.record(person, ["ZNEEDSUPLOAD": 1])
    try fixture.setToken(1)
    try fixture.connection.execute("DROP TABLE \(table)")
    let mirror = try #require(try fixture.mirror())
    #expect(mirror.layout.name == layout)
    #expect(mirror.differences.contains { $0.contains(table) })
    let pending = try PendingReader(mirror)
    #expect(pending.counts[.upload, default: 0] == (table == "ANSCKRECORDMETADATA" ? 0 : 1))
    try pending.forEach { _ in true }
    try RecordReader(mirror, decodesArchives: true).forEach { _ in true }
    let verdict = try VerdictReader.verdict(mirror, counts: pending.counts)
    #expect(!verdict.because.isEmpty)
    if ["ANSCKRECORDMETADATA", "ANSCKMETADATAENTRY"].contains(table) { #expect(verdict.state == .unknown) }
  }

  /// Tables without keys aren't made by any framework; the rest is read.
  @Test(arguments: ["ANSCKEVENT", "ANSCKRECORDMETADATA", "ATRANSACTION", "ACHANGE", "ZPERSON", "ZDRAFT"])
  func tablesWithoutKeys(_ table: String) throws {
    let fixture = try MirrorFixture()
    let (person, _) = try fixture.forge.save { (try $0.insert("Person"), try $0.insert("Draft")) }
    try fixture.setUp()
    try fixture.record(person)
    try fixture.setToken(1)
    let copy = table == "ZPERSON" || table == "ZDRAFT" ? "Z_OPT" : "Z_ENT"
    try fixture.connection.execute(
      "ALTER TABLE \(table) RENAME TO OLD; CREATE TABLE \(table) AS SELECT \(copy) FROM OLD; DROP TABLE OLD")
    let open = try fixture.open()
    let mirror = try #require(try open.mirror())
    try EventReader(mirror).forEach { _ in true }
    try RecordReader(mirror, decodesArchives: true).forEach { _ in true }
    let pending = try PendingReader(mirror)
    try pending.forEach { _ in true }
    #expect(try !VerdictReader.verdict(mirror, counts: pending.counts).because.isEmpty)
    let key = ObjectKey(entity: person.entityNumber, primaryKey: 1)
    let steps = try TraceReader(open).trace(of: key).steps
    if table.hasPrefix("A") { #expect(steps.contains { $0.text.contains("Z_PK") }, "\(steps.map(\.text))") }
    if table == "ZDRAFT" {
      #expect(
        try mirror.mirroredEntities().all.first { $0.name == "Draft" }?.because.contains("Z_PK") == true)
    }
    if table.hasPrefix("ANSCK") {
      #expect(mirror.differences.contains { $0 == "The table \(table) has no column Z_PK and isn't read." })
    }
  }

  @Test func anUnknownTableMakesTheLayoutUnknown() throws {
    let fixture = try MirrorFixture(.v17)
    try fixture.connection.execute("CREATE TABLE ANSCKSOMETHINGNEW (Z_PK INTEGER PRIMARY KEY, ZTHING BLOB)")
    let mirror = try #require(try fixture.mirror())
    #expect(mirror.layout == .unknown)
    let verdict = try VerdictReader.verdict(mirror, counts: PendingReader(mirror).counts)
    #expect(verdict.state == .unknown)
    #expect(verdict.because.contains { $0.contains("ANSCKSOMETHINGNEW") })
  }

  /// Each generation is known by its newest mark.
  @Test(arguments: steps.map(\.1))
  func olderLayouts(_ expected: String) throws {
    let fixture = try MirrorFixture(.v16)
    // All the changes down to this one: older generations lack what newer ones brought.
    for (sql, layout) in Self.steps {
      try fixture.connection.execute(sql)
      if layout == expected { break }
    }
    let mirror = try #require(try fixture.mirror())
    #expect(mirror.layout.name == expected)
    _ = try PendingReader(mirror).counts
  }

  private static let steps: [(String, String)] = [
    ("ALTER TABLE ANSCKRECORDZONEMETADATA DROP COLUMN ZNEEDSNEWSHAREINVITATION", "V15"),
    ("ALTER TABLE ANSCKRECORDZONEMETADATA DROP COLUMN ZNEEDSRECOVERYFROMIDENTITYLOSS", "V14"),
    ("ALTER TABLE ANSCKRECORDZONEMETADATA DROP COLUMN ZNEEDSSHAREDELETE", "V13"),
    ("ALTER TABLE ANSCKRECORDMETADATA DROP COLUMN ZENCODEDRECORD", "V12"),
    ("DROP TABLE ANSCKRECORDZONEMOVERECEIPT", "V11"),
    (
      "ALTER TABLE ANSCKRECORDZONEMETADATA DROP COLUMN ZENCODEDSHAREDATA; ALTER TABLE ANSCKRECORDZONEMETADATA DROP COLUMN ZNEEDSSHAREUPDATE",
      "V10"
    ),
    ("ALTER TABLE ANSCKRECORDZONEMETADATA DROP COLUMN ZNEEDSIMPORT", "V9"),
    ("DROP TABLE ANSCKHISTORYANALYZERSTATE; DROP TABLE ANSCKRECORDZONEQUERY", "V8"),
    ("DROP TABLE ANSCKEVENT; ALTER TABLE ANSCKRECORDMETADATA DROP COLUMN ZNEEDSUPLOAD", "V7"),
  ]
}

@Suite struct RealStoreTests {
  /// None of the real stores at hand is mirrored, and nothing is made up for them.
  @Test(.enabled(if: RealStores.arePresent), arguments: RealStores.all)
  func noMirrorIsInvented(_ name: String) throws {
    let (folder, path) = try RealStores.copy(name)
    defer { withExtendedLifetime(folder) {} }
    let connection = try Connection(path: path, options: .overlay())
    guard let open = try? OpenStore(connection, path: path) else { return }
    #expect(try open.mirror() == nil)
    #expect(try VerdictReader.verdict(open.mirror(), counts: [:]).state == .notMirrored)
  }
}
