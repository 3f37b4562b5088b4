import Evidence
import Forge
import Foundation
import Operations
import StoreModel
import TestSupport
import Testing
import Values

/// Where a backup may be put, and what becomes of what others make there meanwhile.
@Suite struct RestorePlaceTests {
  private static func fixture() throws -> (Fixture, backup: String) {
    let fixture = try Fixture(.v17, ChangesTests.lossy)
    try FileManager.default.createDirectory(
      atPath: fixture.folder.path("App_ckAssets"), withIntermediateDirectories: true)
    try fixture.folder.write([1, 2, 3], to: "App_ckAssets/asset")
    return (fixture, try fixture.apply("resync --pull").backupFolder)
  }

  private static func refusal(
    _ backup: String, to target: String, progress: @escaping (String) -> Void = { _ in }
  ) throws -> String {
    let error = #expect(throws: StoreScopeError.self) {
      try Restore(folder: backup, to: target, progress: progress).run(at: Platform.now())
    }
    return "\(try #require(error))"
  }

  @Test(arguments: ["App.old", "App", "App.sqlite"]) func besideAnotherStore(_ name: String) throws {
    let (fixture, backup) = try Self.fixture()
    let before = try FolderSnapshot(fixture.folder.path)
    let text = try Self.refusal(backup, to: fixture.folder.path(name))
    #expect(text.contains("App.store") && text.contains("Nothing was changed"))
    #expect(try FolderSnapshot(fixture.folder.path) == before)
  }

  @Test(arguments: [
    "Then.store-wal", "Then.store-shm", "Then.store-journal", ".Then_SUPPORT", "Then_ckAssets",
  ])
  func besideLeftovers(_ name: String) throws {
    let (fixture, backup) = try Self.fixture()
    let other = try TemporaryFolder("leftovers")
    try other.write([1], to: name)
    #expect(try Self.refusal(backup, to: other.path("Then.store")).contains(name))
    #expect(try other.names() == [name])
    // A run that was cut short is gone on with.
    try FileManager.default.createDirectory(
      atPath: other.path(".Then.store.restoring"), withIntermediateDirectories: false)
    _ = try Restore(folder: backup, to: other.path("Then.store")).run(at: Platform.now())
    #expect(try StoreFiles(path: other.path("Then.store")).main.size > 0)
    _ = fixture
  }

  /// A store that comes into being while the backup is copied, or while it is put into place.
  @Test(arguments: ["copying", "placing App_ckAssets", "placing App.store"], [false, true])
  func somebodyComesBetween(_ phase: String, _ isThere: Bool) throws {
    let (fixture, backup) = try Self.fixture()
    let phase = phase.replacing("App", with: "Then")
    let other = try TemporaryFolder("between")
    let target = other.path("Then.store")
    if isThere { _ = try Restore(folder: backup, to: target).run(at: Platform.now()) }
    let old = isThere ? try FileTree.hashes(other.path) : [:]
    let name = phase == "copying" && isThere ? "Then.store-journal" : "Then.store"
    var isFirst = true
    let text = try Self.refusal(backup, to: target) { step in
      guard step.replacing("App", with: "Then").hasPrefix(phase), isFirst else { return }
      isFirst = false
      try? FileManager.default.removeItem(atPath: other.path(name))
      try? other.write([7], to: name)
    }
    #expect(text.contains("Somebody else made"), "\(text)")
    #expect(try other.read(name) == [7])
    let after = try FileTree.hashes(other.path)
    if !isThere {
      #expect(Array(after.keys) == [name], "\(after.keys)")
    } else if phase == "copying" {
      #expect(after.filter { $0.key != name } == old)
    } else {
      // The old store's file is kept, all else is in its place.
      let kept = try #require(try other.names().first { $0.hasSuffix(".replaced") })
      #expect(try FileTree.hashes(other.path(kept)) == old.filter { $0.key == name })
      #expect(after.filter { $0.key != name && !$0.key.hasPrefix(kept) } == old.filter { $0.key != name })
      #expect(text.contains(kept), "\(text)")
    }
    _ = fixture
  }

  /// The lasting name for what is there is too long for the file system: nothing is begun.
  @Test func nameCannotBeGiven() throws {
    let (fixture, backup) = try Self.fixture()
    let other = try TemporaryFolder("long")
    let target = other.path(String(repeating: "n", count: 226) + ".store")
    _ = try Restore(folder: backup, to: target).run(at: Platform.now())
    let before = try FileTree.hashes(other.path)
    #expect(try Self.refusal(backup, to: target).contains("nothing was changed"))
    #expect(try FileTree.hashes(other.path) == before)
    #expect(try other.names().allSatisfy { !$0.hasSuffix(".replaced") && !$0.hasSuffix(".restoring") })
    _ = fixture
  }

  @Test func links() throws {
    let (fixture, backup) = try Self.fixture()
    let other = try TemporaryFolder("links")
    let manager = FileManager.default
    try manager.createSymbolicLink(atPath: other.path("Link.store"), withDestinationPath: fixture.path)
    try manager.createSymbolicLink(atPath: other.path("Folder"), withDestinationPath: fixture.folder.path)
    try manager.createSymbolicLink(atPath: other.path("Nowhere"), withDestinationPath: other.path("none"))
    for name in ["Link.store", "Folder/App.store", "./Folder/./App.store"] {
      let restore = try Restore(folder: backup, to: other.path(name))
      #expect(restore.target == restore.backup.manifest.storePath)
      #expect(try restore.run(at: Platform.now()) != nil)
      #expect(try manager.destinationOfSymbolicLink(atPath: other.path("Link.store")) == fixture.path)
    }
    for name in ["Nowhere", "Folder", "Folder/", "none/", "none/../x", ".."] {
      #expect(throws: StoreScopeError.self, "\(name)") { try Restore(folder: backup, to: other.path(name)) }
    }
    let deep = try Restore(folder: backup, to: other.path("new/./deep/Then.store"))
    _ = try deep.run(at: Platform.now())
    #expect(manager.fileExists(atPath: other.path("new/deep/Then.store")))
  }

  @Test func rights() throws {
    let fixture = try Fixture(.v17, ChangesTests.lossy)
    let manager = FileManager.default
    let folder = fixture.folder.path("App_ckAssets")
    try manager.createDirectory(atPath: folder, withIntermediateDirectories: true)
    try fixture.folder.write([1, 2, 3], to: "App_ckAssets/asset")
    let isRoot = Platform.userID() == 0
    let owner: [FileAttributeKey: Any] = isRoot ? [.ownerAccountID: 4711, .groupOwnerAccountID: 4712] : [:]
    let names = ["App.store": 0o640, "App_ckAssets": 0o751, "App_ckAssets/asset": 0o604]
    for (name, mode) in names {
      try manager.setAttributes(
        owner.merging([.posixPermissions: mode]) { $1 }, ofItemAtPath: fixture.folder.path(name))
    }
    let backup = try fixture.apply("resync --pull").backupFolder
    _ = try Restore(folder: backup).run(at: Platform.now())
    for place in [fixture.folder.path, backup] {
      for (name, mode) in names {
        let found = try manager.attributesOfItem(atPath: "\(place)/\(name)")
        #expect((found[.posixPermissions] as? NSNumber)?.intValue == mode, "\(name)")
        if isRoot {
          #expect((found[.ownerAccountID] as? NSNumber)?.intValue == 4711, "\(name)")
          #expect((found[.groupOwnerAccountID] as? NSNumber)?.intValue == 4712, "\(name)")
        }
      }
    }
  }
}
