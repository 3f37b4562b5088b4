import Base
import Forge
import Foundation
import Operations
import SQLite
import StoreModel
import TestSupport
import Testing

/// A store and its backup may come from a stranger, and another process may be at work next door: a restore touches only
/// what it made itself, reads only files, and leaves whole values behind whenever it is killed.
@Suite struct RestoreSafetyTests {
  private static let external = ".App_SUPPORT/_EXTERNAL_DATA"
  private static let work = ".App.store.restoring"

  private static func fixture(_ journal: ForgeOptions.Journal = .wal) throws -> (Fixture, backup: String) {
    let fixture = try Fixture(.v17, journal: journal, ChangesTests.lossy)
    try fixture.folder.makeFolder("App_ckAssets")
    try fixture.folder.write([1, 2, 3], to: "App_ckAssets/asset")
    return (fixture, try fixture.apply("resync --pull").backupFolder)
  }

  private static func refusal(_ backup: String, to target: String? = nil) throws -> String {
    let error = #expect(throws: StoreScopeError.self) {
      try Restore(folder: backup, to: target).run(at: Platform.now())
    }
    return "\(try #require(error))"
  }

  /// The name of the file of Ann's photo.
  private static func photo(_ fixture: Fixture) throws -> String {
    let names = try FileManager.default.contentsOfDirectory(atPath: fixture.folder.path(external))
    #expect(names.count == 1)
    return "\(external)/\(try #require(names.first))"
  }

  /// A backup with other parts than the operation made, and a manifest that knows them.
  private static func edit(_ backup: String, _ change: (inout [String: [UInt8]]) -> Void) throws {
    var manifest = try Backup(folder: backup).manifest
    var parts: [String: [UInt8]] = [:]
    change(&parts)
    for (name, bytes) in parts {
      try Data(bytes).write(to: URL(fileURLWithPath: "\(backup)/\(name)"))
      manifest.files.removeAll { $0.path == name }
      manifest.files.append(
        .init(
          path: name, bytes: Int64(bytes.count), sha256: bytes.withUnsafeBytes { SHA256.hexadecimal(of: $0) })
      )
    }
    try manifest.write(to: backup)
  }

  // MARK: R1

  /// What has the name of the work folder, and that no restore made.
  enum Trap: CaseIterable {
    case link, linkToNothing, file, foreignNames, linkInside, openToOthers, hardLinkedLock
  }

  /// R1: a link of that name was taken for the work folder, and everything in the folder that it led to was deleted.
  @Test(arguments: Trap.allCases) func onlyItsOwnWorkFolderIsEmptied(_ trap: Trap) throws {
    let (fixture, backup) = try Self.fixture()
    let victim = TemporaryFolder("victim")
    let manager = FileManager.default
    for name in ["new", "sub"] {
      try victim.makeFolder(name)
      try victim.write([7], to: "\(name)/precious")
    }
    let work = fixture.folder.path(Self.work)
    func makeFolder(_ mode: Int) throws {
      try manager.createDirectory(
        atPath: work, withIntermediateDirectories: false, attributes: [.posixPermissions: mode])
    }
    switch trap {
    case .link: try manager.createSymbolicLink(atPath: work, withDestinationPath: victim.path)
    case .linkToNothing:
      try manager.createSymbolicLink(atPath: work, withDestinationPath: victim.path("none"))
    case .file: try fixture.folder.write([7], to: Self.work)
    case .foreignNames:
      try makeFolder(0o700)
      try fixture.folder.write([7], to: "\(Self.work)/notes")
    case .linkInside:
      try makeFolder(0o700)
      try manager.createSymbolicLink(atPath: "\(work)/new", withDestinationPath: victim.path("new"))
    case .openToOthers: try makeFolder(0o755)
    case .hardLinkedLock:
      try makeFolder(0o700)
      try manager.linkItem(atPath: victim.path("sub/precious"), toPath: "\(work)/lock")
    }
    let (before, precious) = (try FolderSnapshot(fixture.folder.path), try FolderSnapshot(victim.path))
    let text = try Self.refusal(backup)
    #expect(text.contains(Self.work) && text.contains("Nothing was changed"), "\(text)")
    #expect(try FolderSnapshot(victim.path) == precious)
    #expect(try FolderSnapshot(fixture.folder.path) == before)
  }

  /// R1: links in what a killed run left are taken away, never followed.
  @Test func linksInItsWorkFolderAreNotFollowed() throws {
    let (fixture, backup) = try Self.fixture()
    let victim = TemporaryFolder("victim")
    try victim.write([7], to: "precious")
    let manager = FileManager.default
    try manager.createDirectory(
      atPath: fixture.folder.path(Self.work), withIntermediateDirectories: false,
      attributes: [.posixPermissions: 0o700])
    for name in ["new", "merged"] {
      let folder = fixture.folder.path("\(Self.work)/\(name)")
      try manager.createDirectory(atPath: folder, withIntermediateDirectories: false)
      try manager.createSymbolicLink(atPath: "\(folder)/deep", withDestinationPath: victim.path)
    }
    _ = try Restore(folder: backup).run(at: Platform.now())
    #expect(try victim.read("precious") == [7])
    #expect(try !fixture.folder.names().contains(Self.work))
  }

  // MARK: R2

  /// A journal without pages that belongs to a transaction over several databases.
  static func journal(naming superJournal: String, pages: Int) -> [UInt8] {
    func number(_ value: Int) -> [UInt8] { (0..<4).map { UInt8(truncatingIfNeeded: value >> (24 - 8 * $0)) } }
    let magic: [UInt8] = [0xd9, 0xd5, 0x05, 0xf9, 0x20, 0xa1, 0x63, 0xd7]
    var bytes = magic + number(0) + number(1) + number(pages) + number(512) + number(4096)
    bytes += [UInt8](repeating: 0, count: 512 - bytes.count)
    let name = Array(superJournal.utf8)
    let sum = name.reduce(0) { $0 + Int($1) }
    return bytes + number(0x4000_0000 / 4096 + 1) + name + number(name.count) + number(sum) + magic
  }

  /// R2: SQLite deleted the file that a journal in the backup, or in the place, named as its super-journal.
  @Test(arguments: [true, false]) func superJournalsAreRefused(inBackup: Bool) throws {
    let (fixture, backup) = try Self.fixture(.rollback)
    let victim = TemporaryFolder("victim")
    try victim.write(Array("precious".utf8), to: "file")
    let pages = try fixture.folder.read(Fixture.name).count / 4096
    let journal = Self.journal(naming: victim.path("file"), pages: pages)
    if inBackup {
      try Self.edit(backup) { $0["App.store-journal"] = journal }
    } else {
      try fixture.folder.write(journal, to: "App.store-journal")
    }
    let before = try FileTree.hashes(fixture.folder.path)
    let text = try Self.refusal(backup)
    #expect(text.contains("super-journal") && text.contains("nothing was changed"), "\(text)")
    #expect(try victim.read("file") == Array("precious".utf8))
    #expect(try FileTree.hashes(fixture.folder.path) == before)
  }

  /// R2: even if such a journal came to SQLite, it reaches no file but those that it was given.
  @Test func confinedConnectionsReachNothingElse() throws {
    let (fixture, _) = try Self.fixture(.rollback)
    let before = try fixture.content()
    let victim = TemporaryFolder("victim")
    try victim.write(Array("precious".utf8), to: "file")
    let pages = try fixture.folder.read(Fixture.name).count / 4096
    try victim.write(Self.journal(naming: victim.path("file"), pages: pages), to: "journal")
    let main = try #require(FileHandle(forUpdatingAtPath: fixture.path))
    let journal = try #require(FileHandle(forReadingAtPath: victim.path("journal")))
    let connection = try Connection(
      path: "App.store",
      options: .confined(
        to: .init(main: main.fileDescriptor, journal: journal.fileDescriptor, writesMain: true)))
    #expect(try connection.value("SELECT COUNT(*) FROM ZTAG") == .integer(Int64(before.rows("ZTAG").count)))
    #expect(throws: SQLiteError.self) {
      try connection.execute("ATTACH '\(victim.path("file"))' AS other; SELECT * FROM other.sqlite_master")
    }
    try connection.execute("UPDATE ZTAG SET ZNAME = 'written'")
    connection.close()
    #expect(try victim.read("file") == Array("precious".utf8))
    #expect(try victim.names() == ["file", "journal"])
    #expect(try fixture.content().rows("ZTAG").allSatisfy { $0.string("ZNAME") == "written" })
  }

  // MARK: L1

  enum Part: CaseIterable {
    case pipe, linkToDevice, link, folder, longer
  }

  /// L1: a restore waited forever for a pipe in the backup, and read a link to /dev/zero forever.
  @Test(.timeLimit(.minutes(2)), arguments: Part.allCases, ["App.store", "App_ckAssets/asset"])
  func partsAreFiles(_ part: Part, _ name: String) throws {
    let (fixture, backup) = try Self.fixture()
    let manager = FileManager.default
    let path = "\(backup)/\(name)"
    let bytes = try Data(contentsOf: URL(fileURLWithPath: path))
    if part != .longer { try manager.removeItem(atPath: path) }
    switch part {
    case .pipe: #expect(mkfifo(path, 0o600) == 0)
    case .linkToDevice: try manager.createSymbolicLink(atPath: path, withDestinationPath: "/dev/zero")
    case .link:
      try bytes.write(to: URL(fileURLWithPath: "\(backup)/copy"))
      try manager.createSymbolicLink(atPath: path, withDestinationPath: "\(backup)/copy")
    case .folder: try manager.createDirectory(atPath: path, withIntermediateDirectories: false)
    case .longer: try (bytes + [1]).write(to: URL(fileURLWithPath: path))
    }
    let before = try fixture.files()
    let text = try Self.refusal(backup)
    #expect(text.contains("'\(name)'") && text.contains("nothing was changed"), "\(text)")
    #expect(try fixture.files() == before)
  }

  // MARK: L3

  /// L3: a link in the support folder ended the restore half-way.
  @Test(arguments: [external, "\(external)/value", "App_ckAssets/deep/link", ".App_SUPPORT"])
  func linksInThePlaceAreRefused(_ name: String) throws {
    let (fixture, backup) = try Self.fixture()
    let elsewhere = TemporaryFolder("elsewhere")
    try elsewhere.write([7], to: "value")
    let manager = FileManager.default
    let path = fixture.folder.path(name)
    try? manager.removeItem(atPath: path)
    try manager.createDirectory(
      at: URL(fileURLWithPath: path).deletingLastPathComponent(), withIntermediateDirectories: true)
    try manager.createSymbolicLink(atPath: path, withDestinationPath: elsewhere.path)
    let before = try FolderSnapshot(fixture.folder.path)
    let text = try Self.refusal(backup)
    #expect(text.contains("'\(path)' is a link") && text.contains("Nothing was changed"), "\(text)")
    #expect(try FolderSnapshot(fixture.folder.path) == before)
    #expect(try elsewhere.names() == ["value"])
  }

  // MARK: L4

  /// L4: "a store" was said of any file that lay in the place.
  @Test func occupants() throws {
    let (fixture, backup) = try Self.fixture()
    let manager = FileManager.default
    #expect(try Restore(folder: backup).occupant == .store)
    #expect(try Restore(folder: backup, to: fixture.folder.path("None.store")).occupant == .nothing)
    try fixture.folder.write(Array("my notes".utf8), to: Fixture.name)
    #expect(try Restore(folder: backup).occupant == .other("it is not an SQLite database"))
    try manager.removeItem(atPath: fixture.path)
    #expect(try Restore(folder: backup).occupant == .leftovers([".App_SUPPORT", "App_ckAssets"]))
    // What lies there when the restore runs must be what was asked about.
    let restore = try Restore(folder: backup)
    try fixture.folder.write(Array("my notes".utf8), to: Fixture.name)
    let error = #expect(throws: StoreScopeError.self) { try restore.run(at: Platform.now()) }
    #expect("\(try #require(error))".contains("Nothing was changed"))
    #expect(try fixture.folder.read(Fixture.name) == Array("my notes".utf8))
  }

  // MARK: E1

  /// E1: a backup held the files that links in the store's folders led to, whosever they were.
  @Test func backupsDoNotFollowLinks() throws {
    let (fixture, _) = try Self.fixture()
    let secrets = TemporaryFolder("secrets")
    try secrets.write(Array("secret".utf8), to: "key")
    let links = ["\(Self.external)/key": secrets.path("key"), "App_ckAssets/all": secrets.path]
    for (name, target) in links {
      try fixture.folder.link(name, to: target)
    }
    let applied = try fixture.apply("resync --pull")
    let found = try FileTree.hashes(applied.backupFolder)
    #expect(
      found["App_ckAssets/asset"] != nil && !found.keys.contains { $0.hasSuffix("key") }, "\(found.keys)")
    #expect(
      applied.checks.contains { $0.contains("and 1 other are links, which aren't followed") },
      "\(applied.checks)")
    // Nor does a copy.
    let copy = TemporaryFolder("copy")
    _ = try StoreCopy.make(of: fixture.path, at: copy.path("Copy.store")) { _ in }
    #expect(try !FileTree.hashes(copy.path).keys.contains { $0.hasSuffix("key") })
  }

  // MARK: L2

  /// L2: a restore that was killed before the store's file was replaced left the old store with a value of the backup's,
  /// where both have a file of one name. What a kill leaves at each step is one of the two stores, with all its values.
  @Test(arguments: [ForgeOptions.Journal.rollback, .wal], [StoreForge.Leftovers.nothing, .wal])
  func killedWithValuesOfTheSameName(_ journal: ForgeOptions.Journal, _ leftovers: StoreForge.Leftovers)
    throws
  {
    let base = try Fixture(
      .v17, journal: journal, leaving: journal == .wal ? leftovers : .nothing, ChangesTests.lossy)
    let (before, new) = (try base.files(), try StoreContent(valuesOf: base.path))
    let backup = Platform.fileName(try base.apply("resync --pull").backupFolder)
    let photo = try Self.photo(base)
    try base.folder.write(Array("another photo".utf8), to: photo)
    try base.folder.write([9], to: "\(Self.external)/only-old")
    let old = try StoreContent(valuesOf: base.path)
    #expect(old != new)
    let left = TemporaryFolder("killed")
    var phases: [String] = []
    let place = base.folder.path
    let restore = try Restore(folder: base.folder.path(backup)) { phase in
      guard phase.hasPrefix("placing") || phase.hasPrefix("replacing") else { return }
      phases.append(phase)
      try? FileManager.default.copyItem(atPath: place, toPath: left.path("\(phases.count)"))
    }
    let replaced = try #require(try restore.run(at: Platform.now()))
    #expect(try base.files() == before)
    #expect(try Data(contentsOf: URL(fileURLWithPath: "\(replaced)/\(photo)")) == Data("another photo".utf8))
    #expect(phases.contains("replacing \(photo)"))
    var seen: [Bool] = []
    for (index, phase) in phases.enumerated() {
      let path = left.path("\(index + 1)/\(Fixture.name)")
      let found = try StoreContent(valuesOf: path)
      #expect(found == old || found == new, "before \(phase): \(old.differences(found))")
      seen.append(found == new)
      _ = try Restore(folder: left.path("\(index + 1)/\(backup)"), to: path).run(at: Platform.now())
      #expect(try StoreContent(valuesOf: path) == new, "after \(phase)")
      // Nothing of a killed run stays among the values.
      let values = try FileTree.hashes(left.path("\(index + 1)/.App_SUPPORT"))
      #expect(values.count == 1, "after \(phase): \(values.keys)")
    }
    #expect(seen.contains(true) && seen.contains(false) && seen == seen.sorted { !$0 && $1 }, "\(seen)")
  }

  /// L2: what can't be finished is undone, values included.
  @Test func undoKeepsValuesOfTheSameName() throws {
    let (fixture, backup) = try Self.fixture(.rollback)
    let photo = try Self.photo(fixture)
    try fixture.folder.write(Array("another photo".utf8), to: photo)
    let before = try FileTree.hashes(fixture.folder.path("/.App_SUPPORT"))
    var isFirst = true
    let restore = try Restore(folder: backup) { step in
      guard step == "placing App.store", isFirst else { return }
      isFirst = false
      try? FileManager.default.removeItem(atPath: fixture.path)
      try? fixture.folder.write([7], to: Fixture.name)
    }
    #expect(throws: StoreScopeError.self) { try restore.run(at: Platform.now()) }
    #expect(!isFirst)
    #expect(try fixture.folder.read(Fixture.name) == [7])
    #expect(try FileTree.hashes(fixture.folder.path("/.App_SUPPORT")) == before)
  }
}
