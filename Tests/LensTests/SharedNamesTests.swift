import Base
import Forge
import Lens
import StoreModel
import TestSupport
import Testing

/// Which authors may be handed to others.
struct SharedNamesTests {
  /// What apps and the frameworks call themselves.
  static let kept = [
    "app", "widget", "import", "Share Extension", "sync-2", "background_context", "ViewContext", "v12",
    "NSCloudKitMirroringDelegate.import", "supervision",
    "program-3f9a2c41d07b",
  ]
  /// An account, a device or a number: half of these were shown.
  static let masked = [
    "_8f3cd6f0a1b2c3d4e5f60718293a4b5c", "5C1B7E0C1D3B4E558C5C0D9C7B1F2A10",
    "5c1b7e0c-1d3b-4e55-8c5c-0d9c7b1f2a10",
    "+49 170 1234567", "491701234567", "(030) 123-456", "user:4711", "uid=42", "ada@example.com", "~/ada",
    "Adas-Mac-mini", "Ada's Mac Pro", "adas_mac_studio", "Ada's Apple Vision Pro", "Ada's Apple TV",
    "Wohnzimmer HomePod",
    "adas-mbp", "Adas-MacBook-Air", "Ada's iPhone", "Ada’s Watch",
  ]

  private func shown(_ authors: [String]) throws -> [String] {
    let folder = TemporaryFolder("shared-names")
    let path = folder.path("A.store")
    let forge = try StoreForge(path: path, model: FixtureModels.people([]))
    for author in authors { try forge.save(author: author) { _ = try $0.insert("Person", ["name": "Ann"]) } }
    let names = try SharedNames(CoreDataStore(connection: forge.connection, path: path))
    let marks = Marks(saltText: "test")
    return authors.map { names.shown($0, marks) }
  }

  @Test func namesOfCodeStay() throws { #expect(try shown(Self.kept) == Self.kept) }

  @Test func namesOfPeopleAndThingsDoNot() throws {
    for (name, shown) in zip(Self.masked, try shown(Self.masked)) {
      #expect(shown.wholeMatch(of: /program-[0-9a-f]{12}/) != nil, "\(name): \(shown)")
    }
  }
}
