import Base
import Evidence
import Forge
import Foundation
import Operations
import SQLite
import StoreModel
import TestSupport
import Testing

/// Every backup can be put back, equal by hash; nothing else is ever put in a store's place.
@Suite struct BackupTests {
  private static func fixture(
    _ journal: ForgeOptions.Journal = .wal, leaving leftovers: StoreForge.Leftovers = .wal
  ) throws -> Fixture {
    let fixture = try Fixture(.v17, journal: journal, leaving: leftovers, ChangesTests.lossy)
    try fixture.folder.makeFolder("App_ckAssets/deep")
    try fixture.folder.write(Array(0..<200), to: "App_ckAssets/deep/asset")
    try fixture.folder.write([], to: "App_ckAssets/empty")
    return fixture
  }

  /// Operations with the choices that they need, for a store in which each of them has something to do.
  static let operations: [(name: String, choices: Choices)] = [
    ("resync --pull", Choices()), ("resync --push", Choices()), ("resync --rescan", Choices()),
    ("reset", Choices(serverZone: .kept, discards: true)), ("repair register-missing", Choices()),
    ("repair clear-import-leftovers", Choices()), ("repair clear-events", Choices()),
    ("repair remove-orphan-records", Choices(cloud: .keep)),
    ("repair detach-entity", Choices(entity: "Tag", discards: true)),
  ]

  @Test(arguments: operations.map(\.name), [StoreForge.Leftovers.nothing, .wal, .walWithoutIndex, .emptyWAL])
  func restoring(_ operation: String, _ leftovers: StoreForge.Leftovers) throws {
    let fixture = try Self.fixture(leaving: leftovers)
    if operation.contains("orphan") {
      let edit = try Fixture(.v17, leaving: leftovers, edits: ChangesTests.losses)
      return try Self.roundTrip(edit, operation)
    }
    try Self.roundTrip(fixture, operation)
  }

  /// The files that a restore kept, without the manifest by which they are a backup.
  private static func kept(_ replaced: String) throws -> [String: String] {
    try FileTree.hashes(replaced) { !$0.hasPrefix("manifest.") }
  }

  private static func roundTrip(_ fixture: Fixture, _ operation: String) throws {
    let choices = try #require(operations.first { $0.name == operation }).choices
    let (before, content) = (try fixture.files(), try fixture.content())
    let applied = try fixture.apply(operation, choices)
    let after = try fixture.files()
    #expect(after != before)
    let restore = try Restore(folder: applied.backupFolder)
    #expect(Set(restore.backup.manifest.files.map(\.path)) == Set(before.keys))
    let replaced = try #require(try restore.run(at: Platform.now()))
    #expect(try fixture.files() == before)
    #expect(try fixture.content() == content)
    // What was there is kept, and a second time works too.
    #expect(FileManager.default.fileExists(atPath: "\(replaced)/\(Fixture.name)"))
    #expect(try Restore(folder: applied.backupFolder).run(at: Platform.now()) != nil)
    #expect(try fixture.files() == before)
    // A restore is undone like an operation: by restoring what was there before.
    #expect(try Restore(folder: replaced).run(at: Platform.now()) != nil)
    #expect(try fixture.files() == after)
    #expect(try Restore(folder: applied.backupFolder).run(at: Platform.now()) != nil)
    #expect(try !fixture.folder.names().contains { $0.hasPrefix(".App.store") })
    // Elsewhere under another name.
    let other = TemporaryFolder("elsewhere")
    #expect(
      try Restore(folder: applied.backupFolder, to: other.path("Then.sqlite")).run(at: Platform.now()) == nil)
    #expect(try StoreContent(other.path("Then.sqlite")) == content)
    #expect(try FileTree.hashes(other.path).values.sorted() == before.values.sorted())
  }

  /// A rehearsal found nothing wrong with a full disk.
  @Test func restoringNeedsDiskSpace() throws {
    let fixture = try Self.fixture()
    let applied = try fixture.apply("resync --pull")
    let before = try fixture.files()
    var restore = try Restore(folder: applied.backupFolder)
    restore.freeBytes = { _ in 4096 }
    #expect(throws: StoreScopeError.self) { try restore.refuseKnownProblems() }
    #expect(throws: StoreScopeError.self) { try restore.run(at: Platform.now()) }
    #expect(try fixture.files() == before)
    restore.freeBytes = { _ in nil }
    try restore.refuseKnownProblems()
  }

  @Test func rollbackJournal() throws {
    let fixture = try Self.fixture(.rollback, leaving: .nothing)
    try Self.roundTrip(fixture, "resync --pull")
  }

  /// One byte of any file, in each of its thirds: refused with a sentence, nothing changes.
  @Test func damage() throws {
    let fixture = try Self.fixture()
    let applied = try fixture.apply("resync --pull")
    let before = try fixture.files()
    let files = try FileTree.hashes(applied.backupFolder).keys.sorted()
    #expect(files.contains("manifest.json") && files.contains("App.store-wal"))
    for name in files {
      let path = "\(applied.backupFolder)/\(name)"
      let good = try Data(contentsOf: URL(fileURLWithPath: path))
      // A manifest is looked at byte by byte.
      let places = name.hasPrefix("manifest") ? Array(0..<good.count) : [0, good.count / 2, good.count - 1]
      for place in places where good.indices.contains(place) {
        var bad = good
        bad[place] ^= 1
        try bad.write(to: URL(fileURLWithPath: path))
        Self.expectRefusal(applied.backupFolder, "\(name) at \(place)")
      }
      for length in Set([0, good.count / 2, good.count - 1]) where length >= 0 && length < good.count {
        try good.prefix(length).write(to: URL(fileURLWithPath: path))
        Self.expectRefusal(applied.backupFolder, "\(name) cut to \(length)")
      }
      try FileManager.default.removeItem(atPath: path)
      Self.expectRefusal(applied.backupFolder, "\(name) missing")
      try good.write(to: URL(fileURLWithPath: path))
    }
    #expect(try fixture.files() == before)
    _ = try Restore(folder: applied.backupFolder).run(at: Platform.now())
  }

  private static func expectRefusal(
    _ folder: String, to target: String? = nil, _ comment: String,
    sourceLocation: SourceLocation = #_sourceLocation
  ) {
    do {
      _ = try Restore(folder: folder, to: target).run(at: Platform.now())
      Issue.record("restored: \(comment)", sourceLocation: sourceLocation)
    } catch {
      #expect("\(error)".hasSuffix("."), "\(comment): \(error)", sourceLocation: sourceLocation)
    }
  }

  /// Names that lead out of the folder, or to what is no part of the store, in a manifest that is otherwise good.
  @Test(arguments: [
    "../x", "/tmp/x", "App_ckAssets/../../x", "Other.store", ".profile", "App_ckAssets", "App_ckAssets//x",
    "./App.store-wal", "",
  ])
  func hostileNames(_ name: String) throws {
    let fixture = try Self.fixture()
    let applied = try fixture.apply("resync --pull")
    try fixture.folder.write([7], to: "Other.store")
    let folder = TemporaryFolder("hostile")
    var manifest = try Backup(folder: applied.backupFolder).manifest
    try FileManager.default.removeItem(atPath: folder.path)
    try FileManager.default.copyItem(atPath: applied.backupFolder, toPath: folder.path)
    manifest.files.append(
      BackupManifest.File(path: name, bytes: 3, sha256: String(repeating: "0", count: 64)))
    try manifest.write(to: folder.path)
    let before = try FolderSnapshot(fixture.folder.path)
    Self.expectRefusal(folder.path, name)
    #expect(try FolderSnapshot(fixture.folder.path) == before)
  }

  @Test func foreignBackup() throws {
    let fixture = try Self.fixture()
    let applied = try fixture.apply("resync --pull")
    let other = TemporaryFolder("other")
    let path = other.path("Other.store")
    let forge = try StoreForge(
      path: path, model: Fixture.model, options: ForgeOptions(uuid: "5C0E5C0E-0000-4000-8000-00000000FFFF"))
    try forge.close()
    try other.write([1, 2, 3], to: "text.txt")
    let before = try FolderSnapshot(other.path)
    Self.expectRefusal(applied.backupFolder, to: path, "another store")
    Self.expectRefusal(applied.backupFolder, to: other.path("text.txt"), "no store at all")
    #expect(try FolderSnapshot(other.path) == before)
    Self.expectRefusal(other.path, "no backup")
    Self.expectRefusal(other.path("none"), "nothing there")
  }

  /// A store that can't be read any more is the one that a backup is wanted for.
  @Test(arguments: ["damaged", "cut off", "hot journal", "gone", "no metadata"])
  func ruins(_ state: String) throws {
    let fixture = try Self.fixture(.rollback, leaving: .nothing)
    let before = try fixture.files()
    let applied = try fixture.apply("resync --pull")
    var bytes = try fixture.folder.read(Fixture.name)
    switch state {
    case "damaged":
      for index in bytes.indices { bytes[index] = UInt8(truncatingIfNeeded: index &* 31) }
      try fixture.folder.write(bytes, to: Fixture.name)
    case "cut off": try fixture.folder.write(Array(bytes.prefix(bytes.count / 2)), to: Fixture.name)
    case "hot journal":
      try fixture.folder.write([0xd9, 0xd5, 0x05, 0xf9] + Array(0..<200), to: "App.store-journal")
    case "no metadata": try fixture.execute("DROP TABLE Z_METADATA")
    default: try FileManager.default.removeItem(atPath: fixture.path)
    }
    let replaced = try #require(try Restore(folder: applied.backupFolder).run(at: Platform.now()))
    #expect(try fixture.files() == before)
    // No backup of what isn't a store.
    if state != "hot journal" { Self.expectRefusal(replaced, "what was replaced") }
  }

  /// What is to be replaced.
  enum Present: CaseIterable {
    case rollback, wal, hotJournal
  }

  /// What a run leaves that is killed before any of its steps: the old store or the new one, whole, with all its values;
  /// the next run puts the backup there, and nothing that was there is lost.
  @Test(arguments: Present.allCases, [StoreForge.Leftovers.nothing, .wal])
  func interrupted(_ present: Present, _ leftovers: StoreForge.Leftovers) throws {
    var base = try Self.fixture(present == .wal ? .wal : .rollback, leaving: leftovers)
    let (before, old) = (try base.files(), try base.content())
    let backupName = Platform.fileName(
      try base.apply("reset", Choices(serverZone: .emptied, discards: true)).backupFolder)
    // Changes in a -wal of its own, and a value that the backup doesn't have.
    let app = try Connection(path: base.path, options: Self.keepingWAL)
    try app.execute("UPDATE ZTAG SET ZNAME = 'later'")
    try base.folder.write([9], to: "App_ckAssets/new")
    if present == .hotJournal {
      // More than the cache takes, so that the store's file is written before the end that never comes.
      try app.execute(
        """
        PRAGMA cache_size = 1; BEGIN; UPDATE ZTAG SET ZNAME = 'never';
        WITH RECURSIVE n(i) AS (SELECT 100 UNION ALL SELECT i + 1 FROM n WHERE i < 600)
        INSERT INTO ZTAG(Z_PK, Z_ENT, ZNAME) SELECT i, 3, hex(zeroblob(500)) FROM n
        """)
      base = try Fixture(copying: base)
      #expect(try StoreFiles(path: base.path).hasHotJournal)
    }
    app.close()
    let (after, new) = (try base.files(), try base.content())
    let left = TemporaryFolder("killed")
    var count = 0
    let (place, backup) = (base.folder.path, base.folder.path(backupName))
    let restore = try Restore(folder: backup, to: base.path) { phase in
      guard phase.hasPrefix("placing") else { return }
      count += 1
      try? FileManager.default.copyItem(atPath: place, toPath: left.path("\(count)"))
    }
    let replaced = try #require(try restore.run(at: Platform.now()))
    #expect(try base.files() == before && Self.kept(replaced) == after)
    #expect(count > 3)
    var seen: [Bool] = []
    for number in 1...count {
      let folder = left.path("\(number)")
      let path = "\(folder)/\(Fixture.name)"
      let found = try StoreContent(path)
      #expect(found == old || found == new, "before \(number): \(old.differences(found))")
      seen.append(found == old)
      let values = found == old ? before : after
      for (name, hash) in values where name.contains("/") {
        #expect(try FileTree.hashes(folder)[name] == hash, "\(name) before \(number)")
      }
      _ = try Restore(folder: backup, to: path).run(at: Platform.now())
      let all = try FileTree.hashes(folder)
      for (name, hash) in before { #expect(all[name] == hash, "\(name) after \(number)") }
      #expect(Set(after.filter { !$0.key.hasSuffix("-shm") }.values).isSubset(of: all.values), "\(number)")
      #expect(!all.keys.contains { $0.contains(".restoring") })
    }
    // Once the backup's, always the backup's.
    #expect(seen == seen.sorted { !$0 && $1 })
  }

  private static var keepingWAL: OpenOptions {
    var options = OpenOptions(.readWrite(create: false), trustsSchema: true)
    options.keepsWAL = true
    return options
  }

  /// Operations within one second have names of their own.
  @Test func sameSecond() throws {
    let fixture = try Self.fixture()
    var backups: Set<String> = []
    for _ in 0..<4 { backups.insert(try fixture.apply("resync --push").backupFolder) }
    #expect(backups.count == 4)
    for backup in backups { _ = try Restore(folder: backup).run(at: Platform.now()) }
    #expect(try fixture.folder.names().filter { $0.hasSuffix(".replaced") }.count == 4)
  }

  /// What killed runs left of backups: taken away next to the store, named elsewhere, and never another store's.
  @Test func incompleteBackups() throws {
    let fixture = try Self.fixture()
    let place = TemporaryFolder("place")
    let left = "App.store.20260101T000000Z.reset.backup.incomplete"
    let others = ["App.store.old.20260101T000000Z.reset.backup.incomplete", "Other.store.backup.incomplete"]
    for name in [left] + others {
      for folder in [fixture.folder, place] {
        try folder.makeFolder(name)
        try folder.write([1], to: "\(name)/App.store")
      }
    }
    let here = try fixture.apply("resync --pull")
    #expect(here.checks.contains { $0.contains(left) && $0.contains("was removed") })
    #expect(try fixture.folder.names().filter { $0.hasSuffix(".incomplete") } == others)
    let there = try fixture.apply("resync --rescan") { $0.backupParent = place.path }
    #expect(there.checks.contains { $0.contains(left) && $0.contains("remove it unless") })
    #expect(try place.names().filter { $0.hasSuffix(".incomplete") } == [left] + others)
  }

  /// Where the file system keeps them.
  @Test func extendedAttributes() throws {
    let fixture = try Self.fixture()
    let name = "user.storescope.test"
    let files = [Fixture.name, "App_ckAssets", "App_ckAssets/empty"]
    for (index, file) in files.enumerated() {
      guard ExtendedAttributes.set(name, [UInt8(index), 0, 255], fixture.folder.path(file)) else { return }
    }
    let backup = try fixture.apply("resync --pull").backupFolder
    for file in files { ExtendedAttributes.set(name, [9], fixture.folder.path(file)) }
    _ = try Restore(folder: backup).run(at: Platform.now())
    for (index, file) in files.enumerated() {
      for place in [fixture.folder.path, backup] {
        #expect(ExtendedAttributes.value(of: name, "\(place)/\(file)") == [UInt8(index), 0, 255], "\(file)")
      }
    }
  }

  /// A name in the support folder that leads to the store itself: reading it would drop the lock.
  @Test func linkToTheStore() throws {
    let fixture = try Self.fixture()
    try FileManager.default.linkItem(atPath: fixture.path, toPath: fixture.folder.path("App_ckAssets/twin"))
    let before = try fixture.files()
    #expect(throws: StoreScopeError.self) { try fixture.apply("resync --pull") }
    #expect(try fixture.files() == before)
  }
}
