import Base
import Evidence
import Forge
import Foundation
import Operations
import StoreModel
import TestSupport
import Testing

/// Where a backup may be put, and what becomes of what others make there meanwhile.
@Suite struct RestorePlaceTests {
  private static func fixture() throws -> (Fixture, backup: String) {
    let fixture = try Fixture(.v17, ChangesTests.lossy)
    try fixture.folder.makeFolder("App_ckAssets")
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
    let other = TemporaryFolder("leftovers")
    try other.write([1], to: name)
    #expect(try Self.refusal(backup, to: other.path("Then.store")).contains(name))
    #expect(try other.names() == [name])
    // A run that was cut short is gone on with. Its folder is its owner's alone (R1).
    try FileManager.default.createDirectory(
      atPath: other.path(".Then.store.restoring"), withIntermediateDirectories: false,
      attributes: [.posixPermissions: 0o700])
    _ = try Restore(folder: backup, to: other.path("Then.store")).run(at: Platform.now())
    #expect(try StoreFiles(path: other.path("Then.store")).main.size > 0)
    _ = fixture
  }

  /// A store that comes into being while the backup is copied, or while it is put into place.
  @Test(arguments: ["copying", "placing App_ckAssets", "placing App.store"], [false, true])
  func somebodyComesBetween(_ phase: String, _ isThere: Bool) throws {
    let (fixture, backup) = try Self.fixture()
    let phase = phase.replacing("App", with: "Then")
    let other = TemporaryFolder("between")
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
    #expect(text.contains("Another process created"), "\(text)")
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
    let other = TemporaryFolder("long")
    let target = other.path(String(repeating: "n", count: 226) + ".store")
    _ = try Restore(folder: backup, to: target).run(at: Platform.now())
    let before = try FileTree.hashes(other.path)
    #expect(try Self.refusal(backup, to: target).contains("nothing was changed"))
    #expect(try FileTree.hashes(other.path) == before)
    #expect(try other.names().allSatisfy { !$0.hasSuffix(".replaced") && !$0.hasSuffix(".restoring") })
    _ = fixture
  }

  /// The folders that a name without an extension has are fewer: none may keep the old store's name.
  @Test(arguments: [("Copy", "Copy_ckAssets"), ("Copy.store", "Copy.store_ckAssets")])
  func foldersGetTheNewName(_ name: String, _ folder: String) throws {
    let fixture = try Fixture(.v17)
    try fixture.folder.makeFolder("App.store_ckAssets")
    try fixture.folder.write([5], to: "App.store_ckAssets/waiting")
    let backup = try fixture.apply("resync --pull") { _ in }.backupFolder
    let other = TemporaryFolder("renamed")
    _ = try Restore(folder: backup, to: other.path(name)).run(at: Platform.now())
    #expect(try other.read("\(folder)/waiting") == [5])
    #expect(try !other.names().contains { $0.hasPrefix("App") })
  }

  /// A link would be replaced by a folder of its own.
  @Test func linkedSupportFolder() throws {
    let (fixture, backup) = try Self.fixture()
    let elsewhere = TemporaryFolder("support")
    let folder = fixture.folder.path("App_ckAssets")
    try FileManager.default.removeItem(atPath: folder)
    try FileManager.default.createSymbolicLink(atPath: folder, withDestinationPath: elsewhere.path)
    let before = try FolderSnapshot(fixture.folder.path)
    #expect(try Self.refusal(backup, to: fixture.path).contains("is a link"))
    #expect(try FolderSnapshot(fixture.folder.path) == before)
  }

  /// What made room for the backup's files comes back where the backup can't be put there.
  @Test func undoBringsBackWhatMadeRoom() throws {
    let (fixture, backup) = try Self.fixture()
    let manager = FileManager.default
    try manager.removeItem(atPath: fixture.folder.path("App_ckAssets/asset"))
    try fixture.folder.makeFolder("App_ckAssets/asset")
    try fixture.folder.write([4], to: "App_ckAssets/asset/inside")
    var isFirst = true
    _ = try Self.refusal(backup, to: fixture.path) { step in
      guard step == "placing App.store", isFirst else { return }
      isFirst = false
      try? manager.removeItem(atPath: fixture.path)
      try? fixture.folder.write([7], to: Fixture.name)
    }
    #expect(try fixture.folder.read("App_ckAssets/asset/inside") == [4])
  }

  /// Files that no row names can be replaced only once the backup's rows are there. One that then couldn't be was one of
  /// "not all of its files", and all that came after it in the list stayed the old store's as well.
  @Test func whatCannotBeReplacedIsNamed() throws {
    let (fixture, _) = try Self.fixture()
    for name in ["b", "c"] { try fixture.folder.write([9], to: "App_ckAssets/\(name)") }
    let backup = try fixture.apply("resync --pull").backupFolder
    for name in ["asset", "b", "c"] { try fixture.folder.write([4], to: "App_ckAssets/\(name)") }
    let text = try Self.refusal(backup, to: fixture.path) { step in
      guard step == "replacing App_ckAssets/b" else { return }
      try? FileManager.default.removeItem(atPath: fixture.folder.path("App_ckAssets/b"))
      try? fixture.folder.write([5], to: "App_ckAssets/b")
    }
    #expect(text.contains("restored, except for 1 file ('App_ckAssets/b'); run 'restore' again"), "\(text)")
    #expect(try fixture.folder.read("App_ckAssets/asset") == [1, 2, 3])
    #expect(try fixture.folder.read("App_ckAssets/b") == [5])
    #expect(try fixture.folder.read("App_ckAssets/c") == [9])
    _ = try Restore(folder: backup).run(at: Platform.now())
    #expect(try fixture.folder.read("App_ckAssets/b") == [9])
    // None of the names that the files had meanwhile is left.
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: fixture.folder.path("App_ckAssets")).sorted()
        == ["asset", "b", "c"])
  }

  /// A folder that allows no new files is found before anything is replaced, not after the rows.
  @Test func unwritableFolderOfFilesThatNoRowNames() async throws {
    let (fixture, backup) = try Self.fixture()
    try fixture.folder.write([4], to: "App_ckAssets/asset")
    let folder = fixture.folder.path("App_ckAssets")
    let old = try fixture.files()
    // The user without root's rights has the store, but may not write into the folder.
    for name in try FileManager.default.subpathsOfDirectory(atPath: fixture.folder.path) + [""] {
      chown(fixture.folder.path(name), 65534, 65534)
    }
    chmod(folder, 0o555)
    let isDone = try await withoutRootRights { [path = fixture.path] in
      let text = try Self.refusal(backup, to: path)
      #expect(text.contains("Nothing was restored from the backup."), "\(text)")
    }
    chmod(folder, 0o755)
    if isDone { #expect(try fixture.files() == old) }
  }

  /// Neither a restore nor an operation may spoil a backup, of which the store's file is a part.
  @Test func insideABackup() throws {
    let (fixture, backup) = try Self.fixture()
    let before = try FolderSnapshot(backup)
    #expect(try Self.refusal(backup, to: "\(backup)/App.store").contains("backup"))
    #expect(try Self.refusal(backup, to: "\(backup)/Then.store").contains("backup"))
    let shown = try fixture.plan("repair clear-events")
    let error = #expect(throws: StoreScopeError.self) {
      try Applier(path: "\(backup)/App.store", version: "0").apply(
        Fixture.operation("repair clear-events"), Choices(), shown: shown)
    }
    #expect("\(try #require(error))".contains("inside a backup"))
    #expect(try FolderSnapshot(backup) == before)
  }

  /// A manifest is only believed where it names its own surroundings and the store that lies there.
  @Test func foreignManifest() throws {
    let (fixture, backup) = try Self.fixture()
    #expect(try Restore(folder: backup).goesBesideBackup)
    let place = TemporaryFolder("place")
    let moved = place.path("moved")
    try FileManager.default.copyItem(atPath: backup, toPath: moved)
    let before = try fixture.files()
    // One that appeared after nobody was asked.
    try FileManager.default.moveItem(atPath: fixture.path, toPath: place.path("aside"))
    let restore = try Restore(folder: moved)
    try FileManager.default.moveItem(atPath: place.path("aside"), toPath: fixture.path)
    #expect(!restore.goesBesideBackup)
    #expect(throws: StoreScopeError.self) { try restore.run(at: Platform.now()) }
    #expect(try fixture.files() == before)
    var manifest = restore.backup.manifest
    manifest.storeUUID = "5C0E5C0E-0000-4000-8000-00000000FFFF"
    try manifest.write(to: moved)
    let target = place.path("Then.store")
    #expect(try Self.refusal(moved, to: target).contains("doesn't contain the store"))
    #expect(!FileManager.default.fileExists(atPath: target))
    #expect(try fixture.files() == before)
  }

  /// A copy shares no folder with a store, and only what was made for it is taken away with it.
  @Test func copies() throws {
    let (fixture, _) = try Self.fixture()
    let before = try FolderSnapshot(fixture.folder.path)
    #expect(throws: StoreScopeError.self) {
      try StoreCopy.make(of: fixture.path, at: fixture.folder.path("App.sqlite")) { _ in }
    }
    #expect(try FolderSnapshot(fixture.folder.path) == before)
    let other = TemporaryFolder("copy")
    let copy = try StoreCopy.make(of: fixture.path, at: other.path("Copy.store")) { _ in }
    #expect(throws: StoreScopeError.self) {
      try StoreCopy.make(of: fixture.path, at: other.path("Copy.store")) { _ in }
    }
    try FileManager.default.removeItem(atPath: other.path("Copy_ckAssets/asset"))
    try other.write([8], to: "Copy_ckAssets/mine")
    copy.remove()
    #expect(try FileTree.hashes(other.path).keys.sorted() == ["Copy_ckAssets/mine"])
  }

  @Test func links() throws {
    let (fixture, backup) = try Self.fixture()
    let other = TemporaryFolder("links")
    let manager = FileManager.default
    try other.link("Link.store", to: fixture.path)
    try other.link("Folder", to: fixture.folder.path)
    try other.link("Nowhere", to: other.path("none"))
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
