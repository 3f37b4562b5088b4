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
    guard let open = try? OpenStore(connection, path: path) else { return }
    #expect(try open.mirror() == nil)
    #expect(try VerdictReader.verdict(open.mirror(), counts: [:]).state == .notMirrored)
  }
}
