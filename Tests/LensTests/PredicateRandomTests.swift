import Base
import Forge
import Lens
import StoreModel
import TestSupport
import Testing

/// A predicate finds what an evaluator finds that knows no SQL: it walks over decoded objects.
@Suite struct PredicateRandomTests {
  private let folder = TemporaryFolder("predicates")

  @Test(arguments: 0..<8) func theDemoIsAskedRight(_ seed: Int) throws {
    let open = try OpenStore(at: DemoStore.copy(in: folder.path("demo")))
    var test = try PredicateTest(open.store, seed: UInt64(seed))
    try test.run(400)
    // Predicates that find nothing, or everything, would show little.
    #expect(test.partial > 80, "\(test.partial)")
    withExtendedLifetime(open) {}
  }

  @Test(arguments: FixtureModels.all) func forgedObjectsAreAskedRight(_ fixture: FixtureModels.Named) throws {
    let path = folder.path("Life.sqlite")
    let forge = try StoreForge(path: path, model: fixture.model)
    try RandomLife.live(forge, saves: 40)
    try forge.close()
    let open = try OpenStore(at: path)
    var test = try PredicateTest(open.store, seed: 1)
    try test.run(300)
    withExtendedLifetime(open) {}
  }

  @Test(.enabled(if: RealStores.arePresent, "the folder of real stores is absent"), arguments: RealStores.all)
  func realStoresAreAskedRight(_ name: String) throws {
    let (folder, path) = try RealStores.copy(name)
    let open = try OpenStore(at: path)
    guard !open.store.schema.isGuessed else { return }
    var test = try PredicateTest(open.store, seed: UInt64(name.utf8.count))
    try test.run(30)
    withExtendedLifetime((folder, open)) {}
  }
}
