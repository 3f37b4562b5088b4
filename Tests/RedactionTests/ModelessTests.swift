import Base
import Evidence
import Forge
import Lens
import Redaction
import SQLite
import StoreModel
import TestSupport
import Testing

/// Without a model only names tell keys from values. What isn't provably a key is replaced: a messenger's indexed dates
/// once stayed as they were, because keys of relationships have such indexes too.
struct ModelessTests {
  private static let attributes = [
    AttributeDescription(name: "phone", type: .integer64),
    AttributeDescription(name: "priority", type: .integer16),
    AttributeDescription(name: "sent", type: .date), AttributeDescription(name: "weight", type: .double),
    AttributeDescription(name: "price", type: .decimal), AttributeDescription(name: "name", type: .string),
  ]

  @Test func indexesProveNothing() throws {
    let fixture = try RedactionFixture(
      Self.attributes,
      objects: (1...3).map {
        [
          "phone": .integer(4_915_112_345_678 + $0), "priority": .integer($0), "name": .text("Ann \($0)"),
          "sent": .date(CoreDataDate(seconds: 457_260_372.024 + Double($0))), "weight": .real(71.5),
          "price": .real(12.25),
        ]
      }
    ) { connection in
      for name in ["PHONE", "PRIORITY", "SENT", "WEIGHT", "PRICE", "NAME"] {
        try connection.execute("CREATE INDEX ZPERSON_Z\(name)_INDEX ON ZPERSON (Z\(name))")
      }
      // Names that no attribute can have; a fraction is no key all the same.
      try connection.execute("ALTER TABLE ZPERSON ADD COLUMN Z1OWNER INTEGER")
      try connection.execute("ALTER TABLE ZPERSON ADD COLUMN Z_FOK_1OWNER INTEGER")
      try connection.execute("UPDATE ZPERSON SET Z1OWNER = 2, Z_FOK_1OWNER = 1024.5")
      try connection.execute("UPDATE Z_MODELCACHE SET Z_CONTENT = NULL")
    }
    let result = try fixture.redact()
    #expect(result.isGuessed)
    let keys = result.tables.flatMap { table in table.keys.map { "\(table.table).\($0.name) \($0.proof)" } }
    #expect(keys.contains("ZPERSON.Z1OWNER name"), "\(keys)")
    for column in ["ZPHONE", "ZPRIORITY", "ZSENT", "ZWEIGHT", "ZPRICE", "ZNAME", "Z_FOK_1OWNER"] {
      let values = { (path: String) in
        let opened = try StoreOpener.open(path: path)
        defer { try? opened.finish() }
        return try opened.connection.rows("SELECT \(column) FROM ZPERSON ORDER BY Z_PK") { $0.value(0) }
      }
      let (original, copy) = (try values(fixture.path), try values(fixture.copyPath))
      #expect(original.count == 3 && zip(original, copy).allSatisfy { $0 != $1 }, "\(column): \(copy)")
    }
    #expect(try fixture.values("SELECT Z1OWNER FROM ZPERSON") == [2, 2, 2])
    #expect(try fixture.values("SELECT Z_PK FROM ZPERSON ORDER BY 1") == [1, 2, 3])
  }

  /// Telephone numbers stayed as row numbers of a table that Core Data didn't make. What refers to them still does.
  @Test(arguments: [
    "CREATE TABLE lone (a INTEGER PRIMARY KEY, b)", "CREATE TABLE lone (a INTEGER PRIMARY KEY DESC, b)",
    "CREATE TABLE lone (a REAL PRIMARY KEY, b)", "CREATE TABLE lone (a INTEGER, b, PRIMARY KEY (a, b))",
    "CREATE TABLE lone (a INTEGER PRIMARY KEY, b) WITHOUT ROWID",
  ])
  func aPrimaryKeyMayBeAValue(_ sql: String) throws {
    let fixture = try RedactionFixture([Self.attributes[0]], objects: [["phone": 1]]) {
      try $0.execute(sql)
      try $0.execute("INSERT INTO lone VALUES (4915112345678, 4915112345678)")
    }
    try fixture.redact()
    #expect(try fixture.values("SELECT a FROM lone") != [4_915_112_345_678])
    #expect(try sql.contains("REAL") || fixture.values("SELECT COUNT(*) FROM lone WHERE a = b") == [1])
  }

  /// Every text, date and fraction of every real store that has lost its model.
  @Test(.enabled(if: RealStores.arePresent), arguments: RealStores.all)
  func ofARealStoreNoValueStays(_ name: String) throws {
    let (folder, path) = try RealStores.copy(name)
    let originals = try OriginalValues(path)
    let model = try Connection(path: path, options: OpenOptions(.readWrite(create: false)))
    if try model.hasTable("Z_MODELCACHE") { try model.execute("DELETE FROM Z_MODELCACHE") }
    model.close()
    let copy = folder.path("Copy.sqlite")
    let open = try OpenStore(at: path)
    _ = try StoreRedaction(open, to: copy, RedactionOptions(marks: Marks(saltText: "test"))).run(
      finish: {}, progress: { _ in })
    let left = try originals.found(inCopy: copy)
    #expect(left.isEmpty, "\(left.prefix(5))")
    #expect(try kept(path, copy) == [])
  }

  /// Columns of the app that have a fraction, a text or anything declared as a date or a fraction in common with the copy.
  private func kept(_ path: String, _ copy: String) throws -> [String] {
    let connection = try Connection(path: copy, options: OpenOptions(.readWrite(create: false)))
    defer { connection.close() }
    try connection.execute("ATTACH ? AS original", [.text(path)])
    let framework = "name LIKE 'ANSCK%' OR name IN ('ACHANGE', 'ATRANSACTION', 'ATRANSACTIONSTRING')"
    let tables = try connection.rows(
      """
      SELECT name FROM original.sqlite_master WHERE type = 'table' AND sql NOT LIKE '%VIRTUAL%'
      AND NOT (\(framework) OR name LIKE 'Z\\_RT%' ESCAPE '\\' OR name LIKE 'sqlite%'
      OR name IN ('Z_METADATA', 'Z_PRIMARYKEY', 'Z_MODELCACHE'))
      """, []
    ) { $0.text(0) }
    var kept: [String] = []
    for table in tables {
      let columns = try connection.rows(
        "SELECT name, type FROM pragma_table_info(?, 'original') WHERE name NOT IN ('Z_PK', 'Z_ENT', 'Z_OPT')",
        [.text(table)]
      ) { (name: $0.text(0), type: $0.text(1).uppercased()) }
      let name = quotedIdentifier(table)
      for column in columns {
        let (old, new) = ("o.\(quotedIdentifier(column.name))", "c.\(quotedIdentifier(column.name))")
        let types =
          ["TIMESTAMP", "FLOAT", "DECIMAL"].contains(column.type)
          ? "'integer', 'real', 'text'" : "'real', 'text'"
        let count = try connection.first(
          """
          SELECT COUNT(*) FROM original.\(name) o JOIN main.\(name) c ON o.rowid = c.rowid
          WHERE typeof(\(old)) IN (\(types)) AND \(old) IS \(new) AND \(old) <> ''
          """
        ) { $0.integer(0) }
        if count != 0 { kept.append("\(table).\(column.name): \(count ?? 0)") }
      }
    }
    return kept
  }
}
