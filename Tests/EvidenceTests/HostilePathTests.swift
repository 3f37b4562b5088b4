import Base
import Evidence
import Foundation
import SQLite
import TestSupport
import Testing

/// Names and side files that are unlike any app's.
struct HostilePathTests {
  private let folder = TemporaryFolder()

  private func store(at path: String) throws {
    let writer = try Connection(path: path, options: .readWrite(create: true))
    try writer.execute("PRAGMA journal_mode = wal; CREATE TABLE t(a); INSERT INTO t VALUES(7)")
  }

  /// L9: SQLite's own VFS ends at 512 bytes with "unable to open database file".
  @Test(arguments: [500, 600, 900]) func longPathsAreRead(length: Int) throws {
    try store(at: folder.path("a.sqlite"))
    var path = folder.path
    while path.utf8.count < length { path += "/" + String(repeating: "d", count: 100) }
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    try FileManager.default.copyItem(atPath: folder.path("a.sqlite"), toPath: path + "/a.sqlite")
    let opened = try StoreOpener.open(path: path + "/a.sqlite")
    #expect(try opened.connection.value("SELECT a FROM t") == .integer(7))
    try opened.finish()
  }

  /// L9: what isn't UTF-8 arrives with replacement characters, and was called missing.
  @Test func brokenNamesAreCalledThat() throws {
    let error = #expect(throws: StoreScopeError.self) { try StoreFiles(path: "/nonexistent/\u{FFFD}.sqlite") }
    #expect(error?.description.contains("valid UTF-8") == true)
  }

  /// L10: the sentence was about the side file as if it were the store.
  @Test(arguments: ["-shm", "-wal", "-journal"], ["folder", "pipe"])
  func sideFilesOfAnotherKindAreNamed(suffix: String, kind: String) throws {
    let path = folder.path("a.sqlite")
    try store(at: path)
    for suffix in ["-shm", "-wal", "-journal"] { try? FileManager.default.removeItem(atPath: path + suffix) }
    if kind == "folder" {
      try FileManager.default.createDirectory(atPath: path + suffix, withIntermediateDirectories: false)
    } else {
      mkfifo(path + suffix, 0o600)
    }
    let error = #expect(throws: StoreScopeError.self) { try StoreOpener.open(path: path) }
    #expect(error?.kind == .foreign && error?.subject == path)
    #expect(error?.problem.hasPrefix("'\(path + suffix)' is a \(kind)") == true, "\(error as Any)")
    #expect(error?.advice?.hasPrefix("move it away") == true)
  }

  /// C2: SQLite looked at such a WAL a hundred times, for ten seconds at each opening.
  @Test(arguments: [false, true]) func framelessWALCostsNoTime(isHeaderAlone: Bool) throws {
    let source = folder.path("source.sqlite")
    let writer = try Connection(path: source, options: .readWrite(create: true))
    try writer.execute(
      "PRAGMA journal_mode = wal; CREATE TABLE t(a); PRAGMA wal_checkpoint; INSERT INTO t VALUES(7)")
    let path = folder.path("a.sqlite")
    for suffix in ["", "-wal", "-shm"] {
      try FileManager.default.copyItem(atPath: source + suffix, toPath: path + suffix)
    }
    var wal = [UInt8](try Data(contentsOf: URL(filePath: path + "-wal")))
    if isHeaderAlone { wal.removeLast(wal.count - 32) } else { wal[0] = 0 }
    try Data(wal).write(to: URL(filePath: path + "-wal"))
    let began = Platform.monotonicSeconds()
    let opened = try StoreOpener.open(path: path)
    #expect(opened.way == .overlay)
    #expect(try opened.connection.value("SELECT count(*) FROM t") == .integer(0))
    #expect(Platform.monotonicSeconds() - began < 8)
    withExtendedLifetime(writer) {}
  }
}

/// A store that is read by another name than the one its app uses: what the app committed is in a -wal next to that
/// name, so it is said that it isn't shown (D3: it was missing without a word).
@Suite struct OtherNamesTests {
  private static func warnings(_ path: String) throws -> [String] {
    let opened = try StoreOpener.open(path: path)
    defer { try? opened.finish() }
    return opened.warnings
  }

  @Test func hardLinks() throws {
    let store = try ForgedStore(.walClean)
    let (folder, path) = (store.folder, store.path)
    #expect(try Self.warnings(path).isEmpty)
    #expect(link(path, folder.path("Other.sqlite")) == 0)
    for name in ["App.sqlite", "Other.sqlite"] {
      let warnings = try Self.warnings(folder.path(name))
      #expect(warnings.count == 1 && warnings[0].contains("2 names (hard links)"), "\(warnings)")
    }
  }

  @Test(.enabled(if: LiveWriter.isAvailable, "needs sqlite3")) func aHolderWithoutItsWAL() throws {
    let store = try ForgedStore(.walClean)
    let (folder, path) = (store.folder, store.path)
    let app = try LiveWriter(path)
    try app.run("UPDATE t SET b = 'new' WHERE a = 1")
    #expect(try Self.warnings(path).isEmpty)
    #expect(link(path, folder.path("Other.sqlite")) == 0)
    let warnings = try Self.warnings(folder.path("Other.sqlite"))
    #expect(warnings.contains { $0.contains("process \(app.processID)") && $0.contains("may be missing") })
    #expect(try app.finish() == "")
  }

  @Test func mountPoints() throws {
    let folder = TemporaryFolder("names")
    try folder.write([1], to: "file")
    #expect(FileNames.isMountPoint("/") == (FileManager.default.fileExists(atPath: "/proc/self/mountinfo")))
    #expect(!FileNames.isMountPoint(folder.path("file")))
  }
}
