import Diagnostics
import Lens
import SQLite
import StoreModel
import TestSupport
import Testing

@Suite struct RealStoreTests {
  /// None of the real stores at hand is mirrored, and nothing is made up for them.
  @Test(.enabled(if: RealStores.arePresent), arguments: RealStores.all)
  func noMirrorIsInvented(_ name: String) throws {
    let (folder, path) = try RealStores.copy(name)
    defer { withExtendedLifetime(folder) {} }
    let connection = try Connection(path: path, options: .overlay())
    guard let store = try? CoreDataStore(connection: connection, path: path) else { return }
    #expect(try Mirror(store) == nil)
    #expect(try VerdictReader.verdict(Mirror(store), counts: [:]).state == .notMirrored)
  }
}
