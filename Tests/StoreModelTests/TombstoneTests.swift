import StoreModel
import Testing

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
