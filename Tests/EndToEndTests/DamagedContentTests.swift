import Archives
import Base
import Forge
import SQLite
import StoreModel
import TestSupport
import Testing

/// Stores whose tables hold what Core Data would never write. Each command answers, or says in a sentence why not.
struct DamagedContentTests {
  struct Case: CustomTestStringConvertible, Sendable {
    var testDescription: String
    /// What `summary --metadata` must say; nil where the store stays without a model or can't be read at all.
    var says: String?
    var edit: @Sendable (Connection) throws -> Void

    init(_ name: String, says: String? = nil, _ edit: @escaping @Sendable (Connection) throws -> Void) {
      testDescription = name
      self.says = says
      self.edit = edit
    }

    init(_ name: String, says: String? = nil, sql: String) {
      self.init(name, says: says) { try $0.execute(sql) }
    }

    init(_ name: String, cache: [UInt8], says: String = "guessed from the tables") {
      self.init(name, says: says) { try $0.execute("UPDATE Z_MODELCACHE SET Z_CONTENT = ?", [.blob(cache)]) }
    }
  }

  /// One of each kind: there are many cases.
  private static let readings: [[String]] = [
    ["summary", "--metadata", "--json"], ["summary"], ["entities"], ["history"],
    ["history", "--by", "author"],
    ["rows", "Trip", "--expand", "--json"], ["rows", "Place", "--format", "csv"],
    ["rows", "Entry", "--where", "rating > 3", "--format", "markdown"], ["show", "Trip/p1"],
    ["query", "SELECT * FROM Trip JOIN Entry ON Entry.trip = Trip.pk"], ["query", "SELECT * FROM changes"],
  ]

  static let cases: [Case] = modelCaches + metadata + entityTables + farApart + cells + history

  static let modelCaches: [Case] = [
    Case("NULL cache", says: "guessed", sql: "UPDATE Z_MODELCACHE SET Z_CONTENT = NULL"),
    Case("empty cache table", says: "guessed", sql: "DELETE FROM Z_MODELCACHE"),
    Case("no cache table", says: "guessed", sql: "DROP TABLE Z_MODELCACHE"),
    Case("number as cache", says: "guessed", sql: "UPDATE Z_MODELCACHE SET Z_CONTENT = 7"),
    Case(
      "other columns in the cache table", sql: "ALTER TABLE Z_MODELCACHE RENAME COLUMN Z_CONTENT TO Z_OTHER"),
    Case("noise as cache", cache: (0..<9000).map { UInt8(truncatingIfNeeded: $0 &* $0 &* 7 >> 3) }),
    Case("cache of nothing", cache: Deflate.raw([])),
    Case("cache with text", cache: Deflate.raw(Array("no property list".utf8))),
    Case("cache with a plain list", cache: Deflate.raw(BinaryPropertyList.write(.array([.integer(1)])))),
    Case("cache that promises 10 GiB", cache: tenGibibytes),
    Case("absurd object count", cache: Deflate.raw(trailer { $0.replaceSubrange(8..<16, with: huge) })),
    Case("absurd top object", cache: Deflate.raw(trailer { $0.replaceSubrange(16..<24, with: huge) })),
    Case("absurd offset table", cache: Deflate.raw(trailer { $0.replaceSubrange(24..<32, with: huge) })),
    Case("absurd sizes", cache: Deflate.raw(trailer { $0.replaceSubrange(6..<8, with: [255, 255]) })),
    Case("array of 2^62 elements", cache: Deflate.raw(listOfHugeArray)),
  ]

  static let metadata: [Case] = [
    Case("no metadata row", sql: "DELETE FROM Z_METADATA"),
    Case("NULL metadata", sql: "UPDATE Z_METADATA SET Z_PLIST = NULL, Z_UUID = NULL"),
    Case("empty plist", sql: "UPDATE Z_METADATA SET Z_PLIST = x''"),
    Case("noise as plist", says: "can't be read", sql: "UPDATE Z_METADATA SET Z_PLIST = randomblob(900)"),
    Case("text as plist", says: "can't be read", sql: "UPDATE Z_METADATA SET Z_PLIST = 'plist'"),
    Case(
      "cut-off plist", says: "can't be read", sql: "UPDATE Z_METADATA SET Z_PLIST = substr(Z_PLIST, 1, 200)"),
    Case("number as UUID", sql: "UPDATE Z_METADATA SET Z_UUID = 12"),
    Case("slashes in the UUID", sql: "UPDATE Z_METADATA SET Z_UUID = '../%/\"''' || char(27, 10, 0)"),
    Case(
      "many metadata rows",
      sql: "INSERT INTO Z_METADATA SELECT Z_VERSION + 1, Z_UUID, Z_PLIST FROM Z_METADATA"),
  ]

  static let entityTables: [Case] = [
    Case("no Z_PRIMARYKEY", sql: "DROP TABLE Z_PRIMARYKEY"),
    Case("empty Z_PRIMARYKEY", sql: "DELETE FROM Z_PRIMARYKEY"),
    Case("entity that is its own parent", sql: "UPDATE Z_PRIMARYKEY SET Z_SUPER = Z_ENT"),
    Case("parents in a circle", sql: "UPDATE Z_PRIMARYKEY SET Z_SUPER = 1 + Z_ENT % 9"),
    Case(
      "parents in a circle, and no model",
      sql: "DELETE FROM Z_MODELCACHE; UPDATE Z_PRIMARYKEY SET Z_SUPER = 1 + Z_ENT % 9"),
    Case(
      "own parent, and no model", sql: "DELETE FROM Z_MODELCACHE; UPDATE Z_PRIMARYKEY SET Z_SUPER = Z_ENT"),
    Case("NULL names", sql: "UPDATE Z_PRIMARYKEY SET Z_NAME = NULL"),
    Case("blobs as names", sql: "UPDATE Z_PRIMARYKEY SET Z_NAME = randomblob(9)"),
    Case("one name for all", sql: "DELETE FROM Z_MODELCACHE; UPDATE Z_PRIMARYKEY SET Z_NAME = 'Trip'"),
    Case(
      "huge numbers",
      sql:
        "UPDATE Z_PRIMARYKEY SET Z_ENT = Z_ENT + 9223372036854775790, Z_NAME = Z_NAME || 2, Z_MAX = -9223372036854775808 WHERE Z_ENT < 17"
    ),
    Case(
      "huge numbers, and no model",
      sql:
        "DELETE FROM Z_MODELCACHE; UPDATE Z_PRIMARYKEY SET Z_ENT = Z_ENT + 9223372036854775790 WHERE Z_ENT < 17"
    ),
    Case("negative numbers", sql: "UPDATE Z_PRIMARYKEY SET Z_ENT = -Z_ENT, Z_SUPER = 9223372036854775807"),
    Case(
      "negative numbers, and no model",
      sql: "DELETE FROM Z_MODELCACHE; UPDATE Z_PRIMARYKEY SET Z_ENT = -Z_ENT"),
    Case("entity table gone", sql: "DROP TABLE ZTRIP"),
    Case("entity table without columns", sql: "DROP TABLE ZTRIP; CREATE TABLE ZTRIP(x)"),
    Case("join table gone", sql: "DROP TABLE Z_2TAGS"),
    Case(
      "view in place of a table",
      sql: "ALTER TABLE ZTRIP RENAME TO OTHER; CREATE VIEW ZTRIP AS SELECT * FROM OTHER"),
    Case(
      "endless view",
      sql:
        "DROP TABLE ZTRIP; CREATE VIEW ZTRIP AS WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i+1 FROM n WHERE i < 300000) SELECT i Z_PK, 9 Z_ENT, 1 Z_OPT, i ZTITLE FROM n"
    ),
    Case("sub-entity's number in another table", sql: "UPDATE ZTRIP SET Z_ENT = 6"),
    Case("unknown entity number", sql: "UPDATE ZPLACE SET Z_ENT = 999; UPDATE ZENTRY SET Z_ENT = NULL"),
  ]

  static let farApart: [Case] = [
    Case(
      "highest number in a hierarchy, and no model",
      sql:
        "DELETE FROM Z_MODELCACHE; UPDATE Z_PRIMARYKEY SET Z_ENT = 15999 WHERE Z_NAME = 'City'; UPDATE ZPLACE SET Z_ENT = 15999 WHERE Z_ENT = 6"
    ),
    Case(
      "numbers too high",
      sql:
        "DELETE FROM Z_MODELCACHE; DELETE FROM Z_PRIMARYKEY WHERE Z_ENT > 15000; UPDATE Z_PRIMARYKEY SET Z_ENT = 9223372036854775807 WHERE Z_NAME = 'City'"
    ),
    Case(
      "numbers too low",
      sql:
        "DELETE FROM Z_MODELCACHE; UPDATE Z_PRIMARYKEY SET Z_ENT = -9223372036854775808 WHERE Z_NAME = 'City'"
    ),
    Case(
      "highest number, renamed",
      sql: "UPDATE Z_PRIMARYKEY SET Z_ENT = 9223372036854775807, Z_NAME = 'Elsewhere' WHERE Z_NAME = 'City'"),
  ]

  static let cells: [Case] = [
    Case(
      "primary keys at the ends",
      sql:
        "UPDATE ZTRIP SET Z_PK = 9223372036854775807 WHERE Z_PK = 1; UPDATE ZTRIP SET Z_PK = -9223372036854775808 WHERE Z_PK = 2; UPDATE ZENTRY SET ZTRIP = -5"
    ),
    Case(
      "text everywhere",
      sql:
        "UPDATE ZTRIP SET ZBUDGET = 'x', ZCOVER = 'x', ZENDDATE = 'x', ZIDENTIFIER = 'x', ZISARCHIVED = 'x', ZMAPSTYLE = 'x', ZMOOD = 'x', ZSTARTDATE = 'x', ZTITLE = 'x'; UPDATE ZENTRY SET ZTRIP = 'x', ZPLACE = 'x'"
    ),
    Case(
      "blobs everywhere",
      sql:
        "UPDATE ZTRIP SET ZBUDGET = x'00', ZCOVER = x'02', ZENDDATE = x'', ZIDENTIFIER = x'01', ZISARCHIVED = x'', ZMAPSTYLE = x'', ZMOOD = x'ff', ZSTARTDATE = x'00', ZTITLE = x'1b5b'; UPDATE ZENTRY SET ZTRIP = x'01', ZPLACE = x'02'"
    ),
    Case(
      "numbers everywhere",
      sql:
        "UPDATE ZTRIP SET ZBUDGET = 9e999, ZCOVER = -1, ZENDDATE = 9e999, ZIDENTIFIER = 1.5, ZISARCHIVED = 77, ZMAPSTYLE = 0, ZMOOD = -0.0, ZSTARTDATE = -9e307, ZTITLE = 9223372036854775807"
    ),
    Case(
      "dates beyond the calendar",
      sql: "UPDATE ZTRIP SET ZENDDATE = 9.2e18, ZSTARTDATE = -9223372036854775808"),
    Case("invalid UTF-8", sql: "UPDATE ZTRIP SET ZTITLE = CAST(x'ff00c0afeda080f4908080e282' AS TEXT)"),
    Case(
      "NULs in text",
      sql:
        "UPDATE ZTRIP SET ZTITLE = 'a' || char(0) || 'b'; UPDATE ATRANSACTIONSTRING SET ZNAME = ZNAME || char(0)"
    ),
    Case("long text", sql: "UPDATE ZTRIP SET ZTITLE = hex(zeroblob(4000000))"),
    Case(
      "external file names that lead out",
      sql: "UPDATE ZTRIP SET ZCOVER = CAST(x'02' || '../../../../../../../../../etc/passwd' || x'00' AS BLOB)"
    ),
    Case(
      "external file that is missing",
      sql: "UPDATE ZTRIP SET ZCOVER = CAST(x'02' || '11111111-2222-3333-4444-555555555555' || x'00' AS BLOB)"),
    Case("cyclic archive") { try $0.execute("UPDATE ZTRIP SET ZMAPSTYLE = ?", [.blob(cyclicArchive)]) },
    Case("archive a thousand levels deep") {
      try $0.execute("UPDATE ZTRIP SET ZMAPSTYLE = ?", [.blob(deepArchive)])
    },
    Case("archive that doubles at each level") {
      try $0.execute("UPDATE ZTRIP SET ZMAPSTYLE = ?", [.blob(bushyArchive)])
    },
    Case("list with absurd counts") {
      try $0.execute("UPDATE ZTRIP SET ZMAPSTYLE = ?", [.blob(listOfHugeArray)])
    },
    Case(
      "deep JSON", sql: "UPDATE ZENTRY SET ZHOURLY = CAST(replace(hex(zeroblob(100000)), '0', '[') AS BLOB)"),
    Case(
      "duplicate links",
      sql:
        "CREATE TEMP TABLE c AS SELECT * FROM Z_2TAGS; DROP TABLE Z_2TAGS; CREATE TABLE Z_2TAGS(Z_2ENTRIES INTEGER, Z_8TAGS INTEGER); INSERT INTO Z_2TAGS SELECT * FROM c; INSERT INTO Z_2TAGS SELECT * FROM c; INSERT INTO Z_2TAGS VALUES(NULL, 'x')"
    ),
  ]

  static let history: [Case] = [
    Case("no transactions", sql: "DELETE FROM ATRANSACTION"),
    Case("no transaction table", sql: "DROP TABLE ATRANSACTION"),
    Case("no change table", sql: "DROP TABLE ACHANGE"),
    Case("no string table", sql: "DROP TABLE ATRANSACTIONSTRING"),
    Case("no strings", sql: "DELETE FROM ATRANSACTIONSTRING"),
    Case("change table without columns", sql: "DROP TABLE ACHANGE; CREATE TABLE ACHANGE(x)"),
    Case(
      "unknown kinds and entities",
      sql: "UPDATE ACHANGE SET ZCHANGETYPE = 99, ZENTITY = 16001, ZENTITYPK = -9223372036854775808"),
    Case("masks of noise", sql: "UPDATE ACHANGE SET ZCOLUMNS = randomblob(abs(random()) % 40)"),
    Case("masks of text", sql: "UPDATE ACHANGE SET ZCOLUMNS = 'x', ZTRANSACTIONID = 'y', ZENTITY = 'z'"),
    Case("huge masks", sql: "UPDATE ACHANGE SET ZCOLUMNS = randomblob(500000) WHERE Z_PK < 20"),
    Case(
      "tombstones of noise",
      sql: "UPDATE ACHANGE SET ZTOMBSTONE0 = randomblob(50), ZTOMBSTONE1 = 9e999, ZCHANGETYPE = 2"),
    Case(
      "time stamps beyond the calendar",
      sql:
        "UPDATE ATRANSACTION SET ZTIMESTAMP = CASE Z_PK % 4 WHEN 0 THEN 9e999 WHEN 1 THEN 'x' WHEN 2 THEN -1e300 ELSE NULL END"
    ),
  ]

  @Test(arguments: cases) func isAnswered(_ damage: Case) throws {
    let demo = try Demo { try damage.edit($0.connection) }
    try Readings.run(Self.readings, on: demo.path, in: demo.folder) { result, comment in
      result.expectAnswer(comment)
      // A column that the damaged entity no longer has is missed in the statement.
      if result.status == 2, !result.errors.contains("no such column") {
        #expect(result.errors.contains(demo.path), "\(comment): \(result.errors)")
      }
      if comment.contains("--json"), result.status == 0 {
        let json = try result.json()
        #expect(!json.isEmpty, "\(comment)")
      }
    }
    if let says = damage.says {
      try demo.run("summary").expectDone().expectOutput(says)
    }
  }

  /// Keys of ordered relationships, which the demo, being mirrored, can't have.
  @Test(
    arguments: FixtureModels.all.filter {
      ["inheritance", "virtualToOnes", "manyToMany"].contains($0.description)
    },
    ["x'02'", "'x'", "NULL", "-9e999"])
  func orderIsAnyValue(model: FixtureModels.Named, value: String) throws {
    let folder = TemporaryFolder()
    let forge = try StoreForge(path: folder.path("Life.sqlite"), model: model.model)
    try RandomLife.live(forge, saves: 6)
    let updates = try forge.connection.rows(
      """
      SELECT m.name, c.name FROM sqlite_master m, pragma_table_info(m.name) c
      WHERE m.type = 'table' AND c.name LIKE 'Z$_FOK$_%' ESCAPE '$'
      """
    ) { "UPDATE \($0.text(0)) SET \($0.text(1)) = \(value)" }
    #expect(!updates.isEmpty)
    for update in updates { try forge.connection.execute(update) }
    try forge.close(leaving: .wal)
    let readings = model.model.entities.filter { !$0.isAbstract }.map {
      ["rows", $0.name, "--expand", "--json"]
    }
    try Readings.run(readings, on: forge.path, in: folder) { $0.expectDone($1) }
  }
}
