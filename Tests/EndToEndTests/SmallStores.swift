import Forge
import TestSupport

/// Stores of a test's own.
enum SmallStores {
  /// One in which the doctor finds nothing.
  static func healthy(in folder: TemporaryFolder, _ name: String) throws -> String {
    let forge = try StoreForge(path: folder.path(name), model: FixtureModels.library)
    try forge.save(author: "app") { _ = try $0.insert("Book", ["year": .integer(1)]) }
    try forge.close(leaving: .emptyWAL)
    return forge.path
  }
}
