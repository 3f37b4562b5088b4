import Base
import Forge
import Lens
import SQLite
import StoreModel
import TestSupport
import Testing

/// What people recognize an object by.
struct ObjectTitleTests {
  private let folder = TemporaryFolder("titles")
  private static let model = ManagedObjectModel(entities: [
    entity("Note", ["text", "title", "uuid"]), entity("Person", ["email", "firstName", "lastName"]),
    entity("Pet", ["kind", "petName", "originalFileName"]), entity("Setting", ["key", "value"]),
    entity("Sample", ["identifier", "state"]),
  ])

  private static func entity(_ name: String, _ attributes: [String]) -> EntityDescription {
    EntityDescription(
      name: name, attributes: attributes.map { AttributeDescription(name: $0, type: .string) })
  }

  struct Case: Sendable, CustomTestStringConvertible {
    var testDescription: String { "\(entity) \(values): \(title ?? "none")" }
    var entity: String
    var values: [String: String]
    var title: String?
  }

  static let cases = [
    Case(entity: "Note", values: ["title": "Milk", "text": "Two bottles"], title: "Milk"),
    Case(entity: "Note", values: ["text": "Two bottles"], title: "Two bottles"),
    Case(entity: "Note", values: ["title": "   ", "text": "Two"], title: "Two"),
    Case(entity: "Note", values: ["uuid": "9B"], title: nil),
    Case(entity: "Note", values: ["title": "a\u{1B}[2J\n\tb\u{202E}c"], title: "a [2J b c"),
    Case(
      entity: "Note", values: ["title": String(repeating: "ab", count: 40)],
      title: String(repeating: "ab", count: 29) + "a…"),
    Case(entity: "Person", values: ["firstName": "Ada", "lastName": "Lindqvist"], title: "Ada Lindqvist"),
    Case(entity: "Person", values: ["lastName": "Lindqvist"], title: "Lindqvist"),
    Case(
      entity: "Pet", values: ["petName": "Rex", "originalFileName": "a.png", "kind": "dog"], title: "Rex"),
    Case(entity: "Setting", values: ["key": "theme", "value": "dark"], title: "theme"),
    Case(entity: "Sample", values: ["identifier": "1", "state": "new"], title: nil),
  ]

  @Test(arguments: cases)
  func theLikeliestAttributeIsTaken(_ example: Case) throws {
    let forge = try StoreForge(path: folder.path("Titles.sqlite"), model: Self.model)
    var key: Int64 = 0
    try forge.save { save in
      let values = example.values.mapValues { ForgeValue.text($0) }
      key = try save.insert(example.entity, values).primaryKey
    }
    try forge.close()
    let open = try OpenStore(at: forge.path)
    let store = open.store
    let object = ObjectKey(entity: try store.entity(named: example.entity).number, primaryKey: key)
    let titles = ObjectTitles(store)
    #expect(try titles.title(of: object) == example.title)
    let name = "\(example.entity)/p\(key)"
    #expect(try titles.name(of: object) == (example.title.map { "\(name) \"\($0)\"" } ?? name))
    let tombstone = DataValue.object(
      example.values.sorted { $0.key < $1.key }.map { .init($0.key, .text($0.value)) })
    #expect(titles.title(of: object.entity, tombstone: tombstone) == example.title)
    #expect(try titles.title(of: ObjectKey(entity: object.entity, primaryKey: 1 << 40)) == nil)
    withExtendedLifetime(open) {}
  }

  /// A blob in a text column, and an entity that isn't there.
  @Test func whatIsNoTextHasNoTitle() throws {
    let forge = try StoreForge(path: folder.path("Titles.sqlite"), model: Self.model)
    try forge.save { _ = try $0.insert("Note", ["title": .text("Milk")]) }
    try forge.connection.execute("UPDATE ZNOTE SET ZTITLE = zeroblob(1000000)")
    try forge.close()
    let open = try OpenStore(at: forge.path)
    let store = open.store
    let number = try store.entity(named: "Note").number
    #expect(try ObjectTitles(store).title(of: ObjectKey(entity: number, primaryKey: 1)) == nil)
    #expect(try ObjectTitles(store).title(of: ObjectKey(entity: 99, primaryKey: 1)) == nil)
    withExtendedLifetime(open) {}
  }
}
