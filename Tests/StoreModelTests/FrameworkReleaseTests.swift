import Forge
import Lens
import StoreModel
import TestSupport
import Testing

struct FrameworkReleaseTests {
  @Test(arguments: [
    (1526, "iOS 26/macOS 26 (1526)"), (1345, "iOS 17/macOS 14 (1345)"), (241, "macOS 10.6 (241)"),
    (1629, "iOS 27/macOS 27 (1629)"), (1480, "a system between iOS 18/macOS 15 and iOS 26/macOS 26 (1480)"),
    (1700, "a system newer than iOS 27/macOS 27 (1700)"), (1, "a system older than macOS 10.6 (1)"),
    (Int64.min, "a system older than macOS 10.6 (-9223372036854775808)"),
  ]) func isNamedWhereItIsKnown(_ version: Int64, _ text: String) {
    #expect(FrameworkRelease.text(version) == text)
  }

  /// Without a model either may have made a store, but not before SwiftData existed.
  @Test(arguments: [(481, "Core Data"), (1251, "Core Data"), (1321, "Core Data or SwiftData")])
  func oldStoresAreCoreDatas(_ version: Int64, _ framework: String) throws {
    let folder = TemporaryFolder("framework")
    let model = ManagedObjectModel(entities: [EntityDescription(name: "Note", attributes: [])])
    let options = ForgeOptions(frameworkVersion: version, modelCache: .absent)
    let forge = try StoreForge(path: folder.path("Old.store"), model: model, options: options)
    try forge.close()
    #expect(try OpenStore(at: forge.path).store.framework == framework)
  }
}
