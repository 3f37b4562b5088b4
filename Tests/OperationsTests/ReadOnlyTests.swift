import Forge
import Foundation
import Operations
import TestSupport
import Testing
import Values

/// Places that can't be written. One thread gives root's rights up, as they count for root as little as for nobody.
@Suite struct ReadOnlyTests {
  /// - Parameter rights: of the store's folder and of the backups' folder.
  private static func expectRefusal(store: mode_t, file: mode_t, backups: mode_t) async throws {
    let fixture = try Fixture(.v17)
    let place = try TemporaryFolder("backups")
    let shown = try fixture.plan("resync --pull")
    let before = try fixture.files()
    for name in try fixture.folder.names() { chmod(fixture.folder.path(name), file) }
    chmod(fixture.folder.path, store)
    chmod(place.path, backups)
    defer { chmod(fixture.folder.path, 0o700) }
    let (path, parent) = (fixture.path, place.path)
    _ = try await withoutRootRights {
      var applier = Applier(path: path, version: "0.test")
      applier.backupParent = parent
      let error = #expect(throws: (any Error).self) {
        try applier.apply(Fixture.operation("resync --pull"), Choices(), shown: shown)
      }
      #expect(
        error.map { "\($0)".hasSuffix(".") || "\($0)".contains("SQLite code") } == true,
        "\(String(describing: error))")
    }
    chmod(fixture.folder.path, 0o700)
    #expect(try fixture.files() == before)
    #expect(try place.names().isEmpty)
  }

  @Test func readOnlyStore() async throws {
    try await Self.expectRefusal(store: 0o555, file: 0o444, backups: 0o777)
  }

  @Test func readOnlyBackups() async throws {
    try await Self.expectRefusal(store: 0o777, file: 0o666, backups: 0o555)
  }
}
