import Base
import Forge
import SQLite
import StoreModel
import TestSupport
import Testing

/// Schemas of stores whose model is lost.
@Suite("Schema guessed from tables")
struct TablesOnlySchemaTests {
  private func catalog(_ tables: [String: [(String, String)]]) -> TableCatalog {
    TableCatalog(tables: tables.mapValues { $0.map { TableColumn(name: $0.0, declaredType: $0.1) } })
  }

  private let fixed = [("Z_PK", "INTEGER"), ("Z_ENT", "INTEGER"), ("Z_OPT", "INTEGER")]

  /// Chains in Z_SUPER took time that grows with the square of their rows, and so did thousands of entities.
  @Test("More entities or tables than any app has are refused", arguments: ["rows", "tables"])
  func tooMany(_ what: String) throws {
    let folder = TemporaryFolder()
    let forge = try StoreForge(path: folder.path("a.store"), model: FixtureModels.library)
    let sql =
      what == "rows"
      ? """
      WITH RECURSIVE n(i) AS (SELECT 100 UNION ALL SELECT i + 1 FROM n WHERE i < 300000)
      INSERT INTO Z_PRIMARYKEY SELECT i, 'E' || i, CASE i WHEN 300000 THEN 100 ELSE i + 1 END, 0 FROM n
      """ : "BEGIN; \((0...5000).map { "CREATE TABLE T\($0)(a);" }.joined()) COMMIT"
    try forge.connection.execute(sql)
    let error = #expect(throws: StoreScopeError.self) {
      try CoreDataStore(connection: forge.connection, path: "a.store")
    }
    let name = what == "rows" ? "entities" : "tables"
    #expect(
      error?.description
        == "'a.store' has more than 5,000 \(name), more than any app has; check where it comes from.")
  }

  /// As many as are read, in one chain: each counts its own way up only to a limit, and its subtree isn't looked for among all.
  @Test("A chain of superentities is cut") func chain() throws {
    let rows = (1...Int64(5000)).map { PrimaryKeyTable.Row.row($0, "E\($0)", parent: $0 % 5000 + 1) }
    let schema = TablesOnlySchema.build(primaryKeys: PrimaryKeyTable(rows: rows), tables: catalog([:]))
    #expect(schema.entities.count == 5000)
    for entity in schema.entities {
      let members = schema.descendants(of: entity)
      #expect(members.contains { $0.number == entity.number } && members.count <= 64)
    }
  }

  @Test("Types follow the declaration, an entity column gives a to-one away, a join table both its ends")
  func guesses() throws {
    let schema = TablesOnlySchema.build(
      primaryKeys: PrimaryKeyTable(rows: [
        .row(1, "Book"), .row(2, "Comic", parent: 1), .row(3, "Page"), .row(16001, "CHANGE"),
      ]),
      tables: catalog([
        "ZBOOK": fixed + [("ZTITLE", "VARCHAR"), ("ZPRICE", "DECIMAL"), ("ZINKED", "TIMESTAMP")],
        "ZPAGE": fixed + [
          ("ZNUMBER", "INTEGER"), ("ZBOOK", "INTEGER"), ("Z1_BOOK", "INTEGER"), ("Z_FOK_BOOK", "INTEGER"),
          ("ZSCAN", "BLOB"), ("ZRATIO", "FLOAT"), ("ZODD", ""),
        ],
        "Z_1TAGS": [("Z_1LABELLED", "INTEGER"), ("Z_3TAGS", "INTEGER"), ("Z_FOK_3TAGS", "INTEGER")],
        "Z_3PEERS": [("Z_3PEERS", "INTEGER"), ("REFLEXIVE", "INTEGER")],
        "Z_METADATA": [("Z_VERSION", "INTEGER")],
      ]))
    #expect(schema.isGuessed)
    #expect(schema.entities.map(\.name) == ["Book", "Comic", "Page"])
    let comic = try #require(schema["Comic"])
    #expect(comic.table == "ZBOOK" && comic.parent == 1 && comic.root == 1)
    #expect(schema["Book"]?.subtree == 1...2)
    #expect(comic.attributes.map(\.name) == ["inked", "price", "title"])
    #expect(comic.attributes.map(\.description.type) == [.date, .decimal, .string])
    #expect(comic.attributes.allSatisfy { $0.isInherited })
    #expect(
      comic.relationships.map(\.storage) == [
        .join(table: "Z_1TAGS", ownColumn: "Z_1LABELLED", otherColumn: "Z_3TAGS", orderColumn: "Z_FOK_3TAGS")
      ])
    let page = try #require(schema["Page"])
    #expect(page.attributes.map(\.name) == ["number", "odd", "ratio", "scan"])
    #expect(page.attributes.map(\.description.type) == [.integer64, .undefined, .double, .binary])
    #expect(page.relationships.map(\.name) == ["book", "labelled", "peers"])
    #expect(
      page.relationships[0].storage
        == .toOne(column: "ZBOOK", entityColumn: "Z1_BOOK", orderColumn: "Z_FOK_BOOK"))
    #expect(page.relationships[0].description.destination == "Book")
    #expect(
      page.relationships[2].storage
        == .join(table: "Z_3PEERS", ownColumn: "Z_3PEERS", otherColumn: "REFLEXIVE", orderColumn: nil))
  }

  @Test("Without Z_PRIMARYKEY each table of objects is an entity")
  func withoutNumbers() {
    let schema = TablesOnlySchema.build(
      primaryKeys: PrimaryKeyTable(rows: []),
      tables: catalog(["ZPERSON": fixed, "ZBOOK": fixed, "Z_1X": [("Z_1Y", "")], "ZLOOSE": [("A", "")]]))
    #expect(schema.entities.map(\.name) == ["Book", "Person"])
    #expect(schema.entities.map(\.number) == [1, 2])
    #expect(schema.entities.map(\.table) == ["ZBOOK", "ZPERSON"])
  }

  @Test("Superentities in a circle end")
  func circle() {
    let schema = TablesOnlySchema.build(
      primaryKeys: PrimaryKeyTable(rows: [
        .row(1, "A", parent: 2), .row(2, "B", parent: 1), .row(3, "C", parent: 3),
      ]),
      tables: catalog([:]))
    #expect(schema.entities.count == 3)
  }

  @Test(
    "Real stores without a model: every entity has its table, every column its place",
    .enabled(if: RealStores.arePresent),
    arguments: [
      "MagicalRecord/Recipes.sqlite", "CoreDataPlus/BookMigration_Model1.sqlite", "plaso/NotesV7.storedata",
    ])
  func realStores(_ name: String) throws {
    let copy = try RealStores.copy(name)
    let connection = try Connection(path: copy.path, options: .readWrite())
    defer { connection.close() }
    let store = try CoreDataStore(connection: connection, path: copy.path)
    #expect(store.schema.isGuessed)
    #expect(!store.schema.entities.isEmpty)
    for entity in store.schema.entities {
      #expect(store.tables.has(entity.table))
      let columns = Set(store.tables.columns(of: entity.table).map(\.name))
      #expect(columns.isSuperset(of: entity.attributes.compactMap(\.column)))
    }
    withExtendedLifetime(copy.folder) {}
  }
}
