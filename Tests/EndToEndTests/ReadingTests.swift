import Foundation
import TestSupport
import Testing

/// The real binary on real stores.
@Suite(.enabled(if: RealStores.arePresent, "the folder of real stores is absent"))
struct RealStoreTests {
  @Test(arguments: RealStores.all)
  func isReadWithoutATrace(_ name: String) throws {
    let (folder, path) = try RealStores.copy(name)
    let before = try FolderSnapshot(folder.path)
    let summary = try Tool.run(["summary", path, "--json"])
    #expect(summary.status == 0, "\(summary.errors)")
    let json = try summary.json()
    #expect(json["schema"] as? String == "storescope/summary/1")
    let entities = try #require(json["entities"] as? [[String: Any]])
    #expect(!entities.isEmpty)
    for entity in entities where entity["rows"] as? Int ?? 0 > 0 {
      let entityName = try #require(entity["name"] as? String)
      let rows = try Tool.run(["rows", path, entityName, "--exact", "--json", "--expand"])
      #expect(rows.status == 0, "\(rows.errors)")
      let objects = try #require(try rows.json()["rows"] as? [[String: Any]])
      #expect(objects.count == entity["rows"] as? Int)
    }
    let history = try Tool.run(["history", path, "--json"])
    #expect(history.status == 0, "\(history.errors)")
    let changes = try #require(try history.json()["changes"] as? [[String: Any]])
    let counts = try #require(json["history"] as? [String: Any])
    #expect(changes.count == counts["changes"] as? Int)
    #expect(try FolderSnapshot(folder.path) == before)
    withExtendedLifetime(folder) {}
  }
}
