import StoreModel
import Testing

/// Each naming rule on the smallest model that shows it.
@Suite("Naming rules")
struct NamingRuleTests {
  @Test("Entities are numbered without regard to case, depth-first")
  func numbering() {
    let numbering = EntityNumbering(
      model: ManagedObjectModel(
        entities: ["SDKSyncTask", "SContact", "Animal", "Zoo"].map { EntityDescription(name: $0) } + [
          EntityDescription(name: "dog", superentity: "Animal"),
          EntityDescription(name: "Cat", superentity: "Animal"),
          EntityDescription(name: "Puppy", superentity: "dog"),
        ]))
    #expect(
      numbering.entries.map(\.name) == ["Animal", "Cat", "dog", "Puppy", "SContact", "SDKSyncTask", "Zoo"])
    #expect(numbering.entries.map(\.number) == [1, 2, 3, 4, 5, 6, 7])
    #expect(numbering["Animal"]?.subtree == 1...4)
    #expect(numbering["dog"]?.subtree == 3...4)
    #expect(numbering["Puppy"]?.parent == 3)
    #expect(numbering["Puppy"]?.root == 1)
  }

  @Test("Superentities in a circle, unknown, or without end come out as roots")
  func hostileHierarchies() {
    var entities = [
      EntityDescription(name: "A", superentity: "B"), EntityDescription(name: "B", superentity: "A"),
      EntityDescription(name: "C", superentity: "C"), EntityDescription(name: "D", superentity: "Missing"),
      EntityDescription(name: "D"), EntityDescription(name: ""),
    ]
    entities += (0..<1000).map {
      EntityDescription(name: "L\($0)", superentity: $0 == 0 ? nil : "L\($0 - 1)")
    }
    let prediction = SchemaPrediction(ManagedObjectModel(entities: entities))
    #expect(prediction.schema.entities.count == 1005)
    #expect(prediction.schema["A"]?.parent == nil)
    #expect(prediction.schema["B"]?.parent == prediction.schema["A"]?.number)
  }

  @Test("A taken column name gets the next free number, superentity first, siblings in order")
  func collisions() {
    let schema = SchemaPrediction(
      ManagedObjectModel(entities: [
        EntityDescription(name: "Root", attributes: [.string("name"), .string("NAME"), .string("title1")]),
        EntityDescription(name: "Beta", superentity: "Root", attributes: [.string("title")]),
        EntityDescription(name: "alpha", superentity: "Root", attributes: [.string("title")]),
        EntityDescription(name: "Gamma", superentity: "Root", attributes: [.string("title"), .string("pk")]),
      ])
    ).schema
    #expect(schema["Root"]?.columns == ["NAME": "ZNAME", "name": "ZNAME1", "title1": "ZTITLE1"])
    #expect(schema["alpha"]?.columns["title"] == "ZTITLE")
    #expect(schema["Beta"]?.columns["title"] == "ZTITLE2")
    #expect(schema["Gamma"]?.columns["title"] == "ZTITLE3")
    #expect(schema["Beta"]?.attributes.map(\.isInherited) == [true, true, true, false])
    #expect(schema["Beta"]?.attributes.map(\.declaredBy) == [1, 1, 1, 3])
    #expect(schema["Beta"]?.table == "ZROOT")
  }

  @Test("An attribute can't take Core Data's own columns")
  func reservedNames() {
    let schema = SchemaPrediction(
      ManagedObjectModel(entities: [
        EntityDescription(name: "E", attributes: [.string("_pk"), .string("_ent"), .string("_opt")])
      ])
    ).schema
    #expect(schema["E"]?.columns == ["_ent": "Z_ENT1", "_opt": "Z_OPT1", "_pk": "Z_PK1"])
  }

  @Test("Attributes of equal spelling sort by code unit, capitals first")
  func propertyOrder() {
    let entity = EntityDescription(
      name: "E", attributes: ["ts_x", "tsID", "isfollowed", "isPinned"].map { .string($0) })
    #expect(entity.attributes.map(\.name) == ["isPinned", "isfollowed", "tsID", "ts_x"])
  }

  @Test("A composite's leaves take their columns at its place, by their own names")
  func composites() {
    func columns(_ composite: String) -> [String: String]? {
      SchemaPrediction(
        ManagedObjectModel(entities: [
          EntityDescription(
            name: "E",
            attributes: [
              .string("id"),
              AttributeDescription(
                name: composite, type: .composite, elements: [.string("id"), .string("at")]),
            ])
        ])
      ).schema["E"]?.columns
    }
    #expect(columns("author") == ["author.id": "ZID", "author.at": "ZAT", "id": "ZID1"])
    #expect(columns("prep") == ["id": "ZID", "prep.id": "ZID1", "prep.at": "ZAT"])
  }

  @Test("Leaves keep the model's order, nested ones too, and the order of columns follows the type")
  func nestedComposites() throws {
    let inner = AttributeDescription(name: "inner", type: .composite, elements: [.string("b"), .string("a")])
    let prediction = SchemaPrediction(
      ManagedObjectModel(entities: [
        EntityDescription(
          name: "E",
          attributes: [
            AttributeDescription(
              name: "outer", type: .composite,
              elements: [.string("z"), inner, AttributeDescription(name: "n", type: .integer64)]),
            AttributeDescription(
              name: "gone", type: .composite, isTransient: true, elements: [.string("x")]),
          ])
      ]))
    let entity = try #require(prediction.schema["E"])
    #expect(
      entity.attributes.flatMap(\.leaves).map(\.path) == [
        "gone.x", "outer.z", "outer.inner.b", "outer.inner.a", "outer.n",
      ])
    #expect(
      prediction.tables[0].createStatement
        == "CREATE TABLE ZE ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZN INTEGER, ZZ VARCHAR, ZB VARCHAR, ZA VARCHAR )"
    )
  }

  @Test("Transient properties have no column, derived ones have")
  func transientAndDerived() {
    let schema = SchemaPrediction(
      ManagedObjectModel(entities: [
        EntityDescription(
          name: "E",
          attributes: [
            AttributeDescription(name: "age", type: .integer16, isTransient: true),
            AttributeDescription(name: "count", type: .integer64, isDerived: true),
          ],
          relationships: [RelationshipDescription(name: "shadow", destination: "E", isTransient: true)])
      ])
    ).schema
    #expect(schema["E"]?.columns == ["count": "ZCOUNT"])
    #expect(schema["E"]?.attributes.map(\.name) == ["age", "count"])
    #expect(schema["E"]?.relationships.first?.storage == SchemaRelationship.Storage.none)
  }

  @Test("Every type's column is in its group")
  func columnOrder() {
    let types: [AttributeType] = [
      .binary, .transformable, .uuid, .uri, .string, .decimal, .float, .date, .boolean, .integer64,
      .undefined,
    ]
    let prediction = SchemaPrediction(
      ManagedObjectModel(entities: [
        EntityDescription(
          name: "E",
          attributes: types.enumerated().map { AttributeDescription(name: "a\($0)", type: $1) },
          relationships: [
            RelationshipDescription(name: "parent", destination: "E", inverse: "children"),
            RelationshipDescription(
              name: "children", destination: "E", inverse: "parent", isToMany: true, isOrdered: true),
          ])
      ]))
    let declared = prediction.tables[0].columns.dropFirst(3).map { "\($0.name) \($0.declaredType)" }
    #expect(
      declared == [
        "ZA8 INTEGER", "ZA9 INTEGER", "ZPARENT INTEGER", "Z_FOK_PARENT INTEGER", "ZA6 FLOAT", "ZA7 TIMESTAMP",
        "ZA5 DECIMAL", "ZA4 VARCHAR", "ZA3 VARCHAR", "ZA2 BLOB", "ZA1 BLOB", "ZA0 BLOB",
      ])
    #expect(prediction.tables[0].indexes.map(\.name) == ["ZE_ZPARENT_INDEX"])
  }

  @Test("Names of any kind make valid SQL that can't be broken out of")
  func hostileNames() throws {
    let names = ["a\"b", "select", "über", "日本", "x y", "semi;colon", "quote'", "", "new\nline", "nul\0l"]
    let prediction = SchemaPrediction(
      ManagedObjectModel(entities: [
        EntityDescription(name: "T\"", attributes: names.map { .string($0) })
      ]))
    let table = prediction.tables[0]
    #expect(table.columns.count == names.count + 3)
    #expect(table.createStatement.hasPrefix("CREATE TABLE \"ZT\"\"\" ("))
    #expect(table.createStatement.contains("\"ZA\"\"B\" VARCHAR"))
    #expect(table.createStatement.contains(" ZSELECT VARCHAR"))
    #expect(table.createStatement.contains("\"ZÜBER\" VARCHAR"))
  }
}

extension AttributeDescription {
  static func string(_ name: String) -> AttributeDescription {
    AttributeDescription(name: name, type: .string)
  }
}

extension SchemaEntity {
  /// Leaf path → column.
  var columns: [String: String] {
    Dictionary(
      attributes.flatMap(\.leaves).compactMap { leaf in leaf.column.map { (leaf.path, $0) } },
      uniquingKeysWith: { first, _ in first })
  }
}
