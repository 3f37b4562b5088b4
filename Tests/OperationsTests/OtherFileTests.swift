import Base
import Forge
import Foundation
import SQLite
import TestSupport
import Testing

@testable import Operations

/// Only the file that a person saw the plan of is changed, and only by its one name.
@Suite struct OtherFileTests {
  private static func applier(_ path: String) -> Applier { Applier(path: path, version: "0.test") }

  /// Applies a plan that is refused: the words are in the sentence, and none of the files changes.
  private static func expectRefusal(
    _ words: String, _ path: String, _ shown: Plan, unchanged folders: [TemporaryFolder],
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let before = try folders.map { try FileTree.hashes($0.path) }
    let error = #expect(throws: StoreScopeError.self, sourceLocation: sourceLocation) {
      try applier(path).apply(Fixture.operation("resync --pull"), Choices(), shown: shown)
    }
    let text = error.map { "\($0)" } ?? ""
    #expect(
      text.contains(words) && text.hasSuffix("othing was changed."), "\(text)", sourceLocation: sourceLocation
    )
    #expect(try folders.map { try FileTree.hashes($0.path) } == before, sourceLocation: sourceLocation)
  }

  // MARK: D5: consent was for whatever lay at the path later

  @Test func replacedByACopy() throws {
    let fixture = try Fixture(.v17)
    let copy = try Fixture(copying: fixture)
    let shown = try fixture.plan("resync --pull")
    #expect(rename(copy.path, fixture.path) == 0)
    try Self.expectRefusal("it's a different file now", fixture.path, shown, unchanged: [fixture.folder])
  }

  @Test func anotherStoreInTheSameFile() throws {
    let fixture = try Fixture(.v17, journal: .rollback)
    let shown = try fixture.plan("resync --pull")
    try fixture.execute("UPDATE Z_METADATA SET Z_UUID = '11111111-2222-3333-4444-555555555555'")
    try Self.expectRefusal("it's a different store now", fixture.path, shown, unchanged: [fixture.folder])
  }

  @Test func aLinkThatLeadsElsewhere() throws {
    let fixture = try Fixture(.v17)
    let copy = try Fixture(copying: fixture)
    let place = TemporaryFolder("link")
    let link = place.path("Link.store")
    #expect(symlink(fixture.path, link) == 0)
    let shown = try fixture.plan("resync --pull")
    #expect(unlink(link) == 0 && symlink(copy.path, link) == 0)
    try Self.expectRefusal(
      "it's a different file now", link, shown, unchanged: [fixture.folder, copy.folder])
    #expect(unlink(link) == 0 && symlink(fixture.path, link) == 0)
    #expect(throws: Never.self) {
      try Self.applier(link).apply(Fixture.operation("resync --pull"), Choices(), shown: shown)
    }
  }

  @Test func aCopyOfAnotherFile() throws {
    let fixture = try Fixture(.v17)
    let shown = try fixture.plan("resync --pull")
    let place = TemporaryFolder("copy")
    let other = try Fixture(copying: fixture)
    #expect(throws: StoreScopeError.self) {
      try StoreCopy.make(of: other.path, file: shown.subject.file, at: place.path("Copy.store")) { _ in }
    }
    #expect(try place.names().isEmpty)
    let copy = try StoreCopy.make(of: fixture.path, file: shown.subject.file, at: place.path("Copy.store")) {
      _ in
    }
    #expect(copy.file == FileIdentity(place.path("Copy.store")) && copy.file != nil)
  }

  /// While the backup is made somebody puts another file in the place: neither is changed.
  @Test(arguments: [ForgeOptions.Journal.wal, .rollback])
  func replacedMeanwhile(_ journal: ForgeOptions.Journal) throws {
    let fixture = try Fixture(.v17, journal: journal)
    let copy = try Fixture(copying: fixture)
    let before = try fixture.content()
    let main = try fixture.folder.read(Fixture.name)
    let error = #expect(throws: StoreScopeError.self) {
      try fixture.apply("resync --pull") {
        $0.progress = { phase in
          guard phase == "changing the store" else { return }
          rename(fixture.path, fixture.folder.path("moved"))
          rename(copy.path, fixture.path)
        }
      }
    }
    let text = "\(try #require(error))"
    #expect(text.contains("replaced by another file"), "\(text)")
    #expect(try fixture.content() == before)
    // The -wal that SQLite made has the old name.
    #expect(try fixture.folder.read(Fixture.name) == main && fixture.folder.read("moved") == main)
  }

  // MARK: D3: a change by one hard link damaged what an app had in the -wal of another

  @Test(arguments: ["App.store", "App.store-wal", "App.store-journal"])
  func hardLinks(_ name: String) throws {
    let fixture = try Fixture(
      .v17, journal: name.hasSuffix("journal") ? .rollback : .wal,
      leaving: name.hasSuffix("wal") ? .wal : .nothing)
    if name.hasSuffix("journal") { try fixture.folder.write([], to: name) }
    let elsewhere = TemporaryFolder("linked")
    #expect(link(fixture.folder.path(name), elsewhere.path("Other.store")) == 0)
    let shown = try fixture.plan("resync --pull")
    let condition = Surroundings.preconditions(fixture.path, backupParent: nil).first {
      $0.name == "one-name"
    }
    #expect(condition?.holds == false && condition?.why.contains("2 names (hard links)") == true)
    try Self.expectRefusal(
      "2 names (hard links)", fixture.path, shown, unchanged: [fixture.folder, elsewhere])
    if name == Fixture.name {
      try Self.expectRefusal(
        "2 names (hard links)", elsewhere.path("Other.store"), shown, unchanged: [fixture.folder, elsewhere])
    }
    #expect(unlink(elsewhere.path("Other.store")) == 0)
    #expect(throws: Never.self) { try fixture.apply("resync --pull") }
  }

  /// A name that comes while the backup is made.
  @Test func hardLinkMeanwhile() throws {
    let fixture = try Fixture(.v17)
    let before = try fixture.content()
    let error = #expect(throws: StoreScopeError.self) {
      try fixture.apply("resync --pull") {
        $0.progress = { if $0 == "changing the store" { link(fixture.path, fixture.folder.path("second")) } }
      }
    }
    #expect("\(try #require(error))".contains("2 names"))
    #expect(try fixture.content() == before)
  }

  /// The process that holds the lock has its -wal under another name.
  @Test(.enabled(if: LiveWriter.isAvailable, "needs sqlite3")) func aHolderWithoutItsWAL() throws {
    let fixture = try Fixture(.v17)
    let shown = try fixture.plan("resync --pull")
    let elsewhere = TemporaryFolder("linked")
    let other = elsewhere.path("Other.store")
    #expect(link(fixture.path, other) == 0)
    let app = try LiveWriter(fixture.path)
    try app.run("UPDATE ZTAG SET ZNAME = 'new'")
    let condition = Surroundings.preconditions(other, backupParent: nil).first { $0.name == "not-in-use" }
    #expect(condition?.holds == false && condition?.why.contains("-wal isn't next to it") == true)
    let error = #expect(throws: StoreScopeError.self) {
      try Self.applier(other).apply(Fixture.operation("resync --pull"), Choices(), shown: shown)
    }
    #expect("\(try #require(error))".contains("process \(app.processID), whose -wal isn't next to it"))
    #expect(try app.finish() == "")
  }

  // MARK: L6, L7: the log

  /// The log was replaced by way of another file, which a kill left; it was readable by everybody.
  @Test(arguments: [0o600, 0o640, 0o644]) func theLog(_ mode: Int) throws {
    let fixture = try Fixture(.v17)
    chmod(fixture.path, mode_t(mode))
    var seen: Set<String> = []
    let vfs = try FaultVFS { seen.formUnion((try? fixture.folder.names()) ?? []) }
    let applied = try fixture.apply("resync --pull") { $0.vfs = vfs.name }
    #expect(seen.contains { $0.hasSuffix(".backup.log") } && !seen.contains { $0.hasSuffix(".new") })
    let attributes = try FileManager.default.attributesOfItem(atPath: applied.log)
    #expect(attributes[.posixPermissions] as? Int == mode)
    let lines = try String(contentsOfFile: applied.log, encoding: .utf8).split(separator: "\n")
    #expect(lines.count == 2 && lines[1].contains(#""state":"applied""#))
  }

  @Test func theLogIsNew() throws {
    let folder = TemporaryFolder("log")
    try folder.write([1, 2, 3], to: "target")
    #expect(symlink(folder.path("target"), folder.path("x.log")) == 0)
    #expect(throws: StoreScopeError.self) {
      try AppendedFile(path: folder.path("x.log"), like: folder.path("target"))
    }
    #expect(try folder.read("target") == [1, 2, 3])
    let file = try AppendedFile(path: folder.path("y.log"), like: folder.path("target"))
    try file.append("one\n")
    try file.append("two\n")
    #expect(try folder.text("y.log") == "one\ntwo\n")
    #expect(throws: StoreScopeError.self) {
      try AppendedFile(path: folder.path("y.log"), like: folder.path("target"))
    }
  }

  // MARK: What killed runs left

  private static let torn = "App.store.20260101T000000Z.resync-pull.backup.incomplete"

  /// A folder that another run fills, and what links lead to, stay.
  @Test func incompleteBackups() throws {
    let fixture = try Fixture(.v17)
    let manager = FileManager.default
    let victim = TemporaryFolder("victim")
    try victim.write([1], to: "precious")
    let torn = fixture.folder.path(Self.torn)
    try manager.createDirectory(atPath: torn + "/deep", withIntermediateDirectories: true)
    try fixture.folder.write([2], to: Self.torn + "/deep/file")
    #expect(symlink(victim.path, torn + "/link") == 0)
    do {
      let claim = ClaimedFolder(torn)
      #expect(claim != nil)
      let applied = try fixture.apply("resync --pull")
      #expect(manager.fileExists(atPath: torn + "/deep/file"))
      #expect(applied.checks.contains { $0.contains(Self.torn) && $0.contains("couldn't be removed") })
      withExtendedLifetime(claim) {}
    }
    try fixture.apply("resync --rescan")
    #expect(!manager.fileExists(atPath: torn))
    #expect(symlink(victim.path, torn) == 0)
    try fixture.apply("repair clear-events")
    #expect(try victim.names() == ["precious"] && Files.exists(torn))
  }
}
