import StoreModel
import Testing

/// Where relationships lie, rule by rule.
@Suite("Relationship columns and join tables")
struct RelationshipNamingTests {
  private func storage(_ model: [EntityDescription], _ entity: String, _ relationship: String) throws
    -> SchemaRelationship.Storage
  {
    let schema = SchemaPrediction(ManagedObjectModel(entities: model)).schema
    let found = try #require(schema[entity]?.relationships.first { $0.name == relationship })
    return found.storage
  }

  private func toOne(_ name: String, _ destination: String, inverse: String? = nil) -> RelationshipDescription
  {
    RelationshipDescription(name: name, destination: destination, inverse: inverse)
  }

  private func toMany(_ name: String, _ destination: String, inverse: String? = nil, ordered: Bool = false)
    -> RelationshipDescription
  {
    RelationshipDescription(
      name: name, destination: destination, inverse: inverse, isToMany: true, isOrdered: ordered)
  }

  @Test("A destination with sub-entities adds the target's entity; an ordered inverse adds the order")
  func toOneColumns() throws {
    let model = [
      EntityDescription(
        name: "Book", relationships: [toMany("pages", "Page", inverse: "book", ordered: true)]),
      EntityDescription(name: "Comic", superentity: "Book"),
      EntityDescription(
        name: "Page", relationships: [toOne("book", "Book", inverse: "pages"), toOne("scan", "Scan")]),
      EntityDescription(name: "Scan"),
    ]
    #expect(
      try storage(model, "Page", "book")
        == .toOne(column: "ZBOOK", entityColumn: "Z1_BOOK", orderColumn: "Z_FOK_BOOK"))
    #expect(
      try storage(model, "Page", "scan") == .toOne(column: "ZSCAN", entityColumn: nil, orderColumn: nil))
    let pages = SchemaRelationship.Storage.toMany(
      table: "ZPAGE", column: "ZBOOK", entityColumn: "Z1_BOOK", orderColumn: "Z_FOK_BOOK", isVirtual: false)
    #expect(try storage(model, "Book", "pages") == pages)
    #expect(try storage(model, "Comic", "pages") == pages)
  }

  @Test("Siblings' foreign keys share the table's names")
  func toOneCollisions() throws {
    let model = [
      EntityDescription(name: "A"), EntityDescription(name: "A2", superentity: "A"),
      EntityDescription(name: "Root"),
      EntityDescription(name: "S", superentity: "Root", relationships: [toOne("owner", "A")]),
      EntityDescription(name: "T", superentity: "Root", relationships: [toOne("owner", "A")]),
    ]
    #expect(
      try storage(model, "T", "owner")
        == .toOne(column: "ZOWNER1", entityColumn: "Z1_OWNER1", orderColumn: nil))
  }

  @Test("A to-many without inverse puts a key named after its owner into the destination's table")
  func withoutInverse() throws {
    let model = [
      EntityDescription(
        name: "Plan",
        relationships: [toMany("steps", "Step", ordered: true), toMany("lost", "Step", inverse: "no")]),
      EntityDescription(name: "Plan2", superentity: "Plan"), EntityDescription(name: "Step"),
      EntityDescription(name: "SubStep", superentity: "Step"),
    ]
    #expect(
      try storage(model, "Plan", "steps")
        == .toMany(
          table: "ZSTEP", column: "Z1STEPS", entityColumn: "Z1_1STEPS", orderColumn: "Z_FOK_1STEPS",
          isVirtual: true))
    let schema = SchemaPrediction(ManagedObjectModel(entities: model)).schema
    #expect(schema["SubStep"]?.virtualToOnes.map(\.column) == ["Z1LOST", "Z1STEPS"])
    #expect(schema["SubStep"]?.virtualToOnes.map(\.declaredBy) == [3, 3])
  }

  @Test("A join table's columns bear the number of the entity whose keys they hold")
  func manyToMany() throws {
    let model = [
      EntityDescription(
        name: "Album", relationships: [toMany("assets", "Asset", inverse: "albums", ordered: true)]),
      EntityDescription(name: "Asset", relationships: [toMany("albums", "Album", inverse: "assets")]),
    ]
    #expect(
      try storage(model, "Album", "assets")
        == .join(
          table: "Z_1ASSETS", ownColumn: "Z_1ALBUMS", otherColumn: "Z_2ASSETS", orderColumn: "Z_FOK_2ASSETS"))
    #expect(
      try storage(model, "Asset", "albums")
        == .join(table: "Z_1ASSETS", ownColumn: "Z_2ASSETS", otherColumn: "Z_1ALBUMS", orderColumn: nil))
    let table = SchemaPrediction(ManagedObjectModel(entities: model)).tables[2]
    #expect(
      table.createStatement
        == "CREATE TABLE Z_1ASSETS ( Z_1ALBUMS INTEGER, Z_2ASSETS INTEGER, Z_FOK_2ASSETS INTEGER, PRIMARY KEY (Z_1ALBUMS, Z_2ASSETS) )"
    )
    #expect(
      table.indexes.map(\.createStatement) == [
        "CREATE INDEX Z_1ASSETS_Z_2ASSETS_INDEX ON Z_1ASSETS (Z_2ASSETS, Z_1ALBUMS)"
      ])
  }

  @Test("An entity with sub-entities names the join table before one of a lower number")
  func namingSide() throws {
    let model = [
      EntityDescription(name: "A", relationships: [toMany("lists", "B", inverse: "items")]),
      EntityDescription(name: "B", relationships: [toMany("items", "A", inverse: "lists")]),
      EntityDescription(name: "C", superentity: "B"),
    ]
    #expect(
      try storage(model, "C", "items")
        == .join(table: "Z_2ITEMS", ownColumn: "Z_2LISTS", otherColumn: "Z_1ITEMS", orderColumn: nil))
  }

  @Test("Links of an entity with itself: two names, or one that is its own inverse")
  func selfLinks() throws {
    let model = [
      EntityDescription(
        name: "E",
        relationships: [
          toMany("favoriteFolders", "E", inverse: "favorites"),
          toMany("favorites", "E", inverse: "favoriteFolders", ordered: true),
          toMany("friends", "E", inverse: "friends"), toMany("peers", "E", inverse: "peers", ordered: true),
        ])
    ]
    #expect(
      try storage(model, "E", "favorites")
        == .join(
          table: "Z_1FAVORITES", ownColumn: "Z_1FAVORITEFOLDERS", otherColumn: "Z_1FAVORITES",
          orderColumn: "Z_FOK_1FAVORITES"))
    #expect(
      try storage(model, "E", "friends")
        == .join(table: "Z_1FRIENDS", ownColumn: "Z_1FRIENDS", otherColumn: "REFLEXIVE", orderColumn: nil))
    #expect(
      try storage(model, "E", "peers")
        == .join(
          table: "Z_1PEERS", ownColumn: "Z_1PEERS", otherColumn: "REFLEXIVE", orderColumn: "FOK_REFLEXIVE"))
  }

  @Test("A join column's name that is taken is numbered")
  func numberedJoinColumns() throws {
    let model = [
      EntityDescription(
        name: "Asset",
        relationships: [
          toMany("memories", "Memory", inverse: "keys"), toMany("suggestions", "Suggestion", inverse: "keys"),
        ]),
      EntityDescription(name: "Memory", relationships: [toMany("keys", "Asset", inverse: "memories")]),
      EntityDescription(name: "Suggestion", relationships: [toMany("keys", "Asset", inverse: "suggestions")]),
    ]
    #expect(
      try storage(model, "Suggestion", "keys")
        == .join(
          table: "Z_1SUGGESTIONS", ownColumn: "Z_3SUGGESTIONS", otherColumn: "Z_1KEYS1", orderColumn: nil))
  }

  @Test("Relationships that lead nowhere, or whose inverses don't agree, have no false storage")
  func hostileRelationships() throws {
    let model = [
      EntityDescription(
        name: "E",
        relationships: [
          toOne("lost", "Missing"), toMany("losts", "Missing"), toMany("a", "E", inverse: "c"),
          toMany("b", "E", inverse: "c"), toMany("c", "E", inverse: "a"),
        ])
    ]
    #expect(try storage(model, "E", "lost") == .toOne(column: "ZLOST", entityColumn: nil, orderColumn: nil))
    #expect(try storage(model, "E", "losts") == SchemaRelationship.Storage.none)
    #expect(try storage(model, "E", "b") == SchemaRelationship.Storage.none)
    #expect(
      try storage(model, "E", "a")
        == .join(table: "Z_1C", ownColumn: "Z_1C", otherColumn: "Z_1A", orderColumn: nil))
  }
}
