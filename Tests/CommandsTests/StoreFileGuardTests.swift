import Base
import Commands
import Forge
import Foundation
import TestSupport
import Testing

/// L5: `doctor --write-baseline S-journal` made a journal next to the store, `redact -o Other.db-wal` a write-ahead log,
/// and the shell's `output` emptied a file of external storage.
struct StoreFileGuardTests {
  /// A folder with two stores, of which the first is open, and what belongs to them.
  private func folder() throws -> TemporaryFolder {
    let folder = TemporaryFolder()
    _ = try DemoStore.copy(in: folder.path)
    try FileManager.default.createDirectory(
      atPath: folder.path(".Other_SUPPORT/_EXTERNAL_DATA"), withIntermediateDirectories: true)
    try FileManager.default.createDirectory(
      atPath: folder.path("Journeys_ckAssets"), withIntermediateDirectories: true)
    try FileManager.default.createDirectory(atPath: folder.path("out"), withIntermediateDirectories: true)
    try folder.write(Array("SQLite format 3\0".utf8), to: "Other.db")
    for (link, target) in [
      ("link", "Journeys.store"), ("waly", "Journeys.store-wal"), ("data", ".Journeys_SUPPORT"),
      ("nowhere", "absent-journal"), ("moved", "out"),
    ] {
      try FileManager.default.createSymbolicLink(atPath: folder.path(link), withDestinationPath: target)
    }
    secondName(folder.path("Journeys.store"), folder.path("hard"))
    secondName(folder.path("Journeys.store-wal"), folder.path("hardwal"))
    return folder
  }

  private func secondName(_ path: String, _ other: String) { _ = link(path, other) }

  @Test(arguments: [
    "Journeys.store", "Journeys.store-wal", "Journeys.store-shm", "Journeys.store-journal", "Other.db",
    "Other.db-wal", "Other.db-journal", "New.db-shm", "link", "waly", "hard", "hardwal", ".Journeys_SUPPORT",
    ".Journeys_SUPPORT/_EXTERNAL_DATA/x", ".Other_SUPPORT/_EXTERNAL_DATA/x", ".Other_SUPPORT", "data/x",
    "data/_EXTERNAL_DATA/x", "Journeys_ckAssets", "Journeys_ckAssets/x", "out/../Journeys.store",
    "moved/../Journeys.store", "Journeys_ckAssets/",
  ]) func filesOfStoresStay(_ name: String) throws {
    let folder = try folder()
    #expect(throws: StoreScopeError.self) {
      try StoreFileGuard.check(folder.path(name), keeping: folder.path("Journeys.store"))
    }
    #expect(throws: StoreScopeError.self) {
      try StoreFileGuard.check(folder.path(name), keeping: folder.path("link"))
    }
  }

  @Test(arguments: ["report.html", "out", "out/x", "moved/x", "absent/x", "new", "Journeys.store.json"])
  func othersDont(_ name: String) throws {
    let folder = try folder()
    try StoreFileGuard.check(folder.path(name), keeping: folder.path("Journeys.store"))
  }

  /// A new store would take what lies there for its own.
  @Test(arguments: ["A.db-wal", "A.db-journal", ".A_SUPPORT", "A_ckAssets", "A.db"])
  func aNewStoreFindsNothing(_ name: String) throws {
    let folder = TemporaryFolder()
    try StoreFileGuard.checkNewStore(folder.path("A.db"))
    try FileManager.default.createSymbolicLink(atPath: folder.path(name), withDestinationPath: "/tmp")
    #expect(throws: StoreScopeError.self) { try StoreFileGuard.checkNewStore(folder.path("A.db")) }
  }
}
