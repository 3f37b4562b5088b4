import Forge
import StoreModel
import Testing

/// The slots of change masks, and what their bits say.
@Suite("Change masks")
struct ChangeMaskTests {
  private let schema = SchemaPrediction(
    ManagedObjectModel(entities: [
      EntityDescription(
        name: "Item",
        attributes: [
          .string("name"), AttributeDescription(name: "draft", type: .string, isTransient: true),
          AttributeDescription(
            name: "author", type: .composite, elements: [.string("first"), .string("last")]),
        ],
        relationships: [
          RelationshipDescription(name: "list", destination: "List", inverse: "items"),
          RelationshipDescription(name: "box", destination: "Box"),
        ]),
      EntityDescription(
        name: "Photo", superentity: "Item", attributes: [.string("camera")],
        relationships: [
          RelationshipDescription(name: "album", destination: "List"),
          RelationshipDescription(name: "tags", destination: "Tag", inverse: "photos", isToMany: true),
        ]),
      EntityDescription(
        name: "List",
        relationships: [
          RelationshipDescription(
            name: "items", destination: "Item", inverse: "list", isToMany: true, isOrdered: true),
          RelationshipDescription(name: "loose", destination: "Item", isToMany: true),
        ]),
      EntityDescription(name: "SmartList", superentity: "List"), EntityDescription(name: "Box"),
      EntityDescription(
        name: "Tag",
        relationships: [
          RelationshipDescription(name: "photos", destination: "Photo", inverse: "tags", isToMany: true)
        ]),
    ])
  ).schema

  private func mask(_ entity: String) throws -> ChangeMask {
    ChangeMask(try #require(schema[entity]), in: schema)
  }

  @Test("Keys, entity columns, order columns, leaves, to-many, many-to-many; inherited ones first")
  func slots() throws {
    #expect(
      try mask("Photo").slots.map(\.property) == [
        "box", "list", "the other side of loose", "album",
        "list", "the other side of loose", "album",
        "list",
        "author", "author", "name", "camera",
        "tags",
      ])
    #expect(try mask("Box").slots.isEmpty)
    #expect(try mask("Box").byteCount == 0)
  }

  @Test("The first slot is the highest bit; a property of several slots is named once")
  func bits() throws {
    let mask = try mask("Photo")
    #expect(mask.byteCount == 2)
    #expect(mask.decode([0b0100_1001, 0b1110_1000]).properties == ["list", "author", "name", "tags"])
    #expect(mask.decode([0b0000_0000, 0b0001_0000]).properties == ["camera"])
    #expect(mask.decode([0, 0]).properties.isEmpty)
    #expect(mask.decode(mask.encode(["list", "camera"])).properties == ["list", "camera"])
  }

  @Test("A mask of another length names nothing and says why", arguments: [0, 1, 3, 1000])
  func wrongLength(_ count: Int) throws {
    let decoded = try mask("Photo").decode([UInt8](repeating: 0xFF, count: count))
    #expect(decoded.properties.isEmpty)
    #expect(decoded.problem != nil)
  }

  @Test("Both of two to-many relationships have a slot")
  func severalToMany() throws {
    #expect(Set(try mask("List").slots.map(\.property)) == ["items", "loose"])
    #expect(try mask("SmartList").slots.count == 2)
  }
}

/// Which attribute a tombstone column keeps.
@Suite("Tombstones")
struct TombstoneTests {
  private func kept(_ name: String) -> AttributeDescription {
    AttributeDescription(name: name, type: .string, preservesValueOnDeletion: true)
  }

  @Test("Named attributes first, then marked ones, inherited before own, each once")
  func order() throws {
    let schema = SchemaPrediction(
      ManagedObjectModel(entities: [
        EntityDescription(
          name: "Base", attributes: [kept("uuid"), .string("label"), .string("plain")],
          userInfo: ["NSPersistentHistoryTombstoneAttributes": "label"]),
        EntityDescription(
          name: "Leaf", superentity: "Base", attributes: [kept("code"), kept("alpha"), .string("note")],
          userInfo: ["NSPersistentHistoryTombstoneAttributes": "note, uuid,missing"]),
      ])
    ).schema
    let base = try #require(schema["Base"])
    let leaf = try #require(schema["Leaf"])
    #expect(TombstoneNames.attributes(of: base, in: schema).map(\.path) == ["label", "uuid"])
    #expect(
      TombstoneNames.attributes(of: leaf, in: schema).map(\.path) == [
        "note", "uuid", "alpha", "code", "label",
      ])
  }
}
