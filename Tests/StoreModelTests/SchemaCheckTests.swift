import SQLite
import StoreModel
import Testing

/// A prediction against tables that differ from it.
@Suite("Model and tables compared")
struct SchemaCheckTests {
  private let model = ManagedObjectModel(entities: [
    EntityDescription(
      name: "Album", attributes: [.string("title")],
      relationships: [
        RelationshipDescription(name: "assets", destination: "Asset", inverse: "albums", isToMany: true)
      ]),
    EntityDescription(
      name: "Asset", attributes: [.string("name")],
      relationships: [
        RelationshipDescription(name: "albums", destination: "Album", inverse: "assets", isToMany: true),
        RelationshipDescription(name: "cover", destination: "Album"),
      ]),
  ])

  private let primaryKeys = PrimaryKeyTable(rows: [.row(1, "Album"), .row(2, "Asset")])

  private func catalog(_ tables: [String: String]) -> TableCatalog {
    TableCatalog(
      tables: tables.mapValues { list in
        list.split(separator: " ").map { TableColumn(name: String($0), declaredType: "INTEGER") }
      })
  }

  private let sound = [
    "ZALBUM": "Z_PK Z_ENT Z_OPT ZTITLE", "ZASSET": "Z_PK Z_ENT Z_OPT ZNAME ZCOVER",
    "Z_1ASSETS": "Z_1ALBUMS Z_2ASSETS", "Z_METADATA": "Z_VERSION", "Z_PRIMARYKEY": "Z_ENT",
    "Z_MODELCACHE": "Z_CONTENT", "ACHANGE": "Z_PK", "ANSCKEVENT": "Z_PK", "mine": "id",
  ]

  @Test("Nothing is said of a store that fits, nor of tables that aren't the model's")
  func fits() {
    let built = SchemaBuilder.build(model: model, primaryKeys: primaryKeys, tables: catalog(sound))
    #expect(built.discrepancies.isEmpty)
    #expect(!built.schema.isGuessed)
  }

  @Test("What the tables lack has no column and no storage; the prediction stays known")
  func missing() throws {
    var tables = sound
    tables["ZASSET"] = "Z_PK Z_ENT Z_OPT ZEXTRA"
    tables["Z_1ASSETS"] = nil
    tables["ZOLD"] = "Z_PK Z_ENT Z_OPT"
    let built = SchemaBuilder.build(model: model, primaryKeys: primaryKeys, tables: catalog(tables))
    #expect(
      built.discrepancies == [
        SchemaDiscrepancy(
          .missingColumn, table: "ZASSET", column: "ZCOVER", entity: "Asset", property: "cover"),
        SchemaDiscrepancy(
          .missingColumn, table: "ZASSET", column: "ZNAME", entity: "Asset", property: "name"),
        SchemaDiscrepancy(.missingTable, table: "Z_1ASSETS", entity: "Album", property: "assets"),
        SchemaDiscrepancy(.unexpectedColumn, table: "ZASSET", column: "ZEXTRA"),
        SchemaDiscrepancy(.unexpectedTable, table: "ZOLD"),
      ])
    let asset = try #require(built.schema["Asset"])
    #expect(asset.attributes.map(\.column) == [nil])
    #expect(asset.relationships.map(\.storage) == [.none, .none])
    #expect(asset.relationships[1].predicted == .toOne(column: "ZCOVER", entityColumn: nil, orderColumn: nil))
    #expect(built.discrepancies.allSatisfy { !$0.description.isEmpty })
  }

  @Test(
    "A join table is found by either side's name, its columns behind digits",
    arguments: [
      ("Z_2ALBUMS", "Z_1ALBUMS", "Z_2ASSETS"), ("Z_1ASSETS3", "Z_1ALBUMS", "Z_2ASSETS"),
      ("Z_1ASSETS", "Z_1ALBUMS1", "Z_2ASSETS"), ("Z_2ALBUMS7", "Z_1ALBUMS2", "Z_2ASSETS12"),
    ])
  func joinTables(table: String, own: String, other: String) throws {
    var tables = sound
    tables["Z_1ASSETS"] = nil
    tables[table] = "\(other) \(own)"
    let built = SchemaBuilder.build(model: model, primaryKeys: primaryKeys, tables: catalog(tables))
    #expect(built.discrepancies.isEmpty)
    #expect(
      built.schema["Album"]?.relationships[0].storage
        == .join(table: table, ownColumn: own, otherColumn: other, orderColumn: nil))
  }

  @Test("A join table without one of its keys has no links")
  func brokenJoinTable() {
    var tables = sound
    tables["Z_1ASSETS"] = "Z_1ALBUMS Z_9ASSETS"
    let built = SchemaBuilder.build(model: model, primaryKeys: primaryKeys, tables: catalog(tables))
    #expect(built.schema["Album"]?.relationships[0].storage == SchemaRelationship.Storage.none)
    #expect(built.discrepancies.map(\.kind) == [.missingColumn, .unexpectedColumn, .unexpectedColumn])
  }

  @Test("A stale name is joined by number; the model's name wins")
  func staleName() {
    let rows = PrimaryKeyTable(rows: [.row(1, "Album"), .row(2, "Picture")])
    let built = SchemaBuilder.build(model: model, primaryKeys: rows, tables: catalog(sound))
    #expect(
      built.discrepancies == [SchemaDiscrepancy(.staleEntityName, entity: "Picture", expected: "Asset")])
    #expect(built.schema["Asset"]?.number == 2)
    #expect(built.schema["Asset"]?.staleName == "Picture")
  }

  @Test("Numbers of Z_PRIMARYKEY win over the rule, and the difference is told")
  func otherNumbers() {
    let rows = PrimaryKeyTable(rows: [.row(7, "Album"), .row(5, "Asset"), .row(9, "Ghost")])
    let tables = [
      "ZALBUM": "Z_PK Z_ENT Z_OPT ZTITLE", "ZASSET": "Z_PK Z_ENT Z_OPT ZNAME ZCOVER",
      "Z_5ALBUMS": "Z_5ASSETS Z_7ALBUMS",
    ]
    let built = SchemaBuilder.build(model: model, primaryKeys: rows, tables: catalog(tables))
    #expect(built.schema["Album"]?.number == 7)
    #expect(built.schema["Asset"]?.number == 5)
    #expect(built.discrepancies.map(\.kind) == [.numberingDiffers, .numberingDiffers, .numberWithoutEntity])
    #expect(
      built.schema["Album"]?.relationships[0].storage
        == .join(table: "Z_5ALBUMS", ownColumn: "Z_7ALBUMS", otherColumn: "Z_5ASSETS", orderColumn: nil))
  }

  @Test("An entity that Z_PRIMARYKEY doesn't know keeps the rule's number where no row has it")
  func unknownEntity() {
    let rows = PrimaryKeyTable(rows: [.row(1, "Album")])
    let built = SchemaBuilder.build(model: model, primaryKeys: rows, tables: catalog(sound))
    #expect(built.discrepancies == [SchemaDiscrepancy(.entityWithoutNumber, entity: "Asset")])
    #expect(built.schema["Asset"]?.number == 2)

    let taken = PrimaryKeyTable(rows: [.row(2, "Album"), .row(5, "Other")])
    let other = SchemaBuilder.build(model: model, primaryKeys: taken, tables: catalog(sound)).schema
    #expect(other["Album"]?.number == 2)
    #expect(other["Asset"]?.number == 6)
  }

  @Test("A store of one configuration numbers that configuration's entities only")
  func configurations() {
    var model = model
    model.entities.append(EntityDescription(name: "Aardvark", attributes: [.string("name")]))
    model.configurations = ["Cloud": ["Album", "Asset"], "Local": ["Aardvark"]]
    let built = SchemaBuilder.build(model: model, primaryKeys: primaryKeys, tables: catalog(sound))
    #expect(built.discrepancies.isEmpty)
    #expect(built.schema.entities.map(\.name) == ["Album", "Asset"])
  }

  @Test("Virtual tables and their shadows are left out of the catalog")
  func virtualTables() throws {
    let connection = try Connection(path: ":memory:", options: .readWrite(create: true))
    try connection.execute(
      """
      CREATE TABLE ZPLACE (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, ZX FLOAT);
      CREATE TABLE Z_RT_NEARBY (id);
      CREATE VIRTUAL TABLE Z_RT_Place_byLocation USING rtree(Z_PK, ZX_MIN, ZX_MAX);
      CREATE VIRTUAL TABLE Z_FTS_ZPLACE USING fts5(ZNAME, content='');
      CREATE VIRTUAL TABLE ZOLD USING fts4(ZNAME);
      CREATE VIEW ZVIEW AS SELECT 1;
      """)
    let catalog = try TableCatalog(connection)
    #expect(catalog.tables.keys.sorted() == ["ZPLACE", "Z_RT_NEARBY"])
    #expect(
      catalog.columns(of: "ZPLACE") == [
        TableColumn(name: "Z_PK", declaredType: "INTEGER", isPrimaryKey: true),
        TableColumn(name: "Z_ENT", declaredType: "INTEGER"), TableColumn(name: "ZX", declaredType: "FLOAT"),
      ])
  }
}

extension PrimaryKeyTable.Row {
  static func row(_ number: Int64, _ name: String, parent: Int64? = nil) -> Self {
    Self(number: number, name: name, parent: parent, lastKey: 0)
  }
}
